"""Keys of obstacles that move, as a scene has them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import bpy
import numpy as np
from mathutils import Quaternion, Vector

from ..blender.fcurves import LOCATION, thin, write
from ..blender.versions import channelbag, channelbags
from ..identity.film_time import FIRST

POSE_METRES, POSE_TURN = 2e-4, 2e-4
"""How far place, and the parts of the quaternion, may be off at any frame."""


def move_along(
    obj: bpy.types.Object,
    obstacle: Any,
    frame_of: Callable[[float], float],
    low: Sequence[float] = (0.0, 0.0, 0.0),
    unit: float = 1.0,
    forms: Callable[[Any], np.ndarray] = np.array,
) -> None:
    """Keys an object as an obstacle of a scene moves, evenly from key to key; one that has no keys stays as it is.

    Args:
        obj: The object, which stands where the obstacle begins, in axes of its own.
        obstacle: Of the scene.
        frame_of: The frame of Blender's scene at so many seconds of the film.
        low: Lowest corner of the water in metres.
        unit: Metres in a unit.
        forms: Makes places of vertices as the mesh has them of those of a key, (n, 3).
    """
    keys = obstacle.motion or ()
    if keys and keys[0].vertices is not None:
        _deform(obj, [forms(key.vertices) for key in keys], [frame_of(key.time) for key in keys])
        return
    rest = obj.rotation_euler.to_quaternion()
    if keys:
        obj.rotation_mode = "QUATERNION"
    for key in keys:
        obj.location = (Vector(low) + Vector(obstacle.at if key.at is None else key.at)) / unit
        obj.rotation_quaternion = Quaternion(key.turn).normalized() @ rest
        if len(keys) > 1:
            for path in ("location", "rotation_quaternion"):
                obj.keyframe_insert(path, frame=frame_of(key.time))
    _straighten(obj)


def move_through(obj: bpy.types.Object, poses: np.ndarray, first: int = FIRST) -> None:
    """Keys an object, in axes of its own, as a recording has it: place in metres and turn at every frame, (n, 7)."""
    obj.rotation_mode = "QUATERNION"
    turns = poses[:, 3:].copy()
    for row in range(1, len(turns)):  # of the two quaternions of a turn the nearer
        turns[row] *= np.copysign(1.0, turns[row] @ turns[row - 1])
    bounds = np.repeat([POSE_METRES, POSE_TURN], (3, 4))
    channels = LOCATION + [("rotation_quaternion", axis) for axis in range(4)]
    keys = thin(np.concatenate((poses[:, :3], turns), axis=1).T, bounds)
    write(channelbag(bpy.data.actions.new(obj.name), obj), channels, keys, first)


def _deform(obj: bpy.types.Object, forms: list[np.ndarray], frames: list[float]) -> None:
    """Has the mesh of an object go from form to form, by shape keys."""
    obj.shape_key_add(name="Basis")
    obj.data.shape_keys.key_blocks[0].data.foreach_set("co", np.ravel(forms[0]))
    for row in range(1, len(forms)):
        block = obj.shape_key_add(name=f"Form {row}", from_mix=False)
        block.data.foreach_set("co", np.ravel(forms[row]))
        for near, value in ((row - 1, 0.0), (row, 1.0), (row + 1, 0.0)):
            if near < len(forms):
                block.value = value
                block.keyframe_insert("value", frame=frames[near])
    _straighten(obj.data.shape_keys)


def _straighten(owner: Any) -> None:
    """Has all F-curves of an owner go evenly from key to key."""
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
