"""Kinds of animation of an obstacle; registering this loads no simulation."""

from __future__ import annotations

import bpy

from ..blender.keyframes import reshaped, unread

DEFORMING = frozenset(
    {
        *("ARMATURE", "CLOTH", "SOFT_BODY", "HOOK", "LATTICE", "MESH_DEFORM", "SURFACE_DEFORM", "MESH_CACHE"),
        *("MESH_SEQUENCE_CACHE", "WAVE", "OCEAN", "LAPLACIANDEFORM", "CURVE", "SIMPLE_DEFORM", "DISPLACE"),
    }
)
"""Modifiers that may change a mesh from frame to frame."""


def is_simulated(obj: bpy.types.Object) -> bool:
    """True if rigid bodies move an object or one of its parents."""
    own = obj.rigid_body is not None and obj.rigid_body.type == "ACTIVE" and not obj.rigid_body.kinematic
    return own or (obj.parent is not None and is_simulated(obj.parent))


def deforms(obj: bpy.types.Object) -> bool:
    """True if an object's mesh may change from frame to frame."""
    if obj.artfish.movement.moves != "AUTO" or obj.artfish.pillar.upright:
        return False
    return bool(reshaped(obj)) or any(each.show_viewport and each.type in DEFORMING for each in obj.modifiers)


def needs_sampling(obj: bpy.types.Object) -> bool:
    """True if only Blender's evaluation gives an object's place or form at other frames."""
    return obj.artfish.movement.moves == "AUTO" and bool(unread(obj) or is_simulated(obj) or deforms(obj))
