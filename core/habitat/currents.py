"""Water currents: a sum of flow primitives (Tu 1999, §8.1, after Wejchert and Haumann 1991).

An ideal source or vortex is infinitely fast in its middle. Here each has a core, a sphere or a cylinder of its
radius, in which the speed rises evenly from nothing to the strength (a well of even divergence; the solid rotation
of Rankine's vortex). Outside the core the flow is ideal, without divergence and without rotation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..vectors import dot, unit


class Flow(Protocol):
    """One primitive."""

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """Velocity in m/s at points (..., 3) in metres, (..., 3) or what spreads to it."""


@dataclass(frozen=True)
class Uniform:
    """Alike everywhere: v = a sin(omega t) d, steady where there is no period.

    Attributes:
        direction: d, of any length but 0, (3,).
        strength: a in m/s.
        period: 2 pi / omega in seconds; 0 is steady.
    """

    direction: Sequence[float]
    strength: float
    period: float = 0.0

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """See Flow."""
        swing = np.sin(2 * np.pi * t / self.period) if self.period else 1.0
        return self.strength * swing * unit(np.array(self.direction))


@dataclass(frozen=True)
class Source:
    """Water that streams out of a place; a sink is a source of negative strength.

    Attributes:
        at: Its middle in metres, (3,).
        strength: Speed in m/s at the radius, which is the most.
        radius: Radius of the core in metres.
    """

    at: Sequence[float]
    strength: float
    radius: float

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """See Flow. The flux through any sphere around the core is 4 pi strength radius^2."""
        arm = points - np.asarray(self.at)
        squared = np.maximum(dot(arm, arm)[..., None], self.radius**2)
        return self.strength * self.radius**2 * arm / (squared * np.sqrt(squared))


@dataclass(frozen=True)
class Vortex:
    """Water that circles around an axis, anticlockwise as seen from the tip of the axis.

    Attributes:
        at: A place on the axis in metres, (3,).
        direction: Of the axis, of any length but 0, (3,).
        strength: Speed in m/s at the radius, which is the most.
        radius: Radius of the core in metres.
    """

    at: Sequence[float]
    direction: Sequence[float]
    strength: float
    radius: float

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """See Flow. The circulation along any circle around the core is 2 pi strength radius."""
        axis = unit(np.array(self.direction))
        arm = points - np.asarray(self.at)
        arm -= dot(arm, axis)[..., None] * axis
        squared = np.maximum(dot(arm, arm)[..., None], self.radius**2)
        return self.strength * self.radius * np.cross(axis, arm) / squared


@dataclass(frozen=True)
class Current:
    """The flow of the water at any place and time, the sum of its primitives."""

    flows: tuple[Flow, ...] = ()

    @classmethod
    def from_scene(cls, scene: Any) -> Current:
        """The currents of a Scene."""
        return cls(tuple(_PRIMITIVES[flow.kind](flow) for flow in scene.current))

    @property
    def still(self) -> bool:
        """Whether the water never moves."""
        return not self.flows

    @property
    def even(self) -> bool:
        """Whether the water moves alike at every place."""
        return all(isinstance(flow, Uniform) for flow in self.flows)

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """Velocity of the water.

        Args:
            points: Places in metres, (..., 3).
            t: Time in seconds.

        Returns:
            Metres per second, (..., 3).
        """
        total = np.zeros(points.shape)
        for flow in self.flows:
            total += flow.velocity(points, t)
        return total


_PRIMITIVES: dict[str, Callable[[Any], Flow]] = {
    "uniform": lambda flow: Uniform(flow.direction, flow.strength, flow.period),
    "source": lambda flow: Source(flow.at, flow.strength, flow.radius),
    "sink": lambda flow: Source(flow.at, -flow.strength, flow.radius),
    "vortex": lambda flow: Vortex(flow.at, flow.direction, flow.strength, flow.radius),
}
