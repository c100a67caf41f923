"""The panels of the water's contents: shoals, obstacles, currents, food and plants, light."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.declarations import fields
from ..blender.glances import glance
from ..blender.layout import Sidebar, draw, split
from ..blender.words import translated
from ..identity.roles import objects_of, spare
from ..species.library import label
from .fitting import draw_fits
from .inventory import KIND_ICONS
from .operators import (
    PLACED,
    ARTFISH_OT_add_pillar,
    ARTFISH_OT_add_to_water,
    ARTFISH_OT_save_scene,
    ARTFISH_OT_select,
    kind_items,
)
from .painting import painted_bed
from .presets import ARTFISH_OT_load_scene
from .properties import settings_of

FLOWS: dict[str, Any] = {
    "uniform": "FORCE_WIND",
    "vortex": "FORCE_VORTEX",
    "source": "OUTLINER_OB_FORCE_FIELD",
    "sink": "FORCE_MAGNETIC",
}


class ARTFISH_UL_shoals(bpy.types.UIList):
    """Shoals of the scene that is open, out of all objects."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """The shoal's name, the number of its fishes and their species."""
        group = item.artfish.shoal
        row = layout.split(factor=0.55, align=True)
        row.prop(item, "name", text="", emboss=False, icon=KIND_ICONS["SHOAL"])
        row.label(text=f"{group.count} {translated(label(group.species))}")

    def filter_items(self, context: Any, data: Any, property: Any) -> Any:
        """Filters the shoals of this scene, the oldest first."""
        shoals = {obj: place for place, obj in enumerate(objects_of(context.scene, "SHOAL"))}
        every = list(getattr(data, property))
        shown = [self.bitflag_filter_item if obj in shoals else 0 for obj in every]
        order = sorted(range(len(every)), key=lambda row: shoals.get(every[row], len(shoals)))
        places = [0] * len(every)
        for place, row in enumerate(order):
            places[row] = place
        return shown, places


class ARTFISH_PT_scene(Sidebar, bpy.types.Panel):
    """The water and who swims in it."""

    bl_label = "Scene"
    part = parts.MAKE
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """The list of shoals, and scene files."""
        layout, settings = self.layout, settings_of(context)
        if any(obj.artfish.kind == "SHOAL" for obj in context.scene.objects):
            column = layout.column()
            column.enabled = context.mode == "OBJECT"  # where a click can select another
            column.template_list("ARTFISH_UL_shoals", "", bpy.data, "objects", settings, "shown", rows=3)
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_load_scene.bl_idname, text="Open Scene", icon="FILE_FOLDER")
        row.operator(ARTFISH_OT_save_scene.bl_idname, text="Save Scene", icon="FILE_TICK")


def _others(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """All in the water but the shoals, by kind."""
    return sorted(objects_of(scene, *sorted(KIND_ICONS.keys() - {"SHOAL"})), key=lambda obj: obj.artfish.kind)


class ARTFISH_PT_water(Sidebar, bpy.types.Panel):
    """Other things in the water."""

    bl_label = "In the Water"
    bl_parent_id = "ARTFISH_PT_scene"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons that add, and the list of objects."""
        layout = self.layout
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        grid.operator(ARTFISH_OT_add_pillar.bl_idname, text="Pillar", icon=KIND_ICONS["OBSTACLE"])
        for kind, name, _ in kind_items(PLACED):
            grid.operator(ARTFISH_OT_add_to_water.bl_idname, text=name, icon=KIND_ICONS[kind]).kind = kind
        layout.label(text=translated("Currents"), translate=False)
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        for flow, icon in FLOWS.items():
            button = grid.operator(ARTFISH_OT_add_to_water.bl_idname, text=flow.capitalize(), icon=icon)
            button.kind, button.flow = "CURRENT", flow
        draw_fits(layout)
        others = glance(_others, context.scene)
        if others:
            layout.label(text=translated("There are"), translate=False)
            column, idle = layout.column(align=True), glance(spare, context.scene)
            for obj in others:
                button = column.operator(
                    ARTFISH_OT_select.bl_idname,
                    text=translated("{obj} (does not count)", obj=obj.name) if obj in idle else obj.name,
                    translate=False,
                    icon=KIND_ICONS[obj.artfish.kind],
                    depress=obj == context.object,
                )
                button.name = obj.name


class ARTFISH_PT_ambience(Sidebar, bpy.types.Panel):
    """Clearness, light, warmth and hills, for all of the water."""

    bl_label = "Light, Warmth, Hills"
    bl_parent_id = "ARTFISH_PT_scene"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers of the scene."""
        layout, settings = split(self.layout), settings_of(context)
        layout.prop(settings.sea, "on")
        if settings.sea.on:
            column = layout.column(align=True)
            column.prop(settings.sea, "type")
            column.prop(settings.sea, "murk", slider=True)
        layout.label(text=translated("Light"), translate=False)
        said = {"attenuation"} if settings.sea.on else set()  # by the type of water
        names = [field["name"] for field in fields(settings.light) if field["name"] not in said]
        draw(layout.column(align=True), settings.light, names)
        layout.label(text=translated("Warmth"), translate=False)
        draw(layout.column(align=True), settings.temperature)
        layout.prop(settings, "hills")
        if settings.hills:
            draw(layout.column(align=True), settings.terrain)


class ARTFISH_PT_stage(Sidebar, bpy.types.Panel):
    """Scenery around the fishes in a film, of which they know nothing."""

    bl_label = "Stage"
    bl_parent_id = "ARTFISH_PT_scene"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers of the stage, and its paint."""
        layout, settings = split(self.layout), settings_of(context)
        draw(layout.column(align=True), settings.stage)
        bed = painted_bed(context.scene)
        if bed is not None:
            layout.label(text=translated("Grows where {bed} is painted", bed=bed.name), icon="WPAINT_HLT")


CLASSES = (
    ARTFISH_UL_shoals,
    ARTFISH_PT_scene,
    ARTFISH_PT_water,
    ARTFISH_PT_ambience,
    ARTFISH_PT_stage,
)
