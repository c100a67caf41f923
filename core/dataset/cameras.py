"""The cameras of a data set: the scene's own, fixed ones, rigs of several, on the bed, and that of a ride.

A file of cameras is a list of objects, each with a `kind` and a `name`; a rig becomes several cameras, whose names end
in their numbers or sides. Without a file there is the scene's own camera alone.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from math import dist
from typing import Any, NamedTuple

import numpy as np

from ..base.codec import OPTIONAL, REQUIRED, Place, SceneError, decode, encode, shown
from ..base.declaration import choice, integer, number, text, vector
from ..base.files import read_any_json
from ..base.vectors import vector as vector_of
from ..geometry.bed import Bed
from ..recording import Recording
from ..scene.limits import FARTHEST, LEAST_DIRECTION
from ..studio.camera_work import upright_axes
from .lenses import DISTORTIONS, LensOptics

MOST_CAMERAS = 64
COEFFICIENTS = {"none": 0, "brown_conrady": 5, "fisheye": 4}
"""Number of coefficients of each distortion."""
SIDES = "left", "right"
CAMERA_NAME = re.compile(r"[A-Za-z0-9_]{1,40}")


@dataclass(frozen=True, kw_only=True)
class LabelCamera:
    """A camera of a data set, of any kind."""

    name: str = text(REQUIRED, "What files call it: letters, digits and _")
    lens: float | None = number(
        OPTIONAL, 1.0, 500.0, "mm", "Focal length on a sensor 36 mm wide; that of the scene's camera if left out"
    )
    distortion: str = choice("none", DISTORTIONS, "How its lens bends the picture, as OpenCV says it")
    k: tuple | None = vector(
        OPTIONAL, -100.0, 100.0, "", "Coefficients: k1, k2, p1, p2, k3, or k1 to k4 of a fisheye", shape=(None,)
    )

    def __post_init__(self) -> None:
        if not CAMERA_NAME.fullmatch(self.name):
            raise SceneError(shown(self.name), "up to 40 letters, digits and _", key="name")
        own, allowed = len(self.k or ()), COEFFICIENTS[self.distortion]
        if own != allowed:
            raise SceneError(f"{own} numbers", f"{allowed} for {self.distortion}", key="k")
        at, look_at = getattr(self, "at", ()), getattr(self, "look_at", ())
        if len(at) == len(look_at) == 3 and dist(at, look_at) < LEAST_DIRECTION:
            raise SceneError(shown(look_at), "another place than at", key="look_at")


@dataclass(frozen=True, kw_only=True)
class SceneCameraOfLabels(LabelCamera):
    """The camera of the scene, or the one that the stage would choose; it stands still."""

    kind: str = choice(REQUIRED, ("scene",), "The camera of the scene")


@dataclass(frozen=True, kw_only=True)
class FixedCamera(LabelCamera):
    """A camera that stands still."""

    kind: str = choice(REQUIRED, ("fixed",), "A camera that stands still")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Its place", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "What it looks at", shape=(3,))


@dataclass(frozen=True, kw_only=True)
class StereoCamera(LabelCamera):
    """Two cameras side by side that look the same way."""

    kind: str = choice(REQUIRED, ("stereo",), "Two cameras side by side")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "The place between them", shape=(3,))
    look_at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "What that place looks at", shape=(3,))
    eyes: float = number(0.12, 0.001, 10.0, "m", "From one to the other")


@dataclass(frozen=True, kw_only=True)
class RingOfCameras(LabelCamera):
    """Cameras on a circle that look at its middle."""

    kind: str = choice(REQUIRED, ("ring",), "Cameras around a place")
    look_at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "What all look at", shape=(3,))
    radius: float = number(2.0, 0.05, FARTHEST, "m", "How far away they stand, seen from above")
    rise: float = number(0.0, -FARTHEST, FARTHEST, "m", "How far above that place they stand")
    count: int = integer(4, 1, 32, "", "How many")


@dataclass(frozen=True, kw_only=True)
class BedCamera(LabelCamera):
    """A camera on the bed, as a lander has it."""

    kind: str = choice(REQUIRED, ("bed",), "A camera on the sea bed")
    at: tuple = vector(REQUIRED, -FARTHEST, FARTHEST, "m", "Where on the bed: x, y", shape=(2,))
    height: float = number(0.4, 0.01, 20.0, "m", "How far above the bed")
    heading: float = number(0.0, -6.2832, 6.2832, "rad", "Where it looks, from x towards y")
    tilt: float = number(0.1, -1.55, 1.55, "rad", "How far it looks up")


@dataclass(frozen=True, kw_only=True)
class RideCameraOfLabels(LabelCamera):
    """The camera at the bow of the scene's submarine, which moves with it."""

    kind: str = choice(REQUIRED, ("dive",), "The camera of the scene's submarine")


AnyCamera = SceneCameraOfLabels | FixedCamera | StereoCamera | RingOfCameras | BedCamera | RideCameraOfLabels


@dataclass(frozen=True, kw_only=True)
class CameraList:
    """The cameras of a file."""

    cameras: tuple[AnyCamera, ...] = ()


DEFAULT_CAMERAS = CameraList(cameras=(SceneCameraOfLabels(kind="scene", name="camera"),))
"""The scene's own camera."""


def read_cameras(path: str | os.PathLike[str]) -> CameraList:
    """The cameras of a file.

    Raises:
        SceneError: If it cannot be read, or is not as declared.
    """
    return cameras_of(read_any_json(path, "a JSON file of cameras"), os.fspath(path))


def cameras_of(data: Any, file: str = "cameras") -> CameraList:
    """Cameras as JSON holds them: a list of objects; errors as of `read_cameras`."""
    if not isinstance(data, list) or not 1 <= len(data) <= MOST_CAMERAS:
        example = '[{"kind": "fixed", "name": "left", "at": [0, 0, 1], "look_at": [2, 2, 1]}]'
        Place(file).refuse(shown(data), f"a list of 1 to {MOST_CAMERAS} cameras, such as {example}")
    found = decode(CameraList, {"cameras": data}, Place(file))
    names = [name for one in found.cameras for name in names_of(one)]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        Place(file).refuse(f"two cameras named {twice}", "a name for each")
    return found


def names_of(camera: AnyCamera) -> tuple[str, ...]:
    """The names of the cameras that one of a file stands for."""
    if isinstance(camera, StereoCamera):
        return tuple(f"{camera.name}_{side}" for side in SIDES)
    if isinstance(camera, RingOfCameras):
        return tuple(f"{camera.name}_{number}" for number in range(1, camera.count + 1))
    return (camera.name,)


class SceneView(NamedTuple):
    """The scene's own camera.

    Attributes:
        at: Its places, (frames, 3) metres, or (1, 3) where it stands still.
        axes: Its axes right, down and ahead as rows, (frames, 3, 3), or (1, 3, 3).
        lens: Focal length, mm.
    """

    at: np.ndarray
    axes: np.ndarray
    lens: float


@dataclass(frozen=True, eq=False)
class PlacedCamera:
    """One camera as it stands in a film.

    Attributes:
        name: Its name.
        own: Its entry of the file.
        view: Where it is, and looks.
    """

    name: str
    own: AnyCamera
    view: SceneView

    def matrix(self, frame: int, rise: float = 0.0) -> np.ndarray:
        """The matrix (3, 4) from the world to its axes.

        Args:
            frame: Frame of the recording, from 0.
            rise: Metres by which it stands higher than its entry says.
        """
        at, axes = (of[frame if len(of) > 1 else 0] for of in (self.view.at, self.view.axes))
        return np.concatenate([axes, -(axes @ (at + (0.0, 0.0, rise)))[:, None]], axis=1)

    def optics(self, size: tuple[int, int], factor: float = 1.0) -> LensOptics:
        """The optics of its pictures of a size in pixels, with a factor on its focal length."""
        k = tuple(map(float, self.own.k or ()))
        return LensOptics.of(size, self.view.lens * factor, self.own.distortion, k)


def placed(cameras: CameraList, recording: Recording, scene_view: SceneView) -> tuple[PlacedCamera, ...]:
    """The cameras of a film.

    Args:
        cameras: Those of the file.
        recording: The recording, whose bed and submarine they may need.
        scene_view: The scene's own camera.

    Raises:
        SceneError: A camera needs a submarine that the scene does not have.
    """
    found = []
    for row, one in enumerate(cameras.cameras):
        try:
            views = _views(one, recording, scene_view)
        except SceneError as error:
            raise error.within(Place("cameras").item(row)) from None
        lens = scene_view.lens if one.lens is None else one.lens
        for name, (at, axes) in zip(names_of(one), views, strict=True):
            found.append(PlacedCamera(name, one, SceneView(at, axes, lens)))
    return tuple(found)


def upright(ahead: np.ndarray) -> np.ndarray:
    """The axes right, down and ahead as rows, (n, 3, 3), of cameras that look ahead (n, 3) and stand upright."""
    right, up, forward = upright_axes(ahead)
    return np.stack([right, -up, forward], axis=1)


def described(cameras: CameraList) -> list[dict[str, Any]]:
    """Cameras as JSON holds them, one entry a camera, by its own name."""
    return [encode(one) | {"name": name} for one in cameras.cameras for name in names_of(one)]


def _views(one: AnyCamera, recording: Recording, scene_view: SceneView) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places and axes of each camera of an entry, as `SceneView` has them."""
    if isinstance(one, SceneCameraOfLabels):
        return [(scene_view.at, scene_view.axes)]
    if isinstance(one, RideCameraOfLabels):
        return [_at_bow(recording)]
    if isinstance(one, BedCamera):
        return [_on_bed(one, recording)]
    target = np.array(one.look_at, dtype=float)
    if isinstance(one, RingOfCameras):
        turns = 2.0 * np.pi * np.arange(one.count) / one.count
        out = np.stack([one.radius * np.cos(turns), one.radius * np.sin(turns), np.full(one.count, one.rise)], axis=1)
        return [((target + way)[None], upright(-way[None])) for way in out]
    at = np.array(one.at, dtype=float)
    axes = upright((target - at)[None])
    if isinstance(one, StereoCamera):
        return [((at + side * one.eyes * axes[0, 0])[None], axes) for side in (-0.5, 0.5)]
    return [(at[None], axes)]


def _on_bed(one: BedCamera, recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    bed = Bed.from_scene(recording.scene)
    ground = 0.0 if bed is None else float(bed.height(*one.at))
    ahead = vector_of(np.array(one.heading), np.array(one.tilt))
    return np.array([[*one.at, ground + one.height]]), upright(ahead[None])


def _at_bow(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    ride, poses = recording.scene.ride, recording.submarine
    if ride is None:
        raise SceneError("a scene without a ride", "one with a submarine, as artfish dive makes", key="kind")
    ahead = vector_of(poses[:, 3], poses[:, 4])
    return poses[:, :3] + 0.5 * ride.length * ahead, upright(ahead)
