"""The water that a fish feels: the mean of what streams about its body, and slack before walls.

A current is written for open water and knows no walls but pillars. A fish that it carried to a wall would be held there
by all of it, and rolled over. As in the flow towards a stagnation point (Batchelor, Introduction to Fluid Dynamics,
§2.7), what leads into a wall may grow evenly with the way to it; what goes along it stays. And where a body is longer
than the core of a sink or a vortex is wide, the water at its middle says little of what pushes it.

Streams below `PRESSING_LENGTHS` a second, which a fish stands against, are left as they are at its middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.sums import mean
from ..base.vectors import dot
from .currents import Current
from .obstacles import Obstacles
from .tank import WaterBox
from .tuning import PRESSING_LENGTHS, STRAIN_RATE


@dataclass(frozen=True, eq=False)
class Slack:
    """The water of a tank as fishes feel it.

    Attributes:
        current: The current without walls.
        tank: The tank, whose walls slow it.
        obstacles: Obstacles in the tank.
    """

    current: Current
    tank: WaterBox
    obstacles: Obstacles

    def velocity(self, place: np.ndarray, nodes: np.ndarray, length: np.ndarray, t: float) -> np.ndarray:
        """The velocity of the water about fishes.

        Args:
            place: Their middles in metres, (fish, 3).
            nodes: Theirs in metres, (fish, 23, 3).
            length: Theirs in metres, (fish,).
            t: Time in seconds.

        Returns:
            Metres per second, (fish, 3).
        """
        water, pressing = self.current.velocity(place, t), PRESSING_LENGTHS * length
        swift = np.flatnonzero(dot(water, water) > pressing * pressing)
        if len(swift):
            nodes = nodes[swift]
            flow = water[swift] if self.current.even else mean(self.current.velocity(nodes, t), axis=1)
            water[swift] = self._slacken(flow, nodes, pressing[swift, None])
        return water

    def _slacken(self, flow: np.ndarray, nodes: np.ndarray, pressing: np.ndarray) -> np.ndarray:
        """A flow (n, 3) at nodes (n, 23, 3), less what leads into walls beyond this, (n, 1), and what it gained."""
        if len(self.obstacles):
            depth, away = self.obstacles.distance(nodes)
            nearest, rows = depth.argmin(axis=1), np.arange(len(nodes))
            gap, way = np.maximum(depth[rows, nearest], 0.0)[:, None], away[rows, nearest]
            into = -dot(flow, way)[:, None]
            flow = flow + np.maximum(into - (pressing + STRAIN_RATE * gap), 0.0) * way
        back, ahead = nodes.min(axis=1) - self.tank.low, self.tank.size - nodes.max(axis=1)
        back, ahead = (pressing + STRAIN_RATE * np.maximum(gap, 0.0) for gap in (back, ahead))
        return np.minimum(np.maximum(flow, -back), ahead)
