"""Panels of live play: beginning anew, what there is to say, and the hand in the water."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.glances import glance
from ..blender.layout import Sidebar, draw_lines, split
from ..direction.doubts import doubts
from ..identity.film_time import film
from ..scene.offers import draw_offers
from ..scene.remarks import lines_of
from . import pace
from .operators import (
    ARTFISH_OT_feed,
    ARTFISH_OT_frighten,
    ARTFISH_OT_live_end,
    ARTFISH_OT_live_restart,
    ARTFISH_OT_steer,
)
from .runtime import session_of
from .texts import elsewhere_text, moved_text, notice_text, status_text


class ARTFISH_PT_live(Sidebar, bpy.types.Panel):
    """Play without baking."""

    bl_label = "Live"
    part = parts.WATCH
    bl_order = 3

    def draw_header(self, context: bpy.types.Context) -> None:
        """Checkbox that lets the space bar do it, too."""
        self.layout.prop(context.scene.artfish_live, "on", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Buttons, and the progress."""
        layout, session = self.layout, session_of(context.scene)
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_live_restart.bl_idname, icon="REW")
        row.operator(ARTFISH_OT_live_end.bl_idname, icon="X")
        column = layout.column(align=True)
        column.scale_y = 0.8
        if pace.playing() and not pace.plays(context.scene):
            draw_lines(column, elsewhere_text(pace.played().name))
        if session is not None:
            column.label(text=status_text(session.status()))
            moved = moved_text(session.first, film(context.scene)[0])
            said = (
                notice_text(session.notice),
                moved,
                *glance(doubts, context.scene),
                *lines_of(context.scene),
                *session.warnings,
            )
            draw_lines(column, *said)
        draw_offers(layout, context.scene)


def draw_feelings(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Draws sliders for what the active fish feels, which may be dragged while it swims."""
    layout.label(text=context.object.name, translate=False, icon="OUTLINER_OB_POINTCLOUD")
    column = layout.column()
    for name in ("hunger", "libido", "fear"):
        column.prop(context.scene.artfish_live, name, slider=True)


class ARTFISH_PT_live_hand(Sidebar, bpy.types.Panel):
    """Your hand in the water."""

    bl_label = "Hand in the Water"
    bl_parent_id = "ARTFISH_PT_live"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """Feed, frighten, and steer."""
        layout: Any = split(self.layout)
        settings = context.scene.artfish_live
        layout.operator(ARTFISH_OT_feed.bl_idname, icon="PARTICLES")
        column = layout.column(align=True)
        column.prop(settings, "count")
        column.prop(settings, "spread")
        layout.operator(ARTFISH_OT_frighten.bl_idname, icon="ERROR")
        layout.prop(settings, "radius")
        layout.operator(ARTFISH_OT_steer.bl_idname, icon="VIEW_PAN")
        layout.prop(settings, "follow")


CLASSES = (ARTFISH_PT_live, ARTFISH_PT_live_hand)
