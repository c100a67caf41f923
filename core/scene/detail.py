"""Levels of detail: how many fishes are dynamic at once, and from where a film sees them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ..base.codec import REQUIRED, SceneError, shown
from ..base.declaration import flag, integer, number
from .inventory import Camera
from .limits import LATEST, MOST_FISHES


@dataclass(frozen=True, kw_only=True)
class Shot(Camera):
    """A camera at a time; several are its keys, and between two of them it moves in a straight line."""

    time: float = number(REQUIRED, -LATEST, LATEST, "s", "When")


@dataclass(frozen=True)
class Detail:
    """Levels of detail: fishes with bodies of masses and springs, fishes that replay such motion, and mere places.

    Attributes:
        camera: Keys of the camera by which fishes are near or out of sight; the scene's own camera if left out.
    """

    dynamic: int = integer(60, 0, MOST_FISHES, "fishes", "The most that are dynamic at once; all others are replicas")
    near: float = number(
        0.05, 0.0, 10.0, "", "A fish's length over the height of the picture, from which on it is dynamic"
    )
    camera: tuple[Shot, ...] | None = None
    follow_camera: bool = flag(
        False, "Whether levels follow a camera that is moved while the world lives; if not, moving one changes no fish"
    )

    def __post_init__(self) -> None:
        if self.camera is None:
            return
        if not self.camera:
            raise SceneError(shown([]), "keys of time, at, look_at and lens, one or more, or null", key="camera")
        times = [shot.time for shot in self.camera]
        if any(after <= before for before, after in pairwise(times)):
            raise SceneError(shown(times), "keys whose times rise", key="camera")
