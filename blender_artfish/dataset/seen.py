"""The solid triangles that stand before a camera, of fishes and of all else, as Blender has evaluated them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
import numpy as np

from ...core.dataset.raster import SCENERY, Raster
from ..crowd.playing import modifier_of
from ..fish.individuality import FISH_ID
from ..stage.shapes import join

CLEAR_SIGHT = "BOUNDS", "WIRE"
"""Display types of what is no solid, such as the water."""


def fill(
    raster: Raster,
    matrix: np.ndarray,
    depsgraph: bpy.types.Depsgraph,
    to_water: np.ndarray | None = None,
    is_labelled: Callable[[bpy.types.Object], bool] | None = None,
    farthest: float = np.inf,
) -> np.ndarray:
    """Fill in all that is solid: what casts shadows and is shown to cameras.

    Args:
        raster: An empty picture.
        matrix: From the water to the camera's axes, (3, 4), metres.
        depsgraph: The evaluated scene.
        to_water: From the scene's world to the water in metres, (4, 4); they are the same if left out.
        is_labelled: Whether an object, of a fish or of a crowd, is labelled; others are scenery. All are if left out.
        farthest: Metres ahead where what is seen ends.

    Returns:
        The rows of the fishes that were filled in, in the order of `Raster.own`.
    """
    meshes: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    fishes: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {}
    world = matrix if to_water is None else matrix @ to_water
    for instance in depsgraph.object_instances:
        obj = instance.object
        if obj.type != "MESH" or obj.hide_render or not instance.show_self:
            continue
        if not (obj.visible_shadow and obj.visible_camera) or obj.display_type in CLEAR_SIGHT:
            continue
        row = _row(instance, obj, is_labelled)
        whole = world @ np.array(instance.matrix_world)
        if row == SCENERY or obj.get(FISH_ID) is None:  # a fish of a crowd is whole, others have several parts
            corners = np.array(obj.bound_box) @ whole[:, :3].T + whole[:, 3]
            if not raster.optics.may_see(corners) or (corners[:, 2] > farthest).all():
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
    rows = [row for row in sorted(fishes) if any(_may_see(raster, points, farthest) for points, _ in fishes[row])]
    for row in rows:
        raster.add(*join(fishes[row]), row + 1)
    if np.isfinite(farthest):
        raster.end_at(farthest)
    return np.array(rows, dtype=int)


def _may_see(raster: Raster, points: np.ndarray, farthest: float) -> bool:
    """False if no part of a mesh, (n, 3) in the camera's axes, can be in the picture."""
    return raster.optics.may_see(points) and bool((points[:, 2] <= farthest).any())


def triangles(mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    """The vertices (n, 3) float64 of a mesh, and its triangles (m, 3)."""
    mesh.calc_loop_triangles()
    points = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", points)
    sides = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", sides)
    return points.reshape(-1, 3).astype(float), sides.reshape(-1, 3)


def _row(
    instance: bpy.types.DepsgraphObjectInstance,
    obj: bpy.types.Object,
    is_labelled: Callable[[bpy.types.Object], bool] | None,
) -> int:
    """The row of the fish that this is of; `SCENERY` without one that is labelled."""
    number = obj.get(FISH_ID)
    if number is not None:
        return int(number) if is_labelled is None or is_labelled(obj.original) else SCENERY
    crowd = instance.parent if instance.is_instance else None
    if crowd is None or modifier_of(crowd) is None:
        return SCENERY
    return int(instance.persistent_id[0]) if is_labelled is None or is_labelled(crowd.original) else SCENERY
