"""The character of a species: traits from 0 to 1, from which the numbers that a species leaves out follow."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.declaration import trait


@dataclass(frozen=True)
class Traits:
    """A species by its character: each trait from one word to another, from 0 to 1."""

    size: float = trait("tiny", "huge", "Length of its body: 3 cm at 0, 30 cm in the middle, 3 m at 1")
    build: float = trait("slender", "deep", "Height of its body: an eel at 0, a sardine at a third, a disc at 1")
    flatness: float = trait("round", "flat", "How much narrower its body is than high")
    pace: float = trait("slow", "quick", "How quickly it beats its tail for its size")
    stamina: float = trait("sprinter", "tireless", "Whether it darts, coasts and rests, or swims on and on")
    nimbleness: float = trait("steady", "nimble", "How sharply and how often it turns")
    boldness: float = trait("shy", "bold", "How far it goes from home, and whether it faces who hunts it")
    wariness: float = trait("careless", "wary", "From how far it fears a predator, and for how long it minds it")
    sociability: float = trait("loner", "schooling", "How near it keeps to its own kind")
    temper: float = trait("peaceful", "fierce", "A grazer at 0, a hunter from three quarters on")
    appetite: float = trait("frugal", "greedy", "How soon it hungers, and how much it eats")
    activity: float = trait("by day", "by night", "When it is about, where there is day and night; 0.5 at all hours")
    depth: float = trait("bottom", "midwater", "Whether it keeps to the ground, rock and coral, or to open water")
