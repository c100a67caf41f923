"""Solids of any form, with the same questions as cylinders: how far away, how far a path is free, what they hide."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from ..base.vectors import LEAST_LENGTH, dot, norm


class Solid(ABC):
    """Something in the water.

    Attributes:
        grain: Metres to which paths are found: they end within this much of the margin, and never lead this much
            deeper into it.
        sheer: Whether one sees through it, as through a net.
    """

    grain: float
    sheer: bool = False

    @abstractmethod
    def depth(self, points: np.ndarray) -> np.ndarray:
        """Distance of points (n, 3) from the surface in metres, negative inside, (n,)."""

    @abstractmethod
    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances of points (..., 3), (...), and the unit directions in which they grow, (..., 3)."""

    @abstractmethod
    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """The free length of straight paths before they come within a margin of the solid.

        A path that starts within the margin has 0 if it leads further in, and goes on if it leads out.

        Args:
            points: Starts in metres, (..., 3).
            directions: Unit vectors, (..., 3).
            margin: Distance to keep in metres, (...).
            reach: Metres beyond which nobody asks, (...).

        Returns:
            Metres, 0 or more, infinite where nothing is in the way, (...).
        """

    @abstractmethod
    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Mask of lines blocked by the solid between start and end.

        A line is missed that is in the solid for less than two grains; one that keeps close to it all the way is taken
        for blocked.

        Args:
            start: Metres, (m, 3).
            end: Metres, (m, 3).

        Returns:
            (m,).
        """


class Exact(Solid):
    """A convex solid whose `span` is exact, and so all its paths are."""

    grain = 0.0

    @abstractmethod
    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Between which metres of a path it is within the margin: none where the first is not the smaller."""

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """See Solid."""
        enter, leave = self.span(points, directions, margin)
        hit = (leave > np.maximum(enter, 0.0)) & (enter < reach)
        outward = (enter < 0) & (dot(self.distance(points)[1], directions) >= 0)
        return np.where(hit & ~outward, np.maximum(enter, 0.0), np.inf)

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Solid."""
        length = norm(end - start)
        way = (end - start) / np.maximum(length, LEAST_LENGTH)[..., None]
        enter, leave = self.span(start, way, 0.0)
        return np.maximum(enter, 0.0) < np.minimum(leave, length)
