"""The panel that adopts a fish: any mesh of an animator becomes a species."""

from __future__ import annotations

import bpy

from ..blender import parts, runtime
from ..blender.layout import Sidebar, draw_lines, split
from ..blender.words import translated
from .operators import (
    CHOOSE,
    ARTFISH_OT_adopt,
    ARTFISH_OT_adopt_look,
    ARTFISH_OT_adopt_open_edges,
    Looked,
    key_of,
    looked,
)

UNSURE = 0.5
"""Confidence below which a guess is marked as one."""


class ARTFISH_PT_adopt(Sidebar, bpy.types.Panel):
    """Your own model as a fish that swims."""

    bl_label = "Adopt a Fish"
    part = parts.MORE
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The model, its pose, and the remarks about it."""
        layout, settings = split(self.layout), context.scene.artfish_adoption
        layout.prop(settings, "source")
        if settings.source == "FILE":
            layout.prop(settings, "file")
        key = key_of(context)
        if not key:
            draw_lines(layout, CHOOSE, icon="INFO")
        row = layout.row()
        row.enabled = bool(key)
        row.operator(ARTFISH_OT_adopt_look.bl_idname, icon="VIEWZOOM")
        there = looked(context)
        if there is not None and there.seen is not None:
            self._draw_pose(layout, there)
        for line in runtime.of(Looked).lines if there is not None else ():
            draw_lines(layout, line[:1].upper() + line[1:], icon="INFO")

    def _draw_pose(self, layout: bpy.types.UILayout, there: Looked) -> None:
        """The directions of nose and back, to be corrected, and the button."""
        settings, seen = bpy.context.scene.artfish_adoption, there.seen
        assert seen is not None
        column = layout.column(align=True)
        column.prop(settings, "ahead")
        column.prop(settings, "up")
        layout.prop(settings, "show_arrows")
        if min(seen.pose.sure_ahead, seen.pose.sure_up) < UNSURE:
            draw_lines(layout, "It is not clear where nose and back are: look at the arrows", icon="QUESTION")
        layout.prop(settings, "length")
        layout.prop(settings, "called")
        groups = [name for name in seen.model.groups if len(seen.model.groups[name])]
        draw_lines(layout, translated("{count:,} vertices", count=seen.model.count), icon="MESH_DATA")
        if groups:
            draw_lines(layout, "Vertex groups used: " + ", ".join(groups), icon="GROUP_VERTEX")
        if seen.model.bones:
            draw_lines(
                layout,
                translated("Its own {count} bones and weights are used", count=len(seen.model.bones)),
                icon="ARMATURE_DATA",
            )
        if any(len(fault.edges) for fault in seen.faults):
            layout.operator(ARTFISH_OT_adopt_open_edges.bl_idname, icon="EDGESEL")
        row = layout.row()
        row.scale_y = 1.3
        row.enabled = not any(fault.fatal for fault in seen.faults)
        button = row.operator(ARTFISH_OT_adopt.bl_idname, icon="FILE_TICK")
        button.name, button.ahead, button.up = settings.called, settings.ahead, settings.up
        button.length = settings.length


CLASSES = (ARTFISH_PT_adopt,)
