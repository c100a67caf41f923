"""Directions, wants and events of a scene file, written as objects and keys of a Blender scene."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy
from mathutils import Vector

from ...core.scene.scene import Scene
from ..blender.declarations import fill
from ..identity.film_time import Clock, film
from ..identity.keyed import write_keys
from ..identity.units import extent_of, metres, set_extent
from .keys import SCHOOL_PATH, SHAPE_NUMBERS, STRENGTH_PATH
from .objects import add
from .schools import write_spread


def write(scene: bpy.types.Scene, written: Scene, origin: Vector, shoals: Sequence[bpy.types.Object]) -> None:
    """Make the objects and keys of a scene file's directions, wants and events.

    Args:
        scene: The scene to add them to; its first frame is the film's.
        written: The scene file's content.
        origin: Corner of the tank, metres.
        shoals: The empties of its groups, in order.
    """
    data, clock = written.to_dict(), Clock(written.fps, film(scene)[0])
    for entry in data.get("direction", ()):
        _put(scene, entry, origin, shoals, clock)
    for entry in data.get("wants", ()):
        wants = shoals[entry["fishes"]].artfish.wants
        setattr(wants, f"use_{entry['want']}", True)
        if entry.get("until") is not None:
            wants.use_until, wants.until = True, round(clock.frame(entry["until"]))
        write_keys(shoals[entry["fishes"]], f"artfish.wants.{entry['want']}", entry["keys"], clock)
    for entry in data.get("events", ()):
        obj = add(scene, entry["kind"], origin + Vector(entry["at"]))
        fill(obj.artfish.food if entry["kind"] == "food" else obj.artfish.fright, entry)


def _put(
    scene: bpy.types.Scene, entry: dict[str, Any], origin: Vector, shoals: Sequence[bpy.types.Object], clock: Clock
) -> None:
    """Make the object of an entry of a scene file's direction."""
    kind, unit = entry["kind"], metres(scene)
    if kind in ("curve", "stream"):
        obj = add(scene, kind, origin, _line(entry))
        fill(obj.artfish.curve, entry)
        obj.name = entry.get("name") or obj.name
    elif kind == "fill":
        mesh = bpy.data.meshes.new("Fill")
        mesh.from_pydata(entry["vertices"], [], entry["faces"])
        obj = add(scene, kind, origin, mesh)
    else:
        at = entry.get("at") or (entry["path"][0][1:] if entry.get("path") else (0.0, 0.0, 0.0))
        obj = add(scene, kind, origin + Vector(at))
    direction = obj.artfish.direction
    direction.fishes = shoals[entry["fishes"]]
    direction.one_fish = entry.get("member") is not None
    direction.member = entry.get("member") or 0
    write_keys(obj, STRENGTH_PATH, entry.get("strength", 1.0), clock)
    if kind == "target":
        fill(obj.artfish.target, entry)
        obj.name = entry.get("name") or obj.name
    elif kind == "arrival":
        fill(obj.artfish.arrival, entry)
        obj.name = entry.get("name") or obj.name
        if entry.get("heading") is not None:
            obj.artfish.arrival.use_heading = True
            ahead = Vector((1.0, 0.0, 0.0))
            obj.rotation_euler = ahead.rotation_difference(Vector(entry["heading"])).to_euler()
    elif kind == "region":
        _set_region(obj, entry, unit)
    elif kind == "leader":
        fill(obj.artfish.follow, entry)
        direction.leader = shoals[entry["leader"]]
        direction.one_leader = entry.get("leader_member") is not None
        direction.leader_member = entry.get("leader_member") or 0
    elif kind in ("ball", "fill", "stream"):
        _set_school(obj, entry, clock)
    for axis in range(3) if entry.get("path") else ():
        rows = [[row[0], (row[1 + axis] + origin[axis]) / unit] for row in entry["path"]]
        write_keys(obj, "location", rows, clock, axis)


def _line(entry: dict[str, Any]) -> bpy.types.Curve:
    """The curve of an entry."""
    line = bpy.data.curves.new("Way", "CURVE")
    line.dimensions = "3D"
    spline = line.splines.new("POLY")
    spline.points.add(len(entry["points"]) - 1)
    for point, place in zip(spline.points, entry["points"], strict=True):
        point.co = (*place, 1.0)
    spline.use_cyclic_u = bool(entry.get("closed"))
    return line


def _set_region(obj: bpy.types.Object, entry: dict[str, Any], unit: float) -> None:
    """Shows an empty as the sphere or the box of an entry, with `unit` metres in a scene unit."""
    obj.artfish.direction.inside = entry.get("inside", True)
    if entry.get("radius") is not None:
        reach = entry["radius"] / unit
        set_extent(obj, reach)
        obj.scale = (reach / extent_of(obj),) * 3
    else:
        obj.empty_display_type = "CUBE"
        set_extent(obj, 0.5)
        obj.scale = Vector(entry["size"]) / unit
        obj.rotation_euler.z = entry.get("turn", 0.0)


def _set_school(obj: bpy.types.Object, entry: dict[str, Any], clock: Clock) -> None:
    """Sets and keys the shape of a school, and shows an empty as the sphere of a ball."""
    school = obj.artfish.school
    fill(school, {"order": school.order, **entry})
    for name in (*SHAPE_NUMBERS, "width", "speed"):
        if entry.get(name) is not None:
            write_keys(obj, SCHOOL_PATH + name, entry[name], clock)
    if entry["kind"] == "ball":
        school.bounded = entry.get("radius") is not None
        write_spread(obj, entry, clock)
