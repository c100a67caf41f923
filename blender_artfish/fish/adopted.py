"""The one mesh that shows a species: of its own surfaces, or of an adopted model.

A model is an object in a .blend beside the species' file, or in the open file, named by `MODEL`; see `core.adopt`.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import bpy
import numpy as np
from scipy.sparse import csr_matrix

from ...core.adopt.binding import bind
from ...core.adopt.model import Model, ModelBone
from ...core.base.codec import Place, SceneError
from ...core.base.files import lies_below, replacing
from ...core.base.formats import named, refuse_other
from ...core.form.mesh import BoundMesh, ControlNet, FishMesh
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.background import in_thread
from ..blender.blocks import append
from ..blender.jobs import Steps
from ..identity import provenance
from . import materials
from .pose_meshes import fish_mesh

PART_ATTRIBUTE = "artfish_part"
"""Attribute of a model's vertices: the number of the object each came from."""
MODEL, MODEL_FORMAT, MODEL_WRITER = "artfish_model", "artfish_format", "artfish_written_by"
"""Custom property of the object that is a model: its name."""
LEVEL_MODEL_VERTICES = 500_000, 4_000, 500
"""Vertices of a model at each of `LEVELS`."""
SEAM_LENGTHS = 1e-5
"""Distance in body lengths below which vertices are merged in a coarser level."""
_SIDES = {"l": ".L", "left": ".L", "r": ".R", "right": ".R"}
_PARTS = {"dorsal": "dorsal", "back": "dorsal", "anal": "anal", "ventral": "anal", "caudal": "caudal", "tail": "caudal"}
_PAIRED = {"pectoral": "pectoral", "eye": "eye"}


def part_name(group: str) -> str:
    """The part of a fish that a vertex group is named after, such as "pectoral.L"; "" if it is none."""
    found = [word for word in re.split(r"[^a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", group).lower()) if word]
    named = [word.removesuffix("s") for word in found if word not in _SIDES and word not in ("fin", "fins")]
    sides = [_SIDES[word] for word in found if word in _SIDES]
    if len(named) != 1 or len(sides) > 1:
        return ""
    if named[0] in _PAIRED:
        return _PAIRED[named[0]] + sides[0] if sides else ""
    return "" if sides else {"jaw": "jaw", **_PARTS}.get(named[0], "")


def model_of(body: bpy.types.Object, bones: bpy.types.Object | None) -> Model:
    """An object's mesh, and the armature that moves it, in the simulation's form."""
    mesh: Any = body.data
    count = len(mesh.vertices)
    vertices, corners = np.empty((count, 3), np.float32), np.empty(len(mesh.loops), np.int32)
    mesh.vertices.foreach_get("co", vertices.ravel())
    mesh.loops.foreach_get("vertex_index", corners)
    starts = np.empty(len(mesh.polygons) + 1, np.int32)
    mesh.polygons.foreach_get("loop_start", starts[:-1])
    starts[-1] = len(corners)
    parts = np.zeros(count, np.int32)
    if PART_ATTRIBUTE in mesh.attributes:
        mesh.attributes[PART_ATTRIBUTE].data.foreach_get("value", parts)
    moving = _bones(bones)
    numbers = {bone.name: number for number, bone in enumerate(moving)}
    shares = _shares(body)
    groups: dict[str, np.ndarray] = {}
    for group in body.vertex_groups:
        part = part_name(group.name)
        if part and group.name not in numbers:
            groups[part] = np.flatnonzero(shares[:, [group.index]].toarray().ravel() > 0.5)
    weights = None
    if moving:
        own = [(numbers[group.name], group.index) for group in body.vertex_groups if group.name in numbers]
        weights = csr_matrix((count, len(moving)))
        if own:
            to, taken = np.array(own).T
            pick = csr_matrix((np.ones(len(own)), (taken, to)), shape=(shares.shape[1], len(moving)))
            weights = csr_matrix(shares @ pick)
    return Model(vertices.astype(float), corners, starts, parts, groups, moving, weights)


def _shares(body: bpy.types.Object) -> csr_matrix:
    """Weights of an object's vertex groups, (vertices, groups)."""
    mesh: Any = body.data
    found = [(row, each.group, each.weight) for row, vertex in enumerate(mesh.vertices) for each in vertex.groups]
    shape = len(mesh.vertices), max(1, len(body.vertex_groups))
    if not found:
        return csr_matrix(shape)
    rows, columns, shares = np.array(found).T
    known = columns < shape[1]
    return csr_matrix((shares[known], (rows[known].astype(int), columns[known].astype(int))), shape=shape)


def _bones(armature: bpy.types.Object | None) -> tuple[ModelBone, ...]:
    """The deforming bones of an armature in world space, each child of the next deforming bone above it."""
    if armature is None:
        return ()
    data: Any = armature.data
    own = [bone for bone in data.bones if bone.use_deform]
    names = [bone.name for bone in own]
    found = []
    for bone in own:
        above = bone.parent
        while above is not None and not above.use_deform:
            above = above.parent
        ends = (np.array(armature.matrix_world @ end) for end in (bone.head_local, bone.tail_local))
        found.append(ModelBone(bone.name, names.index(above.name) if above else -1, *ends))
    return tuple(found)


class BoundSkin(NamedTuple):
    """The mesh that shows a species.

    Attributes:
        shape: Its vertices, bound to the control points.
        mesh: The Blender mesh, with its materials.
    """

    shape: BoundMesh
    mesh: bpy.types.Mesh


def skin_of(
    species: Species,
    net: ControlNet,
    scene: bpy.types.Scene,
    folders: Sequence[str | os.PathLike[str]],
    levels: Sequence[int] = (0,),
) -> Steps[list[BoundSkin]]:
    """Make the meshes that show a species.

    Args:
        species: The species.
        net: Its control points.
        scene: The scene whose materials of the species they wear.
        folders: Folders to look for its model.
        levels: Those of `LEVELS` to make.

    Raises:
        SceneError: Its model was not found.
    """
    if species.model:
        sizes = [LEVEL_MODEL_VERTICES[level] for level in levels]
        return (yield from adopted_skins(species, net, folders, sizes))
    for _ in shader_graph.prepare():
        yield
    wear = yield from materials.making_in_mesh(species, scene)
    found = []
    for level in levels:
        shape = yield from in_thread(partial(FishMesh, net, level))
        found.append(BoundSkin(shape, fish_mesh(f"{species.common_name} level {level}", shape, wear)))
        yield
    return found


def adopted_skins(
    species: Species, net: ControlNet, folders: Sequence[str | os.PathLike[str]], sizes: Sequence[int]
) -> Steps[list[BoundSkin]]:
    """Copies of a species' model, each with at most about its given number of vertices.

    Raises:
        SceneError: The model is not to be found.
    """
    own = _in_file(species.model)
    brought = [] if own else _brought(species.model, folders)
    body = own or _named(species.model, brought)
    found = []
    try:
        for level, most in enumerate(sizes):
            mesh = body.data.copy() if len(body.data.vertices) <= most else _thinned(body, most)
            mesh.name = f"{species.common_name} level {level}"
            worn = bpy.data.objects.new(mesh.name, mesh)
            model = model_of(worn, body.parent)
            bpy.data.objects.remove(worn)
            yield
            shape = yield from in_thread(partial(bind, net, model))
            found.append(BoundSkin(shape, mesh))
            yield
    finally:
        _drop(brought)
    return found


def bring(name: str, folders: Iterable[str | os.PathLike[str]]) -> None:
    """Copy a model into the open file.

    Raises:
        SceneError: It was not found.
    """
    if _in_file(name) is None:
        body = _named(name, _brought(name, folders))
        body.use_fake_user = True


def hand_over(name: str, folders: Iterable[str | os.PathLike[str]], to: str | os.PathLike[str]) -> None:
    """Copy the file of a model into a folder.

    Raises:
        SceneError: The model was not found, or the file cannot be written.
    """
    goal, path, own = Path(to) / f"{name}.blend", find(name, folders), _in_file(name)
    if path is not None and path.resolve() == goal.resolve():
        return
    if path is None and own is None:
        raise _missing(name, list(folders))
    with replacing(goal) as part:
        if own is not None:
            blocks = {own} | ({own.parent} if own.parent else set())
            bpy.data.libraries.write(str(part), blocks, path_remap="NONE", fake_user=True, compress=True)
        elif path is not None:
            shutil.copyfile(path, part)


def refuse_missing(models: Iterable[Species], folders: Iterable[str | os.PathLike[str]]) -> None:
    """Refuse species whose models are missing, before anything is simulated or made.

    Raises:
        SceneError: A species has a model that neither the open file nor one of these folders has.
    """
    places = list(folders)
    for species in models:
        if species.model and _in_file(species.model) is None and find(species.model, places) is None:
            raise _missing(species.model, places)


def find(name: str, folders: Iterable[str | os.PathLike[str]]) -> Path | None:
    """The file of a model in the first of these folders that has it, not behind a link that leads out of the folder."""
    paths = ((Path(folder) / f"{name}.blend", folder) for folder in folders)
    return next((path for path, folder in paths if lies_below(path, folder) and path.is_file()), None)


def _in_file(name: str) -> Any:
    """The object of the open file that is a model, if any."""
    return next((obj for obj in bpy.data.objects if provenance.of(obj, MODEL) == name and obj.type == "MESH"), None)


def _brought(name: str, folders: Iterable[str | os.PathLike[str]]) -> list[bpy.types.Object]:
    """The objects of a model's file."""
    folders = list(folders)
    path = find(name, folders)
    if path is None:
        raise _missing(name, folders)
    arrived = append(path)
    bpy.data.batch_remove(arrived.scenes)
    return list(arrived.objects.values())


def _missing(name: str, folders: Sequence[str | os.PathLike[str]]) -> SceneError:
    looked = " or ".join(dict.fromkeys(map(str, folders))) or "a folder that is known"
    return SceneError(f"no {name}.blend", f"the model of an adopted fish in {looked}", key="model")


def _named(name: str, objects: Sequence[bpy.types.Object]) -> Any:
    """The object among these that is a model, if any."""
    bodies = [obj for obj in objects if obj.type == "MESH"]
    found = next((obj for obj in bodies if provenance.of(obj, MODEL) == name), bodies[0] if bodies else None)
    if found is None:
        _drop(objects)
        raise SceneError(f"{name}.blend without a mesh", "the model of an adopted fish", key="model")
    said, writer = found.get(MODEL_FORMAT, named("model")), found.get(MODEL_WRITER)
    try:
        refuse_other("model", said, writer, Place(f"{name}.blend", "model"))
    except SceneError:
        _drop(objects)
        raise
    return found


def _drop(objects: Sequence[bpy.types.Object]) -> None:
    """Remove objects, and the meshes and armatures only they use."""
    data = {obj.data for obj in objects if obj.data is not None}
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove([block for block in data if not block.users])


def _thinned(body: bpy.types.Object, most: int) -> bpy.types.Mesh:
    """The mesh of a model reduced to about so many vertices."""
    scene = bpy.data.scenes.new("workshop")
    worn = bpy.data.objects.new(body.name, body.data)
    try:
        scene.collection.objects.link(worn)
        seams: Any = worn.modifiers.new("Seams", "WELD")  # where a mesh is open, it would keep its vertices
        seams.merge_threshold = SEAM_LENGTHS
        modifier: Any = worn.modifiers.new("Thinner", "DECIMATE")
        modifier.ratio = most / len(body.data.vertices)
        layer = scene.view_layers[0]
        layer.update()
        graph = layer.depsgraph
        return bpy.data.meshes.new_from_object(
            worn.evaluated_get(graph), preserve_all_data_layers=True, depsgraph=graph
        )
    finally:
        bpy.data.objects.remove(worn)
        bpy.data.scenes.remove(scene)
