"""The parts of the sidebar: one makes a scene, watches it, and delivers it; what is rare is behind More.

The part that is shown is the window's, not the scene's: it is neither saved nor undone.
"""

from __future__ import annotations

from typing import Any

import bpy

from .words import WORDS

MAKE, WATCH, DELIVER, MORE = "MAKE", "WATCH", "DELIVER", "MORE"
PART_ITEMS = (
    (MAKE, "Make", "The scene, its fishes, and what leads them"),
    (WATCH, "Watch", "Fishes at play: live, their minds, and what they see"),
    (DELIVER, "Deliver", "Bake, baked fishes, films, and exports"),
    (MORE, "More", "Adopt a fish, breeding, learning, dives, and physics"),
)
made_by: Any = bpy.props  # by the stubs its functions return nothing
CLASSES = ()


def shown(context: bpy.types.Context) -> str:
    """The part that the sidebar shows."""
    return context.window_manager.artfish_part


def show(context: bpy.types.Context, part: str) -> None:
    """Has the sidebar show a part."""
    context.window_manager.artfish_part = part


def register() -> None:
    """Adds the part that is shown."""
    bpy.types.WindowManager.artfish_part = made_by.EnumProperty(
        name="Part",
        description="What the sidebar shows",
        items=PART_ITEMS,
        options={"SKIP_SAVE"},
        translation_context=WORDS,
    )


def unregister() -> None:
    """Takes it out."""
    del bpy.types.WindowManager.artfish_part
