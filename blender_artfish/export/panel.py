"""The panel that exports."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.glances import glance
from ..blender.jobs import share
from ..blender.layout import Sidebar, draw_lines, draw_work, split
from ..blender.words import translated
from ..scene.properties import settings_of
from .operators import ARTFISH_OT_export, obstacle_of


class ARTFISH_PT_export(Sidebar, bpy.types.Panel):
    """Choose which baked fishes are written into which file, and write it."""

    bl_label = "Export"
    part = parts.DELIVER
    bl_order = 9
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The settings and the button, and any obstacle."""
        from .exporting import FIXED_SCALE, FIXED_UP, WITH_PICTURES

        layout, scene = split(self.layout), context.scene
        choice = settings_of(context).export
        layout.prop(choice, "format")
        layout.prop(choice, "who")
        if choice.who == "shoal":
            layout.prop(choice, "shoal")
        layout.prop(choice, "own_range")
        column = layout.column(align=True)
        if choice.own_range:
            column.prop(choice, "first")
            column.prop(choice, "last")
        else:
            column.prop(scene, "frame_start", text=translated("From"), translate=False)
            column.prop(scene, "frame_end", text=translated("To"), translate=False)
        for name, there in (
            ("up", choice.format not in FIXED_UP),
            ("scale", choice.format not in FIXED_SCALE),
            ("textures", choice.format in WITH_PICTURES),
        ):
            row = layout.row()
            row.enabled = there
            row.prop(choice, name)
        layout.prop(choice, "file")
        if (column := draw_work(layout, share())) is None:
            return
        column.operator(ARTFISH_OT_export.bl_idname, text="Export", icon="EXPORT")
        settings = [getattr(choice, name) for name in choice.bl_rna.properties.keys() if name != "rna_type"]  # noqa: SIM118
        if obstacle := glance(obstacle_of, scene, *settings):
            draw_lines(self.layout.column(align=True), obstacle, icon="INFO")


CLASSES = (ARTFISH_PT_export,)
