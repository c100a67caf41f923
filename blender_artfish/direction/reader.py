"""Directions, keyed wants and timed events of a Blender scene, read into those of a scene file.

A direction is an object: an empty to go to, a curve to swim along, a sphere or a box to stay in or out of, a sign that
names a leader. Its strength, and the wants of shoals, may be keyed like anything else; their F-curves become pairs of
seconds and value. Seconds count from the frame at which the film begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, ceil
from typing import Any, NamedTuple

import bpy
from mathutils import Matrix, Vector

from ...core.base.codec import SceneError
from ..blender.declarations import fields, json_of
from ..blender.keyframes import basis, moves
from ..blender.words import translated
from ..identity.film_time import Clock
from ..identity.keyed import curve_frames, read_keys, thinned
from ..identity.precision import rounded, short
from ..identity.roles import objects_of, world
from ..identity.units import extent_of, metres, placed
from .keys import SCHOOL_PATH, SHAPE_NUMBERS, SPOTS, STRENGTH_PATH
from .schools import read_spread

WANTS = ("hunger", "libido", "fear")
CURVE_STEPS = 12
"""Samples of a curve between two control points."""


class _Water(NamedTuple):
    """Conversion of places in Blender's world into places in the water.

    Attributes:
        origin: Corner of the tank in Blender's world, metres.
        unit: Metres in a unit of the scene.
    """

    origin: Vector
    unit: float

    def place(self, at: Vector) -> list[float]:
        """A place in the water, in metres, from one in Blender's world, in scene units."""
        return rounded(self.unit * at - self.origin)


def read(
    scene: bpy.types.Scene,
    shoals: Sequence[bpy.types.Object],
    origin: Vector,
    fps: float,
    first: int,
) -> tuple[dict[str, Any], dict[str, list[bpy.types.Object]]]:
    """The directions, wants and events of a scene, as JSON, and the objects of each section.

    Args:
        scene: The scene.
        shoals: The empties of its shoals, in order.
        origin: Corner of the tank, metres.
        fps: Frames a second.
        first: Frame at which the film begins.

    Returns:
        The keys "direction", "wants" and "events" of a scene file, as far as there are any, and which objects made the
        items of each.

    Raises:
        SceneError: An object cannot be read; the message names it.
    """
    clock, water = Clock(fps, first), _Water(origin, metres(scene))
    data: dict[str, list[dict[str, Any]]] = {"direction": [], "wants": [], "events": []}
    objects: dict[str, list[bpy.types.Object]] = {key: [] for key in data}
    for obj in objects_of(scene, "DIRECTION", "EVENT"):
        if obj.artfish.kind == "EVENT":
            data["events"].append(_event(obj, water))
            objects["events"].append(obj)
        else:
            entries = _led(obj, shoals, water, clock)
            data["direction"] += entries
            objects["direction"] += [obj] * len(entries)
    for row, shoal in enumerate(shoals):
        for entry in _wants(shoal, row, clock):
            data["wants"].append(entry)
            objects["wants"].append(shoal)
    return {key: rows for key, rows in data.items() if rows}, {key: those for key, those in objects.items() if those}


def _led(
    obj: bpy.types.Object, shoals: Sequence[bpy.types.Object], water: _Water, clock: Clock
) -> list[dict[str, Any]]:
    """An entry for each shoal that an object leads."""
    direction = obj.artfish.direction
    strength = read_keys(obj, STRENGTH_PATH, 0, direction.strength, clock)
    if strength == 0.0 or not shoals:
        return []
    entry = {"kind": direction.kind, "strength": strength, **_KINDS[direction.kind](obj, shoals, water, clock)}
    if direction.fishes is not None:
        rows = [_row(obj, direction.fishes, shoals)]
        if direction.one_fish:
            entry["member"] = direction.member
    else:
        rows = [row for row in range(len(shoals)) if row != entry.get("leader")]
    return [{"fishes": row, **entry} for row in rows]


def _target(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    numbers = json_of(obj.artfish.target)
    named = {"name": obj.name} if numbers.get("way", "straight") != "straight" or "speed" in numbers else {}
    return {**_moving(obj, water, clock), **numbers, **named}


def _moving(obj: bpy.types.Object, water: _Water, clock: Clock) -> dict[str, Any]:
    """Position of an object, or its path if its keys or those of its parents move it."""
    chain = _chain(obj)
    moved = [moves(link) for link in chain]
    frames = sorted({frame for move in moved for curve in move.values() for frame in curve_frames(curve)})
    if not frames:
        return {"at": water.place(world(obj).translation)}
    if any(moved[1:]):  # an object that turns with its parent moves in arcs, which its keys do not show
        frames = [float(frame) for frame in range(int(frames[0]), ceil(frames[-1]) + 1)]
    above = _above(chain[-1])
    path = []
    for frame in frames:
        at = basis(obj, moved[0], frame).translation
        for below, link, move in zip(chain, chain[1:], moved[1:], strict=False):
            at = basis(link, move, frame) @ (below.matrix_parent_inverse @ at)
        path.append([clock.seconds(frame), *water.place(above @ at)])
    path = thinned(path)
    stays = all(row[1:] == path[0][1:] for row in path)  # it turns, or is scaled
    return {"at": path[0][1:]} if stays else {"path": path}


def _chain(obj: bpy.types.Object) -> list[bpy.types.Object]:
    """An object, its parent, the parent's parent and so on, while nothing but keys moves them."""
    chain = [obj]
    while (above := chain[-1].parent) and chain[-1].parent_type == "OBJECT" and not above.constraints:
        chain.append(above)
    return chain


def _above(obj: bpy.types.Object) -> Matrix:
    """World matrix above the end of a chain: its parent in its present state, or the identity."""
    return world(obj.parent) @ obj.matrix_parent_inverse if obj.parent else Matrix()


def _curve(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    numbers = json_of(obj.artfish.curve)
    named = {"name": obj.name} if "duration" in numbers or "speed" in numbers else {}
    return {**_line(obj, water), **numbers, **named}


def _arrival(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    entry = {"at": water.place(world(obj).translation), **json_of(obj.artfish.arrival), "name": obj.name}
    if obj.artfish.arrival.use_heading:
        entry["heading"] = [short(part) for part in world(obj).to_quaternion() @ Vector((1.0, 0.0, 0.0))]
    return entry


def _line(obj: bpy.types.Object, water: _Water) -> dict[str, Any]:
    """The points of a curve's first spline, and whether it is closed."""
    if obj.type != "CURVE":
        raise SceneError(obj.type.lower(), "a curve, to swim along", key=obj.name)
    if not obj.data.splines:
        raise SceneError("a curve without points", "one with two or more, to swim along", key=obj.name)
    spline = obj.data.splines[0]
    matrix = world(obj)
    points = [water.place(matrix @ at) for at in _along(spline)]
    points = [point for row, point in enumerate(points) if not row or point != points[row - 1]]
    closed = bool(spline.use_cyclic_u)
    if closed and points[0] == points[-1]:
        points.pop()
    if len(points) < 2:
        raise SceneError("a curve of one place", "two or more", key=obj.name)
    return {"points": points, "closed": closed}


def _along(spline: bpy.types.Spline) -> list[Vector]:
    """Samples along a spline, close enough to each other."""
    closed = spline.use_cyclic_u
    if spline.type == "BEZIER":
        from mathutils.geometry import interpolate_bezier

        knots = list(spline.bezier_points)
        ends = [*zip(knots, knots[1:], strict=False), *([(knots[-1], knots[0])] if closed and len(knots) > 1 else [])]
        places = [knots[0].co.copy()]
        for one, other in ends:
            steps = interpolate_bezier(one.co, one.handle_right, other.handle_left, other.co, CURVE_STEPS + 1)
            places += [Vector(step[:]) for step in steps[1:]]
        return places
    return [Vector(point.co[:3]) for point in spline.points]


def _region(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    matrix = placed(obj, water.unit)
    scale = matrix.to_scale()
    inside = {"inside": obj.artfish.direction.inside}
    if obj.type == "EMPTY":
        at, size = matrix.translation, 2.0 * extent_of(obj) * scale
        sphere = obj.empty_display_type != "CUBE"
    else:
        box = [Vector(corner) for corner in obj.bound_box]
        low, high = (Vector([limit(corner[a] for corner in box) for a in range(3)]) for limit in (min, max))
        at, size, sphere = matrix @ (0.5 * (low + high)), (high - low) * scale, False
    middle = rounded(at - water.origin)
    if sphere:
        return {"at": middle, "radius": short(0.5 * max(abs(length) for length in size)), **inside}
    ahead = matrix.to_quaternion() @ Vector((1.0, 0.0, 0.0))
    return {"at": middle, "size": [short(abs(x)) for x in size], "turn": short(atan2(ahead.y, ahead.x)), **inside}


def _leader(obj: bpy.types.Object, shoals: Sequence[bpy.types.Object], water: Any, clock: Any) -> dict[str, Any]:
    direction = obj.artfish.direction
    if direction.leader is None:
        raise SceneError("nobody to follow", "a shoal: choose one as the leader", key=obj.name)
    entry = {"leader": _row(obj, direction.leader, shoals), **json_of(obj.artfish.follow)}
    return entry | ({"leader_member": direction.leader_member} if direction.one_leader else {})


def _ball(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    school = obj.artfish.school
    entry = {**_moving(obj, water, clock), **_school(obj, clock), "headed": school.headed}
    if school.use_speed:
        entry["speed"] = read_keys(obj, f"{SCHOOL_PATH}speed", 0, school.speed, clock, (0.001, float("inf")))
    if obj.type == "EMPTY":
        spread = read_spread(obj, water.unit, clock)
        if not school.bounded and "density" in entry:
            del spread["radius"]
        entry |= spread
    return entry


def _fill(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    if obj.type != "MESH":
        raise SceneError(SPOTS.get(obj.type, obj.type.lower()), "a mesh, to be filled", key=obj.name)
    matrix, at = world(obj), water.place(world(obj).translation)
    vertices = [water.place(matrix @ vertex.co) for vertex in obj.data.vertices]
    entry = {"vertices": vertices, "faces": [list(face.vertices) for face in obj.data.polygons], **_school(obj, clock)}
    path = _moving(obj, water, clock).get("path")
    if path:
        entry["path"] = [[row[0], *(short(to - now) for to, now in zip(row[1:], at, strict=True))] for row in path]
    return entry


def _stream(obj: bpy.types.Object, shoals: Any, water: _Water, clock: Clock) -> dict[str, Any]:
    width = read_keys(obj, f"{SCHOOL_PATH}width", 0, obj.artfish.school.width, clock, (0.01, float("inf")))
    return {**_line(obj, water), "width": width, **_school(obj, clock)}


def _school(obj: bpy.types.Object, clock: Clock) -> dict[str, Any]:
    """Density and order of a school, with their keys."""
    school, entry = obj.artfish.school, {}
    for field in fields(school):
        name = field["name"]
        if name in SHAPE_NUMBERS and (name != "density" or school.use_density):
            span = field["low"], field["high"]
            entry[name] = read_keys(obj, SCHOOL_PATH + name, 0, getattr(school, name), clock, span)
    return entry


_KINDS: dict[str, Any] = {
    "target": _target,
    "arrival": _arrival,
    "curve": _curve,
    "region": _region,
    "leader": _leader,
    "ball": _ball,
    "fill": _fill,
    "stream": _stream,
}


def _event(obj: bpy.types.Object, water: _Water) -> dict[str, Any]:
    role = obj.artfish
    at = {"at": water.place(world(obj).translation)}
    return {"kind": role.event, **at, **json_of(role.food if role.event == "food" else role.fright)}


def _wants(shoal: bpy.types.Object, row: int, clock: Clock) -> list[dict[str, Any]]:
    wants, found = shoal.artfish.wants, []
    for want in WANTS:
        if not getattr(wants, f"use_{want}"):
            continue
        entry = {"fishes": row, "want": want}
        entry["keys"] = read_keys(shoal, f"artfish.wants.{want}", 0, getattr(wants, want), clock)
        if wants.use_until:
            entry["until"] = clock.seconds(wants.until)
        found.append(entry)
    return found


def _row(obj: bpy.types.Object, shoal: bpy.types.Object, shoals: Sequence[bpy.types.Object]) -> int:
    if shoal not in shoals:
        what = translated("{spots} and ", spots=SPOTS[shoal.type]) if shoal.type in SPOTS else ""
        raise SceneError(
            translated("{shoal}, which is {what}no shoal of this scene", shoal=shoal.name, what=what),
            "one that is",
            key=obj.name,
        )
    return list(shoals).index(shoal)
