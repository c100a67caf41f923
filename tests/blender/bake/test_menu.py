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
    assert entries(menu.ARTFISH_MT_baked_fish) == [
        *(operator.bl_idname for operator in CLASSES),
        *("artfish.hold_fish", "artfish.nudge_fish", "artfish.watch_fish", "artfish.restore_fishes"),
    ]


def drawn(draw) -> list[str]:
    return entries(SimpleNamespace(draw=lambda menu, context: draw(menu, context)))


def test_menus_of_objects_have_it_where_a_baked_fish_is_meant(monkeypatch):
    for missing, names in (("Select a fish", []), ("", ["ARTFISH_MT_baked_fish"])):
        monkeypatch.setattr(menu.whole_fish, "missing", lambda context, missing=missing: missing)
        assert drawn(menu._draw_object_menu) == names
    assert drawn(menu._draw_menu) == ["ARTFISH_MT_animation"]


def test_each_preset_is_loaded_by_its_own_entry():
    made = []
    layout = SimpleNamespace(operator=lambda name, text: made.append((text, SimpleNamespace())) or made[-1][1])
    menu.ARTFISH_MT_presets.draw(SimpleNamespace(layout=layout), bpy.context)
    assert [(text, entry.preset) for text, entry in made] == [(title, name) for name, title, _ in preset_items()]


def test_entries_come_and_go_with_the_add_on():
    where = [bpy.types.VIEW3D_MT_editor_menus, bpy.types.VIEW3D_MT_object_animation]
    where += [getattr(bpy.types, name) for name in menu.FISH_MENUS]
    before = [len(each.draw._draw_funcs) if hasattr(each.draw, "_draw_funcs") else 1 for each in where]
    menu.register()
    assert [len(each.draw._draw_funcs) for each in where] == [count + 1 for count in before]
    menu.unregister()
    assert [len(each.draw._draw_funcs) for each in where] == before
