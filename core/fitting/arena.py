"""The arena of tracks: a round or rectangular tank seen from above, given or found around all places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from ..base.vectors import norm
from ..scene.tank import Tank
from .tuning import ARENA_DEPTH, ARENA_MARGIN, CIRCLE_SIDES, ENCLOSING_STEPS

SMALLEST_SIDE = 0.1
"""Least size of a tank in metres."""


@dataclass(frozen=True)
class Arena:
    """A tank seen from above, in any unit of length.

    Attributes:
        low: Least x and y.
        high: Most x and y.
        round: Whether it is the circle in that square, and not the rectangle.
    """

    low: tuple[float, float]
    high: tuple[float, float]
    round: bool

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Arena:
        """The arena that (x, y, radius) or (x, y, x, y) say.

        Raises:
            SceneError: They are neither, or nothing is in it.
        """
        if len(numbers) == 3:
            x, y, radius = numbers
            arena = cls((x - radius, y - radius), (x + radius, y + radius), True)
        elif len(numbers) == 4:
            arena = cls((numbers[0], numbers[1]), (numbers[2], numbers[3]), False)
        else:
            arena = cls((0.0, 0.0), (0.0, 0.0), False)
        if min(arena.size) <= 0.0:
            allowed = "X,Y,RADIUS of a round one, or X,Y,X,Y of two corners, the lesser first"
            raise SceneError(shown(list(numbers)), allowed, key="--arena")
        return arena

    @classmethod
    def around(cls, places: np.ndarray, margin: float) -> Arena:
        """The smaller of circle and rectangle around places (..., 2), with a margin; NaN counts for nothing."""
        points = places[np.isfinite(places[..., 0])]
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        middle = points.mean(axis=0)
        for step in range(1, ENCLOSING_STEPS):  # Badoiu & Clarkson 2003
            farthest = points[np.square(points - middle).sum(axis=1).argmax()]
            middle = middle + (farthest - middle) / (step + 1)
        radius = float(np.sqrt(np.square(points - middle).sum(axis=1).max())) + margin
        if np.pi * radius * radius < float(np.prod(high - low)):
            return cls(_pair(middle - radius), _pair(middle + radius), True)
        return cls(_pair(low), _pair(high), False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Arena:
        """An arena that `to_dict` made plain data of."""
        return cls(tuple(data["low"]), tuple(data["high"]), data["round"])

    def to_dict(self) -> dict[str, Any]:
        """The arena as plain data."""
        return {"low": list(self.low), "high": list(self.high), "round": self.round}

    @property
    def size(self) -> tuple[float, float]:
        """Its extent along x and y."""
        return self.high[0] - self.low[0], self.high[1] - self.low[1]

    @property
    def middle(self) -> np.ndarray:
        """Its middle, (2,)."""
        return 0.5 * (np.array(self.low) + np.array(self.high))

    def scaled(self, factor: float) -> Arena:
        """The same arena in another unit."""
        return Arena(_pair(np.array(self.low) * factor), _pair(np.array(self.high) * factor), self.round)

    def seen(self, scale: float, y_down: bool) -> Arena:
        """The arena in metres, of which so many are in its unit; its y counts up, though here it may count down."""
        made = self.scaled(scale)
        if not y_down:
            return made
        return Arena((made.low[0], -made.high[1]), (made.high[0], -made.low[1]), made.round)

    def grown(self, places: np.ndarray) -> tuple[Arena, float]:
        """An arena about the same middle that holds all places (..., 2), and by how much it is larger, 1 or more."""
        off = np.abs(places - self.middle)
        half = 0.5 * np.array(self.size)
        shares = norm(off) / half[0] if self.round else off / half
        farthest = np.nanmax(shares)
        factor = max(1.0, float(farthest))
        about = self.middle
        return Arena(_pair(about - factor * half), _pair(about + factor * half), self.round), factor

    def wall_distance(self, places: np.ndarray) -> np.ndarray:
        """Distance of places (..., 2) from the nearest wall, (...); below 0 outside."""
        half = 0.5 * np.array(self.size)
        off = np.abs(places - self.middle)
        if self.round:
            return half[0] - norm(off)
        return (half - off).min(axis=-1)

    def tank(self, length: float) -> Tank:
        """A tank of this size, whose unit are metres, from the origin on, for fishes of a length in metres."""
        size = tuple(max(float(side), SMALLEST_SIDE) for side in (*self.size, ARENA_DEPTH * length))
        if not self.round:
            return Tank(size=size)
        angle = 2.0 * np.pi * np.arange(CIRCLE_SIDES) / CIRCLE_SIDES
        ring = 0.5 * size[0] * (1.0 + np.stack([np.cos(angle), np.sin(angle)], axis=1))
        vertices = tuple((float(x), float(y), z) for z in (0.0, size[2]) for x, y in np.clip(ring, 0.0, size[0]))
        count = CIRCLE_SIDES
        sides = [(row, (row + 1) % count, count + (row + 1) % count, count + row) for row in range(count)]
        ends = tuple(range(count))[::-1], tuple(range(count, 2 * count))
        return Tank(size=size, vertices=vertices, faces=(*ends, *sides))


def _pair(values: np.ndarray) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def margin_of(length: float) -> float:
    """The water beyond the outermost places of fishes of a length."""
    return ARENA_MARGIN * length
