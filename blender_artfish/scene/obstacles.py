"""Obstacles: upright pillars and closed meshes, made of objects and made into them."""

from __future__ import annotations

from functools import partial
from math import pi
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.scene.obstacles import MeshObstacle
from ..blender.declarations import fill, json_of
from ..identity.precision import short
from ..identity.units import metres, placed
from .meshes import Hull, Shape, all_rounded, hull_of
from .objects import UP, add

PILLAR_SIDES = 24
"""Of a pillar's mesh."""


def obstacle_data(
    obj: bpy.types.Object, unit: float, at: list[float], low: Vector, size: Vector
) -> dict[str, Any] | Shape | None:
    """An upright pillar where it says so and is one still, otherwise its mesh; None where it is out of the water.

    What counts is where it is solid. Its own origin may be anywhere, for the location of a mesh may be applied.

    Args:
        obj: The object.
        unit: Metres in a unit of its scene.
        at: Where its origin is in the water, in metres.
        low: Lowest corner of the water in Blender's world, in metres.
        size: Of the water, in metres.
    """
    matrix = placed(obj, unit)
    scale, turn = matrix.to_scale(), matrix.to_quaternion()
    inside = all(0.0 <= x <= length for x, length in zip(at, size[:], strict=True))
    upright = abs((turn @ UP).z) > 0.9999 and abs(scale.x - scale.y) < 1e-4 * scale.x
    if obj.artfish.pillar.upright and upright and inside:
        pillar = json_of(obj.artfish.pillar)
        return {"kind": "cylinder", "at": at, "radius": short(scale.x), "height": short(scale.z), **pillar}
    hull, own = hull_of(obj, unit), matrix.translation
    if len(hull.places):
        ends = [[float(end(hull.places[:, axis])) - low[axis] for axis in range(3)] for end in (np.min, np.max)]
        wet = [(max(least, 0.0), min(most, length)) for least, most, length in zip(*ends, size[:], strict=True)]
        flat = [least == most for least, most in zip(*ends, strict=True)]
        # What only touches the water is out of it; a sheet within it is refused as no closed mesh, not passed over.
        if any(least > most or least == most and not sheet for (least, most), sheet in zip(wet, flat, strict=True)):
            return None
        if not inside:
            at = [short(0.5 * (least + most)) for least, most in wet]
            own = low + Vector(at)
    own = own.copy()  # a matrix's translation is what it says at the time
    return Shape(MeshObstacle, (hull.key, own[:], *at), partial(_mesh_data, hull, at, own))


def _mesh_data(hull: Hull, at: list[float], own: Vector) -> dict[str, Any]:
    """A mesh obstacle as JSON holds it."""
    return {"kind": "mesh", "at": at, "vertices": all_rounded(hull.places, own), "faces": hull.faces}


def put_obstacle(scene: bpy.types.Scene, obstacle: Any, data: dict[str, Any], low: Vector) -> None:
    unit = metres(scene)
    if obstacle.kind == "cylinder":
        obj = add(scene, "OBSTACLE", low + Vector(obstacle.at), pillar_mesh())
        obj.name = "Pillar"
        obj.scale = Vector((obstacle.radius, obstacle.radius, obstacle.height)) / unit
        obj.artfish.pillar.upright = True
        fill(obj.artfish.pillar, data)
        return
    mesh = bpy.data.meshes.new("Rock")
    mesh.from_pydata(obstacle.vertices, [], obstacle.faces)
    obj = add(scene, "OBSTACLE", low + Vector(obstacle.at), mesh)
    obj.scale = (obstacle.scale / unit,) * 3
    if obstacle.up == "y":
        obj.rotation_euler.x = 0.5 * pi


def pillar_mesh() -> bpy.types.Mesh:
    """An upright cylinder a metre in radius and height, on its foot."""
    import bmesh

    mesh, made = bpy.data.meshes.new("Pillar"), bmesh.new()
    up = Matrix.Translation((0.0, 0.0, 0.5))
    bmesh.ops.create_cone(made, cap_ends=True, segments=PILLAR_SIDES, radius1=1.0, radius2=1.0, depth=1.0, matrix=up)
    made.to_mesh(mesh)
    made.free()
    return mesh
