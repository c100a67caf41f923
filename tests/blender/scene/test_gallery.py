"""Every preset scene has a picture in the gallery, all of them are small, and none stays when the add-on goes."""

from __future__ import annotations

from pathlib import Path

import bpy

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.scene.gallery import ARTFISH_PT_gallery, Lines, PresetPictures
from artfish.core import Scene
from artfish.tests.blender.drawing import drawn

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


def test_each_preset_has_a_line_that_is_short(scene):
    lines = runtime.of(Lines).known
    assert set(lines) == set(Scene.names())
    assert all(0 < len(line) <= 55 for line in lines.values())


def test_words_are_looked_for_in_names_and_lines(scene):
    lines = runtime.of(Lines)
    assert [name for name, _, _ in lines.found("KELP grouper")] == ["hunt"]
    assert [name for name, _, _ in lines.found("bait ball")] == ["bait_ball"]
    assert len(lines.found(" ")) == len(Scene.names()) and lines.found("zeppelin") == []


def test_the_gallery_is_opened_searched_and_closed_by_what_is_chosen(scene):
    gallery = bpy.context.window_manager.artfish_gallery
    assert not ARTFISH_PT_gallery.poll(bpy.context)
    assert bpy.ops.artfish.presets() == {"FINISHED"} and ARTFISH_PT_gallery.poll(bpy.context)
    assert drawn(ARTFISH_PT_gallery).buttons.count("artfish.load_preset") == 2 * len(Scene.names())
    gallery.search = "kelp"
    assert drawn(ARTFISH_PT_gallery).buttons.count("artfish.load_preset") == 2
    gallery.search = "zeppelin"
    assert "No preset has zeppelin" in drawn(ARTFISH_PT_gallery).words
    bpy.ops.artfish.load_preset(preset="feeding")
    assert not ARTFISH_PT_gallery.poll(bpy.context)
    bpy.ops.artfish.presets(timing="KEEP")
    assert gallery.timing == "KEEP" and gallery.search == ""
    bpy.ops.artfish.presets()
    assert not ARTFISH_PT_gallery.poll(bpy.context)
