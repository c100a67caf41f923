"""The decoration of a film: scenery, ripples of the sand, snow in the water. No fish feels it."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.codec import OPTIONAL, SceneError
from ..base.declaration import choice, integer, number, vector

SCENERIES = ("reef", "open", "kelp", "wreck", "bare")
"""A coral reef, water without a bed in sight, a forest of kelp, what is on and about a wreck, and sand alone."""
MOST_PAINTED = 512
"""Rows and columns that may be painted."""


@dataclass(frozen=True)
class Stage:
    """The scenery around the fishes in a film, which is only looked at."""

    scenery: str = choice("reef", SCENERIES, "What grows and lies there: coral reef, kelp, a wreck, or nothing")
    seed: int = integer(0, 0, 2**31 - 1, "", "Which of many gardens of that kind")
    growth: float = number(1.0, 0.0, 3.0, "", "How much grows there, over what is usual; 0 is nothing")
    painted: tuple | None = vector(
        OPTIONAL,
        0.0,
        1.0,
        "",
        "Share of the growth that is left, place by place: rows along x over all the tank, the first at y = 0",
        shape=(None, None),
    )
    ripples: float = number(1.0, 0.0, 3.0, "", "Height of the sand's ripples, over what the water would make")
    snow: float = number(40.0, 0.0, 400.0, "1/m³", "Flakes of marine snow in a cubic metre before the camera")

    def __post_init__(self) -> None:
        if self.painted is None:
            return
        rows, columns = len(self.painted), {len(row) for row in self.painted}
        if not 2 <= rows <= MOST_PAINTED or len(columns) != 1 or not 2 <= min(columns) <= MOST_PAINTED:
            found = f"{rows} rows of {', '.join(map(str, sorted(columns)[:3])) or 'no'} numbers"
            raise SceneError(found, f"2 to {MOST_PAINTED} rows, all of the same 2 to {MOST_PAINTED} numbers", "painted")
        object.__setattr__(self, "painted", tuple(tuple(map(float, row)) for row in self.painted))
