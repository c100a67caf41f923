"""Directions, keyed wants and timed events between objects of a Blender scene and a scene file.

A direction is an object: an empty to go to, a curve to swim along, a sphere or a box to stay in or out of, a sign that
says whom to follow. Its strength, and what shoals want, may be keyed like anything else; their F-curves become pairs of
seconds and value. Seconds count from the frame at which the film begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, ceil
from typing import Any

import bpy
from mathutils import Matrix, Vector

from ...core.base.codec import SceneError
from ...core.scene.scene import Scene
from ..blender.declarations import fill, json_of
from ..blender.keyframes import basis, moves
from ..blender.versions import channelbag, channelbags
from ..identity.film_time import Clock, film
from ..identity.film_time import short as _short
from ..identity.roles import objects_of, world
from ..scene.objects import add as add_object

WANTS = ("hunger", "libido", "fear")
STRENGTH = "artfish.direction.strength"
CURVE_STEPS = 12
"""Places between two control points of a curve at which it is read."""
CLOSE = 1e-4
"""Value, and metres, that a place between two others may be off their line and be left out."""
SKIPPED = 40
"""Most places on one line that are left out between two: each is looked at again with every further one."""
STEP = 0.02
"""Frames between two keys that stand for a step: Blender takes keys that are closer for one."""
SHAPES = {"target": "PLAIN_AXES", "region": "SPHERE", "leader": "ARROWS", "food": "CIRCLE", "fright": "CONE"}
"""How empties of each kind look."""
NAMES = {"target": "Target", "curve": "Way", "region": "Region", "leader": "Follow", "food": "Food", "fright": "Fright"}


def read(
    scene: bpy.types.Scene,
    shoals: Sequence[bpy.types.Object],
    origin: Vector,
    fps: float,
    first: int,
) -> tuple[dict[str, Any], dict[str, list[bpy.types.Object]]]:
    """What leads the fishes of a scene, as JSON holds it.

    Args:
        scene: The scene.
        shoals: The empties of its groups of fishes, in order.
        origin: Where the corner of the tank is, metres.
        fps: Frames a second.
        first: Frame at which the film begins.

    Returns:
        The keys "direction", "wants" and "events" of a scene file, as far as there are any, and which objects made the
        items of each.

    Raises:
        SceneError: An object cannot be read; the message names it.
    """
    clock = Clock(fps, first)
    data: dict[str, list[dict[str, Any]]] = {"direction": [], "wants": [], "events": []}
    objects: dict[str, list[bpy.types.Object]] = {key: [] for key in data}
    for thing in objects_of(scene, "DIRECTION", "EVENT"):
        if thing.artfish.kind == "EVENT":
            data["events"].append(_event(thing, origin))
            objects["events"].append(thing)
        else:
            entries = _led(thing, shoals, origin, clock)
            data["direction"] += entries
            objects["direction"] += [thing] * len(entries)
    for row, shoal in enumerate(shoals):
        for entry in _wants(shoal, row, clock):
            data["wants"].append(entry)
            objects["wants"].append(shoal)
    return {key: held for key, held in data.items() if held}, {key: held for key, held in objects.items() if held}


def _led(
    thing: bpy.types.Object, shoals: Sequence[bpy.types.Object], origin: Vector, clock: Clock
) -> list[dict[str, Any]]:
    """An entry for each shoal that an object leads."""
    held = thing.artfish.direction
    strength = _keyed(thing, STRENGTH, 0, held.strength, clock)
    if strength == 0.0 or not shoals:
        return []
    entry = {"kind": held.kind, "strength": strength, **_KINDS[held.kind](thing, shoals, origin, clock)}
    if held.fishes is not None:
        rows = [_row(thing, held.fishes, shoals)]
        if held.one_fish:
            entry["member"] = held.member
    else:
        rows = [row for row in range(len(shoals)) if row != entry.get("leader")]
    return [{"fishes": row, **entry} for row in rows]


def _target(thing: bpy.types.Object, shoals: Any, origin: Vector, clock: Clock) -> dict[str, Any]:
    radius = {"radius": json_of(thing.artfish.target)["radius"]}
    chain = _chain(thing)
    moved = [moves(link) for link in chain]
    frames = sorted({frame for move in moved for curve in move.values() for frame in _frames(curve)})
    if not frames:
        return {"at": rounded(world(thing).translation - origin), **radius}
    if any(moved[1:]):  # what turns with another goes in arcs, which its keys do not show
        frames = [float(frame) for frame in range(int(frames[0]), ceil(frames[-1]) + 1)]
    above = _above(chain[-1])
    path = []
    for frame in frames:
        at = basis(thing, moved[0], frame).translation
        for below, link, move in zip(chain, chain[1:], moved[1:], strict=False):
            at = basis(link, move, frame) @ (below.matrix_parent_inverse @ at)
        path.append([clock.seconds(frame), *rounded(above @ at - origin)])
    return {"path": _thinned(path), **radius}


def _chain(thing: bpy.types.Object) -> list[bpy.types.Object]:
    """An object, its parent, the parent of that and so on, as far as nothing but their keys moves them."""
    chain = [thing]
    while (above := chain[-1].parent) and chain[-1].parent_type == "OBJECT" and not above.constraints:
        chain.append(above)
    return chain


def _above(thing: bpy.types.Object) -> Matrix:
    """What stands above the end of a chain: its parent as it stands now, if there is one."""
    return world(thing.parent) @ thing.matrix_parent_inverse if thing.parent else Matrix()


def _curve(thing: bpy.types.Object, shoals: Any, origin: Vector, clock: Clock) -> dict[str, Any]:
    if thing.type != "CURVE":
        raise SceneError(thing.type.lower(), "a curve, to swim along", key=thing.name)
    if not thing.data.splines:
        raise SceneError("a curve without points", "one with two or more, to swim along", key=thing.name)
    spline = thing.data.splines[0]
    matrix = world(thing)
    points = [rounded(matrix @ at - origin) for at in _along(spline)]
    points = [point for row, point in enumerate(points) if not row or point != points[row - 1]]
    closed = bool(spline.use_cyclic_u)
    if closed and points[0] == points[-1]:
        points.pop()
    if len(points) < 2:
        raise SceneError("a curve of one place", "two or more", key=thing.name)
    return {"points": points, "closed": closed, **json_of(thing.artfish.curve)}


def _along(spline: bpy.types.Spline) -> list[Vector]:
    """Places along a spline, close enough to each other."""
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


def _region(thing: bpy.types.Object, shoals: Any, origin: Vector, clock: Clock) -> dict[str, Any]:
    scale = world(thing).to_scale()
    inside = {"inside": thing.artfish.direction.inside}
    if thing.type == "EMPTY":
        at, size = world(thing).translation, 2.0 * thing.empty_display_size * scale
        sphere = thing.empty_display_type != "CUBE"
    else:
        box = [Vector(corner) for corner in thing.bound_box]
        low, high = (Vector([limit(corner[a] for corner in box) for a in range(3)]) for limit in (min, max))
        at, size, sphere = world(thing) @ (0.5 * (low + high)), (high - low) * scale, False
    middle = rounded(at - origin)
    if sphere:
        return {"at": middle, "radius": _short(0.5 * max(abs(length) for length in size)), **inside}
    ahead = world(thing).to_quaternion() @ Vector((1.0, 0.0, 0.0))
    return {"at": middle, "size": [_short(abs(x)) for x in size], "turn": _short(atan2(ahead.y, ahead.x)), **inside}


def _leader(thing: bpy.types.Object, shoals: Sequence[bpy.types.Object], origin: Any, clock: Any) -> dict[str, Any]:
    held = thing.artfish.direction
    if held.leader is None:
        raise SceneError("nobody to follow", "a shoal: choose one as the leader", key=thing.name)
    entry = {"leader": _row(thing, held.leader, shoals), "radius": json_of(thing.artfish.follow)["radius"]}
    return entry | ({"leader_member": held.leader_member} if held.one_leader else {})


_KINDS: dict[str, Any] = {"target": _target, "curve": _curve, "region": _region, "leader": _leader}


def _event(thing: bpy.types.Object, origin: Vector) -> dict[str, Any]:
    held = thing.artfish
    at = {"at": rounded(world(thing).translation - origin)}
    return {"kind": held.event, **at, **json_of(held.food if held.event == "food" else held.fright)}


def _wants(shoal: bpy.types.Object, row: int, clock: Clock) -> list[dict[str, Any]]:
    held, found = shoal.artfish.wants, []
    for want in WANTS:
        if not getattr(held, f"use_{want}"):
            continue
        entry = {"fishes": row, "want": want}
        entry["keys"] = _keyed(shoal, f"artfish.wants.{want}", 0, getattr(held, want), clock)
        if held.use_until:
            entry["until"] = clock.seconds(held.until)
        found.append(entry)
    return found


def _row(thing: bpy.types.Object, shoal: bpy.types.Object, shoals: Sequence[bpy.types.Object]) -> int:
    if shoal not in shoals:
        raise SceneError(f"{shoal.name}, which is no shoal of this scene", "one that is", key=thing.name)
    return list(shoals).index(shoal)


def _keyed(owner: bpy.types.Object, path: str, axis: int, value: float, clock: Clock) -> float | list[list[float]]:
    """A number, or where it has an F-curve pairs of seconds and value."""
    for bag in channelbags(owner):
        curve = bag.fcurves.find(path, index=axis)
        if curve is not None and len(curve.keyframe_points) and not curve.mute:
            return _thinned([[clock.seconds(at), _limited(value)] for at, value in _values(curve)])
    return _limited(value)


def _values(curve: bpy.types.FCurve) -> list[tuple[float, float]]:
    """Frames and values that make the same curve with straight lines between; a step is two at one frame."""
    keys, found = list(curve.keyframe_points), []
    for key, after in zip(keys, [*keys[1:], None], strict=True):
        here, value = float(key.co[0]), float(key.co[1])
        if after is not None and after.co[0] - here < 2 * STEP:
            here = float(after.co[0])
        found.append((here, value))
        if after is None or key.interpolation == "LINEAR" or here == after.co[0]:
            continue
        if key.interpolation == "CONSTANT":
            found.append((after.co[0], value))
            continue
        frame = int(here) + 1
        while frame < after.co[0]:
            found.append((float(frame), curve.evaluate(frame)))
            frame += 1
    return found


def _frames(curve: bpy.types.FCurve) -> list[float]:
    return [frame for frame, _ in _values(curve)]


def _thinned(rows: list[list[float]]) -> list[list[float]]:
    """Rows of time and values without those that lie on the line between the kept ones."""
    kept, skipped = rows[:1], 0
    for row in range(1, len(rows) - 1):
        between = rows[row - skipped : row + 1]
        if skipped < SKIPPED and all(_on_line(kept[-1], one, rows[row + 1]) for one in between):
            skipped += 1
        else:
            kept.append(rows[row])
            skipped = 0
    return kept + rows[1:][-1:]


def _on_line(before: list[float], row: list[float], after: list[float]) -> bool:
    (t0, *v0), (t, *v), (t1, *v1) = before, row, after
    if t in (t0, t1):  # a step
        return False
    share = (t - t0) / (t1 - t0)
    return all(abs(a + share * (b - a) - c) <= CLOSE for a, b, c in zip(v0, v1, v, strict=True))


def _limited(value: float) -> float:
    return _short(min(max(value, 0.0), 1.0))


def rounded(at: Vector) -> list[float]:
    """A place without what single precision adds to it."""
    return [_short(x) for x in at[:]]


def add(scene: bpy.types.Scene, kind: str, at: Any, data: bpy.types.ID | None = None) -> bpy.types.Object:
    """A new direction or event of a kind: "target", "curve", "region", "leader", "food" or "fright"."""
    event = kind in ("food", "fright")
    thing = add_object(scene, "EVENT" if event else "DIRECTION", at, data)
    thing.name = NAMES[kind]
    if event:
        thing.artfish.event = kind
    else:
        thing.artfish.direction.kind = kind
    if data is None:
        thing.empty_display_type = SHAPES[kind]
        thing.empty_display_size = {"region": 0.5, "leader": 0.2}.get(kind, 0.15)
    return thing


def write(scene: bpy.types.Scene, wanted: Scene, origin: Vector, shoals: Sequence[bpy.types.Object]) -> None:
    """Make objects and keys of what leads the fishes of a scene file.

    Args:
        scene: Gets them; its frames begin where the film does.
        wanted: What they are to say.
        origin: Where the corner of the tank stands, metres.
        shoals: The empties of its groups, in order.
    """
    data, clock = wanted.to_dict(), Clock(wanted.fps, film(scene)[0])
    for entry in data.get("direction", ()):
        _put(scene, entry, origin, shoals, clock)
    for entry in data.get("wants", ()):
        held = shoals[entry["fishes"]].artfish.wants
        setattr(held, f"use_{entry['want']}", True)
        if entry.get("until") is not None:
            held.use_until, held.until = True, round(clock.frame(entry["until"]))
        _key(shoals[entry["fishes"]], f"artfish.wants.{entry['want']}", entry["keys"], clock)
    for entry in data.get("events", ()):
        thing = add(scene, entry["kind"], origin + Vector(entry["at"]))
        fill(thing.artfish.food if entry["kind"] == "food" else thing.artfish.fright, entry)


def _put(
    scene: bpy.types.Scene, entry: dict[str, Any], origin: Vector, shoals: Sequence[bpy.types.Object], clock: Clock
) -> None:
    kind = entry["kind"]
    if kind == "curve":
        line = bpy.data.curves.new("Way", "CURVE")
        line.dimensions = "3D"
        spline = line.splines.new("POLY")
        spline.points.add(len(entry["points"]) - 1)
        for point, place in zip(spline.points, entry["points"], strict=True):
            point.co = (*place, 1.0)
        spline.use_cyclic_u = bool(entry.get("closed"))
        thing = add(scene, kind, origin, line)
        fill(thing.artfish.curve, entry)
    else:
        at = entry.get("at") or (entry["path"][0][1:] if entry.get("path") else (0.0, 0.0, 0.0))
        thing = add(scene, kind, origin + Vector(at))
    held = thing.artfish.direction
    held.fishes = shoals[entry["fishes"]]
    held.one_fish = entry.get("member") is not None
    held.member = entry.get("member") or 0
    _key(thing, STRENGTH, entry.get("strength", 1.0), clock)
    if kind == "target":
        fill(thing.artfish.target, entry)
        for axis in range(3) if entry.get("path") else ():
            rows = [[row[0], row[1 + axis] + origin[axis]] for row in entry["path"]]
            _key(thing, "location", rows, clock, axis)
    elif kind == "region":
        held.inside = entry.get("inside", True)
        if entry.get("radius") is not None:
            thing.empty_display_size = entry["radius"]
        else:
            thing.empty_display_type, thing.empty_display_size = "CUBE", 0.5
            thing.scale = entry["size"]
            thing.rotation_euler.z = entry.get("turn", 0.0)
    elif kind == "leader":
        fill(thing.artfish.follow, entry)
        held.leader = shoals[entry["leader"]]
        held.one_leader = entry.get("leader_member") is not None
        held.leader_member = entry.get("leader_member") or 0


def _key(
    owner: bpy.types.Object, path: str, said: float | Sequence[Sequence[float]], clock: Clock, axis: int = 0
) -> None:
    """Set a property, and key it in straight lines where it has keys."""
    holder, _, name = path.rpartition(".")
    of = owner.path_resolve(holder) if holder else owner
    first = said if isinstance(said, int | float) else said[0][1]
    if path != "location":
        setattr(of, name, first)
    if isinstance(said, int | float):
        return
    data = owner.animation_data
    action = data.action if data and data.action else bpy.data.actions.new(owner.name)
    curve = channelbag(action, owner).fcurves.new(path, index=axis)
    curve.keyframe_points.add(len(said))
    for key, after, (seconds, value) in zip(curve.keyframe_points, [*said[1:], None], said, strict=True):
        step = after is not None and after[0] - seconds < CLOSE
        key.co = (clock.frame(seconds) - STEP * step, value)
        key.interpolation = "LINEAR"
    curve.update()
