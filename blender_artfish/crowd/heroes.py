"""Heroes of a crowd: the fishes that come so near to the camera that they need their own surfaces, and when.

A hero is an object while it is near and part of the crowd before and after. Of the frames in reach, the one at which
the crowd's pose comes nearest to the fish's own is the last or the first that shows it in the crowd; it changes
halfway between two frames, when no shutter is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.body.anatomy import NOSE_NODE
from ...core.recording import Recording
from ..bake.order import Order
from ..blender.background import in_thread
from ..blender.jobs import Steps
from ..stage.view import find_view, shots

CHANGE_FRAMES = 12
"""Frames before a hero comes near, and after it has left, among which its change is chosen."""
SWITCH_FRAMES = 0.5
"""Frames before a frame at which the change for it takes place, as for poses of a crowd."""


@dataclass(frozen=True)
class RecordedCamera:
    """Position and direction of a camera at every frame of a recording.

    Attributes:
        at: Positions in the recording's frame, (frames, 3), metres.
        ahead: Unit view directions, (frames, 3).
    """

    at: np.ndarray
    ahead: np.ndarray

    def lengths_away(self, recording: Recording, rows: np.ndarray) -> np.ndarray:
        """Distance of fishes, (frames, rows), in their own lengths; infinite where they are out of sight."""
        way = recording.nodes[:, rows, NOSE_NODE] - self.at[:, None]
        length = recording.body_length[rows]
        seen = recording.alive[:, rows] & (np.einsum("fri,fi->fr", way, self.ahead) > -length)
        return np.where(seen, np.linalg.norm(way, axis=-1) / length, np.inf)


def camera_path(scene: bpy.types.Scene, order: Order, recording: Recording) -> Steps[RecordedCamera]:
    """The path of a film's camera: the scene's, however it is animated, or else the one the stage places.

    Raises:
        SceneError: There is no camera.
    """
    camera = scene.camera
    if order.stage and (order.film or camera is None):
        views = shots(recording, range(recording.frames))
        if not views:
            view = yield from in_thread(partial(find_view, recording))
            views = [(view.at, view.target, view.lens)] * recording.frames
        at, target = (np.array([view[part] for view in views]) for part in (0, 1))
        way = target - at
        return RecordedCamera(at, way / np.linalg.norm(way, axis=1, keepdims=True))
    if camera is None:
        raise SceneError("no camera", "one in the scene, or the stage's, for it says who is near", key="heroes")
    places = _filmed(camera, range(order.first, order.first + recording.frames))
    yield
    return RecordedCamera(places[:, :3, 3] * order.unit - np.array(order.origin), -places[:, :3, 2])


def _filmed(camera: bpy.types.Object, frames: range) -> np.ndarray:
    """Matrices (frames, 4, 4) of a camera, evaluated in a separate scene with nothing but what moves it."""
    scene = bpy.data.scenes.new("Artfish camera")
    try:
        scene.collection.objects.link(camera)
        found = []
        for frame in frames:
            scene.frame_set(frame)
            place = camera.evaluated_get(scene.view_layers[0].depsgraph).matrix_world
            found.append(np.array(place.normalized()))
        return np.array(found)
    finally:
        bpy.data.scenes.remove(scene)


def heroes_of(recording: Recording, order: Order, path: RecordedCamera) -> list[int]:
    """Rows of the fishes that come so near to a camera, for their size, that a crowd shows all their vertices.

    Fishes that are dynamic then come before replicas, and the nearest first.
    """
    away = path.lengths_away(recording, np.arange(len(recording.species)))
    nearest, dynamic = away.min(axis=0), ((recording.level == 0) & (away < order.near)).any(axis=0)
    rows = np.lexsort((nearest, ~dynamic))[: order.heroes]
    return sorted(rows[nearest[rows] < order.near].tolist())


def surface_frames(recording: Recording, row: int, path: RecordedCamera, miss: np.ndarray, reach: float) -> np.ndarray:
    """Frames at which a hero is an object with surfaces, (frames,) bool.

    Args:
        recording: The recording.
        row: Row of the hero.
        path: Path of the camera.
        miss: Error of the crowd's pose at every frame, (frames,), in body lengths.
        reach: Distance from the camera up to which it is near, in body lengths.
    """
    near = path.lengths_away(recording, np.array([row]))[:, 0] < reach
    shown = near.copy()
    edges = np.flatnonzero(np.diff(near)) + 1
    for edge in edges:
        if near[edge]:  # it arrives, and was in the crowd at the frame before
            begin = max(0, edge - 1 - CHANGE_FRAMES)
            shown[begin + int(miss[begin:edge].argmin()) + 1 : edge] = True
        else:
            shown[edge : edge + int(miss[edge : edge + 1 + CHANGE_FRAMES].argmin())] = True
    return shown & recording.alive[:, row]
