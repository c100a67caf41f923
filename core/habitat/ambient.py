"""Brightness and temperature of the water, as fishes sense them (Tu 1999, §6.1 and §7.5).

The book renders what a fish sees and averages it; here brightness is a field in closed form: Beer and Lambert's law
with depth, and less in the shade. Temperature is two layers with a thermocline between them, and sources.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.elementary import LN2, exp
from ..base.vectors import norm, unit
from ..scene.daylight import brightness_at
from ..scene.water import Light, Temperature
from .obstacles import Obstacles
from .optics import Optics
from .tuning import MOST_RAY_STEPS, PENUMBRA_RADIANS, SHORTEST_RAY_STEP_METRES

RAYS_FROM_OVERHEAD = (0.0, 0.0, -1.0)  # where the sun's rays go unless the scene says

Field = Callable[[np.ndarray], np.ndarray]


class Ambient:
    """Light and warmth at every place.

    Attributes:
        light: The light of the scene.
        daylight: Brightness at the surface now, 0 to 1.
    """

    def __init__(self, light: Light, temperature: Temperature, surface: float, obstacles: Obstacles):
        """Keeps what it needs.

        Args:
            light: Light of the scene.
            temperature: Temperature of the scene.
            surface: Height of the water's surface in metres.
            obstacles: Obstacles, which throw shade.
        """
        self.light, self._temperature, self._surface, self._obstacles = light, temperature, surface, obstacles
        self.at(0.0)
        self._to_sun = -unit(np.array(light.direction or RAYS_FROM_OVERHEAD, dtype=float))

    @classmethod
    def from_scene(cls, scene: Any, obstacles: Obstacles) -> Ambient:
        """Light and warmth of a Scene; how fast light fades, its type of water says in green, where it names one."""
        light = scene.light
        if scene.water is not None:
            light = replace(light, attenuation=float(Optics.of(scene.water).attenuation[1]))
        return cls(light, scene.temperature, scene.tank.size[2], obstacles)

    def at(self, t: float) -> None:
        """Has it be as bright as at `t` seconds of the film."""
        self.daylight = brightness_at(self.light, t)

    def brightness(self, points: np.ndarray) -> np.ndarray:
        """Brightness at places (..., 3) in metres, 0 to 1, (...)."""
        light = self.light
        depth = np.maximum(self._surface - points[..., 2], 0.0)
        sunlit = light.diffuse + (1.0 - light.diffuse) * self.sunlit(points)
        return self.daylight * exp(-light.attenuation * depth) * sunlit

    def sunlit(self, points: np.ndarray) -> np.ndarray:
        """Share of the sun's rays that no obstacle keeps from places (..., 3) in metres, 0 to 1, (...).

        Rays that pass an obstacle by an angle less than `PENUMBRA_RADIANS`, seen from the place, are dimmed in
        proportion (the soft shadow of a distance field, followed by steps as long as the way is sure to be free).
        """
        start = points.reshape(-1, 3)
        share, gone = np.ones(len(start)), np.zeros(len(start))
        way = np.maximum(self._surface - start[:, 2], 0.0) / self._to_sun[2]
        under_way = np.arange(len(start)) if len(self._obstacles) else np.arange(0)
        for _ in range(MOST_RAY_STEPS):
            if not len(under_way):
                break
            t = gone[under_way]
            distance = self._obstacles.distance(start[under_way] + t[:, None] * self._to_sun)[0]
            passes = np.clip(distance / np.maximum(PENUMBRA_RADIANS * t, SHORTEST_RAY_STEP_METRES), 0.0, 1.0)
            share[under_way] = np.minimum(share[under_way], passes)
            gone[under_way] = t + np.maximum(distance, 0.25 * PENUMBRA_RADIANS * t + SHORTEST_RAY_STEP_METRES)
            under_way = under_way[(gone[under_way] < way[under_way]) & (share[under_way] > 0.0)]
        return share.reshape(points.shape[:-1])

    def temperature(self, points: np.ndarray) -> np.ndarray:
        """Temperature at places (..., 3) in metres, in °C, (...)."""
        of = self._temperature
        above = points[..., 2] - (self._surface - of.depth)
        found = of.bottom + (of.surface - of.bottom) / (1.0 + exp(-4.0 * above / of.thickness))
        for source in of.sources:
            found = found + source.strength * exp(-LN2 * np.square(norm(points - np.array(source.at)) / source.radius))
        return found


_ARMS = np.concatenate((np.zeros((1, 3)), 0.5 * np.eye(3), -0.5 * np.eye(3)))


def around(field: Field, points: np.ndarray, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A field at places, and how much it differs across a span about them: its gradient times the span.

    Args:
        field: `brightness` or `temperature` of an Ambient.
        points: Places in metres, (n, 3).
        span: Length of the span in metres, (n,).

    Returns:
        In the unit of the field, (n,), and along each axis, (n, 3).
    """
    found = field(points[:, None] + span[:, None, None] * _ARMS)
    return found[:, 0], found[:, 1:4] - found[:, 4:7]
