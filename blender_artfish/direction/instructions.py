"""Instructions and the places that they name, of a Blender scene and of a scene file.

A place is an empty, or an obstacle by its object's name. Instructions are a list of the scene; in files of earlier
versions they are a text, which still counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import bpy
from mathutils import Vector

from ...core.base.codec import SceneError, parse
from ...core.scene.instruction import stem
from ...core.scene.scene import Scene
from ..blender.declarations import json_of
from ..blender.words import translated
from ..identity.precision import rounded
from ..identity.roles import objects_of
from ..identity.units import metres, placed
from ..scene.meshes import ShapeOfMeshes
from ..scene.objects import add
from .instruction_properties import ACTS, ALWAYS, CONDITIONS, LISTED, WHEN, WHOM, fields_of, title_of


def write_instructions(
    scene: bpy.types.Scene, written: Scene, origin: Vector, shoals: Sequence[bpy.types.Object]
) -> None:
    """Adds the marks and instructions of a scene file.

    Args:
        scene: The scene to add them to.
        written: The scene file's content.
        origin: Corner of the tank, metres.
        shoals: The empties of its groups, in order.
    """
    data = written.to_dict()
    for mark in data.get("marks", ()):
        obj = add(scene, "SPOT", origin + Vector(mark["at"]))
        obj.name = mark["name"]
        reach = mark.get("radius", obj.artfish.spot.radius)
        obj.artfish.spot.radius = reach  # which sizes it
    for entry in data.get("instructions", ()):
        row = scene.artfish.instruction_rows.add()
        row.do = entry["do"]
        when = entry.get("when")
        when = {"kind": when} if isinstance(when, str) else when
        row.when = when["kind"] if when else ALWAYS
        _fill(row, entry, fields_of(row.do, ACTS), "", shoals)
        _fill(row, when or {}, fields_of(row.when, CONDITIONS), WHEN, shoals)


def _fill(
    row: Any, entry: dict[str, Any], fields: list[dict[str, Any]], prefix: str, shoals: Sequence[bpy.types.Object]
) -> None:
    """Sets the numbers of an act or a condition."""
    for field in fields:
        name = field["name"]
        if entry.get(name) is None:
            continue
        if name in WHOM:
            member = entry.get(WHOM[name])
            setattr(row, prefix + name, shoals[entry[name]])
            setattr(row, f"one_{prefix}{WHOM[name]}", member is not None)
            setattr(row, prefix + WHOM[name], member or 0)
        elif field["kind"] == "words":
            listed = entry[name]
            setattr(row, prefix + name, listed if isinstance(listed, str) else LISTED.join(listed))
        else:
            setattr(row, prefix + name, entry[name])


def read_instructions(
    scene: bpy.types.Scene, data: dict[str, Any], objects: dict[str, list[bpy.types.Object]], low: Vector
) -> None:
    """Adds marks and instructions to the data of a scene, and their names to the obstacles in it.

    Args:
        scene: The scene.
        data: The scene as JSON.
        objects: The objects of its lists; those of marks and instructions are added.
        low: Corner of the tank, metres.

    Raises:
        SceneError: They name a shoal that is none, or the text of an earlier version is no JSON.
    """
    kept = parse(scene.artfish.instructions, "Instructions") if scene.artfish.instructions else {}
    spots, shoals = objects_of(scene, "SPOT"), objects.get("fishes", [])
    unit, marks = metres(scene), []
    for obj in spots:
        at = rounded(placed(obj, unit).translation - low)
        marks.append({**json_of(obj.artfish.spot), "name": obj.name, "at": at})
    rows = [entry for row in scene.artfish.instruction_rows for entry in _entries(row, shoals)]
    for section, found in (("marks", marks), ("instructions", rows)):
        if found or section in kept:
            data[section] = [*kept.get(section, ()), *found]
    if not kept and spots:
        objects["marks"] = spots
    _name(data, objects.get("obstacles", []))


def _entries(row: Any, shoals: Sequence[bpy.types.Object]) -> list[dict[str, Any]]:
    """An instruction as JSON, for each shoal that it is for."""
    entry = {"do": row.do, **_values(row, fields_of(row.do, ACTS), "", shoals)}
    if row.when != ALWAYS:
        own = _values(row, fields_of(row.when, CONDITIONS), WHEN, shoals)
        entry["when"] = {"kind": row.when, **own}
    if "fishes" in entry:
        return [entry]
    return [{**entry, "fishes": at} for at in range(len(shoals))]


def _values(row: Any, fields: list[dict[str, Any]], prefix: str, shoals: Sequence[bpy.types.Object]) -> dict[str, Any]:
    """The numbers of an act or a condition; a name that is left empty is left out."""
    found: dict[str, Any] = {}
    for field in fields:
        name = field["name"]
        value = getattr(row, prefix + name)
        if name in WHOM:
            found |= _whom(row, name, prefix, shoals)
            if name == "whom" and value is None and not field["optional"]:
                raise SceneError(
                    "nobody",
                    translated("choose whom it is about: {title_of}", title_of=title_of(row)),
                    key="Instructions",
                )
        elif field["kind"] == "words":
            names = [part.strip() for part in value.split(",") if part.strip()]
            found |= {name: names} if names else {}
        elif field["kind"] != "text" or value:
            found[name] = float(f"{value:.7g}") if isinstance(value, float) else value
    return found


def _whom(row: Any, name: str, prefix: str, shoals: Sequence[bpy.types.Object]) -> dict[str, int]:
    """The group, and the fish of it, that an instruction names."""
    shoal = getattr(row, prefix + name)
    if shoal is None:
        return {}
    if shoal not in shoals:
        raise SceneError(
            translated("{shoal}, no shoal of this scene", shoal=shoal.name),
            translated("one that is: {title_of}", title_of=title_of(row)),
            key="Instructions",
        )
    member = {WHOM[name]: getattr(row, prefix + WHOM[name])} if getattr(row, f"one_{prefix}{WHOM[name]}") else {}
    return {name: list(shoals).index(shoal), **member}


def _name(data: dict[str, Any], objects: Sequence[bpy.types.Object]) -> None:
    """Names the obstacles that instructions name, each as its object is."""
    names = {stem(name) for name in _names(data.get("instructions", []))}
    obstacles = data.get("obstacles", [])
    for row, (obj, obstacle) in enumerate(zip(objects, obstacles, strict=True)):
        if stem(obj.name) not in names:
            continue
        if isinstance(obstacle, ShapeOfMeshes):
            named = partial(_named, obstacle, obj.name)
            obstacles[row] = obstacle._replace(key=(*obstacle.key, obj.name), describe=named)
        else:
            obstacle["name"] = obj.name


def _named(shape: ShapeOfMeshes, name: str) -> dict[str, Any]:
    return {**shape.describe(), "name": name}


def _names(value: Any) -> set[str]:
    """All names of places in the data of instructions."""
    if isinstance(value, list):
        return {name for item in value for name in ([item] if isinstance(item, str) else _names(item))}
    if not isinstance(value, dict):
        return set()
    own = {value["place"]} if isinstance(value.get("place"), str) else set()
    own |= {value["among"]} if isinstance(value.get("among"), str) else set()
    return own.union(*(_names(item) for item in value.values()))
