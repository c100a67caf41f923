"""The scenes of a file, one of which was the active one when it was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import bpy

from ...core.base.codec import SceneError, shown

SHOWN_SCENES = 6
"""So many names a message says."""


def called(name: str | None) -> bpy.types.Scene:
    """A scene of the open file by its name; the active one where there is no name.

    Raises:
        SceneError: None is called so.
    """
    if name is None:
        return bpy.context.scene
    found = bpy.data.scenes.get(name)
    if found is None:
        raise SceneError(shown(name), names(bpy.data.scenes), key="scene")
    return found


def others(scene: bpy.types.Scene, suits: Callable[[bpy.types.Scene], bool]) -> str:
    """The names of the other scenes that suit, for a message; "" if none does."""
    return names(each for each in bpy.data.scenes if each != scene and suits(each))


def names(scenes: Iterable[bpy.types.Scene]) -> str:
    """Names for a message."""
    every = [shown(scene.name) for scene in scenes]
    rest = len(every) - SHOWN_SCENES
    return ", ".join([*every[:SHOWN_SCENES], *([f"{rest} more"] if rest > 0 else [])])
