"""The panel of the dive: the submarine, its camera, and the ride of the last dive."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, split
from .operators import ARTFISH_OT_dive, ARTFISH_OT_dive_forget


class ARTFISH_PT_dive(Sidebar, bpy.types.Panel):
    """A submarine that one pilots."""

    bl_label = "Dive"
    part = parts.MORE
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons, and the submarine's settings."""
        layout, dive = split(self.layout), context.scene.artfish_dive
        row = layout.row(align=True)
        row.scale_y = 1.3
        row.operator(ARTFISH_OT_dive.bl_idname, icon="VIEW_CAMERA")
        if dive.ride:
            row.operator(ARTFISH_OT_dive_forget.bl_idname, text="", icon="X")
        layout.prop(dive, "presence")
        column = layout.column(align=True)
        for name in ("length", "speed", "thrust", "turn_rate"):
            column.prop(dive, name)


class ARTFISH_PT_dive_camera(Sidebar, bpy.types.Panel):
    """The camera at its bow."""

    bl_label = "Camera"
    bl_parent_id = "ARTFISH_PT_dive"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Its picture, and its lens."""
        layout, camera = split(self.layout), context.scene.artfish_dive.camera
        layout.prop(camera, "picture")
        column = layout.column(align=True)
        if camera.picture == "flat":
            column.prop(camera, "lens")
        else:
            column.prop(camera, "width")
            column.prop(camera, "height")
        layout.prop(camera, "stereo")
        column = layout.column(align=True)
        column.active = camera.stereo
        column.prop(camera, "eyes")
        column.prop(camera, "convergence")


CLASSES = (ARTFISH_PT_dive, ARTFISH_PT_dive_camera)
