"""Breeding: how fishes of a world are born, grow and die, and how fast that passes.

Times of lives are seconds of their lives, of which `pace` pass in a second of the film; swimming keeps the film's time.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..base.codec import SceneError, shown
from ..base.declaration import integer, number
from .limits import MOST_FISHES

LONGEST_LIFE = 1e7
"""Seconds that anything in a life lasts at the most."""


@dataclass(frozen=True)
class Breeding:
    """Lives that pass: spawned eggs hatch into fry with genomes of their own, which grow, and die in the end.

    All fishes that may court live so, prey among them; predators neither age nor starve. Growth follows von
    Bertalanffy (1938): what is left to a fish's full length shrinks by the same share in equal times.
    """

    population: int = integer(40, 1, MOST_FISHES, "fishes", "The most that live at once; eggs beyond do not hatch")
    born: int = integer(60, 0, MOST_FISHES, "fishes", "The most that are born in all")
    pace: float = number(
        60.0, 1.0, 100_000.0, "", "How much faster than the film lives pass: growth, age, hunger, libido and eggs"
    )
    brood: int = integer(6, 1, 96, "fishes", "The most that hatch of one spawning")
    hatching: float = number(180.0, 1.0, LONGEST_LIFE, "s", "Time of their lives from spawning to hatching")
    fry: float = number(0.3, 0.15, 1.0, "", "Length at hatching, over the full length")
    growing: float = number(
        400.0,
        1.0,
        LONGEST_LIFE,
        "s",
        "Time of its life in which a fed fish grows by 63 % of what is left to its length",
    )
    maturity: float = number(0.7, 0.15, 0.99, "", "Length from which on it courts, over the full length")
    lifespan: float = number(2400.0, 1.0, LONGEST_LIFE, "s", "Time of its life after which it dies of age")
    starvation: float = number(900.0, 1.0, LONGEST_LIFE, "s", "Time of its life without food after which it dies")
    variety: float = number(0.2, 0.0, 0.9, "", "How far lives differ in how long they last, and how long without food")
    mutation: float = number(1.0, 0.0, 20.0, "", "Factor on the share of genes that mutate: one in twenty at 1")

    def __post_init__(self) -> None:
        if self.maturity < self.fry:
            raise SceneError(shown(self.maturity), f"fry, {shown(self.fry)}, or more", key="maturity")
