"""Solids of any form, with the same questions as cylinders: how far away, how far a path is free, what they hide.

Paths go by sphere tracing (Hart 1996): the distance to the solid is what a path may safely go on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike

from ..base.vectors import LEAST_LENGTH, dot, norm

MOST_MARCHES = 48  # steps of a path at most; one that is not at its end by then ends where it is


class Solid(ABC):
    """Something in the water.

    Attributes:
        grain: Metres to which paths are found: they end within this much of the margin, and never lead this much
            deeper into it.
    """

    grain: float

    @abstractmethod
    def depth(self, points: np.ndarray) -> np.ndarray:
        """Distance of points (n, 3) from the surface in metres, negative inside, (n,)."""

    @abstractmethod
    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distances of points (..., 3), (...), and the unit directions in which they grow, (..., 3)."""

    def bound(self, points: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The depth of points (n, 3), and metres without any surface around each, which may be fewer, (n,) both.

        Args:
            points: Metres, (n, 3).
            keep: The depth of which it matters whether it is reached, in metres, (n,).
        """
        depth = self.depth(points)
        return depth, depth

    @abstractmethod
    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Between which metres of a path it may come within the margin: none where the first is not the smaller."""

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
        enter, leave = self.span(points, directions, margin)
        leave = np.minimum(leave, reach)
        free = np.full(leave.shape, np.inf)
        hit = np.nonzero(enter < leave)
        start, way = (np.broadcast_to(of, (*free.shape, 3))[hit] for of in (points, directions))
        keep, t, end = np.broadcast_to(margin, free.shape)[hit], enter[hit], leave[hit]
        found, live = np.full(len(t), np.inf), np.arange(len(t))
        for _ in range(MOST_MARCHES):
            place = start + t[:, None] * way
            depth, clear = self.bound(place, keep)
            gap = depth - keep
            ended = near = np.flatnonzero(gap < self.grain)
            if len(near):
                ended = near[dot(self.distance(place[near])[1], way[near]) < 0]
            found[live[ended]] = t[ended]
            t = t + np.maximum(np.minimum(gap, clear), self.grain)
            t[ended] = np.inf
            on = np.flatnonzero(t < end)
            start, way, keep, t, end, live = (of[on] for of in (start, way, keep, t, end, live))
            if not len(live):
                break
        found[live] = t
        free[hit] = found
        return free

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Mask of lines blocked by the solid between start and end.

        A line is missed that is in the solid for less than two grains; one that keeps close to it for all its marches
        is taken for blocked.

        Args:
            start: Metres, (m, 3).
            end: Metres, (m, 3).

        Returns:
            (m,).
        """
        ray = end - start
        length = norm(ray)
        way = ray / np.maximum(length, 1e-12)[:, None]
        enter, leave = self.span(start, way, 0.0)
        leave = np.minimum(leave, length)
        blocked = np.zeros(len(start), dtype=bool)
        live = np.flatnonzero(enter < leave)
        t = enter[live]
        for _ in range(MOST_MARCHES):
            depth = self.depth(start[live] + t[:, None] * way[live])
            blocked[live] = depth < 0
            t = t + np.maximum(depth, 2 * self.grain)
            on = np.flatnonzero((depth >= 0) & (t < leave[live]))
            live, t = live[on], t[on]
            if not len(live):
                break
        blocked[live] = True  # so long a way so close to it
        return blocked


class Exact(Solid):
    """A convex solid whose `span` is exact, and so all its paths are."""

    grain = 0.0

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
