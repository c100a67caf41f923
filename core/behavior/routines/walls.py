"""Following walls (thigmotaxis; ours): fishes that like to swim along a wall rather than in open water.

In a bare tank zebrafish and many others keep to the walls, alone and in company, and turn along them where they meet
them (Collignon, Séguret & Halloy 2016). The book's fishes only keep off walls.
"""

from __future__ import annotations

import numpy as np

from ...base.vectors import dot
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ...habitat.walls import Walls
from .tuning import WALL_PULL, WALL_REACH_LENGTHS


class WallFollowing:
    """The pull of walls on fishes that like to swim along them. It has no state."""

    def __init__(self, traits: np.ndarray, length: np.ndarray, tank: WaterBox, obstacles: Obstacles):
        """Takes over who likes walls how much, and how near.

        Args:
            traits: Temperament of each fish, (fish,) with the fields of `species.Temperament`.
            length: Metres, (fish,).
            tank: The box of water.
            obstacles: The walls of a tank of another form among them.
        """
        self._liking, self._near = traits["wall_following"].copy(), traits["wall_distance"] * length
        self._reach = WALL_REACH_LENGTHS * length
        self._walls = Walls(tank, obstacles)

    def along(self, fishes: np.ndarray, place: np.ndarray, wish: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Wishes of n fishes, (n, 3), bent along the nearest wall.

        At the distance that it likes, and nearer, a fish gives up that much of what leads it off the wall, less from
        there on and nothing at twice the distance. It is drawn to that distance from where it is, in full from twice it
        on and in touch with the wall; less in the outer half of the range within which walls draw.

        Args:
            fishes: Their rows, (n,).
            place: Metres, (n, 3).
            wish: Where they would go without walls, (n, 3).
            free: Mask of those that may follow their likes, (n,) bool.
        """
        rows = np.flatnonzero(free & (self._liking[fishes] > 0.0))
        if not len(rows):
            return wish
        liking, near = self._liking[fishes[rows]], self._near[fishes[rows]]
        reach = self._reach[fishes[rows]]
        gap, towards = self._walls.nearest(place[rows], reach)
        off = gap / near - 1.0
        kept = liking * np.clip(1.0 - off, 0.0, 1.0)
        back = -kept * np.minimum(dot(wish[rows], towards), 0.0)
        drawn = WALL_PULL * liking * np.clip(off, -1.0, 1.0) * np.clip(2.0 * (1.0 - gap / reach), 0.0, 1.0)
        bent = wish.copy()
        bent[rows] += (back + drawn)[:, None] * towards
        return bent
