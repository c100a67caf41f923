"""Meshes of a scene that cameras keep clear of: those of the stage, and those an animator has added."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ...core.studio.scenery import Mesh
from ..identity import provenance
from ..identity.references import is_ours
from ..identity.roles import MESH_LIKE
from ..scene.meshes import Hull, hull_in

STAGE = "Stage"
"""Role of the collection of a bake's stage."""
STANDING_KINDS = "NONE", "OBSTACLE"
"""Kinds of an animator's objects that count as scenery."""


def meshes(context: bpy.types.Context, to_water: Matrix, only: bpy.types.Collection | None = None) -> list[Mesh]:
    """Meshes in the picture at the current frame, instances included.

    Fishes, plankton and weed are left out, and so is what has keys of its own or casts no shadow, such as water
    and shafts of light.

    Args:
        context: The context, for its view layer.
        to_water: Matrix from Blender's world to metres in the recording's frame.
        only: Their collection; the whole scene if left out.

    Returns:
        Each mesh once, with all its transforms.
    """
    stage = {obj for each in _stages(context.scene) for obj in each.all_objects}
    chosen = None if only is None else set(only.all_objects)
    hulls: dict[int, Hull] = {}
    places: dict[int, list[Matrix]] = {}
    for instance in context.evaluated_depsgraph_get().object_instances:
        evaluated = instance.object
        owner = (instance.parent if instance.is_instance and instance.parent else evaluated).original
        if evaluated.type not in MESH_LIKE or not (owner in chosen if chosen is not None else _stands(owner, stage)):
            continue
        key = (evaluated.data if isinstance(evaluated.data, bpy.types.Mesh) else evaluated.original).as_pointer()
        if key not in hulls:
            hulls[key] = _hull(evaluated)
        places.setdefault(key, []).append(to_water @ instance.matrix_world)
    return [Mesh(*hulls[key], np.array(matrices, dtype=float)) for key, matrices in places.items()]


def digest_of(found: Sequence[Mesh]) -> str:
    """A short text that differs for meshes of other forms or places."""
    digest = hashlib.blake2b(digest_size=16)
    for array in (array for mesh in found for array in mesh):
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _hull(evaluated: bpy.types.Object) -> Hull:
    """The evaluated mesh of an object, in its own coordinates."""
    if isinstance(evaluated.data, bpy.types.Mesh):
        return hull_in(evaluated.data)
    mesh = evaluated.to_mesh()
    try:
        return hull_in(mesh)
    finally:
        evaluated.to_mesh_clear()


def _stages(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    every = scene.collection.children_recursive
    return [each for each in every if provenance.of(each, provenance.ROLE) == STAGE]


def _stands(obj: bpy.types.Object, stage: set[bpy.types.Object]) -> bool:
    """True if an object is part of the scenery."""
    if obj.hide_render or not obj.visible_shadow or obj.display_type == "BOUNDS":
        return False
    if obj.animation_data is not None and obj.animation_data.action is not None:
        return False
    if provenance.of(obj, provenance.BAKE):
        return obj in stage
    return obj.artfish.kind in STANDING_KINDS and not is_ours(obj) and provenance.row_of(obj) == provenance.NO_ROW
