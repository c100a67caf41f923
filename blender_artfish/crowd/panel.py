"""The panel of a crowd bake's settings."""

from __future__ import annotations

import bpy

from ..blender.layout import Sidebar, draw_lines, split
from ..blender.words import translated
from ..scene.properties import settings_of
from .nodes import POSE_ERROR


class ARTFISH_PT_crowd(Sidebar, bpy.types.Panel):
    """Number of fishes that have surfaces while they are near, and the detail of the others."""

    bl_label = "Crowd"
    bl_parent_id = "ARTFISH_PT_bake"
    bl_order = 2

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a crowd as the form of the bake."""
        return settings_of(context).bake.form == "crowd"

    def draw(self, context: bpy.types.Context) -> None:
        """Heroes, distances, and the pose error of the selected crowd."""
        layout, bake, obj = split(self.layout), settings_of(context).bake, context.object
        layout.prop(bake, "heroes")
        column = layout.column(align=True)
        column.prop(bake, "near")
        column.prop(bake, "far")
        if obj is not None and obj.get(POSE_ERROR) is not None:
            _, often, worst = obj[POSE_ERROR]
            off = translated(
                "{often:.1f} % of a length, rarely up to {worst:.1f} %", often=100 * often, worst=100 * worst
            )
            draw_lines(
                self.layout,
                translated("{obj}: bodies are off by no more than {off}", obj=obj.name, off=off),
                icon="INFO",
            )


CLASSES = (ARTFISH_PT_crowd,)
