"""New files for tests, as Blender's factory has them, and how little grows on the stages that they get."""

from __future__ import annotations

import bpy

BARE = {"growth": 0.05}
"""A stage of which a test asks no more than that something grows there, which is made quickly."""
_addons: set[str] = set()
"""Those that are enabled in the factory's preferences; empty before these were loaded."""


def new_file(empty: bool = True) -> None:
    """Opens a new file, with the factory's preferences and add-ons.

    To load these takes six times as long as the file itself: it is done once, and after a test that changed them.
    """
    preferences = bpy.context.preferences
    if _addons and not preferences.is_dirty and {*preferences.addons.keys()} == _addons:
        bpy.ops.wm.read_homefile(use_empty=empty, use_factory_startup=True)
        return
    bpy.ops.wm.read_factory_settings(use_empty=empty)
    preferences = bpy.context.preferences
    preferences.is_dirty = False
    _addons.update(preferences.addons.keys())
