"""Transforms and numbers of an object at a frame by its F-curves, without setting the scene's frame.

Setting the frame would move everything that is animated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import bpy
from mathutils import Euler, Matrix, Quaternion, Vector

from .versions import channelbags
from .words import Message

ROTATION_PROPERTIES = {"QUATERNION": "rotation_quaternion", "AXIS_ANGLE": "rotation_axis_angle"}
"""Rotation property by rotation mode; "rotation_euler" for the other modes."""
PRESENCE = "hide_viewport", "hide_render"
"""Properties of an object that are keyed while it is absent."""
Moves = Mapping[tuple[str, int], bpy.types.FCurve]

_moment: ContextVar[float | None] = ContextVar("moment", default=None)


@contextmanager
def reading_at(frame: float) -> Iterator[None]:
    """Has keyed objects read at a frame by their F-curves, wherever the playhead is."""
    before = _moment.set(frame)
    try:
        yield
    finally:
        _moment.reset(before)


def moment() -> float | None:
    """The frame at which keyed objects are read; None for their present state."""
    return _moment.get()


def moves(obj: bpy.types.Object) -> dict[tuple[str, int], bpy.types.FCurve]:
    """The F-curves of an object's transform, by path and index."""
    paths = ("location", "scale", ROTATION_PROPERTIES.get(obj.rotation_mode, "rotation_euler"))
    return {(curve.data_path, curve.array_index): curve for curve in _curves(obj) if curve.data_path in paths}


def basis(obj: bpy.types.Object, moved: Moves, frame: float) -> Matrix:
    """An object's local matrix at a frame, deltas included, by its F-curves as `moves` gives them."""

    def at(path: str) -> list[float]:
        now = getattr(obj, path)
        return [moved[path, i].evaluate(frame) if (path, i) in moved else now[i] for i in range(len(now))]

    path = ROTATION_PROPERTIES.get(obj.rotation_mode, "rotation_euler")
    if path == "rotation_quaternion":
        turn = obj.delta_rotation_quaternion @ Quaternion(at(path)).normalized()
    elif path == "rotation_axis_angle":  # which has no delta in Blender
        angle, *axis = at(path)
        turn = Quaternion(axis, angle)
    else:
        turn = obj.delta_rotation_euler.to_quaternion() @ Euler(at(path), obj.rotation_mode).to_quaternion()
    scale = Vector(at("scale")) * obj.delta_scale
    return Matrix.LocRotScale(Vector(at("location")) + obj.delta_location, turn, scale)


def value(group: bpy.types.PropertyGroup, name: str) -> Any:
    """A property, its numbers by F-curves at the frame at which keyed objects are read."""
    now, owner, frame = getattr(group, name), group.id_data, moment()
    if frame is None or owner.animation_data is None or isinstance(now, bool | str):
        return now
    path = group.path_from_id(name)
    there = {curve.array_index: curve.evaluate(frame) for curve in _curves(owner) if curve.data_path == path}
    if not there:
        return now
    if isinstance(now, int | float):
        return round(there[0]) if isinstance(now, int) else there[0]
    return [there.get(index, number) for index, number in enumerate(now)]


PARENTS_PARTS: Message = "The parent's parts"


def unread(obj: bpy.types.Object) -> list[str]:
    """Names of what animates an object outside its action's F-curves, and is read only in its present state.

    Its parents are included.
    """
    parent = obj.parent
    above = unread(parent) if parent else []
    if parent and obj.parent_type != "OBJECT":
        above.append(PARENTS_PARTS)
    found: dict[Message, bool] = {
        "Constraints": any(not each.mute for each in obj.constraints),
        "NLA strips": _has_strips(obj),
        "Drivers": _has_drivers(obj),
    }
    own = [word for word, there in found.items() if there]
    return own + [word for word in above if word not in own]


def reshaped(obj: bpy.types.Object) -> list[str]:
    """Names of what changes an object's form with time, which is read in its present state."""
    keys = getattr(obj.data, "shape_keys", None)
    found: dict[Message, bool] = {
        "Shape keys": keys is not None and (bool(_curves(keys)) or _has_strips(keys) or _has_drivers(keys)),
        "Modifiers": any(curve.data_path.startswith("modifiers[") for curve in _curves(obj)),
    }
    return [word for word, there in found.items() if there]


def curves_on(owner: Any) -> list[bpy.types.FCurve]:
    """The drivers on an ID, and the F-curves of its action, in effect or not."""
    data = owner.animation_data
    drivers = () if data is None else data.drivers
    return [*drivers, *(curve for bag in channelbags(owner) for curve in bag.fcurves)]


def _curves(owner: Any) -> list[bpy.types.FCurve]:
    """The F-curves that are in effect."""
    return [curve for bag in channelbags(owner) for curve in bag.fcurves if not curve.mute]


def _has_strips(owner: Any) -> bool:
    data = owner.animation_data
    return data is not None and any(track.strips and not track.mute for track in data.nla_tracks)


def _has_drivers(owner: Any) -> bool:
    data = owner.animation_data
    return data is not None and any(not each.mute for each in data.drivers)
