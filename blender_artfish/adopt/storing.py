"""Storage of an adopted fish: its species as JSON, and beside it a .blend with the model at rest, an asset."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.adopt.model import ModelBone
from ...core.base.codec import SceneError
from ...core.base.files import replacing
from ...core.base.formats import named
from ...version import ARTFISH_VERSION
from ..blender.pictures import ensure_picture
from ..blender.words import translated
from ..export.portrait import show_by
from ..fish.adopted import MODEL, MODEL_FORMAT, MODEL_WRITER
from ..fish.armature import bench
from .portrait import portrait
from .reading import Brought

MODIFIER = "Armature"


def store(
    path: str | os.PathLike[str], brought: Brought, vertices: np.ndarray, bones: Sequence[ModelBone]
) -> list[str]:
    """Write a model into a .blend, whole or not at all, with its pictures and nothing that could run.

    Args:
        path: Path of the .blend; its stem is the model's name.
        brought: The model as it was read; it is modified.
        vertices: Its vertices at rest, in body lengths in the fish's own frame, (n, 3).
        bones: Its bones in that frame.

    Returns:
        Names of pictures that were not found and are missing.

    Raises:
        SceneError: The file cannot be written.
    """
    body, name = brought.body, Path(path).stem
    mesh: Any = body.data
    mesh.vertices.foreach_set("co", vertices.astype(np.float32).ravel())
    mesh.update()
    body.name = mesh.name = name
    body[MODEL] = name
    body[MODEL_FORMAT], body[MODEL_WRITER] = named("model"), ARTFISH_VERSION
    missing = _pack(body)
    if bones:
        _hang(body, bones)
    body.asset_mark()
    show_by(body, portrait(mesh))
    blocks: set[bpy.types.ID] = {body} | ({body.parent} if body.parent else set())
    try:
        with replacing(path) as part:
            bpy.data.libraries.write(str(part), blocks, path_remap="NONE", fake_user=True, compress=True)
    except RuntimeError as error:
        why = " ".join(str(error).split())
        raise SceneError(
            translated("an obstacle ({why})", why=why), "a file that can be written", file=os.fspath(path)
        ) from None
    return missing


def _pack(body: bpy.types.Object) -> list[str]:
    """Pack a model's pictures into the file; returns the names of those not found, or no picture."""
    missing = []
    for image in sorted(pictures(body), key=lambda each: each.name):
        if not image.packed_files and image.source in ("FILE", "TILED"):
            try:
                ensure_picture(image)
                image.pack()
            except (RuntimeError, SceneError):
                missing.append(image.name)
    return missing


def pictures(body: bpy.types.Object) -> set[bpy.types.Image]:
    """All pictures in the materials of a model, in node groups, too."""
    trees = [material.node_tree for material in body.data.materials if material and material.node_tree]
    found: set[bpy.types.Image] = set()
    for tree in trees:  # grows during the loop
        for node in tree.nodes:
            inner: Any = getattr(node, "node_tree", None)
            if inner is not None and inner not in trees:
                trees.append(inner)
            image = getattr(node, "image", None)
            if isinstance(image, bpy.types.Image):
                found.add(image)
    return found


def _hang(body: bpy.types.Object, bones: Sequence[ModelBone]) -> None:
    """Give a model an armature of its own bones, with nothing else of its maker's."""

    def lay_out(made: bpy.types.Armature) -> None:
        edits = [made.edit_bones.new(bone.name) for bone in bones]
        for edit, bone in zip(edits, bones, strict=True):
            edit.head, edit.tail = bone.head.tolist(), bone.tail.tolist()
            edit.parent = edits[bone.parent] if bone.parent >= 0 else None

    armature = bench(f"{body.name} bones", lay_out)
    body.parent, body.parent_type = armature, "OBJECT"
    modifier: Any = body.modifiers.new(MODIFIER, "ARMATURE")
    modifier.object = armature
