"""The place of the empties that carry a bake, its shoals and its fishes, since the bake has put them there.

An artist moves, turns and scales them by whatever way of turning; the next bake may have put them elsewhere.
"""

from __future__ import annotations

from math import isfinite

import bpy
from mathutils import Matrix, Quaternion, Vector

from ..blender.keyframes import ROTATION_PROPERTIES
from ..identity import provenance

PLACED_MARK = "artfish_placed"
"""Property of the empty that carries a bake: where the bake has put it, x, y and z, and its scale."""
NUDGE_LEAST = 1e-5
"""Smallest change of an empty that is more than rounding: metres, radians or scale."""
ROTATIONS = (*ROTATION_PROPERTIES.values(), "rotation_euler")
"""Properties of an object that say how it is turned, of which its mode chooses one."""


def is_carrier(obj: bpy.types.Object | None) -> bool:
    """True if an object is an empty that carries a fish, a shoal or a whole bake."""
    return provenance.is_offset(obj) or (
        obj is not None and provenance.of(obj, provenance.ROLE) == provenance.ROOT and _placed(obj) is not None
    )


def note_place(root: bpy.types.Object) -> None:
    """Note on the empty that carries a bake that it is where the bake has put it."""
    root[PLACED_MARK] = [root.location.x, root.location.y, root.location.z, root.scale.x]


def _placed(root: bpy.types.Object) -> list[float] | None:
    """The note of where a bake has put its empty; None if there is none that is sound."""
    said = root.get(PLACED_MARK)
    try:
        numbers = [float(number) for number in said] if said is not None else []
    except (TypeError, ValueError):
        return None
    return numbers if len(numbers) == 4 and all(map(isfinite, numbers)) and numbers[3] > 0.0 else None


def pivot_of(carrier: bpy.types.Object) -> Vector:
    """Where a carrier stood when it was baked, in the space of its parent."""
    placed = _placed(carrier)
    if placed is not None:
        return Vector(placed[:3])
    child = next((each for each in carrier.children if provenance.of(each, provenance.ROLE)), None)
    return Vector() if child is None else -child.matrix_parent_inverse.translation


def _size_of(carrier: bpy.types.Object) -> float:
    """The scale of a carrier when it was baked."""
    placed = _placed(carrier)
    return 1.0 if placed is None else placed[3]


def _turn_of(obj: bpy.types.Object) -> Quaternion:
    """The turn of an object, by whatever property says it."""
    if obj.rotation_mode == "QUATERNION":
        return obj.rotation_quaternion.normalized()
    if obj.rotation_mode == "AXIS_ANGLE":
        angle, *axis = obj.rotation_axis_angle
        return Quaternion(axis, angle)
    return obj.rotation_euler.to_quaternion()


def displacement(carrier: bpy.types.Object) -> tuple[Vector, Quaternion, Vector]:
    """Move, turn and scale of a carrier since it was baked."""
    return carrier.location - pivot_of(carrier), _turn_of(carrier), carrier.scale / _size_of(carrier)


def displace(carrier: bpy.types.Object, move: Vector, turn: Quaternion, scale: Vector) -> None:
    """Move, turn and scale a carrier as far as this from where it was baked."""
    carrier.location = pivot_of(carrier) + move
    if carrier.rotation_mode == "QUATERNION":
        carrier.rotation_quaternion = turn
    elif carrier.rotation_mode == "AXIS_ANGLE":
        axis, angle = turn.to_axis_angle()
        carrier.rotation_axis_angle = (angle, axis.x, axis.y, axis.z)
    else:
        carrier.rotation_euler = turn.to_euler(carrier.rotation_mode)
    carrier.scale = scale * _size_of(carrier)


def displace_alike(one: bpy.types.Object, other: bpy.types.Object) -> None:
    """Move, turn and scale a carrier as another was; how that is turned is copied to the bit."""
    other.rotation_mode = one.rotation_mode
    displace(other, *displacement(one))
    for name in ROTATIONS:
        setattr(other, name, getattr(one, name))


def is_displaced(carrier: bpy.types.Object) -> bool:
    """True if a carrier is not at the place, turn and scale at which it was baked."""
    baked = Matrix.Translation(pivot_of(carrier)) @ Matrix.Diagonal((*(_size_of(carrier),) * 3, 1.0))
    off = carrier.matrix_basis - baked
    return max(abs(number) for row in off for number in row) > NUDGE_LEAST


def is_animated(obj: bpy.types.Object) -> bool:
    """True if an object has keys, layers or drivers."""
    data = obj.animation_data
    return data is not None and bool(data.action or data.nla_tracks or data.drivers)
