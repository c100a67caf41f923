"""New files for tests, with Blender's factory settings, and a sparse stage for them."""

from __future__ import annotations

from pathlib import Path

import bpy

from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.writer import bake_job
from artfish.core.recording import Recording

CENTIMETRE = 0.01
"""Metres."""
BARE = {"growth": 0.05}
"""A stage that is made quickly, for tests that need no more than something growing there."""
_addons: set[str] = set()
"""Add-ons enabled in the factory's preferences; empty before these were loaded."""


def new_file(empty: bool = True) -> None:
    """Opens a new file, with the factory's preferences and add-ons.

    Loading those takes six times as long as the file itself: it is done once, and after a test that changed them.
    """
    preferences = bpy.context.preferences
    if _addons and not preferences.is_dirty and {*preferences.addons.keys()} == _addons:
        bpy.ops.wm.read_homefile(use_empty=empty, use_factory_startup=True)
        return
    bpy.ops.wm.read_factory_settings(use_empty=empty)
    preferences = bpy.context.preferences
    preferences.is_dirty = False
    _addons.update(preferences.addons.keys())


def reopened(path: Path) -> bpy.types.Scene:
    """The scene after the open file was saved there, left for a new one, and opened again."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    new_file()
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return bpy.context.scene


def bake_in_centimetres(film: Recording, form: str) -> None:
    """Bakes a film into the open scene, which becomes one in centimetres."""
    scene = bpy.context.scene
    scene.unit_settings.system, scene.unit_settings.scale_length = "METRIC", CENTIMETRE
    scene.render.fps, scene.frame_start, scene.frame_end = round(film.fps), 1, film.frames
    order = Order(form, stage=False, time=False, unit=CENTIMETRE, file=bpy.data.filepath)
    bake_job(film, None, order, scene).run()
