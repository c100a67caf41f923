"""The menu Artfish of the 3D View, and the same entries in Object > Animation, so that the menu search finds them."""

from __future__ import annotations

import bpy

from ..blender.words import translated
from ..live.operators import ARTFISH_OT_live_end, ARTFISH_OT_live_play
from ..scene.presets import ARTFISH_OT_load_preset
from ..scene.properties import preset_items
from ..scene.quick_look import ARTFISH_OT_quick_look
from . import whole_fish
from .edit_operators import IN_MENU, ARTFISH_OT_restore_fishes
from .fish_operators import CLASSES as FISH_OPERATORS
from .operators import ARTFISH_OT_bake, ARTFISH_OT_revert_bake

FISH_MENUS = ("VIEW3D_MT_object", "VIEW3D_MT_object_context_menu")
"""The menu Object of the 3D View, and the one that a right click opens."""


class ARTFISH_MT_presets(bpy.types.Menu):
    """Preset scenes, each in place of what stands in the water"""

    bl_idname = "ARTFISH_MT_presets"
    bl_label = "Presets"

    def draw(self, context: bpy.types.Context) -> None:
        """An entry for each."""
        for name, title, _ in preset_items():
            self.layout.operator(ARTFISH_OT_load_preset.bl_idname, text=title).preset = name


class ARTFISH_MT_baked_fish(bpy.types.Menu):
    """Edit whole baked fishes"""

    bl_idname = "ARTFISH_MT_baked_fish"
    bl_label = "Baked Fishes"

    def draw(self, context: bpy.types.Context) -> None:
        """An entry for each operator."""
        for operator in (*FISH_OPERATORS, *IN_MENU, ARTFISH_OT_restore_fishes):
            self.layout.operator(operator.bl_idname)


class ARTFISH_MT_animation(bpy.types.Menu):
    """Let fishes swim, bake what they do, and load preset scenes"""

    bl_idname = "ARTFISH_MT_animation"
    bl_label = "Artfish"

    def draw(self, context: bpy.types.Context) -> None:
        """All entries."""
        _draw_entries(self, context)


def _draw_entries(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    layout = menu.layout
    layout.separator()
    layout.operator(ARTFISH_OT_live_play.bl_idname, text="Play Fishes", icon="PLAY")
    layout.operator(ARTFISH_OT_live_end.bl_idname, icon="X")
    layout.operator(ARTFISH_OT_bake.bl_idname, text="Bake Fishes", icon="RENDER_ANIMATION")
    layout.operator(ARTFISH_OT_revert_bake.bl_idname, icon="LOOP_BACK")
    layout.menu(ARTFISH_MT_baked_fish.bl_idname, icon="OBJECT_DATA")
    layout.operator(ARTFISH_OT_quick_look.bl_idname, icon="SHADING_TEXTURE")
    layout.menu(ARTFISH_MT_presets.bl_idname, text=translated("Artfish Presets"), translate=False, icon="PRESET")


def _draw_object_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    if not whole_fish.missing(context):
        menu.layout.separator()
        menu.layout.menu(ARTFISH_MT_baked_fish.bl_idname, icon="OBJECT_DATA")


def _draw_menu(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    menu.layout.menu(ARTFISH_MT_animation.bl_idname)


CLASSES = (ARTFISH_MT_presets, ARTFISH_MT_baked_fish, ARTFISH_MT_animation)


def register() -> None:
    """Puts the menu into the header of the 3D View, and its entries into Object > Animation."""
    bpy.types.VIEW3D_MT_editor_menus.append(_draw_menu)
    bpy.types.VIEW3D_MT_object_animation.append(_draw_entries)
    for menu in FISH_MENUS:
        getattr(bpy.types, menu).append(_draw_object_menu)


def unregister() -> None:
    """Takes them out."""
    bpy.types.VIEW3D_MT_editor_menus.remove(_draw_menu)
    bpy.types.VIEW3D_MT_object_animation.remove(_draw_entries)
    for menu in FISH_MENUS:
        getattr(bpy.types, menu).remove(_draw_object_menu)
