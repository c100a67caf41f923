"""The panel that looks through the eyes of a fish."""

from __future__ import annotations

import bpy

from ..blender.layout import Sidebar, split
from .eyes import camera_of, fish_of
from .operators import ARTFISH_OT_look_back, ARTFISH_OT_look_through


class ARTFISH_PT_fish_view(Sidebar, bpy.types.Panel):
    """A camera in a fish's eye: which eye, whither it looks, how wide."""

    bl_label = "Fish View"
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Through and back, and the settings of the active fish's camera."""
        layout = split(self.layout)
        root = fish_of(context)
        if root is None:
            layout.label(text="Select a fish to see as it does", icon="INFO")
        row = layout.row(align=True)
        row.scale_y = 1.3
        row.operator(ARTFISH_OT_look_through.bl_idname, icon="HIDE_OFF")
        row.operator(ARTFISH_OT_look_back.bl_idname, icon="LOOP_BACK")
        camera = None if root is None else camera_of(root)
        if camera is None:
            return
        eye = camera.artfish_eye
        layout.prop(eye, "which")
        column = layout.column(align=True)
        column.prop(eye, "pan", slider=True)
        column.prop(eye, "tilt", slider=True)
        column = layout.column()
        column.prop(eye, "wide")
        if not eye.wide:
            column.prop(camera.data, "angle", text="Field")
        elif context.scene.render.engine != "CYCLES":
            column.label(text="Only Cycles renders it", icon="INFO")
            column.prop(context.scene.render, "engine", text="Render")
        column = layout.column(align=True)
        column.prop(camera.data, "clip_start", text="Near")
        column.prop(camera.data, "clip_end", text="Far")


CLASSES = (ARTFISH_PT_fish_view,)
