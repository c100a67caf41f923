"""The numbers of a selected thing in the water, and the roles that an animator's own object may have."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.glances import glance
from ..blender.layout import draw, draw_lines, draw_unread
from ..blender.words import Message, translated
from ..direction.panel import draw_time
from ..identity import provenance
from ..identity.references import is_ours
from ..identity.roles import objects_of, spare
from .animated import needs_sampling
from .fitting import draw_fits
from .offers import draw_offers
from .operators import ARTFISH_OT_mark, ARTFISH_OT_remove, is_mesh, may_be_solid
from .presets import may_grow
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
OWN_KINDS: dict[str, Message] = {"OBSTACLE": "Obstacle", "TANK": "Tank", "BED": "Sea bed"}
"""Roles an animator's own object may have; a mesh any of them, other objects only that of an obstacle."""


def is_item(obj: bpy.types.Object) -> bool:
    """True if an object is in the water, or could be: one of an animator's own."""
    if is_ours(obj) or provenance.of(obj, provenance.BAKE):
        return False
    return obj.artfish.kind in KIND_ICONS or obj.artfish.kind == "NONE" and may_be_solid(obj)


def draw_item(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws the numbers of the active thing, or buttons that take an own object into the water."""
    obj, role = context.object, context.object.artfish
    if role.kind == "NONE":
        layout.label(text=translated("Let {obj} be", obj=obj.name))
        row = layout.row(align=True)
        for kind, name in OWN_KINDS.items():
            if kind == "OBSTACLE" or is_mesh(obj):
                row.operator(ARTFISH_OT_mark.bl_idname, text=name, icon=KIND_ICONS[kind]).kind = kind
        return
    row = layout.row(align=True)
    row.prop(obj, "name", text="", icon=KIND_ICONS[role.kind])
    row.operator(ARTFISH_OT_remove.bl_idname, text="", icon="X")
    if obj in glance(spare, context.scene):
        layout.label(
            text=translated("Only {name} counts", name=objects_of(context.scene, role.kind)[0].name), icon="ERROR"
        )
    if role.kind == "OBSTACLE" and needs_sampling(obj):
        layout.label(text=translated("Sampled frame by frame when baked"), translate=False, icon="INFO")
    else:
        draw_unread(layout, obj)
    draw_lines(layout, remark_of(context.scene, obj), icon="ERROR")
    draw_offers(layout, context.scene, obj)
    column = layout.column()
    if role.kind == "SHOAL":
        draw(column, role.shoal, ("species", "count", "size", "variety", "spread", "pace"))
        draw(column, role.shoal, ("sex", "females", "seed"))
        column.prop(role.shoal, "use_heading")
        draw_time(column, context, "Enters")
    elif role.kind == "TANK":
        column.prop(obj, "dimensions" if obj.type == "MESH" else "scale", text=translated("Size"), translate=False)
        if may_grow(obj):
            draw_fits(column)
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
        if role.kind == "HOOK":
            draw_time(column, context, "Sinks")
