"""The box of water that fishes swim in: its walls, its floor and its surface, in closed form.

A tank of another form keeps its box, in which its basin is an obstacle of its own (`Obstacles.from_scene`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..base.vectors import norm

NO_FLOOR_METRES = 1e5  # metres down to where no floor is met
_NORMALS = np.concatenate((np.eye(3), -np.eye(3)))


class WaterBox:
    """A box of water from the origin to `size`.

    Attributes:
        size: Length, width and depth in metres, (3,).
        low: Lowest corner of the walls and the floor to respect, (3,): the origin or, if a bed of its own takes the
            place of the floor, far below it.
    """

    def __init__(self, size: ArrayLike, floor: bool = True):
        """A box of this length, width and depth in metres, with a floor or, where a bed takes its place, without."""
        self.size = np.array(size, dtype=float)
        self.low = np.array([0.0, 0.0, 0.0 if floor else -NO_FLOOR_METRES])

    @classmethod
    def from_scene(cls, scene: Any) -> WaterBox:
        """The tank of a Scene."""
        return cls(scene.tank.size, floor=scene.terrain is None)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance to the nearest wall, floor or surface.

        Args:
            points: Places in metres, (..., 3).

        Returns:
            Distance in metres, positive in the water, (...), and the unit direction in which it grows, (..., 3).
        """
        low, high = points - self.low, self.size - points
        gaps = np.concatenate((low, high), axis=-1)
        inner = gaps.min(axis=-1)
        inward = _NORMALS[gaps.argmin(axis=-1)]
        beyond = np.maximum(-low, 0.0) - np.maximum(-high, 0.0)
        outer = norm(beyond)
        outside = outer > 0
        back = beyond / np.where(outside, outer, 1.0)[..., None]
        return np.where(outside, -outer, inner), np.where(outside[..., None], back, inward)

    def sides(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance in metres to the nearer wall of each axis, (..., 3), and where it grows, (..., 3, 3).

        Args:
            points: Places in metres, (..., 3).
        """
        low, high = points - self.low, self.size - points
        return np.minimum(low, high), np.where(low <= high, 1.0, -1.0)[..., None] * np.eye(3)
