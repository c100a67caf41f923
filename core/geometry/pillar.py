"""An upright cylinder as a solid, in closed form."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..base.vectors import dot, norm
from .solids import Exact


class Pillar(Exact):
    """An upright cylinder.

    Attributes:
        at: Middle of its foot in metres, (3,).
        radius: Metres.
        height: Metres.
    """

    def __init__(self, at: ArrayLike, radius: float, height: float):
        self.at, self.radius, self.height = np.array(at, dtype=float), radius, height

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return self.distance(points)[0]

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        arm = points - self.at - (0.0, 0.0, 0.5 * self.height)
        length = norm(arm[..., :2])
        out, up = length - self.radius, np.abs(arm[..., 2]) - 0.5 * self.height
        beyond = np.stack((np.maximum(out, 0.0), np.maximum(up, 0.0)), axis=-1)
        corner = norm(beyond)
        inside = corner == 0
        # Outside, the distance grows along the line from the nearest place; inside, along the shorter way out.
        shorter = np.stack((out >= up, out < up), axis=-1).astype(float)
        share = np.where(inside[..., None], shorter, beyond / np.where(inside, 1.0, corner)[..., None])
        axis = (length == 0)[..., None]
        flat = np.where(axis, (1.0, 0.0), arm[..., :2] / np.where(axis, 1.0, length[..., None]))
        upright = np.where(arm[..., 2] < 0, -1.0, 1.0) * share[..., 1]
        way = np.concatenate((share[..., :1] * flat, upright[..., None]), axis=-1)
        return corner + np.minimum(np.maximum(out, up), 0.0), way

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Exact: within the cylinder that is larger by the margin, exactly."""
        arm = points - self.at - (0.0, 0.0, 0.5 * self.height)
        # Equation 6.2 of Tu 1999 with 6.1 put in, a t^2 + 2 b t + c = 0, for the mantle, and a slab for the two ends.
        a = np.maximum(dot(ways[..., :2], ways[..., :2]), 1e-24)
        b = dot(arm[..., :2], ways[..., :2])
        c = dot(arm[..., :2], arm[..., :2]) - np.square(self.radius + np.asarray(margin))
        discriminant = b * b - a * c
        root = np.sqrt(np.maximum(discriminant, 0.0))
        rise = np.where(np.abs(ways[..., 2]) < 1e-12, 1e-12, ways[..., 2])
        half, middle = (0.5 * self.height + np.asarray(margin)) / np.abs(rise), -arm[..., 2] / rise
        enter, leave = np.maximum((-b - root) / a, middle - half), np.minimum((-b + root) / a, middle + half)
        return np.where(discriminant > 0, enter, np.inf), np.where(discriminant > 0, leave, -np.inf)
