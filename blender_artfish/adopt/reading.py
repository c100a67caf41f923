"""Models of other makers, read by Blender's importers beside the open file, as one mesh at rest and its bones.

The importers open a copy that was examined, which leads to no file but its own pictures. Whatever they bring is removed
again at the end, and nothing of a file runs: drivers, actions and scripts are taken from it before Blender computes
anything of it.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import bpy
import numpy as np

from ...core.base.codec import SceneError
from ...core.foreign.examining import examined
from ..blender.blocks import append, append_own, ids, passing, settle, tame, unzstd, words
from ..blender.console import silenced
from ..blender.words import translated
from ..fish.adopted import PART_ATTRIBUTE
from ..fish.pose_meshes import UV_NAME
from ..identity.roles import MESH_LIKE
from .bounding import ensure_bounded

POSING_MODIFIERS = {
    *("ARMATURE", "HOOK", "WAVE", "OCEAN", "CLOTH", "COLLISION", "SOFT_BODY", "FLUID", "DYNAMIC_PAINT", "EXPLODE"),
    *("PARTICLE_SYSTEM", "PARTICLE_INSTANCE", "BUILD", "MESH_CACHE", "MESH_SEQUENCE_CACHE", "SURFACE"),
}
"""Modifiers that pose or play a model; all others shape it, and are applied."""


class Brought(NamedTuple):
    """A model as imported, its objects joined.

    Attributes:
        body: One mesh in the model's axes and units; `PART_ATTRIBUTE` has the number of the object of each vertex.
        bones: The armature that moves most of it, at rest, if there is one.
        notes: Parts of its file that were left out, a line each.
    """

    body: bpy.types.Object
    bones: bpy.types.Object | None
    notes: tuple[str, ...] = ()


@contextmanager
def opened(path: str | os.PathLike[str]) -> Iterator[Brought]:
    """The model in a file, for the duration of the block.

    Raises:
        SceneError: It cannot be read, holds no mesh, or its modifiers would make too much of it.
    """
    allowed = translated("a model: {names}", names=", ".join(MODEL_SUFFIXES))
    if Path(path).suffix.lower() not in MODEL_SUFFIXES:
        raise SceneError(Path(path).suffix or "no ending", allowed, file=os.fspath(path))
    if not Path(path).is_file():
        raise SceneError("no such file", allowed, file=os.fspath(path))
    with passing(), _workshop() as scene:
        objects, notes = _read(Path(path))
        if not objects:
            raise SceneError("no mesh", "a file with a fish in it", file=os.fspath(path))
        ensure_bounded(objects)
        yield _joined(objects, scene)._replace(notes=tuple(notes))


@contextmanager
def picked(objects: Sequence[bpy.types.Object]) -> Iterator[Brought]:
    """The model made of objects of the open file, which stay as they are.

    The objects are saved to a file with all they need and read from it like any other model.

    Raises:
        SceneError: None of them is a mesh, or their modifiers would make too much of them.
    """
    names = [obj.name for obj in objects if obj.type in MESH_LIKE]
    if not names:
        raise SceneError("no mesh", "one or more selected mesh objects", key="selection")
    ensure_bounded(objects)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "picked.blend"
        bpy.data.libraries.write(str(path), set(objects), path_remap="ABSOLUTE")
        with passing(), _workshop() as scene:
            there = append_own(path).objects
            yield _joined([there[name] for name in names], scene)


def unsaved_pictures(objects: Sequence[bpy.types.Object]) -> list[str]:
    """Names of the objects' pictures that were painted and not saved since, so that no other file has them."""
    materials = {slot.material for obj in objects for slot in obj.material_slots if slot.material}
    nodes = [node for material in materials if material.node_tree for node in material.node_tree.nodes]
    pictures = {node.image for node in nodes if isinstance(node, bpy.types.ShaderNodeTexImage) and node.image}
    return sorted(image.name for image in pictures if image.is_dirty)


@contextmanager
def _workshop() -> Iterator[bpy.types.Scene]:
    """A temporary scene to work in, away from the animator's selection; some importers make the window show it."""
    window = bpy.context.window
    before = window.scene if window else None
    scene = bpy.data.scenes.new("workshop")
    override: Any = {"scene": scene, "view_layer": scene.view_layers[0], "collection": scene.collection}
    try:
        with bpy.context.temp_override(**override):
            yield scene
    finally:
        if window and before and window.scene != before:
            window.scene = before


def _read(path: Path) -> tuple[list[bpy.types.Object], Sequence[str]]:
    """The visible mesh objects in a file, or all if none is visible; and remarks on omissions."""
    notes: Sequence[str]
    if path.suffix.lower() == ".blend":
        arrived = append(path)
        found, notes = list(arrived.objects.values()), arrived.notes
        seen = next(filter(None, (_seen_in(scene) & set(found) for scene in arrived.scenes)), set())
    else:
        found, notes = _imported(path)
        seen = {obj for obj in found if not obj.hide_render}
    shapes = {bone.custom_shape for obj in found if obj.pose for bone in obj.pose.bones}
    meshes = [obj for obj in found if obj.type in MESH_LIKE and obj not in shapes]
    return [obj for obj in meshes if obj in seen] or meshes, notes


def _imported(path: Path) -> tuple[list[bpy.types.Object], list[str]]:
    """The objects an importer makes of a file, and what was left out."""
    there = set(ids())
    with TemporaryDirectory() as folder:
        copy, belongings = examined(path, folder, unzstd)
        try:
            with silenced():
                _IMPORTERS[copy.suffix](str(copy))
        except (RuntimeError, AttributeError) as error:  # an importer that is disabled has no operator
            raise SceneError(words(error), "a model that this Blender reads", file=os.fspath(path)) from None
        new = [block for number, block in ids().items() if number not in there]
        tame(new)
        found = [block for block in new if isinstance(block, bpy.types.Object) and block.users_collection]
        return found, settle(new, belongings)


def _seen_in(scene: bpy.types.Scene) -> set[bpy.types.Object]:
    """The objects a scene shows in renders, too; excluded collections show none."""
    layer, seen = scene.view_layers[0], set[bpy.types.Object]()
    waiting = [layer.layer_collection]
    while waiting:
        branch = waiting.pop()
        if not (branch.exclude or branch.collection.hide_render):
            seen |= set(branch.collection.objects)
            waiting += branch.children
    return {obj for obj in seen if not obj.hide_render and obj.visible_get(view_layer=layer)}


def _joined(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> Brought:
    """One mesh of all objects, in the rest pose of its bones."""
    layer = scene.view_layers[0]
    for obj in objects:
        _unpose(obj)
        if scene not in obj.users_scene:
            scene.collection.objects.link(obj)
        obj.hide_viewport = False
    carriers = [_armature(obj) for obj in objects]
    for bones in filter(None, carriers):
        bones.data.pose_position = "REST"
    layer.update()
    pieces = [_piece(obj, number, layer.depsgraph) for number, obj in enumerate(objects)]
    carried: Counter[Any] = Counter()
    for piece, own in zip(pieces, carriers, strict=True):
        carried[own] += len(piece.data.vertices) if own else 0
    main = carried.most_common(1)[0][0]
    for piece, own in zip(pieces, carriers, strict=True):
        if own != main and own is not None:
            piece.vertex_groups.clear()  # bones of the same name are different
        scene.collection.objects.link(piece)
    body = pieces[0]
    if len(pieces) > 1:
        with bpy.context.temp_override(
            scene=scene, view_layer=layer, active_object=body, object=body, selected_editable_objects=pieces
        ):
            bpy.ops.object.join()
    return Brought(body, main)


def _unpose(obj: bpy.types.Object) -> None:
    """Return an object to its modelled form, without shape keys and whatever poses it."""
    if getattr(obj.data, "shape_keys", None) is not None:
        obj.active_shape_key_index, obj.show_only_shape_key = 0, True
    for modifier in list(obj.modifiers):
        if modifier.type in POSING_MODIFIERS:
            obj.modifiers.remove(modifier)


def _armature(obj: bpy.types.Object) -> Any:
    """The armature that deforms an object, or the nearest above it."""
    found = obj.find_armature()
    above = obj.parent
    while found is None and above is not None:
        found, above = above if above.type == "ARMATURE" else None, above.parent
    return found


def _piece(obj: bpy.types.Object, number: int, graph: bpy.types.Depsgraph) -> bpy.types.Object:
    """An object's mesh in world space, as a separate object."""
    evaluated = obj.evaluated_get(graph)
    mesh = bpy.data.meshes.new_from_object(evaluated, preserve_all_data_layers=True, depsgraph=graph)
    mesh.transform(evaluated.matrix_world)
    if evaluated.matrix_world.determinant() < 0:
        mesh.flip_normals()
    if PART_ATTRIBUTE not in mesh.attributes:
        own: Any = mesh.attributes.new(PART_ATTRIBUTE, "INT", "POINT")
        own.data.foreach_set("value", np.full(len(mesh.vertices), number, dtype=np.int32))
    _one_name(mesh)
    piece = bpy.data.objects.new(obj.name, mesh)
    if obj.parent_type == "BONE" and not piece.vertex_groups:
        group = piece.vertex_groups.new(name=obj.parent_bone)
        group.add(range(len(mesh.vertices)), 1.0, "REPLACE")
    return piece


def _one_name(mesh: bpy.types.Mesh) -> None:
    """Give the UV map that paints a mesh a name common to all pieces, in its materials, too."""
    layer = next((each for each in mesh.uv_layers if each.active_render), None)
    if layer is None or layer.name == UV_NAME:
        return
    before = layer.name
    if UV_NAME in mesh.uv_layers:
        mesh.uv_layers[UV_NAME].name = f"{UV_NAME} other"
        layer = mesh.uv_layers[before]
    layer.name = UV_NAME
    for material in filter(None, mesh.materials):
        for node in material.node_tree.nodes if material.node_tree else ():
            if getattr(node, "uv_map", None) == before:
                node.uv_map = UV_NAME


def _read_obj(path: str) -> None:
    bpy.ops.wm.obj_import(filepath=path)


def _read_gltf(path: str) -> None:
    bpy.ops.import_scene.gltf(filepath=path, disable_bone_shape=True, bone_heuristic="TEMPERANCE")


def _read_fbx(path: str) -> None:
    bpy.ops.wm.fbx_import(filepath=path, use_anim=False)


_IMPORTERS: Mapping[str, Callable[[str], None]] = {
    ".obj": _read_obj,
    ".gltf": _read_gltf,
    ".fbx": _read_fbx,
}
"""Importers by the file ending of the copies they open."""
MODEL_SUFFIXES = ".obj", ".glb", ".gltf", ".fbx", ".blend"
"""Endings of files that models are read from."""
