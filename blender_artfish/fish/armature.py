"""The armature of a species, and the mesh that it moves, as Blender data that all its fishes share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix

from ...core.form.mesh import BoundMesh
from ...core.form.rig import Rig

BONES = "Bones"
"""Name of an armature's hidden bone collection."""


def armature(name: str, rig: Rig) -> bpy.types.Object:
    """An object with the bones of a species at rest, in body lengths, to be copied for every fish."""
    return bench(name, partial(_lay_out, rig))


def bench(name: str, lay_out: Callable[[bpy.types.Armature], None]) -> bpy.types.Object:
    """An object in no scene with bones laid out by a function.

    Bones can be made only in edit mode, so this is done away from the animator's scene, selection and mode. An armature
    that was in no scene has no pose, and Blender crashes when it is keyed; a copy has the pose of its original.
    """
    made = bpy.data.armatures.new(name)
    made.display_type = "STICK"
    scene = bpy.data.scenes.new("workshop")
    obj = bpy.data.objects.new(name, made)
    scene.collection.objects.link(obj)
    layer = scene.view_layers[0]
    layer.objects.active = obj
    obj.select_set(True, view_layer=layer)
    try:
        with bpy.context.temp_override(scene=scene, view_layer=layer, object=obj, active_object=obj):
            bpy.ops.object.mode_set(mode="EDIT")
            lay_out(made)
            bpy.ops.object.mode_set(mode="OBJECT")
        _put_away(made)
        obj.select_set(False, view_layer=layer)  # its copies would be selected, too
        layer.update()
    finally:
        bpy.data.scenes.remove(scene)
    return obj


def _put_away(made: Any) -> None:
    """Hide the bones until somebody shows their collection."""
    collection = made.collections.new(BONES)
    for bone in made.bones:
        collection.assign(bone)
    collection.is_visible = False


def rigged_mesh(made: bpy.types.Mesh, mesh: BoundMesh, rest: np.ndarray, rig: Rig | None) -> bpy.types.Mesh:
    """Fill the mesh of a species at rest, each vertex in the groups of the bones that move it.

    Args:
        made: The mesh; it is returned.
        mesh: Its vertices and faces.
        rest: Positions of the vertices, (vertices, 3), in body lengths.
        rig: The bones; without them only its parts have groups.
    """
    made.vertices.foreach_set("co", rest.astype(np.float32).ravel())
    made.update()
    owner = bpy.data.objects.new(made.name, made)  # groups are made through an object, and kept by the mesh
    owner.vertex_groups.clear()
    for part, rows in mesh.groups.items():
        owner.vertex_groups.new(name=part).add(rows.tolist(), 1.0, "REPLACE")
    if rig is not None:
        for bone, shares in zip(rig.bones[1:], rig.weights.T[1:], strict=True):
            _share_out(owner.vertex_groups.new(name=bone.name), shares)
    bpy.data.objects.remove(owner)
    return made


def _share_out(group: bpy.types.VertexGroup, shares: np.ndarray) -> None:
    """Add vertices to a group, all of equal weight at once."""
    rows = np.flatnonzero(shares > 0.0)
    rows = rows[np.argsort(shares[rows], kind="stable")]
    values, first = np.unique(shares[rows], return_index=True)
    for share, some in zip(values.tolist(), np.split(rows, first)[1:], strict=True):
        group.add(some.tolist(), share, "REPLACE")


def _lay_out(rig: Rig, made: bpy.types.Armature) -> None:
    bones = []
    for bone in rig.bones:
        edit = made.edit_bones.new(bone.name)
        edit.head, edit.tail = bone.head.tolist(), bone.tail.tolist()
        matrix = np.eye(4)
        matrix[:3, :3], matrix[:3, 3] = bone.axes, bone.head
        edit.matrix = Matrix(matrix.tolist())
        edit.length = float(np.linalg.norm(bone.tail - bone.head))
        edit.use_deform = bone.parent >= 0
        edit.parent = bones[bone.parent] if bone.parent >= 0 else None
        bones.append(edit)
