"""Instructions and marks in Blender: kept as they stand in a scene file, with obstacles by the names of their objects.

Marks are at places in the water, in metres from its lowest corner.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import bpy

from ...core.base.codec import parse
from ...core.scene.instruction import stem
from ...core.scene.scene import Scene
from ..scene.meshes import ShapeOfMeshes

KEPT_SECTIONS = "marks", "instructions"


def write_instructions(scene: bpy.types.Scene, written: Scene) -> None:
    """Keeps the marks and instructions of a scene file, in place of those that are there."""
    data = written.to_dict()
    kept = {section: data[section] for section in KEPT_SECTIONS if data.get(section)}
    scene.artfish.instructions = json.dumps(kept) if kept else ""


def read_instructions(scene: bpy.types.Scene, data: dict[str, Any], objects: list[bpy.types.Object]) -> None:
    """Adds marks and instructions to the data of a scene, and their names to the obstacles, made of objects, in it.

    Raises:
        SceneError: They are no JSON.
    """
    if not scene.artfish.instructions:
        return
    kept = parse(scene.artfish.instructions, "Instructions")
    data |= kept
    names = {stem(name) for name in _names(kept)}
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
