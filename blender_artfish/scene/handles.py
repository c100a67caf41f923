"""Handles: what one drags in the view of a shoal, a school, the tank, a current, a direction or an event.

Each handle is a length along an axis, or a place. Here is what it shows and what it sets; it is drawn and dragged in
`scene.gizmos`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix, Vector

from ..blender.glances import glance
from ..blender.words import Message
from ..identity.roles import world
from ..identity.units import extent_of, metres_of
from ..species import library

HANDLE_LENGTH, HANDLE_PLACE = "HANDLE_LENGTH", "HANDLE_PLACE"
"""Kinds of handles: a length along a way, and a place."""
ATTACK: Message = "Attack"
"""Name of the distance from which hunters that lie in wait strike."""
REACHING = {"target": "target", "arrival": "arrival", "leader": "follow"}
"""Properties of the kinds of directions that have a radius."""
LEAST_SPREAD = 0.01
"""Least half width in scene units to which an empty is scaled."""


class Handle(NamedTuple):
    """Something to drag.

    Attributes:
        kind: HANDLE_LENGTH or HANDLE_PLACE.
        name: Its name for an animator.
        path: The property that it sets, for a keyframe.
        base: The place, and along its Z axis the way, from an object.
        get: The length in scene units; of a place nothing.
        set: Sets it; a place in the world.
    """

    kind: str
    name: str
    path: str
    base: Callable[[bpy.types.Object], Matrix]
    get: Callable[[bpy.types.Object], float]
    set: Callable[[bpy.types.Object, Any], None]


class Reach(NamedTuple):
    """The extent of something, to be drawn about it.

    Attributes:
        place: From a ball, or a box, that reaches from -1 to 1 along each axis, to the world.
        box: Whether it is a box.
    """

    place: Matrix
    box: bool


def extent_about(obj: bpy.types.Object) -> Reach | None:
    """The extent of an object of the water; None of what has no extent, or is drawn as large as it is."""
    role, handles = obj.artfish, handles_of(obj)
    if role.kind == "DIRECTION" and role.direction.kind in ("ball", "region"):
        box = obj.empty_display_type == "CUBE"
        return Reach(world(obj) @ Matrix.Scale(extent_of(obj), 4), box) if handles and role.dot else None
    reach = next((handle for handle in handles if handle.path.endswith((".radius", ".spread"))), None)
    if reach is None:
        return None
    return Reach(Matrix.Translation(world(obj).translation) @ Matrix.Scale(reach.get(obj), 4), False)


def handles_of(obj: bpy.types.Object) -> tuple[Handle, ...]:
    """The handles of an object by its role; none of what is not in the water."""
    role = obj.artfish
    if role.kind == "DIRECTION":
        if role.direction.kind in ("ball", "region") and obj.type == "EMPTY":
            return _PLACED + _SPREAD
        group = REACHING.get(role.direction.kind)
        return _PLACED + _reach(group, "radius", "Reach") if group else ()
    if role.kind == "EVENT":
        name = "spread" if role.event == "food" else "radius"
        return _PLACED + _reach(role.event, name, name.capitalize())
    if role.kind == "CURRENT" and role.current.kind in ("source", "sink", "vortex"):
        return _PLACED + _STRENGTH + _reach("current", "radius", "Radius", scaled=True)
    if role.kind == "SHOAL" and role.mind.use_strike and _body_length(obj):
        return _BY_KIND[role.kind] + _STRIKE
    return _BY_KIND.get(role.kind, ()) if obj.type == "EMPTY" or role.kind == "TANK" else ()


def key(obj: bpy.types.Object, handle: Handle) -> None:
    """Keys what a handle sets at the current frame, where Blender is to key all that is moved."""
    if bpy.context.scene.tool_settings.use_keyframe_insert_auto:
        obj.keyframe_insert(handle.path)


def _along(axis: int) -> Callable[[bpy.types.Object], Matrix]:
    """The object's middle, with Z along one of its axes."""
    return lambda obj: _facing(world(obj).translation, world(obj).col[axis].xyz)


def _facing(at: Vector, ahead: Vector) -> Matrix:
    return Matrix.Translation(at) @ ahead.to_track_quat("Z", "Y").to_matrix().to_4x4()


def _half(axis: int) -> Callable[[bpy.types.Object], float]:
    return lambda obj: world(obj).col[axis].xyz.length * extent_of(obj)


def _set_half(axis: int) -> Callable[[bpy.types.Object, float], None]:
    def spread(obj: bpy.types.Object, length: float) -> None:
        obj.scale[axis] *= max(length, LEAST_SPREAD) / max(_half(axis)(obj), 1e-9)

    return spread


def _put(obj: bpy.types.Object, at: Vector) -> None:
    """Moves an object to a place in the world."""
    matrix = world(obj).copy()
    matrix.translation = at
    obj.matrix_world = matrix


@cache
def _reach(group: str, name: str, text: str, scaled: bool = False) -> tuple[Handle, ...]:
    """A handle of a declared length in metres, that an object's scale may multiply, shown beside the object."""

    def times(obj: bpy.types.Object) -> float:
        scale = max(abs(share) for share in world(obj).to_scale()) if scaled else 1.0
        return max(scale, 1e-9) / metres_of(obj)

    def read(obj: bpy.types.Object) -> float:
        return getattr(getattr(obj.artfish, group), name) * times(obj)

    def write(obj: bpy.types.Object, length: float) -> None:
        setattr(getattr(obj.artfish, group), name, max(length, 0.0) / times(obj))

    def base(obj: bpy.types.Object) -> Matrix:
        return _facing(world(obj).translation, Vector((1.0, 0.0, 0.0)))

    return (Handle(HANDLE_LENGTH, text, f"artfish.{group}.{name}", base, read, write),)


def _face(axis: int, side: float) -> Handle:
    """A handle of one of the tank's faces, which leaves the face across where it is."""

    def ends(obj: bpy.types.Object) -> tuple[Vector, float]:
        """The middle of the face across in the tank's own coordinates, and how far away this one is there."""
        reach = obj.empty_display_size
        corners = [Vector(corner) for corner in obj.bound_box] if obj.type == "MESH" else [Vector((-reach,) * 3)]
        corners = corners if obj.type == "MESH" else [*corners, -corners[0]]
        low, high = (Vector([limit(corner[one] for corner in corners) for one in range(3)]) for limit in (min, max))
        across = 0.5 * (low + high)
        across[axis] = low[axis] if side > 0.0 else high[axis]
        return across, high[axis] - low[axis]

    def base(obj: bpy.types.Object) -> Matrix:
        return _facing(world(obj) @ ends(obj)[0], side * world(obj).col[axis].xyz)

    def read(obj: bpy.types.Object) -> float:
        return ends(obj)[1] * world(obj).col[axis].xyz.length

    def write(obj: bpy.types.Object, length: float) -> None:
        across, way = ends(obj)[0], Vector([float(one == axis) for one in range(3)])
        stays, matrix = world(obj) @ across, world(obj) @ Matrix.Scale(max(length, LEAST_SPREAD) / read(obj), 4, way)
        matrix.translation += stays - matrix @ across
        obj.matrix_world = matrix

    return Handle(HANDLE_LENGTH, "Side", "scale", base, read, write)


def _speed(obj: bpy.types.Object) -> float:
    return obj.artfish.current.strength / metres_of(obj)


def _set_speed(obj: bpy.types.Object, length: float) -> None:
    obj.artfish.current.strength = max(length, 0.0) * metres_of(obj)


def _body_length(obj: bpy.types.Object) -> float:
    """Length in scene units of the fishes of a shoal; 0 of a species that is not there."""
    shoal = obj.artfish.shoal
    return glance(_lengths, bpy.context.scene).get(shoal.species, 0.0) * shoal.size / metres_of(obj)


def _lengths(scene: bpy.types.Scene) -> dict[str, float]:
    """Lengths in metres of the species of a scene's shoals."""
    from ...core.base.codec import SceneError

    found, species = {}, library.models(scene)
    for obj in scene.objects:
        if obj.artfish.kind == "SHOAL" and obj.artfish.shoal.species in species:
            with suppress(SceneError):
                found[obj.artfish.shoal.species] = species[obj.artfish.shoal.species].length
    return found


def _attack(obj: bpy.types.Object) -> float:
    return obj.artfish.mind.strike * _body_length(obj)


def _set_attack(obj: bpy.types.Object, length: float) -> None:
    obj.artfish.mind.strike = max(length, 0.0) / max(_body_length(obj), 1e-9)


def _beside(obj: bpy.types.Object) -> Matrix:
    return _facing(world(obj).translation, Vector((0.0, 1.0, 0.0)))


def _origin(obj: bpy.types.Object) -> Matrix:
    return Matrix.Translation(world(obj).translation)


_PLACED = (Handle(HANDLE_PLACE, "Place", "location", _origin, lambda obj: 0.0, _put),)
_SPREAD = tuple(
    Handle(HANDLE_LENGTH, name, "scale", _along(axis), _half(axis), _set_half(axis))
    for axis, name in enumerate(("Length", "Width", "Height"))
)
_STRENGTH = (Handle(HANDLE_LENGTH, "Strength", "artfish.current.strength", _along(2), _speed, _set_speed),)
_STRIKE = (Handle(HANDLE_LENGTH, ATTACK, "artfish.mind.strike", _beside, _attack, _set_attack),)
_BY_KIND: dict[str, tuple[Handle, ...]] = {
    "SHOAL": _PLACED + _reach("shoal", "spread", "Spread", scaled=True),
    "TANK": tuple(_face(axis, side) for axis in range(3) for side in (1.0, -1.0)),
    "CURRENT": _PLACED + _STRENGTH,
    "SEAWEED": _PLACED + _reach("seaweed", "spread", "Spread", scaled=True),
    "HEAT": _PLACED + _reach("heat", "radius", "Radius", scaled=True),
    "SPOT": _PLACED + _reach("spot", "radius", "Radius"),
    "PLANKTON": _PLACED + _reach("plankton", "spread", "Spread", scaled=True),
}
