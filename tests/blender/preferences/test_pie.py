"""The pie menu has eight entries, and its parts are those of the sidebar."""

import bpy

from artfish.blender_artfish.blender import parts
from artfish.blender_artfish.preferences.pie import ARTFISH_MT_pie
from artfish.tests.blender.drawing import drawn


def test_it_has_as_many_entries_as_a_pie_can_show():
    buttons = drawn(ARTFISH_MT_pie).buttons
    assert len(buttons) == 8
    assert {"artfish.add_shoal", "artfish.live_play", "artfish.presets", "artfish.quick_look", "artfish.bake"} < set(
        buttons
    )


def test_a_part_of_the_sidebar_is_shown():
    for part in (parts.DELIVER, parts.MORE, parts.MAKE):
        assert bpy.ops.artfish.show_part(part=part) == {"FINISHED"}
        assert parts.shown(bpy.context) == part
