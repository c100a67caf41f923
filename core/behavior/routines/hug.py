"""Hugging the reef: fishes that keep near the bottom, rock and coral when nothing presses (ours).

The book's fishes roam the open water. On a reef most of them stay within reach of what they feed on and hide in.
"""

from __future__ import annotations

import numpy as np

from ...habitat.ground import Ground
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from .tuning import HUGGING_PULL


class Hugging:
    """The pull of what stands on fishes that like to be near it."""

    def __init__(self, hug: np.ndarray, length: np.ndarray, tank: WaterBox, obstacles: Obstacles):
        """Takes over how near each keeps.

        Args:
            hug: Lengths, 0 for those that go anywhere, (fish,).
            length: Metres, (fish,).
            tank: Its floor, if it has one.
            obstacles: What stands, and the bed.
        """
        self._near, self._ground = hug * length, Ground(tank, obstacles)

    def pull(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Nothing where these fishes, (n,), are near enough; from there on a pull over a whim, (n, 3).

        Args:
            fishes: Their rows, (n,).
            place: Metres, (n, 3).
        """
        pull = np.zeros(place.shape)
        rows = np.flatnonzero(self._near[fishes] > 0.0)
        if not len(rows):
            return pull
        at, near = place[rows], self._near[fishes[rows]]
        gap, out = self._ground.distance(at)
        pull[rows] = -np.clip(HUGGING_PULL * (gap / near - 1.0), 0.0, HUGGING_PULL)[:, None] * out
        return pull
