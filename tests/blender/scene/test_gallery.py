"""Every preset scene has a picture in the gallery, all of them are small, and none stays when the add-on goes."""

from __future__ import annotations

from pathlib import Path

import bpy

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.scene.gallery import PresetPictures
from artfish.core import Scene

FOLDER = Path(blender_artfish.__file__).resolve().parent.parent / "presets" / "scenes"


def test_each_preset_has_its_picture_and_all_are_small():
    pictures = {path.stem: path.stat().st_size for path in FOLDER.glob("*.png")}
    assert set(pictures) == set(Scene.names()) and sum(pictures.values()) < 330_000


def test_a_picture_is_read_and_a_preset_without_one_has_a_plain_icon(scene):
    pictures = runtime.of(PresetPictures)
    pictures.icon("reef")  # without a window Blender gives no icon a number
    assert pictures.icon("mine") == 0 and set(pictures.known) == {"reef"}
    assert tuple(pictures.known["reef"].image_size) == (192, 144)


def test_no_picture_stays_when_the_add_on_goes(scene):
    known = runtime.of(PresetPictures).known
    runtime.of(PresetPictures).icon("reef")
    blender_artfish.unregister()
    blender_artfish.register()
    assert len(known) == 0 and runtime.of(PresetPictures).known is not known


def test_the_gallery_is_found_and_without_a_window_does_nothing(scene):
    assert bpy.ops.artfish.presets() == {"FINISHED"}
