"""The room that baked objects take in a file, reckoned from the sizes that Blender writes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from ..blender.versions import action_channelbags
from ..blender.words import translated

KEY_BYTES = 72
"""Bytes of a key of an F-curve."""
CURVE_BYTES = 230
"""Bytes of an F-curve without its keys, with the path that it animates."""
BONE_BYTES = 1060
"""Bytes of the pose of a bone."""
OBJECT_BYTES = 1600
"""Bytes of an object with its custom properties."""
VERTEX_BYTES = 175
"""Bytes of a vertex of a mesh with its faces, its place in pictures and its shares in bones."""
SHAPE_BYTES = 12
"""Bytes of a vertex in a shape key."""
POINT_BYTES = 40
"""Bytes of a control point of a surface; in a shape key as many."""

_known: dict[int, int] = {}
"""Bytes of replaced bakes by the session numbers of their collections."""


def weight(objects: Iterable[bpy.types.Object]) -> int:
    """The bytes that objects take in a file, with the keys, meshes and surfaces that they use."""
    data: set[bpy.types.ID] = set()
    count = 0
    for obj in objects:
        count += OBJECT_BYTES + (BONE_BYTES * len(obj.pose.bones) if obj.pose is not None else 0)
        for block in (obj, obj.data, getattr(obj.data, "shape_keys", None)):
            if block is not None:
                data |= {block} if block != obj else set()
                action = getattr(block.animation_data, "action", None) if block.animation_data is not None else None
                data |= {action} if action is not None else set()
    return count + sum(map(_of_data, data))


def weight_of(tops: Iterable[bpy.types.Collection]) -> int:
    """The bytes of replaced bakes, whose contents nobody changes, cached for a panel that is drawn again and again."""
    return sum(_weight_of(top) for top in tops)


def _weight_of(top: bpy.types.Collection) -> int:
    if top.session_uid not in _known:
        _known.clear()
        _known[top.session_uid] = weight(top.all_objects)
    return _known[top.session_uid]


def _of_data(block: Any) -> int:
    """The bytes of an action, a mesh, a surface or its shape keys; nothing of others."""
    if isinstance(block, bpy.types.Action):
        curves = [curve for bag in action_channelbags(block) for curve in bag.fcurves]
        return sum(CURVE_BYTES + KEY_BYTES * len(curve.keyframe_points) for curve in curves)
    if isinstance(block, bpy.types.Mesh):
        return VERTEX_BYTES * len(block.vertices)
    if isinstance(block, bpy.types.Key):
        each = SHAPE_BYTES if isinstance(block.user, bpy.types.Mesh) else POINT_BYTES
        return sum(each * len(shape.data) for shape in block.key_blocks)
    if isinstance(block, bpy.types.Curve):
        return sum(POINT_BYTES * len(spline.points) for spline in block.splines)
    return 0


def megabytes(count: int) -> str:
    """A number of bytes in words."""
    return (
        translated("{count:.0f} MB", count=count / 1000000.0)
        if count >= 10e6
        else translated("{count:.1f} MB", count=count / 1000000.0)
    )
