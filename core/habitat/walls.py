"""The walls of a tank, seen from the water between them: how far the nearest is, and where, on the level."""

from __future__ import annotations

import numpy as np

from ..base.constants import constant
from ..base.elementary import sin_and_cos
from ..base.vectors import dot, norm, unit
from ..geometry.basin import Basin
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import WALL_GLANCES

GLANCE_AZIMUTHS = constant(2.0 * np.pi * np.arange(WALL_GLANCES) / WALL_GLANCES)
"""Azimuths in radians at which a wall that is no side of a box is looked for."""


class Walls:
    """The upright sides of a box of water or, of a tank of another form, its walls all around.

    The floor, the surface and what stands in the water are none of them.
    """

    def __init__(self, tank: WaterBox, obstacles: Obstacles):
        """Takes the box, and the walls of a tank of another form from what stands."""
        self._tank, self._basins = tank, [solid for solid in obstacles.standing if isinstance(solid, Basin)]
        sines, cosines = sin_and_cos(GLANCE_AZIMUTHS)
        self._ways = np.stack((cosines, sines, np.zeros(WALL_GLANCES)), axis=1)

    def nearest(self, place: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Metres on the level from places (n, 3) to the nearest wall, (n,), and the unit vector towards it, (n, 3).

        Walls of a tank that is no box are taken for flat about where the shortest of `WALL_GLANCES` level glances meets
        them; what is beyond a reach in metres, (n,), is found there.
        """
        distance, inward = self._tank.sides(place)
        rows, axis = np.arange(len(place)), distance[:, :2].argmin(axis=1)
        gap, towards = distance[rows, axis], -inward[rows, axis]
        for basin in self._basins:
            other, way = self._seen(basin, place, reach)
            nearer = other < gap
            gap, towards = np.where(nearer, other, gap), np.where(nearer[:, None], way, towards)
        return gap, towards

    def _seen(self, basin: Basin, place: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same of one basin."""
        shape = (len(place), WALL_GLANCES, 3)
        starts, ways = np.broadcast_to(place[:, None], shape), np.broadcast_to(self._ways, shape)
        free = basin.free_path(starts, ways, np.zeros((len(place), 1)), reach[:, None])
        nearest = free.argmin(axis=1)
        glance, seen = self._ways[nearest], free[np.arange(len(place)), nearest] < reach
        arm = np.where(seen, free.min(axis=1), reach)[:, None] * glance
        left, inward = basin.distance(place + arm)
        level = inward * (1.0, 1.0, 0.0)
        faces = seen & (dot(level, glance) < 0.0)
        towards = np.where(faces[:, None], unit(-level), glance)
        return np.where(faces, dot(arm, towards) + left, norm(arm)), towards
