"""Water currents: a sum of flow primitives (Tu 1999, §8.1, after Wejchert and Haumann 1991).

An ideal source or vortex is infinitely fast in its middle. Here each has a core, a sphere or a cylinder of its
radius, in which the speed rises evenly from nothing to the strength (a well of even divergence; the solid rotation
of Rankine's vortex). Outside the core the flow is ideal, without divergence and without rotation.

Water goes around pillars. The book puts a source at the axis of each, a / (d - r)^2 at the distance d, which is
infinite at the mantle and pushes away on the lee side too; here a pillar adds the doublet, the pair of source and
sink that makes an even stream pass around a circle exactly (Milne-Thomson, Theoretical Hydrodynamics, §6.22).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..base.elementary import sin
from ..base.vectors import cross, dot, unit


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
        swing = sin(2 * np.pi * t / self.period) if self.period else 1.0
        return self.strength * swing * unit(np.array(self.direction))


@dataclass(frozen=True)
class SourceFlow:
    """Water that streams out of a place; a sink is a source of negative strength.

    Attributes:
        at: Middle in metres, (3,).
        strength: Speed in m/s at the radius, which is the most.
        radius: Radius of the core in metres.
    """

    at: Sequence[float]
    strength: float
    radius: float

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """See Flow. The flux through any sphere around the core is 4 pi strength radius^2."""
        arm = points - np.asarray(self.at)
        squared = np.maximum(dot(arm, arm)[..., None], np.square(self.radius))
        return self.strength * np.square(self.radius) * arm / (squared * np.sqrt(squared))


@dataclass(frozen=True)
class VortexFlow:
    """Water that circles around an axis, anticlockwise as seen from the tip of the axis.

    Attributes:
        at: A place on the axis in metres, (3,).
        direction: Direction of the axis, of any length but 0, (3,).
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
        squared = np.maximum(dot(arm, arm)[..., None], np.square(self.radius))
        return self.strength * self.radius * cross(axis, arm) / squared


@dataclass(frozen=True)
class PillarFlow:
    """An upright cylinder that the water goes around; its effect fades within a radius beyond either end.

    Attributes:
        at: Middle of its foot in metres, (3,).
        radius: Metres.
        height: Metres.
        deflection: Share of the stream that goes around it; 0 lets the water through.
        outflow: Speed in m/s at the mantle of water that streams out of it, as the book has it.
    """

    at: Sequence[float]
    radius: float
    height: float
    deflection: float = 1.0
    outflow: float = 0.0

    @property
    def middle(self) -> np.ndarray:
        """Metres, (3,)."""
        return np.asarray(self.at) + (0.0, 0.0, 0.5 * self.height)

    def velocity(self, points: np.ndarray, stream: np.ndarray) -> np.ndarray:
        """The pillar's addition to the flow.

        Nowhere more than the stream and the outflow together; inside the pillar it falls to nothing at the axis.

        Args:
            points: Places in metres, (..., 3).
            stream: Velocity in m/s that the water would have in its middle, (3,).

        Returns:
            Metres per second, (..., 3).
        """
        added = np.zeros(points.shape)
        u, v = self.deflection * stream[:2]
        if not (u or v or self.outflow):
            return added
        x, y = points[..., 0] - self.at[0], points[..., 1] - self.at[1]
        # With n the unit vector outwards and U the level stream, R^2 / r^2 (U - 2 (U.n) n) + outflow R / r n.
        inside, squared = np.square(self.radius), x * x + y * y
        reach = np.maximum(squared, inside)
        beyond = np.abs(points[..., 2] - self.middle[2]) - 0.5 * self.height
        share = np.clip(1.0 - beyond / self.radius, 0.0, 1.0) / reach
        pair = share * inside / reach
        out = share * self.outflow * self.radius - 2.0 * pair * (u * x + v * y)
        pair *= squared
        added[..., 0] = pair * u + out * x
        added[..., 1] = pair * v + out * y
        return added


@dataclass(frozen=True)
class Current:
    """The flow of the water at any place and time: the sum of its primitives, led around pillars.

    A pillar deflects the stream that there would be in its middle without any pillar: exact where the water moves
    alike everywhere, near enough where the flow changes little over the pillar's width.
    """

    flows: tuple[Flow, ...] = ()
    pillars: tuple[PillarFlow, ...] = ()

    @classmethod
    def from_scene(cls, scene: Any) -> Current:
        """The currents of a Scene."""
        pillars = [one for one in scene.obstacles if one.kind == "cylinder" and one.motion is None]
        return cls(
            tuple(_PRIMITIVES[flow.kind](flow) for flow in scene.current),
            tuple(PillarFlow(p.at, p.radius, p.height, p.deflection, p.outflow) for p in pillars),
        )

    @property
    def still(self) -> bool:
        """True if the water never moves."""
        return not self.flows and not any(pillar.outflow for pillar in self.pillars)

    @property
    def steady(self) -> bool:
        """True if the water moves alike at all times."""
        return not any(isinstance(flow, Uniform) and flow.period for flow in self.flows)

    @property
    def even(self) -> bool:
        """True if the water moves alike at every place."""
        parted = any(pillar.outflow or (self.flows and pillar.deflection) for pillar in self.pillars)
        return not parted and all(isinstance(flow, Uniform) for flow in self.flows)

    def velocity(self, points: np.ndarray, t: float) -> np.ndarray:
        """Velocity of the water.

        Args:
            points: Places in metres, (..., 3).
            t: Time in seconds.

        Returns:
            Metres per second, (..., 3).
        """
        total = self._open(points, t)
        if self.pillars and not self.still:
            streams = self._open(np.array([pillar.middle for pillar in self.pillars]), t)
            for pillar, stream in zip(self.pillars, streams, strict=True):
                total += pillar.velocity(points, stream)
        return total

    def _open(self, points: np.ndarray, t: float) -> np.ndarray:
        """Velocity as it would be without pillars, (..., 3)."""
        total = np.zeros(points.shape)
        for flow in self.flows:
            total += flow.velocity(points, t)
        return total


_PRIMITIVES: dict[str, Callable[[Any], Flow]] = {
    "uniform": lambda flow: Uniform(flow.direction, flow.strength, flow.period),
    "source": lambda flow: SourceFlow(flow.at, flow.strength, flow.radius),
    "sink": lambda flow: SourceFlow(flow.at, -flow.strength, flow.radius),
    "vortex": lambda flow: VortexFlow(flow.at, flow.direction, flow.strength, flow.radius),
}
