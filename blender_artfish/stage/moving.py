"""Keys of a scene's moving obstacles."""

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
"""Largest errors of position, and of quaternion components, at any frame."""


def move_along(
    obj: bpy.types.Object,
    obstacle: Any,
    frame_of: Callable[[float], float],
    low: Sequence[float] = (0.0, 0.0, 0.0),
    unit: float = 1.0,
    forms: Callable[[Any], np.ndarray] = np.array,
) -> None:
    """Keys an object with the motion of a scene's obstacle, linear between keys; without keys it stays.

    Args:
        obj: The object, at the obstacle's first place, in its own axes.
        obstacle: The scene's obstacle.
        frame_of: Converts seconds of the film into frames of Blender's scene.
        low: Lowest corner of the water in metres.
        unit: Metres in a unit.
        forms: Converts a key's vertex positions into those of the mesh, (n, 3).
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
    """Keys an object in its own axes with recorded positions in metres and turns at every frame, (n, 7)."""
    obj.rotation_mode = "QUATERNION"
    turns = poses[:, 3:].copy()
    for row in range(1, len(turns)):  # the nearer of the two quaternions of a turn
        turns[row] *= np.copysign(1.0, turns[row] @ turns[row - 1])
    bounds = np.repeat([POSE_METRES, POSE_TURN], (3, 4))
    channels = LOCATION + [("rotation_quaternion", axis) for axis in range(4)]
    keys = thin(np.concatenate((poses[:, :3], turns), axis=1).T, bounds)
    write(channelbag(bpy.data.actions.new(obj.name), obj), channels, keys, first)


def _deform(obj: bpy.types.Object, forms: list[np.ndarray], frames: list[float]) -> None:
    """Keys the mesh of an object from form to form, by shape keys."""
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
    """Makes all F-curves of an owner linear."""
    for bag in channelbags(owner):
        for curve in bag.fcurves:
            for point in curve.keyframe_points:
                point.interpolation = "LINEAR"
