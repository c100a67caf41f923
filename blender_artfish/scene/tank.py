"""The tank: the extent of the water, a box or a mesh, converted from an object and to one."""

from __future__ import annotations

from functools import partial
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from ...core.base.codec import SceneError
from ...core.scene.tank import Tank
from ..identity.precision import short
from ..identity.roles import objects_of
from ..identity.units import metres, placed
from .meshes import Hull, ShapeOfMeshes, all_rounded, hull_of
from .objects import At, add

TANK_METRES = (10.0, 8.0, 4.0)
"""Size of the water without a tank, metres."""
ROUNDING_METRES = 1e-4
"""Distance outside the tank that counts as rounding, metres."""
ROUNDING_SHARE = 1e-4
"""Error of a box's vertices that counts as rounding, over the box's size."""
BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Faces of a box with corners in the order of `_corners`."""
BOX_EDGES = ((0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (1, 3), (4, 6), (5, 7), (0, 4), (1, 5), (2, 6), (3, 7))
"""Its edges."""


def add_tank(scene: bpy.types.Scene, at: At, size: At) -> bpy.types.Object:
    """A new tank about a place, in metres: the edges of a box, since an empty with applied scale becomes a cube."""
    walls = bpy.data.meshes.new("Tank")
    walls.from_pydata(_corners(Vector((-0.5,) * 3), Vector((0.5,) * 3)), BOX_EDGES, [])
    tank = add(scene, "TANK", at, walls)
    tank.scale = Vector(size) / metres(scene)
    return tank


def size_of(scene: bpy.types.Scene) -> tuple[Vector, Vector]:
    """Lowest corner and size of the water, in metres."""
    for obj in objects_of(scene, "TANK")[:1]:
        matrix = placed(obj, metres(scene))
        corners = [matrix @ corner for corner in _box(obj)]
        low = Vector([min(corner[axis] for corner in corners) for axis in range(3)])
        return low, Vector([max(corner[axis] for corner in corners) - low[axis] for axis in range(3)])
    size = Vector(TANK_METRES)
    return Vector((-0.5 * size.x, -0.5 * size.y, 0.0)), size


def within(at: Vector, size: Vector) -> list[float]:
    """A place moved back into the tank if it is outside only by rounding."""
    return [
        short(min(max(x, 0.0), length) if -ROUNDING_METRES < x < length + ROUNDING_METRES else x)
        for x, length in zip(at[:], size[:], strict=True)
    ]


def tank_data(scene: bpy.types.Scene, low: Vector, size: Vector) -> dict[str, Any] | ShapeOfMeshes:
    """The tank, with vertices and faces unless it is an upright box."""
    box = {"size": [short(length) for length in size]}
    unit = metres(scene)
    for obj in objects_of(scene, "TANK")[:1]:
        hull = _box_hull(obj, unit) if _is_box(obj) else hull_of(obj, unit)
        if len(hull.places) == 8:
            ends = [{short(place - low[axis]) for place in hull.places[:, axis].tolist()} for axis in range(3)]
            if all(len(places) <= 2 for places in ends):
                return box
        key = hull.key, low[:], size[:]
        return ShapeOfMeshes(Tank, key, partial(_walls_data, box, hull, low))
    return box


def _is_box(obj: bpy.types.Object) -> bool:
    """True if a tank is its object's bounding box: an empty, or a mesh of edges, which must be those of a box."""
    mesh = obj.data
    if not isinstance(mesh, bpy.types.Mesh) or mesh.polygons or obj.modifiers:
        return obj.type == "EMPTY"
    if not (_is_box_of_edges(mesh) or _is_wire_box(mesh)):
        found = "edges without faces that are no whole box, or single vertices beside it"
        raise SceneError(found, "the edges of a box, an empty, or a closed mesh", obj.name)
    return True


def _walls_data(box: dict[str, Any], hull: Hull, low: Vector) -> dict[str, Any]:
    """A tank that is no box, as JSON."""
    return box | {"vertices": all_rounded(hull.places, low), "faces": hull.faces}


def _box_hull(obj: bpy.types.Object, unit: float) -> Hull:
    matrix = placed(obj, unit)
    places = np.array([(matrix @ corner)[:] for corner in _box(obj)], dtype=np.float32)
    halves = [half for a, b, c, d in BOX_FACES for half in ((a, b, c), (a, c, d))]
    return Hull(places, np.array(halves, dtype=np.int32))


def _box(obj: bpy.types.Object) -> list[Vector]:
    """Corners of an object's bounding box, in its own coordinates; for our box of edges its vertices."""
    if obj.type == "EMPTY":
        reach = Vector((obj.empty_display_size,) * 3)
        return _corners(-reach, reach)
    if isinstance(obj.data, bpy.types.Mesh) and not obj.modifiers and _is_box_of_edges(obj.data):
        return [vertex.co.copy() for vertex in obj.data.vertices]
    ends = [[end(corner[axis] for corner in obj.bound_box) for axis in range(3)] for end in (min, max)]
    return _corners(Vector(ends[0]), Vector(ends[1]))


def _is_box_of_edges(mesh: bpy.types.Mesh) -> bool:
    """True for the edges of the box that `add_tank` makes; turned or bent, it still counts as one."""
    if (len(mesh.vertices), len(mesh.edges)) != (8, len(BOX_EDGES)):
        return False
    return {tuple(sorted(edge.vertices)) for edge in mesh.edges} == set(BOX_EDGES)


def _is_wire_box(mesh: bpy.types.Mesh) -> bool:
    """True for a mesh of just its bounding box's edges, three meeting at each corner, however subdivided."""
    if not mesh.vertices:
        return False
    places, edges = np.empty((len(mesh.vertices), 3)), np.empty((len(mesh.edges), 2), dtype=np.int32)
    mesh.vertices.foreach_get("co", places.ravel())
    mesh.edges.foreach_get("vertices", edges.ravel())
    low, high = places.min(axis=0), places.max(axis=0)
    near = ROUNDING_SHARE * (high - low)
    ends = ((places <= low + near) | (places >= high - near)).sum(axis=1)
    meeting = np.bincount(edges.ravel(), minlength=len(places))
    return bool((ends == 3).sum() == 8 and (ends >= 2).all() and (meeting >= ends).all())


def _corners(low: Vector, high: Vector) -> list[Vector]:
    return [Vector((x, y, z)) for x in (low.x, high.x) for y in (low.y, high.y) for z in (low.z, high.z)]
