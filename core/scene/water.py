"""The water: its currents, its clarity, its light and its warmth."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import Any

from ..base.codec import OPTIONAL, REQUIRED, SceneError, shown
from ..base.declaration import choice, keyed, number, vector
from .limits import FARTHEST, refuse_zero


@dataclass(frozen=True)
class UniformCurrent:
    """Water that moves alike everywhere, steadily or to and fro."""

    kind: str = choice(REQUIRED, ("uniform",), "Alike everywhere")
    direction: tuple = vector(REQUIRED, -1e6, 1e6, "", "Where the water goes", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water, the most of it if it goes to and fro")
    period: float = number(0.0, 0.0, 3600.0, "s", "Time of once to and fro; 0 is steady")

    def __post_init__(self) -> None:
        refuse_zero("direction", self.direction)


@dataclass(frozen=True)
class PointCurrent:
    """Water that streams out of a place or into it."""

    kind: str = choice(REQUIRED, ("source", "sink"), "Out of a place (source) or into it (sink)")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "The place", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water at the radius")
    radius: float = number(0.5, 0.001, FARTHEST, "m", "Radius at which the water has that speed; it fades farther out")


@dataclass(frozen=True)
class Vortex:
    """Water that circles around an axis."""

    kind: str = choice(REQUIRED, ("vortex",), "Circling around an axis")
    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "A place on the axis", shape=(3,))
    strength: float = number(0.1, 0.0, 10.0, "m/s", "Speed of the water at the radius")
    radius: float = number(0.5, 0.001, FARTHEST, "m", "Radius at which the water has that speed; it fades farther out")
    direction: tuple = vector(
        (0.0, 0.0, 1.0), -1e6, 1e6, "", "The axis; the water circles anticlockwise as seen from its tip"
    )

    def __post_init__(self) -> None:
        refuse_zero("direction", self.direction)


WATER_TYPES = ("I", "IA", "IB", "II", "III", "1", "3", "5", "7", "9")
"""Types of water after Jerlov (1976), from the clearest ocean to the murkiest coast."""


@dataclass(frozen=True)
class Water:
    """The clarity of the water, for the fishes and for the film."""

    type: str = choice("II", WATER_TYPES, "Type after Jerlov: open ocean I to III, coasts 1 to 9")
    turbidity: float = number(0.0, 0.0, 1.0, "", "How far it is on the way to the next murkier type")


@dataclass(frozen=True)
class Light:
    """Daylight in the water, for the fishes and for the film."""

    brightness: Any = keyed(1.0, 0.0, 1.0, "", "Brightness at the surface; 1 is a clear day, 0 is night")
    daytime: float | None = number(
        OPTIONAL, 0.0, 24.0, "h", "Hour at which the film begins, which dims the light; always noon if left out"
    )
    day_length: float = number(86400.0, 10.0, 86400.0, "s", "How long a day lasts from noon to noon")
    attenuation: float = number(
        0.15, 0.0, 10.0, "1/m", "How fast light fades with depth, unless the type of water says"
    )
    diffuse: float = number(0.25, 0.0, 1.0, "", "Share of the light that comes from all around, also into shade")
    direction: tuple | None = vector(
        OPTIONAL,
        -1e6,
        1e6,
        "",
        "Where the sun's rays go; if left out straight down for the fishes, over the camera's shoulder in the film",
        shape=(3,),
    )

    def __post_init__(self) -> None:
        refuse_zero("direction", self.direction)
        if self.direction is not None and self.direction[2] > -0.05 * hypot(*self.direction):
            raise SceneError(shown(self.direction), "one that leads down from the surface", key="direction")


@dataclass(frozen=True)
class HeatSource:
    """A hot vent, or a cold seep."""

    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Its middle", shape=(3,))
    strength: float = number(5.0, -50.0, 100.0, "°C", "How much warmer the water is there; below 0 colder")
    radius: float = number(0.5, 0.001, FARTHEST, "m", "Distance at which half of that is left")


@dataclass(frozen=True)
class Temperature:
    """Warmth of the water: a layer above, a layer below, a thermocline between them, and sources."""

    surface: float = number(24.0, -2.0, 60.0, "°C", "Temperature of the layer above")
    bottom: float = number(24.0, -2.0, 60.0, "°C", "Temperature of the layer below")
    depth: float = number(2.0, 0.0, FARTHEST, "m", "Depth of the middle of the thermocline below the surface")
    thickness: float = number(0.5, 0.001, FARTHEST, "m", "Height over which three quarters of the change take place")
    sources: tuple[HeatSource, ...] = ()
