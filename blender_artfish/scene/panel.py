"""The panels of the water's contents: shoals, obstacles, currents, food and plants, light."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import fields
from ..blender.layout import Sidebar, draw, draw_lines, draw_unread, split
from ..identity.references import is_ours
from ..identity.roles import objects_of, spare
from ..live import pace
from ..live.runtime import session_of
from .animated import needs_sampling
from .gallery import ARTFISH_OT_presets
from .offers import draw_offers
from .operators import (
    PLACED,
    ARTFISH_OT_add_pillar,
    ARTFISH_OT_add_shoal,
    ARTFISH_OT_add_to_water,
    ARTFISH_OT_mark,
    ARTFISH_OT_remove,
    ARTFISH_OT_save_scene,
    ARTFISH_OT_select,
    is_mesh,
    kind_items,
    may_be_solid,
)
from .painting import painted_bed
from .presets import ARTFISH_OT_load_scene
from .properties import settings_of
from .quick_look import ARTFISH_OT_quick_look, is_on
from .remarks import remark_of

KIND_ICONS: dict[str, Any] = {
    "SHOAL": "OUTLINER_OB_POINTCLOUD",
    "TANK": "CUBE",
    "OBSTACLE": "MESH_CYLINDER",
    "BED": "RNDCURVE",
    "CURRENT": "FORCE_WIND",
    "PLANKTON": "PARTICLES",
    "SEAWEED": "CURVES",
    "BUBBLES": "SPHERE",
    "HOOK": "HOOK",
    "HEAT": "LIGHT_HEMI",
    "SPOT": "EMPTY_DATA",
    "CAMERA": "CAMERA_DATA",
}
OWN_KINDS = (("OBSTACLE", "Obstacle"), ("TANK", "Tank"), ("BED", "Sea bed"))
"""Roles an animator's own object may have; a mesh any of them, other objects only that of an obstacle."""
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
        row.label(text=f"{group.count} {group.species.replace('_', ' ')}")

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
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Add fishes, the list of shoals, and scene files."""
        layout = self.layout
        row = layout.row(align=True)
        row.scale_y = 1.3
        row.operator(ARTFISH_OT_add_shoal.bl_idname, icon="ADD")
        moves = pace.plays(context.scene) and session_of(context.scene) is not None
        row.operator("artfish.live_play", text="Pause" if moves else "Play", icon="PAUSE" if moves else "PLAY")
        settings = settings_of(context)
        if any(obj.artfish.kind == "SHOAL" for obj in context.scene.objects):
            column = layout.column()
            column.enabled = context.mode == "OBJECT"  # where a click can select another
            column.template_list("ARTFISH_UL_shoals", "", bpy.data, "objects", settings, "shown", rows=3)
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_presets.bl_idname, icon="IMAGE_REFERENCE")
        row.operator(ARTFISH_OT_quick_look.bl_idname, icon="SHADING_TEXTURE", depress=is_on())
        row.operator(ARTFISH_OT_load_scene.bl_idname, text="", icon="FILE_FOLDER")
        row.operator(ARTFISH_OT_save_scene.bl_idname, text="", icon="FILE_TICK")


class ARTFISH_PT_selected(Sidebar, bpy.types.Panel):
    """Settings of the selected object in the water."""

    bl_idname = "ARTFISH_PT_thing"
    bl_label = "Selected"
    bl_parent_id = "ARTFISH_PT_scene"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an object in the water, or a mesh that could be; directions have panels of their own."""
        obj = context.object
        if obj is None or is_ours(obj):
            return False
        return obj.artfish.kind in KIND_ICONS or obj.artfish.kind == "NONE" and may_be_solid(obj)

    def draw(self, context: bpy.types.Context) -> None:
        """Its own numbers."""
        layout, obj = split(self.layout), context.object
        role = obj.artfish
        if role.kind == "NONE":
            layout.label(text=f"Let {obj.name} be")
            row = layout.row(align=True)
            for kind, name in OWN_KINDS if is_mesh(obj) else OWN_KINDS[:1]:
                row.operator(ARTFISH_OT_mark.bl_idname, text=name, icon=KIND_ICONS[kind]).kind = kind
            return
        row = layout.row(align=True)
        row.prop(obj, "name", text="", icon=KIND_ICONS[role.kind])
        row.operator(ARTFISH_OT_remove.bl_idname, text="", icon="X")
        if obj in spare(context.scene):
            layout.label(text=f"Only {objects_of(context.scene, role.kind)[0].name} counts", icon="ERROR")
        if role.kind == "OBSTACLE" and needs_sampling(obj):
            layout.label(text="Sampled frame by frame when baked", icon="INFO")
        else:
            draw_unread(layout, obj)
        draw_lines(layout, remark_of(context.scene, obj), icon="ERROR")
        draw_offers(layout, context.scene, obj)
        column = layout.column()
        if role.kind == "SHOAL":
            draw(column, role.shoal, ("species", "count", "size", "variety", "spread", "pace"))
            draw(column, role.shoal, ("sex", "females", "seed"))
            column.prop(role.shoal, "use_heading")
        elif role.kind == "TANK":
            column.prop(obj, "dimensions" if obj.type == "MESH" else "scale", text="Size")
        elif role.kind == "OBSTACLE":
            if obj.type == "MESH":
                column.prop(role.pillar, "upright")
            draw(column, role.pillar if role.pillar.upright else role.solid)
            column.prop(role.movement, "presence")
            column.prop(role.movement, "moves")
            if needs_sampling(obj):
                column.prop(role.movement, "spacing")
        elif role.kind == "CURRENT":
            column.prop(role.current, "kind")
            draw(column, role.current, ("strength", "period") if role.current.kind == "uniform" else ("strength",))
            if role.current.kind != "uniform":
                column.prop(role.current, "radius")
        elif role.kind == "PLANKTON":
            column.prop(role, "everywhere")
            draw(column, role.plankton, ("count", "growth", "size"))
            if not role.everywhere:
                draw(column, role.plankton, ("spread",))
        elif role.kind in ("SEAWEED", "BUBBLES", "HOOK", "HEAT", "SPOT"):
            draw(column, getattr(role, role.kind.lower()))


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
        layout.label(text="Currents")
        grid = layout.grid_flow(columns=2, even_columns=True, align=True)
        for flow, icon in FLOWS.items():
            button = grid.operator(ARTFISH_OT_add_to_water.bl_idname, text=flow.capitalize(), icon=icon)
            button.kind, button.flow = "CURRENT", flow
        others = objects_of(context.scene, *sorted(KIND_ICONS.keys() - {"SHOAL"}))
        if others:
            layout.label(text="There are")
            column, idle = layout.column(align=True), spare(context.scene)
            for obj in sorted(others, key=lambda obj: obj.artfish.kind):
                button = column.operator(
                    ARTFISH_OT_select.bl_idname,
                    text=f"{obj.name} (does not count)" if obj in idle else obj.name,
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
        layout.label(text="Light")
        said = {"attenuation"} if settings.sea.on else set()  # by the type of water
        names = [field["name"] for field in fields(settings.light) if field["name"] not in said]
        draw(layout.column(align=True), settings.light, names)
        layout.label(text="Warmth")
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
            layout.label(text=f"Grows where {bed.name} is painted", icon="WPAINT_HLT")


CLASSES = (
    ARTFISH_UL_shoals,
    ARTFISH_PT_scene,
    ARTFISH_PT_selected,
    ARTFISH_PT_water,
    ARTFISH_PT_ambience,
    ARTFISH_PT_stage,
)
