"""Spots: the named places of a scene, marks and obstacles, as fishes that are told go to them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.vectors import norm
from ..geometry.solids import Solid
from ..habitat.obstacles import Obstacles
from ..scene.instruction import called


class Spots:
    """The marks of a scene, and after these its obstacles.

    Attributes:
        count: Number of both.
        marks: Number of marks.
        solids: Forms of the obstacles where they are now.
        reach: Radius of each mark, and of a circle round each obstacle, in metres, (spot,).
    """

    def __init__(self, scene: Any, obstacles: Obstacles):
        """Takes over the marks of a Scene, and its obstacles, of which those that move are in `obstacles`."""
        movers = dict(zip(obstacles.movers.rows.tolist(), obstacles.movers.solids, strict=True))
        self.marks = len(scene.marks)
        self._names = [one.name for one in (*scene.marks, *scene.obstacles)]
        self.count = len(self._names)
        self.solids: tuple[Solid, ...] = tuple(movers.get(row) or one.solid for row, one in enumerate(scene.obstacles))
        middles, reaches, half = (
            [one.at for one in scene.marks],
            [one.radius for one in scene.marks],
            [0.0] * self.marks,
        )
        for row, one in enumerate(scene.obstacles):
            middle, radius, high = _cover(one, self.solids[row])
            middles.append(tuple(middle))
            reaches.append(radius)
            half.append(high)
        self._middle = np.array(middles, dtype=float).reshape(-1, 3)
        self.reach, self._half = np.array(reaches, dtype=float), np.array(half, dtype=float)
        self._moving = [(self.marks + row, movers[row]) for row in sorted(movers) if row < len(scene.obstacles)]

    @property
    def middle(self) -> np.ndarray:
        """Middles of all in metres, (spot, 3)."""
        for row, mover in self._moving:
            self._middle[row] = mover.middle
        return self._middle

    @property
    def heights(self) -> tuple[np.ndarray, np.ndarray]:
        """The lowest and the highest places of the obstacles in metres, (obstacle,) each."""
        middle, half = self.middle[self.marks :, 2], self._half[self.marks :]
        return middle - half, middle + half

    def rows(self, names: tuple[str, ...]) -> np.ndarray:
        """Rows of those that names stand for, in the order of the names and then of the scene, each once, (n,)."""
        found: dict[int, None] = {}
        for name in names:
            found.update(dict.fromkeys(called(name, self._names)))
        return np.array(list(found), dtype=int)

    def gap(self, rows: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Metres from places (n, 3) to the borders of some of these, (k,), 0 or less within, (n, k)."""
        found = norm(places[:, None] - self.middle[rows]) - self.reach[rows]
        for column, row in enumerate(rows.tolist()):
            if row >= self.marks:
                found[:, column] = self.solids[row - self.marks].distance(places)[0]
        return found


def _cover(obstacle: Any, solid: Solid) -> tuple[np.ndarray, float, float]:
    """Middle, (3,), radius from above and half the height of what an obstacle of a scene takes up, in metres."""
    if obstacle.motion is not None:
        radius = float(solid.radius)  # type: ignore[attr-defined]
        return solid.middle, radius, radius  # type: ignore[attr-defined]
    if obstacle.kind == "cylinder":
        return np.array(obstacle.at) + (0.0, 0.0, 0.5 * obstacle.height), obstacle.radius, 0.5 * obstacle.height
    low, high = obstacle.ends
    return 0.5 * (low + high), 0.5 * float(norm((high - low)[:2])), 0.5 * float(high[2] - low[2])
