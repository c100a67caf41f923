"""A ride: a submarine that is piloted through the water, by orders at the helm, with a camera at its bow.

The maneuvers are those of Yu & Terzopoulos (1998), §8.2. A ride is a part of a scene, or a JSON file of its own, in
presets/rides or anywhere, which `artfish dive` puts into a scene.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import ClassVar

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, SceneError
from ..base.declaration import choice, flag, number, vector
from ..base.presets import PresetFile
from ..geometry.capsule import Capsule
from ..geometry.moving import Rigid
from .limits import FARTHEST, LATEST, refuse_zero

MANEUVERS = (
    *("accelerate", "decelerate", "reverse", "left", "right"),
    *("pitch_up", "pitch_down", "rise", "dive", "full_stop"),
)
PRESENCES = ("predator", "pacifist", "lure", "none")
PICTURES = ("flat", "equirectangular", "cylindrical")


@dataclass(frozen=True, kw_only=True)
class HelmOrder:
    """A pilot's order at a time; it holds until another order concerns the same engine, rudder, planes or lift.

    Left and right share the rudder, pitching up and down the planes, rising and diving the lift, and accelerating,
    decelerating and reversing the engine. A full stop ends all of them.
    """

    time: float = number(REQUIRED, 0.0, LATEST, "s", "When it is given")
    order: str = choice(REQUIRED, MANEUVERS, "What is ordered")
    amount: float = number(1.0, 0.0, 1.0, "", "How much of what the vessel can; 0 ends it")
    seconds: float | None = number(OPTIONAL, 0.0, LATEST, "s", "For how long; until the next such order if left out")


@dataclass(frozen=True, kw_only=True)
class RideCamera:
    """The camera at the bow."""

    lens: float = number(24.0, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide, of a flat picture")
    picture: str = choice("flat", PICTURES, "Flat, or a panorama all around or on a cylinder, which Cycles renders")
    width: float = number(3.1416, 0.1, 6.2832, "rad", "Angle that a panorama takes in")
    height: float = number(1.0, 0.1, 3.1416, "rad", "The same upwards and downwards together")
    stereo: bool = flag(False, "Whether it has two eyes, left and right")
    eyes: float = number(0.065, 0.0, 10.0, "m", "From one eye to the other")
    convergence: float = number(2.0, 0.01, FARTHEST, "m", "How far ahead what both eyes see is at the screen's depth")


@dataclass(frozen=True, kw_only=True)
class Ride(PresetFile):
    """One ride, checked and immutable. `Ride.load("reef_dive")` reads a preset, `Ride.load(path)` a file."""

    FOLDER: ClassVar[str] = "rides"
    KIND: ClassVar[str] = "ride"

    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Where the middle of the submarine begins", shape=(3,))
    heading: tuple = vector((1.0, 0.0, 0.0), -1e6, 1e6, "", "Direction it begins in; it begins level", shape=(3,))
    start: float = number(0.0, 0.0, LATEST, "s", "When it comes; until then it is not there, and orders wait")
    end: float | None = number(OPTIONAL, 0.0, LATEST, "s", "When it is gone again; never if left out")
    presence: str = choice("predator", PRESENCES, "What fishes take it for")
    length: float = number(0.6, 0.05, 100.0, "m", "Of its hull, which is four times as long as it is thick")
    speed: float = number(0.8, 0.01, 30.0, "m/s", "To which its engine brings it in the end")
    thrust: float = number(0.4, 0.01, 100.0, "m/s²", "How fast its engine speeds it up from rest, and brakes it")
    turn_rate: float = number(0.5, 0.01, 10.0, "rad/s", "How fast it turns with its rudder hard over")
    orders: tuple[HelmOrder, ...] = ()
    camera: RideCamera = field(default_factory=RideCamera)

    def __post_init__(self) -> None:
        refuse_zero("heading", (self.heading[0], self.heading[1], 0.0))
        if self.end is not None and self.end < self.start:
            raise SceneError(f"{self.end:g} s", f"{self.start:g} s, its start, or later", key="end")
        for row, (now, after) in enumerate(pairwise(self.orders), 1):
            if after.time < now.time:
                found = f"{after.time:g} s after {now.time:g} s"
                raise SceneError(found, "times in order", key=f"orders[{row}].time")

    @property
    def girth(self) -> float:
        """The thickness of its hull in metres."""
        return self.length / 4.0

    @property
    def motion(self) -> tuple[()]:
        """It moves as an obstacle that is moved from outside, without keys."""
        return ()

    @property
    def sphere(self) -> tuple[np.ndarray, float]:
        """Middle (3,) and radius of a sphere around it in axes of its own, in metres."""
        return np.zeros(3), 0.5 * self.length

    def moving(self) -> Rigid:
        """Its form as it moves, at rest."""
        return Rigid(Capsule(self.length, 0.5 * self.girth), *self.sphere)
