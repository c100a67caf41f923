"""The antenna of fishes that see with images: it feels what they see, and nothing else."""

from __future__ import annotations

from math import prod

import numpy as np

from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ..collision import Antenna
from ..tuning import BERTH_LENGTHS
from .sight import RetinalSight
from .surfaces import FIRST_WALL


class Feeler(Antenna):
    """An antenna of some fishes, some of which see with images; the others feel obstacles."""

    def __init__(
        self, tank: WaterBox, obstacles: Obstacles, retinas: RetinalSight, fishes: np.ndarray | None = None
    ) -> None:
        """Takes over whose it is: of rows (n,), of all if left out."""
        super().__init__(tank, obstacles)
        self._retinas = retinas
        self._fishes = np.arange(len(retinas.index)) if fishes is None else fishes
        self._mine, self._rows = retinas.among(self._fishes)

    def of(self, fishes: np.ndarray) -> Antenna:
        """The feeler of these fishes, (n,)."""
        return Feeler(self._tank, self._obstacles, self._retinas, fishes)

    def free_path(
        self,
        place: np.ndarray,
        points: np.ndarray,
        ways: np.ndarray,
        length: np.ndarray,
        reach: np.ndarray | float = np.inf,
        berth: np.ndarray | float = BERTH_LENGTHS,
        overtaking: bool = True,
    ) -> np.ndarray:
        """Free lengths of paths; see `Antenna.free_path`."""
        free = super().free_path(place, points, ways, length, reach, berth, overtaking)
        mine, margin = self._mine, berth * length
        free[mine] = self._retinas.free_path(self._rows, points[mine], ways[mine], margin[mine])
        return free

    def free_at_each(
        self, place: np.ndarray, ways: np.ndarray, length: np.ndarray, reach: np.ndarray, berths: np.ndarray
    ) -> np.ndarray:
        """Free length of one way of each for each of some berths; see `Antenna.free_at_each`."""
        free = super().free_at_each(place, ways, length, reach, berths)
        mine = self._mine
        for row, berth in enumerate(berths):
            given = place[mine][:, None], ways[mine][:, None], berth[mine] * length[mine]
            free[row, mine] = self._retinas.free_path(self._rows, *given)[:, 0]
        return free

    def walled(
        self, place: np.ndarray, ahead: np.ndarray, length: np.ndarray, berth: np.ndarray | float = BERTH_LENGTHS
    ) -> np.ndarray:
        """Fishes that are within their berth of a wall of the tank and head for it; see `Antenna.walled`."""
        found, mine = super().walled(place, ahead, length, berth), self._mine
        given = place[mine][:, None], ahead[mine][:, None], (berth * length)[mine]
        found[mine] = self._retinas.free_path(self._rows, *given, FIRST_WALL)[:, 0] == 0.0
        return found

    def keep_clear(
        self, place: np.ndarray, length: np.ndarray, berth: np.ndarray | float = BERTH_LENGTHS
    ) -> np.ndarray:
        """The pushes away from walls and pillars; see `Antenna.keep_clear`."""
        pushes, mine = super().keep_clear(place, length, berth), self._mine
        if not len(mine):
            return pushes
        keep, points = (berth * length)[mine], place[mine]
        other, at = self._retinas.solid(self._rows, points)
        pairs = self._retinas.walls(self._rows, points).reshape(-1, 3, 2)
        distance = np.concatenate([pairs.min(axis=2), other[:, None]], axis=1)
        away = np.empty((len(mine), 4, 3))
        away[:, :3] = np.where(pairs[..., 0] <= pairs[..., 1], 1.0, -1.0)[..., None] * np.eye(3)
        away[:, 3] = (points - at) / np.maximum(np.where(np.isfinite(other), other, 1.0), 1e-9)[:, None]
        near = 2 * np.clip(1 - distance / keep[:, None], 0.0, 2.0)[..., None]
        pushes[mine] = np.where(near > 0.0, near * away, 0.0)
        return pushes

    def loomed(self, place: np.ndarray, length: np.ndarray) -> np.ndarray:
        """Fishes with a mover about to enter their berth that see something move; see `Antenna.loomed`."""
        found, movers = super().loomed(place, length), self._obstacles.movers.rows
        found[self._mine] &= np.isfinite(self._retinas.solid_range[self._rows][:, movers]).any(axis=1)
        return found

    def _gap(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Metres from points (n, ..., 3) of these of the fishes, (n,), to the nearest thing; see `Antenna._gap`."""
        gap = super()._gap(points, rows)
        mine, own = self._retinas.among(self._fishes[rows])
        each = points.reshape(len(points), prod(points.shape[1:-1]), 3)[mine]
        gap[mine] = self._retinas.gap(own, each).reshape(len(mine), *gap.shape[1:])
        return gap


def antenna_of(tank: WaterBox, obstacles: Obstacles, retinas: RetinalSight | None) -> Antenna:
    """The antenna of all fishes of a tank, some of which may see with images."""
    return Antenna(tank, obstacles) if retinas is None else Feeler(tank, obstacles, retinas)
