"""Further things in the water: food, plants, bubbles, a hook, and the camera."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist

from ..base.codec import OPTIONAL, REQUIRED, SceneError, shown
from ..base.declaration import choice, colour, flag, integer, number, vector
from .limits import FARTHEST, LEAST_DIRECTION


@dataclass(frozen=True)
class Plankton:
    """Food that drifts."""

    count: int = integer(0, 0, 100_000, "", "How many particles")
    at: tuple | None = vector(
        OPTIONAL, 0.0, FARTHEST, "m", "Middle of the cloud; all of the tank if left out", shape=(3,)
    )
    spread: float = number(0.5, 0.0, FARTHEST, "m", "Radius of the cloud")
    growth: float = number(0.0, 0.0, 1000.0, "1/s", "How many grow anew in a second where some have been eaten")
    size: float = number(0.006, 0.0005, 0.2, "m", "Size of a particle")


@dataclass(frozen=True, kw_only=True)
class Seaweed:
    """A cluster of leaves, or an anemone, whose tentacles sway in the current and are pushed by fishes."""

    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "Middle of its foot, on the bed", shape=(3,))
    form: str = choice(
        "leaves", ("leaves", "tentacles"), "Leaves of seaweed, or the tentacles of an anemone, in which clownfish live"
    )
    leaves: int = integer(24, 1, 10_000, "", "How many leaves")
    spread: float = number(0.25, 0.0, FARTHEST, "m", "Radius around the middle within which leaves are rooted")
    height: float = number(0.8, 0.02, 100.0, "m", "Length of its longest leaves; none is longer than the water is deep")
    height_variation: float = number(0.4, 0.0, 0.9, "", "Share by which the shortest leaves are shorter")
    width: float = number(0.035, 0.0005, 5.0, "m", "Width of a leaf where it is widest")
    stiffness: float = number(0.15, 0.01, 10.0, "m/s", "Current that leans a leaf over by 45 degrees at its root")
    splay: float = number(0.25, 0.0, 2.0, "", "How far leaves lean apart at rest, tangent of the angle at the root")
    flutter: float = number(0.25, 0.0, 1.0, "", "Eddies along the leaves, over the speed of the current")
    colour: tuple = colour((0.16, 0.2, 0.03), "Colour of the leaves")


@dataclass(frozen=True, kw_only=True)
class Vent:
    """A place on the bed where bubbles rise."""

    at: tuple = vector(REQUIRED, 0.0, FARTHEST, "m", "The place", shape=(3,))
    rate: float = number(5.0, 0.0, 200.0, "1/s", "How many bubbles come in a second")
    size: float = number(0.006, 0.0005, 0.1, "m", "Diameter of a bubble, on average")
    spread: float = number(0.02, 0.0, FARTHEST, "m", "Radius around the place within which they come")


@dataclass(frozen=True)
class Hook:
    """A fishing hook with bait, on a line from above the water."""

    at: tuple = vector(
        REQUIRED, 0.0, FARTHEST, "m", "Where the bait comes to hang; the line leads straight up", shape=(3,)
    )
    start: float = number(2.0, 0.0, 36_000.0, "s", "When it begins to sink")
    speed: float = number(0.5, 0.01, 10.0, "m/s", "How fast it sinks, and how fast its catch is drawn up")
    size: float = number(0.05, 0.005, 1.0, "m", "Length of the hook; the bait has two fifths of it")
    pull: float = number(30.0, 0.1, 1000.0, "m/s²", "Most that the line speeds up the head of its catch")
    lure: float = number(3.0, 0.1, 100.0, "", "How many times nearer than plankton the bait seems to who smells it")
    again: bool = flag(False, "Whether it goes down once more after each catch")


@dataclass(frozen=True)
class Camera:
    """The camera of the film. May stand outside the tank."""

    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Place of the camera", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "What it looks at", shape=(3,))
    lens: float = number(35.0, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide")

    def __post_init__(self) -> None:
        if dist(self.at, self.look_at) < LEAST_DIRECTION:
            raise SceneError(shown(self.look_at), "another place than at", key="look_at")
