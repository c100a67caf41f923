"""The numbers of the simulation: time step, water, currents."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, split
from ..blender.words import translated
from ..scene.properties import settings_of
from .operators import ARTFISH_OT_physics_defaults


class ARTFISH_PT_physics(Sidebar, bpy.types.Panel):
    """The numbers of the simulation."""

    bl_label = "Physics"
    part = parts.MORE
    bl_order = 6
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Time step, water, currents."""
        layout, settings = split(self.layout), settings_of(context)
        render, water = context.scene.render, settings.water
        column = layout.column()
        column.prop(render, "fps", text=translated("Frame rate"), translate=False)
        column.prop(water, "substeps", text=translated("Steps a frame"), translate=False)
        step = render.fps_base / (render.fps * water.substeps)
        row = column.row()
        row.alignment = "RIGHT"
        row.label(text=translated("a step is {step:.3g} ms", step=1000 * step))
        column.prop(water, "preroll")
        column = layout.column()
        column.prop(water, "fluid_viscosity")
        column.prop(settings, "still_water")
        column.prop(settings, "flow")
        layout.operator(ARTFISH_OT_physics_defaults.bl_idname, icon="LOOP_BACK")


class ARTFISH_PT_detail(Sidebar, bpy.types.Panel):
    """Fishes with a body of masses and springs."""

    bl_label = "Levels of Detail"
    bl_parent_id = "ARTFISH_PT_physics"
    bl_order = 0
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        """Checkbox that turns levels of detail on."""
        self.layout.prop(settings_of(context).detail, "on", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Number of dynamic fishes, distance, and camera."""
        layout, detail = split(self.layout), settings_of(context).detail
        layout.active = detail.on
        column = layout.column()
        for name in ("dynamic", "near", "follow_camera"):
            column.prop(detail, name)
        column.prop(detail, "by_camera")


CLASSES = (ARTFISH_PT_physics, ARTFISH_PT_detail)
