"""The poses of a species as meshes for a crowd: each pose at every level of detail."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping

import bpy
import numpy as np

from ...core.form.mesh import MESH_MATERIALS, BoundMesh, FishMesh
from .materials import EYE_IN_MESH
from .relief import CARVED, GAPE

UV_NAME = "UVMap"


def pose_meshes(
    name: str, levels: Iterable[tuple[BoundMesh, bpy.types.Mesh]], poses: np.ndarray, gape: np.ndarray
) -> Generator[None, None, bpy.types.Collection]:
    """Make an object for each pose and level, in a collection in no scene, with names that sort by number.

    Args:
        name: Common name of the species.
        levels: Its mesh at each level, as bound to the control points and as in Blender.
        poses: Control points of each pose, (poses, points, 3) in body lengths.
        gape: Gape of each pose, (poses,), 0 to 1, by which the skin shows the inside of the mouth.

    Returns:
        The collection; one level is made per step.
    """
    collection = bpy.data.collections.new(f"{name} poses")
    for level, (fish, first) in enumerate(levels):
        for pose, points in enumerate(poses):
            mesh = first if pose == len(poses) - 1 else first.copy()
            mesh.name = f"{name} level {level} pose {pose:03d}"
            mesh.vertices.foreach_set("co", fish.vertices(points).astype(np.float32).ravel())
            mesh.update()
            obj = bpy.data.objects.new(mesh.name, mesh)
            obj[GAPE] = float(gape[pose])
            collection.objects.link(obj)
        yield
    return collection


def fish_mesh(name: str, fish: FishMesh, wear: Mapping[str, bpy.types.Material]) -> bpy.types.Mesh:
    """The mesh of a species, with materials, UVs and vertex groups; its vertices are still to be placed."""
    mesh = bpy.data.meshes.new(name)
    corners = fish.faces.size
    mesh.vertices.add(fish.count)
    mesh.loops.add(corners)
    mesh.polygons.add(len(fish.faces))
    mesh.polygons.foreach_set("loop_start", np.arange(0, corners, 4, dtype=np.int32))
    mesh.loops.foreach_set("vertex_index", fish.faces.astype(np.int32).ravel())
    mesh.update(calc_edges=True)
    mesh.shade_smooth()
    mesh.uv_layers.new(name=UV_NAME).uv.foreach_set("vector", fish.uv.astype(np.float32).ravel())
    carved = mesh.attributes.new(CARVED, "FLOAT", "POINT")
    carved.data.foreach_set("value", np.ones(fish.count, dtype=np.float32))
    for part in MESH_MATERIALS:
        mesh.materials.append(wear[EYE_IN_MESH if part == "eye" else part])
    mesh.polygons.foreach_set("material_index", fish.material.astype(np.int32))
    return mesh
