"""Data blocks of the open file: what there is, what came since, and what other files bring, without what could run."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import bpy

from ...core.base.codec import SceneError


@cache
def kinds() -> tuple[str, ...]:
    """Names of the collections of data blocks in `bpy.data`."""
    return tuple(kind.identifier for kind in bpy.data.bl_rna.properties if kind.type == "COLLECTION")


def ids() -> dict[int, bpy.types.ID]:
    """All data blocks of this file, by a number that no other of this session gets."""
    return {block.session_uid: block for kind in kinds() for block in getattr(bpy.data, kind)}


@contextmanager
def passing() -> Iterator[set[int]]:
    """Within this block data blocks come, and at its end they go again, but for those whose numbers are in the set."""
    there, kept = set(ids()), set[int]()
    try:
        yield kept
    finally:
        bpy.data.batch_remove([block for number, block in ids().items() if number not in there | kept])


class Arrived(NamedTuple):
    """What has come from another .blend.

    Attributes:
        objects: By the names that they have there.
        scenes: Those that they stand in.
    """

    objects: dict[str, bpy.types.Object]
    scenes: list[bpy.types.Scene]


def append(path: str | os.PathLike[str]) -> Arrived:
    """Bring the objects and scenes of a .blend into this file; nothing of it can run.

    Raises:
        SceneError: It cannot be read.
    """
    there = set(ids())
    try:
        library: Any = bpy.data.libraries
        with library.load(str(path), link=False) as (source, wish):
            names = list(source.objects)
            wish.objects, wish.scenes = list(names), source.scenes
    except (OSError, RuntimeError, ValueError) as error:  # the last where it is the open file
        raise SceneError(words(error), "a .blend that this Blender reads", file=os.fspath(path)) from None
    tame(block for number, block in ids().items() if number not in there)
    found = {name: obj for name, obj in zip(names, wish.objects, strict=True) if obj is not None}
    return Arrived(found, [scene for scene in wish.scenes if scene is not None])


def tame(blocks: Iterable[bpy.types.ID]) -> None:
    """Take from data blocks that another has made whatever moves them or could run: drivers, actions and scripts."""
    blocks = list(blocks)
    texts = [block for block in blocks if isinstance(block, bpy.types.Text)]
    for block in blocks:
        trees: list[Any] = [block, getattr(block, "node_tree", None), getattr(block, "shape_keys", None)]
        for owner in filter(None, trees):
            if hasattr(owner, "animation_data_clear"):
                owner.animation_data_clear()
        tree = block if isinstance(block, bpy.types.NodeTree) else trees[1]
        for node in tree.nodes if tree else ():
            if node.type == "SCRIPT":
                node.mode, node.script, node.filepath = "INTERNAL", None, ""
    bpy.data.batch_remove(texts)


def words(error: Exception) -> str:
    """What Blender says of an error, in one line that follows "found"."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__).removeprefix("Error: ")
