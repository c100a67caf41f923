"""The armature of a species, and the mesh that it moves, as Blender data that all its fishes share."""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ...core.form.mesh import FishMesh
from ...core.form.rig import Rig
from .pose_meshes import fish_mesh


def armature(name: str, rig: Rig) -> bpy.types.Object:
    """An object with the bones of a species at rest, in body lengths, to be copied for every fish.

    Bones are made in edit mode alone, so this is done away from the animator's scene, selection and mode. An armature
    that no scene has seen has no pose, and Blender crashes where one is keyed; a copy has that of its original.
    """
    made = bpy.data.armatures.new(name)
    made.display_type = "STICK"
    scene = bpy.data.scenes.new("workshop")
    bench = bpy.data.objects.new(name, made)
    scene.collection.objects.link(bench)
    layer = scene.view_layers[0]
    layer.objects.active = bench
    bench.select_set(True, view_layer=layer)
    try:
        with bpy.context.temp_override(scene=scene, view_layer=layer, object=bench, active_object=bench):
            bpy.ops.object.mode_set(mode="EDIT")
            _lay_out(made, rig)
            bpy.ops.object.mode_set(mode="OBJECT")
        layer.update()
    finally:
        bpy.data.scenes.remove(scene)
    return bench


def rigged_mesh(
    name: str, mesh: FishMesh, rest: np.ndarray, rig: Rig | None, wear: Mapping[str, bpy.types.Material]
) -> bpy.types.Mesh:
    """The mesh of a species at rest, each vertex in the group of every bone that moves it.

    Args:
        name: Of the mesh.
        mesh: Its vertices and faces.
        rest: Where the vertices are, (vertices, 3) in body lengths.
        rig: The bones; without them there are groups of its parts alone.
        wear: Materials of the species by name.
    """
    made = fish_mesh(name, mesh, wear)
    made.vertices.foreach_set("co", rest.astype(np.float32).ravel())
    made.update()
    bench = bpy.data.objects.new(name, made)  # groups are made through an object, and kept by the mesh
    for part, rows in mesh.groups.items():
        bench.vertex_groups.new(name=part).add(rows.tolist(), 1.0, "REPLACE")
    if rig is not None:
        for bone, shares in zip(rig.bones[1:], rig.weights.T[1:], strict=True):
            group = bench.vertex_groups.new(name=bone.name)
            for share in np.unique(shares[shares > 0.0]):
                group.add(np.flatnonzero(shares == share).tolist(), float(share), "REPLACE")
    bpy.data.objects.remove(bench)
    return made


def _lay_out(made: bpy.types.Armature, rig: Rig) -> None:
    bones = []
    for bone in rig.bones:
        edit = made.edit_bones.new(bone.name)
        edit.head, edit.tail = bone.head, bone.tail
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = bone.axes, bone.head
        edit.matrix = Matrix(matrix.tolist())
        edit.length = float(np.linalg.norm(bone.tail - bone.head))
        edit.use_deform = bone.parent >= 0
        edit.parent = bones[bone.parent] if bone.parent >= 0 else None
        bones.append(edit)
