"""The Direction panel: directions, wants of shoals, and timed events."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.glances import glance
from ..blender.jobs import share
from ..blender.layout import Sidebar, draw, draw_lines, draw_optional, draw_unread, draw_work, split, timely
from ..blender.words import Message, translated
from ..identity.film_time import timed
from ..identity.roles import objects_of
from ..languages.sentences import understood
from ..scene.operators import ARTFISH_OT_remove, ARTFISH_OT_select
from ..scene.properties import settings_of
from .doubts import doubts
from .operators import (
    ARTFISH_OT_add_direction,
    ARTFISH_OT_fit_length,
    ARTFISH_OT_fit_time,
    ARTFISH_OT_mark_direction,
    ARTFISH_OT_relation_add,
    ARTFISH_OT_relation_remove,
    ARTFISH_OT_synchronise,
    ARTFISH_OT_time_here,
    is_free,
)
from .properties import DIRECTIONS
from .relations import lack, words
from .times import demand, is_timed

ROLE_ICONS: dict[str, Any] = {
    "target": "EMPTY_AXIS",
    "arrival": "EMPTY_ARROWS",
    "curve": "CURVE_BEZCURVE",
    "region": "MESH_UVSPHERE",
    "leader": "OUTLINER_OB_POINTCLOUD",
    "ball": "SPHERE",
    "fill": "MESH_MONKEY",
    "stream": "FORCE_CURVE",
    "food": "PARTICLES",
    "fright": "ERROR",
}
KIND_NAMES = {kind: name for kind, name, _ in DIRECTIONS}
RELATION_ICONS: dict[str, Any] = {
    "fear": "GHOST_ENABLED",
    "trust": "CHECKMARK",
    "like": "HEART",
    "dislike": "CANCEL",
}
WANTS = ("hunger", "libido", "fear")


def _keyable(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """A layout with dots for keyframes."""
    column = layout.column()
    column.use_property_decorate = True
    return column


def _school(layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
    """The numbers of a school: of one that is a whole, its middle, spread and heading too."""
    school, kind = obj.artfish.school, obj.artfish.direction.kind
    column = _keyable(layout)
    if kind == "ball" and obj.type == "EMPTY":
        column.prop(obj, "location", text=translated("Middle"), translate=False)
        column.prop(obj, "scale", text=translated("Spread"), translate=False, index=-1)
        column.prop(obj.artfish, "extent")
        column.prop(obj, "rotation_euler", index=2, text=translated("Heading"), translate=False)
        column.prop(school, "headed", text=translated("Swim That Way"), translate=False)
    if kind == "ball":
        draw_optional(column, school, "speed", "Speed (m/s)")
    if kind == "stream":
        column.prop(school, "width")
    draw_optional(column, school, "density", "Density")
    for name in ("order", "milling", "share"):
        column.prop(school, name, slider=True)
    if kind == "ball" and obj.type == "EMPTY" and school.use_density:
        layout.prop(school, "bounded")


def _listed(layout: bpy.types.UILayout, found: list[bpy.types.Object], icons: Any) -> None:
    """A row for each object, with its kind and a button that selects it."""
    column = layout.column(align=True)
    for obj in found:
        row = column.row(align=True)
        row.prop(obj, "name", text="", icon=icons(obj))
        row.operator(ARTFISH_OT_select.bl_idname, text="", icon="RESTRICT_SELECT_OFF").name = obj.name


def draw_time(layout: bpy.types.UILayout, context: bpy.types.Context, text: Message) -> None:
    """The time of the selected object, the clock, and, if events are on the timeline, whether it is."""
    row = layout.row(align=True)
    group, name = timed(context.object)
    row.prop(group, timely(group, name), text=translated(text), translate=False)
    row.operator(ARTFISH_OT_time_here.bl_idname, text="", icon="TIME")
    if settings_of(context).timeline:
        role = context.object.artfish
        row.prop(role, "on_timeline", text="", icon="MARKER_HLT" if role.on_timeline else "MARKER")


def _demand(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The demands of the selected direction on its fishes, their abilities, and buttons that make the two fit."""
    asks = demand(context.scene, context.object) if is_timed(context.object) else None
    if asks is None:
        return
    column = layout.column(align=True)
    column.alert = not asks.feasible
    draw_lines(column, understood(asks.line()), icon="NONE" if asks.feasible else "ERROR")
    row = layout.row(align=True)
    row.enabled = not asks.feasible
    row.operator(ARTFISH_OT_fit_time.bl_idname)
    row.operator(ARTFISH_OT_fit_length.bl_idname)


class ARTFISH_PT_direction(Sidebar, bpy.types.Panel):
    """Directions that lead the fishes."""

    bl_label = "Direction"
    part = parts.MAKE
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons that add, the list of directions, and the numbers of the selected one."""
        layout = split(self.layout)
        grid = layout.grid_flow(columns=2, align=True, even_columns=True)
        for kind in ("target", "arrival", "curve", "region", "leader", "ball", "fill", "stream"):
            grid.operator(ARTFISH_OT_add_direction.bl_idname, text=KIND_NAMES[kind], icon=ROLE_ICONS[kind]).kind = kind
        obj = context.object
        if is_free(obj):
            for kind in {"CURVE": ("curve", "stream"), "EMPTY": ("target", "arrival", "ball"), "MESH": ("fill",)}.get(
                obj.type, ()
            ):
                text = (
                    translated("Lead by {obj}", obj=obj.name)
                    if kind in ("curve", "target")
                    else f"{KIND_NAMES[kind]} {obj.name}"
                )
                layout.operator(ARTFISH_OT_mark_direction.bl_idname, text=text, icon=ROLE_ICONS[kind]).kind = kind
        _listed(layout, objects_of(context.scene, "DIRECTION"), lambda each: ROLE_ICONS[each.artfish.direction.kind])
        draw_lines(layout.column(align=True), *glance(doubts, context.scene))


def draw_direction(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws the active direction: the shoals it leads, its strength, and its own numbers; or the active event."""
    obj = context.object
    direction, role = obj.artfish.direction, obj.artfish
    row = layout.row(align=True)
    row.prop(obj, "name", text="", icon=ROLE_ICONS[role.event if role.kind == "EVENT" else direction.kind])
    row.operator(ARTFISH_OT_remove.bl_idname, text="", icon="X")
    draw_unread(layout, obj)
    if role.kind == "EVENT":
        draw_time(layout, context, "Time")
        draw(layout, getattr(role, role.event), ("count", "spread") if role.event == "food" else ("radius",))
        return
    column = _keyable(layout)
    column.prop(direction, "strength", slider=True)
    column = layout.column()
    column.prop(direction, "fishes")
    one_of(column, direction, "one_fish", "member", direction.fishes is not None)
    if direction.kind == "target":
        draw(column, obj.artfish.target)
    elif direction.kind == "arrival":
        draw_time(column, context, "Time")
        draw(column, obj.artfish.arrival, ("radius", "start", "stay"))
        column.prop(obj.artfish.arrival, "use_heading")
    elif direction.kind == "region":
        column.prop(direction, "inside")
        if obj.type == "EMPTY":
            column.prop(obj, "empty_display_type", text=translated("Shape"), translate=False)
    elif direction.kind == "curve":
        draw_time(column, context, "Start")
        draw(column, obj.artfish.curve, ("duration", "speed"))
    elif direction.kind in ("ball", "fill", "stream"):
        _school(layout, obj)
    else:
        column.prop(direction, "leader")
        one_of(column, direction, "one_leader", "leader_member", direction.leader is not None)
        draw(column, obj.artfish.follow)
    _demand(layout, context)


class ARTFISH_PT_wants(Sidebar, bpy.types.Panel):
    """Wants of the selected shoal."""

    bl_label = "Wants"
    bl_parent_id = "ARTFISH_PT_direction"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a shoal."""
        return any(obj.artfish.kind == "SHOAL" for obj in context.scene.objects)

    def draw(self, context: bpy.types.Context) -> None:
        """A slider for each want, to be keyed."""
        layout, shoal = split(self.layout), context.object
        if shoal is None or shoal.artfish.kind != "SHOAL":
            layout.label(text=translated("Select a shoal"), translate=False, icon="INFO")
            return
        wants = shoal.artfish.wants
        for want in WANTS:
            draw_optional(_keyable(layout), wants, want, want.capitalize(), slider=True)
        draw_optional(_keyable(layout), wants, "until", "Until Frame")


class ARTFISH_PT_events(Sidebar, bpy.types.Panel):
    """Timed events."""

    bl_label = "Events"
    bl_parent_id = "ARTFISH_PT_direction"
    bl_order = 2

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons that add food and frights, and the list of them."""
        layout = split(self.layout)
        row = layout.row(align=True)
        for kind in ("food", "fright"):
            row.operator(ARTFISH_OT_add_direction.bl_idname, text=kind.capitalize(), icon=ROLE_ICONS[kind]).kind = kind
        layout.prop(settings_of(context), "timeline")
        layout.prop(settings_of(context), "show_seconds")
        _listed(layout, objects_of(context.scene, "EVENT"), lambda each: ROLE_ICONS[each.artfish.event])


class ARTFISH_UL_relations(bpy.types.UIList):
    """Relations of shoals and fishes to each other."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """A relation as a sentence, and its strength."""
        wanting = lack(item, objects_of(context.scene, "SHOAL"))
        layout.label(text=words(item), icon="ERROR" if wanting else RELATION_ICONS[item.kind])
        much = layout.row()
        much.alignment, much.active = "RIGHT", False
        much.label(text=f"{item.strength:.2f}")


class ARTFISH_PT_relations(Sidebar, bpy.types.Panel):
    """Relations of shoals and fishes to each other."""

    bl_label = "Relations"
    bl_parent_id = "ARTFISH_PT_direction"
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The list, the selected relation, and whether more come by themselves."""
        layout, settings = self.layout, settings_of(context)
        row = layout.row()
        row.template_list("ARTFISH_UL_relations", "", settings, "relations", settings, "active_relation", rows=3)
        column = row.column(align=True)
        column.operator(ARTFISH_OT_relation_add.bl_idname, text="", icon="ADD")
        column.operator(ARTFISH_OT_relation_remove.bl_idname, text="", icon="REMOVE")
        layout = split(layout)
        if 0 <= settings.active_relation < len(settings.relations):
            relation = settings.relations[settings.active_relation]
            column = layout.column()
            column.prop(relation, "who")
            one_of(column, relation, "one_fish", "member", relation.who is not None)
            column.prop(relation, "kind")
            column.prop(relation, "whom")
            one_of(column, relation, "one_toward", "toward_member", relation.whom is not None)
            column.prop(relation, "strength", slider=True)
            draw_lines(column, lack(relation, objects_of(context.scene, "SHOAL")))
        layout.prop(settings, "grudges")


class ARTFISH_PT_synchronise(Sidebar, bpy.types.Panel):
    """Two things that are to be at the same time."""

    bl_label = "Synchronise"
    bl_parent_id = "ARTFISH_PT_direction"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The two events, and the button."""
        layout, settings = split(self.layout), settings_of(context).sync
        for is_first, cue in ((True, settings.first), (False, settings.second)):
            layout.label(text=translated("First" if is_first else "Second"), translate=False)
            column = layout.column()
            column.prop(cue, "kind")
            if cue.kind == "event":
                column.prop(cue, "event")
                if cue.event == "courtship":
                    column.prop(cue, "stage")
                column.prop(cue, "fishes")
            else:
                column.prop(cue, "fishes")
                column.prop(cue, "place")
                if cue.kind == "passes":
                    column.prop(cue, "radius")
            column.prop(cue, "start")
            if cue.start is not None and cue.start.artfish.kind == "SHOAL":
                column.prop(cue, "wants")
        layout.prop(settings, timely(settings, "later"))
        layout.prop(settings, timely(settings, "tolerance"))
        if (column := draw_work(layout, share(), height=1.0)) is not None:
            column.operator(ARTFISH_OT_synchronise.bl_idname, icon="TIME")


def one_of(layout: bpy.types.UILayout, group: Any, use: str, number: str, there: bool) -> None:
    """Checkbox for a single fish, and its number."""
    row = layout.row(heading=translated(group.bl_rna.properties[use].name), translate=False)
    row.enabled = there
    row.prop(group, use, text="")
    value = row.row()
    value.enabled = getattr(group, use)
    value.prop(group, number, text="")


CLASSES = (
    ARTFISH_PT_direction,
    ARTFISH_PT_wants,
    ARTFISH_PT_events,
    ARTFISH_UL_relations,
    ARTFISH_PT_relations,
    ARTFISH_PT_synchronise,
)
