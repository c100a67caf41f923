"""Deletion of an own species that undo reverts, and redo repeats.

A file on disk is not part of Blender's undo. So each scene counts the deletions in force; undo and redo change that
count like any number of a file, and the species follow it. Saved species stay saved, whatever is undone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from ..blender.handlers import HandlerTurn, hears
from . import library


@dataclass
class _Deletion:
    """A species' name, the contents of its files by name, and whether undo has restored them."""

    name: str
    contents: dict[str, bytes]
    back: bool = False


_deletions: list[_Deletion] = []  # of the open file, oldest first
_stood = 0  # number of deletions in force on disk
_first = 0  # the scenes' count before the oldest


def delete(name: str) -> None:
    """Removes one of the animator's own species, with a model that only it wears; undo restores it.

    Raises:
        SceneError: There is none of this name, or its file cannot be read or removed.
    """
    global _stood, _first
    contents = library.delete(name)
    if not _deletions:
        _first = _counted()
    del _deletions[_stood:]  # steps undone before a new one cannot be redone
    _deletions.append(_Deletion(name, contents))
    _stood = len(_deletions)
    for scene in bpy.data.scenes:
        if scene.library is None:
            scene.artfish.deletions = _first + _stood


def _counted() -> int:
    return max(scene.artfish.deletions for scene in bpy.data.scenes)


@hears(HandlerTurn.LIBRARY, "undo_post", "redo_post")
def _follow(*_: Any) -> None:
    """After undo and redo: restores or deletes species to match.

    A species saved again under the name of a deleted one is never touched.
    """
    from ...core.base.codec import SceneError

    global _stood
    now = min(max(_counted() - _first, 0), len(_deletions))
    before, _stood = _stood, now
    try:
        for one in reversed(_deletions[now:before]):
            one.back = library.content(one.name) is None
            if one.back:
                library.put_back(one.contents)
        for one in _deletions[before:now]:
            if one.back and library.content(one.name) == one.contents[f"{one.name}.json"]:
                library.delete(one.name)
    except SceneError as error:
        print(f"Artfish: {error}")


@hears(HandlerTurn.LIBRARY, "load_pre")
def _forget(*_: Any) -> None:
    """Before another file is opened, whose undo does not include these deletions."""
    global _stood
    _deletions.clear()
    _stood = 0


CLASSES = ()


def unregister() -> None:
    """Makes deletions permanent."""
    _forget()
