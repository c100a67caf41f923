"""Results that panels show again and again, kept until something changes that they may depend on.

A panel is drawn anew whenever the mouse moves over it. What it has to look for among all objects of a scene is found
once after each change: of a number in a panel, of anything that Blender evaluates, of the frame, by undo, by another
file. While the animation plays, only what is not moved by it counts as a change, and its end as one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import bpy

from . import runtime
from .handlers import NUMBER_CHANGED, HandlerTurn, hears

T = TypeVar("T")
LIVE_MARK = "artfish_live"
"""Custom property of what live play moves; see identity.references."""


class Glances:
    """The results by what they are of."""

    def __init__(self) -> None:
        """Start with none."""
        self.kept: dict[tuple[Any, ...], Any] = {}


def glance(find: Callable[[bpy.types.Scene], T], scene: bpy.types.Scene, *about: Any) -> T:
    """A function of a scene, as it was found after the last change.

    Args:
        find: A function at the top of a module.
        scene: The scene.
        about: Values of settings on which it depends and which tell nobody that they have changed.
    """
    kept, key = runtime.of(Glances).kept, (find, *_state(scene), *about)
    if key not in kept:
        kept[key] = find(scene)
    found: T = kept[key]
    return found


def _state(scene: bpy.types.Scene) -> tuple[Any, ...]:
    """The numbers of a scene and of the file of which Blender does not say that they have changed."""
    counts = len(scene.objects), len(bpy.data.objects), len(bpy.data.collections)
    render = scene.render
    return scene.session_uid, *counts, scene.frame_start, scene.frame_end, render.fps, render.fps_base


@hears(HandlerTurn.IDENTITY, "undo_post", "redo_post", "load_post", "animation_playback_post", NUMBER_CHANGED)
def forget(*_: Any) -> None:
    """Forgets all: something has changed."""
    runtime.of(Glances).kept.clear()


@hears(HandlerTurn.IDENTITY, "frame_change_post")
def _another_frame(*_: Any) -> None:
    """Forgets all at another frame, unless the animation plays."""
    if not _plays():
        forget()


@hears(HandlerTurn.IDENTITY, "depsgraph_update_post")
def _evaluated(scene: Any, depsgraph: Any = None, *_: Any) -> None:
    """Forgets all after something was evaluated anew, unless that is what plays."""
    if depsgraph is None or not _plays() or not all(map(_is_played, depsgraph.updates)):
        forget()


def _plays() -> bool:
    """True if the animation plays in any window."""
    manager = bpy.context.window_manager
    return manager is not None and any(window.screen.is_animation_playing for window in manager.windows)


def _is_played(update: bpy.types.DepsgraphUpdate) -> bool:
    """True if an update is of what the animation moves: fishes at play, and data other than objects."""
    block = update.id.original
    return bool(block.get(LIVE_MARK)) if isinstance(block, bpy.types.Object | bpy.types.Collection) else True


CLASSES = ()
