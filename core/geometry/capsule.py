"""A cylinder with round ends as a solid, in closed form: all that is within a radius of a stretch of the x axis."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..base.vectors import dot, norm
from .solids import Exact


class Capsule(Exact):
    """A cylinder with round ends, about the origin along x.

    Attributes:
        half: Half the length of its axis in metres, its round ends left out.
        radius: Metres.
    """

    def __init__(self, length: float, radius: float):
        """Makes a capsule of an overall length and a radius, in metres."""
        self.half, self.radius = max(0.5 * length - radius, 0.0), radius

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self.distance(points)[0]

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        along = np.clip(points[..., :1], -self.half, self.half)
        arm = np.concatenate((points[..., :1] - along, points[..., 1:]), axis=-1)
        length = norm(arm)
        on_axis = (length == 0)[..., None]
        way = np.where(on_axis, (0.0, 0.0, 1.0), arm / np.where(on_axis, 1.0, length[..., None]))
        return length - self.radius, way

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Exact: within the capsule that is thicker by the margin, exactly, of the mantle and either end."""
        thick = np.square(self.radius + np.asarray(margin))
        enter, leave = self._mantle(points, ways, thick)
        for end in (-self.half, self.half):
            first, last = _within(points - (end, 0.0, 0.0), ways, thick)
            enter, leave = np.minimum(enter, first), np.maximum(leave, last)
        return enter, leave

    def _mantle(self, points: np.ndarray, ways: np.ndarray, thick: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Between which metres of a path it is within the cylinder alone, whose radius squared is `thick`."""
        first, last = _within(points[..., 1:], ways[..., 1:], thick)
        along = np.where(np.abs(ways[..., 0]) < 1e-12, 1e-12, ways[..., 0])
        reach, middle = self.half / np.abs(along), -points[..., 0] / along
        first, last = np.maximum(first, middle - reach), np.minimum(last, middle + reach)
        hit = first < last
        return np.where(hit, first, np.inf), np.where(hit, last, -np.inf)


def _within(points: np.ndarray, ways: np.ndarray, thick: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Between which metres of a path it is within a ball, or a circle, about the origin: a t^2 + 2 b t + c = 0."""
    a, b = np.maximum(dot(ways, ways), 1e-24), dot(points, ways)
    discriminant = b * b - a * (dot(points, points) - thick)
    root, hit = np.sqrt(np.maximum(discriminant, 0.0)), discriminant > 0
    return np.where(hit, (-b - root) / a, np.inf), np.where(hit, (-b + root) / a, -np.inf)
