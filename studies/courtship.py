"""Pairs complete their courtship, interrupted or not, and of two suitors the larger wins (Tu 1999, §7.9.3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.behavior.routines.courtship import COURTSHIP_STAGES
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.world import World
from .finding import Finding, counted, each

KEEN: dict[str, Any] = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}
TANKS = {
    "emperor_angelfish": (4, 3, 2),
    "blue_tang": (3, 2.5, 1.5),
    "butterflyfish": (2, 1.5, 1.2),
    "clownfish": (3, 2, 1.5),
    "parrotfish": (8, 6, 3),
}
"""Sizes of shallow tanks, in which she must stay far enough below the surface for him to come from below."""


def courted(sizes: tuple[float, ...], seed: int, minutes: int) -> tuple[np.ndarray, list[dict]]:
    """Intentions and events of a female angelfish and males of these sizes, until the first has spawned."""
    males: list[dict[str, Any]] = [
        {"species": "emperor_angelfish", "sex": "male", "size": size, "at": [1.5 + 0.5 * number, 1.5, 1.2]}
        for number, size in enumerate(sizes)
    ]
    female: dict[str, Any] = {"species": "emperor_angelfish", "sex": "female", "at": [3, 2.4, 1.2]}
    fishes = [{**group, **KEEN, "spread": 0.3} for group in (*males, female)]
    world = World(Scene.from_dict({"tank": {"size": [5, 4, 3]}, "fishes": fishes}), seed=seed)
    intention, events = [], []
    for _ in range(6 * minutes):
        part = world.simulate(240)
        events += [{**event, "frame": event["frame"] + 240 * len(intention)} for event in part.events]
        intention.append(part.intention)
        if any(event["kind"] == "spawned" for event in events):
            break
    return np.concatenate(intention), events


@dataclass(frozen=True)
class PairOutcome:
    """Outcome for a pair: whether it spawned, in order of the stages, and with an avoidance in between."""

    completed: bool
    in_order: bool = False
    interrupted: bool = False


def pair(seed: int, minutes: int = 5) -> PairOutcome:
    """Follows one pair."""
    intention, events = courted((1.0,), seed, minutes)
    spawned = [event["frame"] for event in events if event["kind"] == "spawned"]
    if not spawned:
        return PairOutcome(False)
    stages = [event["stage"] for event in events if event["kind"] == "courtship"][-4:]
    last = [event["frame"] for event in events if event.get("stage") == "looping"][-1]
    avoided = intention[last : spawned[0]] == Recording.INTENTIONS.index("avoid")
    return PairOutcome(True, stages == list(COURTSHIP_STAGES), bool(avoided.any()))


def larger_wins(seed: int, minutes: int = 4) -> bool:
    """True if she circles with the larger of two suitors first."""
    _, events = courted((1.0, 1.2), seed, minutes)
    return [event["fish"] for event in events if event.get("stage") == "circling"][:1] == [1]


def spawns(species: str, seed: int, minutes: int = 5) -> bool:
    """True if a pair in a tank of its size spawns within the time."""
    size, her_size = TANKS[species], 1.2 if Species.load(species).female_size > 1.0 else 0.9
    couple = [
        {"species": species, "sex": sex, "size": scale, "at": [at * side for side in size], **KEEN}
        for sex, scale, at in (("male", 1.0, 0.4), ("female", her_size, 0.6))
    ]
    world = World(Scene.from_dict({"tank": {"size": list(size)}, "fishes": couple}), seed=seed)
    return any(event["kind"] == "spawned" for _ in range(3 * minutes) for event in world.simulate(24 * 20).events)


def findings(seeds: range = range(20)) -> Iterator[Finding]:
    """Completed courtships, and winners."""
    pairs = each(pair, seeds)
    done = [one for one in pairs if one.completed]
    yield counted("a pair completes its courtship within five minutes", [one.completed for one in pairs], 0.8)
    yield counted("the four stages come in their order before it spawns", [one.in_order for one in done], 1.0)
    yield counted("it avoided something on the way and went on", [one.interrupted for one in done], 0.15)
    yield counted("of two suitors the larger circles with her first", each(larger_wins, seeds), 0.8)
    for species in TANKS:
        couples = each(spawns, [species], seeds[:2])
        yield counted(f"a pair of {species} spawns in a tank of its size", couples, 1.0)
