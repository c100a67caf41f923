"""The scenes of a file, one of which was active when it was saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import bpy

from ...core.base.codec import SceneError, shown
from .words import translated

SHOWN_SCENES = 6
"""Most names listed in a message."""


def called(name: str | None) -> bpy.types.Scene:
    """The scene of this name in the open file; the active one for an empty name.

    Raises:
        SceneError: There is none of this name.
    """
    if name is None:
        return bpy.context.scene
    found = bpy.data.scenes.get(name)
    if found is None:
        raise SceneError(shown(name), names(bpy.data.scenes), key="scene")
    return found


def others(scene: bpy.types.Scene, suits: Callable[[bpy.types.Scene], bool]) -> str:
    """The names of other suitable scenes, for a message; "" if there is none."""
    return names(each for each in bpy.data.scenes if each != scene and suits(each))


def names(scenes: Iterable[bpy.types.Scene]) -> str:
    """The names of scenes, for a message."""
    every = [shown(scene.name) for scene in scenes]
    rest = len(every) - SHOWN_SCENES
    return ", ".join([*every[:SHOWN_SCENES], *([translated("{rest} more", rest=rest)] if rest > 0 else [])])
