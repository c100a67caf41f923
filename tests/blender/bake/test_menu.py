"""Menus lead to Play, Bake, Revert and the presets."""

from types import SimpleNamespace

import bpy

from artfish.blender_artfish.bake import menu
from artfish.blender_artfish.bake.fish_operators import CLASSES
from artfish.blender_artfish.scene.properties import preset_items


def entries(cls) -> list[str]:
    found = []

    def operator(name, **_):
        found.append(name)
        return SimpleNamespace()

    layout = SimpleNamespace(operator=operator, menu=lambda name, **_: found.append(name), separator=lambda: None)
    cls.draw(SimpleNamespace(layout=layout), bpy.context)
    return found


def test_the_menu_has_what_the_panels_do():
    names = entries(menu.ARTFISH_MT_animation)
    assert {"artfish.live_play", "artfish.bake", "artfish.revert_bake", "ARTFISH_MT_presets"} <= {*names}
    assert entries(menu.ARTFISH_MT_presets) == ["artfish.load_preset"] * len(preset_items())
    assert "ARTFISH_MT_baked_fish" in names
    assert entries(menu.ARTFISH_MT_baked_fish) == [operator.bl_idname for operator in CLASSES]
