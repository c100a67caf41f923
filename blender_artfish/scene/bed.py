"""The sea bed: a height field over a grid, converted from meshes and to a mesh."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy
from mathutils import Vector
from mathutils.bvhtree import BVHTree

from ...core.base.codec import SceneError
from ...core.scene.tank import Terrain
from ..identity.precision import short
from .meshes import Hull, ShapeOfMeshes, hull_of
from .objects import UP, add

BED_PLACES = 64
"""Samples of a mesh's height along each side of the tank."""
MOST_BED_PLACES = 512
"""Most samples per side for a bed from a scene, which states their number."""
PLACES_PROPERTY = "artfish_places"
"""Custom property of such a bed: its samples along x and y."""


def bed_data(beds: list[bpy.types.Object], unit: float, low: Vector, size: Vector) -> ShapeOfMeshes:
    """The sea bed over a grid in the tank, from meshes, with `unit` metres in a scene unit."""
    columns, rows = _places(beds[0])
    hulls = [hull_of(bed, unit) for bed in beds]
    for bed, hull in zip(beds, hulls, strict=True):
        if not len(hull.triangles):
            raise SceneError("a mesh without faces", "one with an upper side, as the sea bed", key=bed.name)
    key = (*(hull.key for hull in hulls), low[:], size[:], columns, rows)
    return ShapeOfMeshes(Terrain, key, partial(_heights_data, hulls, low, size, columns, rows))


def _places(bed: bpy.types.Object) -> tuple[int, int]:
    """Samples of the height of a bed along x and y."""
    try:
        columns, rows = map(int, bed[PLACES_PROPERTY])
    except (KeyError, TypeError, ValueError):  # a bed made here, or an overwritten property
        return BED_PLACES, BED_PLACES
    return min(max(columns, 2), MOST_BED_PLACES), min(max(rows, 2), MOST_BED_PLACES)


def _heights_data(hulls: list[Hull], low: Vector, size: Vector, columns: int, rows: int) -> dict[str, Any]:
    """Heights of meshes over a grid in the tank, rows along x, from its floor; 0 without a mesh."""
    trees = [BVHTree.FromPolygons(hull.places.tolist(), hull.faces) for hull in hulls]
    above, found = low.z + size.z + 1.0, []
    for row in range(rows):
        line = []
        for column in range(columns):
            # Rays exactly through the edge of a mesh may miss it.
            x = low.x + size.x * min(max(column / (columns - 1), 1e-5), 1 - 1e-5)
            y = low.y + size.y * min(max(row / (rows - 1), 1e-5), 1 - 1e-5)
            hits = [tree.ray_cast(Vector((x, y, above)), -UP)[0] for tree in trees]
            line.append(short(max([hit.z - low.z for hit in hits if hit is not None] + [0.0])))
        found.append(line)
    return {"heights": found}


def put_bed(scene: bpy.types.Scene, rows: Any, low: Vector, size: Vector) -> None:
    columns = len(rows[0])
    places = [
        (size.x * x / (columns - 1), size.y * y / (len(rows) - 1), rows[y][x])
        for y in range(len(rows))
        for x in range(columns)
    ]
    faces = [
        (corner, corner + 1, corner + columns + 1, corner + columns)
        for y in range(len(rows) - 1)
        for corner in range(y * columns, y * columns + columns - 1)
    ]
    mesh = bpy.data.meshes.new("Sea bed")
    mesh.from_pydata(places, [], faces)
    add(scene, "BED", low, mesh)[PLACES_PROPERTY] = (columns, len(rows))
