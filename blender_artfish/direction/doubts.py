"""Warnings about directions that will not do what an animator may expect: places out of reach, and lights."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import bpy
from mathutils import Vector

from ..blender.words import Message, translated
from ..identity.film_time import clock, film, timed
from ..identity.roles import objects_of
from ..identity.units import extent_of, metres, placed
from ..languages.sentences import understood
from .keys import KINDS_OF_OBJECTS, SPOTS
from .times import demands

OUTSIDE_METRES = 0.5
"""Metres by which a curve may leave the tank without a warning."""


def doubts(scene: bpy.types.Scene) -> list[str]:
    """A sentence for each direction of a scene, in its present state, that will hardly do what an animator expects."""
    from ..scene.tank import size_of

    low, size = size_of(scene)
    found = [_doubt(obj, metres(scene), low, size) for obj in objects_of(scene, "DIRECTION")]
    impossible = [understood(one.line()) for _, one in demands(scene) if not one.feasible]
    return [*filter(None, found), *impossible, *_too_late(scene)]


TOO_LATE: dict[str, Message] = {
    "DIRECTION": "{obj} begins at frame {frame:.0f}, after the last, {last}",
    "SHOAL": "{obj} enters at frame {frame:.0f}, after the last, {last}",
}
"""Warnings about what comes after the last frame, by the kind of its object."""


def kind_of(obj: bpy.types.Object) -> str:
    """The kind of an object, with its article."""
    return translated(SPOTS.get(obj.type, KINDS_OF_OBJECTS.get(obj.type, "an object of another kind")))


def _too_late(scene: bpy.types.Scene) -> Iterator[str]:
    """Directions that begin, and shoals that enter, after the last frame."""
    _, last = film(scene)
    for kind, line in TOO_LATE.items():
        for obj in objects_of(scene, kind):
            of = timed(obj)
            frame = clock(scene).frame(getattr(*of)) if of is not None else 0.0
            if frame > last + 0.5:
                yield translated(line, obj=obj.name, frame=frame, last=last)


def refusal(obj: bpy.types.Object, kind: str) -> str:
    """Why an object cannot lead in this way, in a sentence; "" if it can."""
    if (kind in ("curve", "stream")) != (obj.type == "CURVE"):
        return translated("{obj} is {what}: only curves are swum along", obj=obj.name, what=kind_of(obj))
    if kind == "fill" and obj.type != "MESH":
        return translated("{obj} is {what}: only closed meshes are filled", obj=obj.name, what=kind_of(obj))
    if obj.type in SPOTS and kind == "leader":
        return translated(
            "{obj} is {what}: only fishes are followed. Let it lead as a target", obj=obj.name, what=kind_of(obj)
        )
    if obj.type in SPOTS and kind == "region":
        return translated(
            "{obj} is {what}, without inside and outside: take a mesh or an empty as a region",
            obj=obj.name,
            what=kind_of(obj),
        )
    return ""


def _doubt(obj: bpy.types.Object, unit: float, low: Vector, size: Vector) -> str:
    direction = obj.artfish.direction
    if obj.type in SPOTS and direction.kind == "leader":
        whom = direction.leader.name if direction.leader else translated("nobody")
        return translated(
            "{obj} is {what}: fishes follow {whom}, not it. To go to it, they need a target",
            obj=obj.name,
            what=kind_of(obj),
            whom=whom,
        )
    with suppress(ValueError):  # its place is unknown, which its reader reports
        places = list(_places(obj, unit))
        nearest, farthest = min(_beyond(at, low, size) for at in places), max(_beyond(at, low, size) for at in places)
        reach = getattr(obj.artfish, direction.kind).radius if direction.kind in ("target", "arrival") else 0.0
        if direction.kind in ("target", "arrival") and nearest > reach:
            return translated(
                "{obj} is {nearest:.1f} m outside the tank: fishes come no nearer than its wall",
                obj=obj.name,
                nearest=nearest,
            )
        if direction.kind in ("curve", "stream") and farthest > OUTSIDE_METRES:
            return translated(
                "{obj} leads {farthest:.1f} m out of the tank: fishes follow it as far as the wall",
                obj=obj.name,
                farthest=farthest,
            )
        stays = direction.kind in ("ball", "fill") or (direction.kind == "region" and direction.inside)
        if stays and _apart(places, low, size):
            return translated("{obj} lies outside the tank: no fish can stay in it", obj=obj.name)
    return ""


def _places(obj: bpy.types.Object, unit: float) -> Iterator[Vector]:
    """Position of an object, or the corners of its bounding box if it has extent, in metres."""
    matrix, kind = placed(obj, unit), obj.artfish.direction.kind
    if kind in ("region", "ball") and obj.type == "EMPTY":
        reach = extent_of(obj)
        yield from (
            matrix @ Vector((x, y, z)) for x in (-reach, reach) for y in (-reach, reach) for z in (-reach, reach)
        )
    elif kind in ("region", "curve", "fill", "stream"):
        yield from (matrix @ Vector(corner) for corner in obj.bound_box)
    else:
        yield matrix.translation


def _beyond(at: Vector, low: Vector, size: Vector) -> float:
    """Distance of a place from the tank's box; 0 inside."""
    return Vector([max(low[a] - at[a], 0.0, at[a] - low[a] - size[a]) for a in range(3)]).length


def _apart(places: list[Vector], low: Vector, size: Vector) -> bool:
    """True if the box about some places and the tank's do not overlap."""
    return any(max(at[a] for at in places) < low[a] or min(at[a] for at in places) > low[a] + size[a] for a in range(3))
