"""Ground: what stands, and the floor, as one surface that fishes keep near, lay eggs on and rest at."""

from __future__ import annotations

import numpy as np

from ..base.constants import constant
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import CLUTCH_GAP_METRES, CLUTCH_REACH_METRES

UPRIGHT = constant(np.array([0.0, 0.0, 1.0]))


class Ground:
    """The nearest of all that stands and the floor."""

    def __init__(self, tank: WaterBox, obstacles: Obstacles):
        """Takes these: the tank with its floor, if it has one, and obstacles."""
        self._tank, self._obstacles = tank, obstacles

    def distance(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Metres from the ground to places (n, 3), (n,), and the unit direction in which they grow, (n, 3)."""
        gap, out = self._obstacles.distance(place)
        above = place[:, 2] - self._tank.low[2]
        floor = above < gap
        return np.where(floor, above, gap), np.where(floor[:, None], UPRIGHT, out)

    def room(self, place: np.ndarray) -> np.ndarray:
        """Metres from places (n, 3) to the nearest of all walls, the surface and what stands, below 0 beyond, (n,)."""
        return np.minimum(self._tank.distance(place)[0], self._obstacles.distance(place)[0])

    def onto(self, place: np.ndarray, gap: float) -> tuple[np.ndarray, np.ndarray]:
        """The nearest places to these (n, 3) so many metres from the ground, and the way off it, (n, 3) both."""
        for _ in range(3):  # distances of meshes and beds are not exact far off
            depth, out = self.distance(place)
            place = place - (depth - gap)[:, None] * out
        return place, self.distance(place)[1]

    def foot(self, place: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
        """The ground nearest to a place in metres, (1, 3), and the way off it, (3,) both; None where it is too far."""
        if self.distance(place)[0][0] > CLUTCH_REACH_METRES:
            return None
        at, out = self.onto(place, CLUTCH_GAP_METRES)
        return at[0], out[0]
