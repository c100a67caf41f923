"""Data blocks of the open file: lists of them, changes since, and imports from other files without what could run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from io import BytesIO
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import bpy

from ...core.base.codec import SceneError
from ...core.foreign.belongings import Belongings
from ...core.foreign.examining import examined


@cache
def kinds() -> tuple[str, ...]:
    """Names of the collections in `bpy.data`."""
    return tuple(kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION")


def ids() -> dict[int, bpy.types.ID]:
    """All data blocks of this file, by a number unique in this session."""
    return {block.session_uid: block for kind in kinds() for block in getattr(bpy.data, kind)}


@contextmanager
def passing() -> Iterator[set[int]]:
    """Remove at the end the data blocks made within this block, but for those whose numbers are in the yielded set."""
    there, kept = set(ids()), set[int]()
    try:
        yield kept
    finally:
        bpy.data.batch_remove([block for number, block in ids().items() if number not in there | kept])


class Arrived(NamedTuple):
    """Objects and scenes brought from another .blend.

    Attributes:
        objects: Objects by their names in that file.
        scenes: Their scenes, the one that the file shows first.
        notes: Parts left out, a line each.
    """

    objects: dict[str, bpy.types.Object]
    scenes: list[bpy.types.Scene]
    notes: tuple[str, ...] = ()


def unzstd(content: bytes, most: int) -> bytes:
    """Unpack Zstandard data, as Blender saves files with Compress, into at most so many bytes.

    Raises:
        ImportError: This Blender's Python lacks the package for it.
        ValueError: The bytes are damaged.
    """
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(BytesIO(content), read_across_frames=True) as stream:
            return stream.read(most)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None


def append(path: str | os.PathLike[str]) -> Arrived:
    """Bring the objects and scenes of another maker's .blend into this file.

    Nothing of it can run, and none of its paths is looked up: its pictures come with it, packed, if they are in it or
    lie beside or below it, and everything else that it names is left out.

    Raises:
        SceneError: It cannot be read.
    """
    if bpy.data.filepath and os.path.exists(path) and os.path.samefile(path, bpy.data.filepath):
        raise SceneError("the current blend file", "another .blend", file=os.fspath(path))
    there = set(ids())
    with TemporaryDirectory() as folder:
        copy, belongings = examined(path, folder, unzstd)
        try:
            arrived, shown = _append(copy, belongings.scene)
        except SceneError as error:
            raise SceneError(error.found, error.allowed, file=os.fspath(path)) from None
        notes = settle([block for number, block in ids().items() if number not in there], belongings)
    scenes = sorted(arrived.scenes, key=lambda scene: scene is not shown)
    return Arrived(arrived.objects, scenes, tuple(notes))


def append_own(path: str | os.PathLike[str]) -> Arrived:
    """Bring those of a .blend that this session has just written.

    Raises:
        SceneError: It cannot be read.
    """
    return _append(path)[0]


def _append(path: str | os.PathLike[str], scene: str = "") -> tuple[Arrived, bpy.types.Scene | None]:
    """The contents brought from a .blend, and the scene of this name in it."""
    there = set(ids())
    try:
        library: Any = bpy.data.libraries
        with library.load(str(path), link=False) as (source, wish):
            names, stages = list(source.objects), list(source.scenes)
            wish.objects, wish.scenes = list(names), list(stages)
    except (OSError, RuntimeError, ValueError) as error:
        raise SceneError(words(error), "a .blend that this Blender reads", file=os.fspath(path)) from None
    tame(block for number, block in ids().items() if number not in there)
    found = {name: obj for name, obj in zip(names, wish.objects, strict=True) if obj is not None}
    shown = dict(zip(stages, wish.scenes, strict=True)).get(scene)
    return Arrived(found, [scene for scene in wish.scenes if scene is not None]), shown


def tame(blocks: Iterable[bpy.types.ID]) -> None:
    """Remove from foreign data blocks whatever moves them or could run: drivers, actions and scripts."""
    blocks = list(blocks)
    texts = [block for block in blocks if isinstance(block, bpy.types.Text)]
    for block in blocks:
        for owner in (block, getattr(block, "node_tree", None), getattr(block, "shape_keys", None)):
            if owner is not None and hasattr(owner, "animation_data_clear"):
                owner.animation_data_clear()
        tree = _tree(block)
        for node in tree.nodes if tree else ():
            if node.type == "SCRIPT":
                node.mode, node.script, node.filepath = "INTERNAL", None, ""
    bpy.data.batch_remove(texts)


def settle(blocks: Iterable[bpy.types.ID], belongings: Belongings) -> list[str]:
    """Pack the pictures of what an examined copy brought, so that it reads no file any more.

    Args:
        blocks: The data blocks brought.
        belongings: The pictures that lie beside the copy.

    Returns:
        Parts left out, a line each.
    """
    blocks, notes, strays = list(blocks), list(belongings.notes), []
    for image in [block for block in blocks if isinstance(block, bpy.types.Image)]:
        name = os.path.basename(image.filepath.replace("\\", "/"))
        called = belongings.names.get(name, name)
        if not image.packed_files and name in belongings.names and name not in belongings.left_out:
            with suppress(RuntimeError):
                image.pack()
        if image.packed_files or image.source in ("GENERATED", "VIEWER"):
            if name in belongings.names:
                image.filepath_raw = called
                image.name = called if image.name.startswith((name, f"{os.path.splitext(name)[0]}.")) else image.name
        else:
            strays.append(image)
            notes.append(belongings.left_out.get(name, f"its picture {called} cannot be read, so it comes without it"))
    for block in blocks:
        tree = _tree(block)
        for node in list(tree.nodes) if tree else ():
            if getattr(node, "image", None) in strays or node.bl_idname.startswith("GeometryNodeImport"):
                tree.nodes.remove(node)
    linked = [block for block in blocks if block.library is not None]
    bpy.data.batch_remove([*strays, *linked])
    return list(dict.fromkeys(notes))


def _tree(block: bpy.types.ID) -> Any:
    """The node tree of a data block, if any."""
    return block if isinstance(block, bpy.types.NodeTree) else getattr(block, "node_tree", None)


def words(error: Exception) -> str:
    """Blender's wording of an error, in a line that follows "found"; for a traceback, its cause's line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("Location:", "Traceback", 'File "', "Error: Python:"))]
    return ((said or lines or [type(error).__name__])[-1]).removeprefix("Error: ")
