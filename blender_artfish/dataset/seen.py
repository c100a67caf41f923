"""The solid triangles that stand before a camera, of fishes and of all else, as Blender has evaluated them."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

from ...core.dataset.raster import SCENERY, Raster
from ..crowd.nodes import GROUP
from ..fish.individuality import FISH_ID

CLEAR_SIGHT = "BOUNDS", "WIRE"
"""Display types of what is no solid, such as the water."""


def fill(raster: Raster, matrix: np.ndarray, depsgraph: bpy.types.Depsgraph) -> np.ndarray:
    """Fill in all that is solid: what casts shadows and is shown to cameras.

    Args:
        raster: An empty picture.
        matrix: From the world to the camera's axes, (3, 4), metres.
        depsgraph: The evaluated scene, in metres.

    Returns:
        The rows of the fishes that were filled in, in the order of `Raster.own`.
    """
    meshes: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    fishes: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    for instance in depsgraph.object_instances:
        obj = instance.object
        if obj.type != "MESH" or obj.hide_render or not instance.show_self:
            continue
        if not (obj.visible_shadow and obj.visible_camera) or obj.display_type in CLEAR_SIGHT:
            continue
        row = _row(instance, obj)
        whole = matrix @ np.array(instance.matrix_world)
        if row == SCENERY or obj.get(FISH_ID) is None:  # a fish of a crowd is whole, others have several parts
            corners = np.array(obj.bound_box) @ whole[:, :3].T + whole[:, 3]
            if not raster.optics.may_see(corners):
                continue
        key = obj.data.as_pointer()
        if key not in meshes:
            meshes[key] = triangles(obj.data)
        points, sides = meshes[key]
        placed = points @ whole[:, :3].T + whole[:, 3]
        if row == SCENERY:
            raster.add(placed, sides, SCENERY)
        else:
            fishes.setdefault(row, []).append((placed, sides))
    rows = [row for row in sorted(fishes) if any(raster.optics.may_see(points) for points, _ in fishes[row])]
    for row in rows:
        raster.add(*joined(fishes[row]), row + 1)
    return np.array(rows, dtype=int)


def triangles(mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) float64 of a mesh, and its triangles (m, 3)."""
    mesh.calc_loop_triangles()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    sides = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", sides)
    return points.reshape(-1, 3).astype(float), sides.reshape(-1, 3)


def joined(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Some meshes as one."""
    first = np.cumsum([0, *(len(points) for points, _ in parts)])
    sides = [own + begin for (_, own), begin in zip(parts, first[:-1], strict=True)]
    return np.concatenate([points for points, _ in parts]), np.concatenate(sides)


def _row(instance: bpy.types.DepsgraphObjectInstance, obj: bpy.types.Object) -> int:
    """The row of the fish that this is of; `SCENERY` without one."""
    number = obj.get(FISH_ID)
    if number is not None:
        return int(number)
    if instance.is_instance and any(
        modifier.type == "NODES" and modifier.node_group is not None and modifier.node_group.name == GROUP
        for modifier in instance.parent.modifiers
    ):
        return int(instance.persistent_id[0])
    return SCENERY
