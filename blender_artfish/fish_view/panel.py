"""The panels for looking through the eyes of a fish, and for its retinas."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, draw_lines, split
from ..blender.words import translated
from ..identity.provenance import NO_ROW
from ..live import pace
from ..mind.panel import chart_units
from ..mind.source import lacking, observe
from .eyes import camera_of, fish_of
from .operators import ARTFISH_OT_look_back, ARTFISH_OT_look_through


class ARTFISH_PT_fish_view(Sidebar, bpy.types.Panel):
    """A camera in a fish's eye: which eye, whither it looks, how wide."""

    bl_label = "Fish View"
    part = parts.WATCH
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons, and the settings of the active fish's camera."""
        layout = split(self.layout)
        root = fish_of(context)
        if root is None:
            layout.label(text=translated("Select a fish to see as it does"), translate=False, icon="INFO")
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
            column.prop(camera.data, "angle", text=translated("Field"), translate=False)
        elif context.scene.render.engine != "CYCLES":
            column.label(text=translated("Only Cycles renders it"), translate=False, icon="INFO")
            column.prop(context.scene.render, "engine", text=translated("Render"), translate=False)
        column = layout.column(align=True)
        column.prop(camera.data, "clip_start", text=translated("Near"), translate=False)
        column.prop(camera.data, "clip_end", text=translated("Far"), translate=False)


class ARTFISH_PT_retinas(Sidebar, bpy.types.Panel):
    """Images on the retinas of the active fish: picture, identity map and range map of its eyes."""

    bl_label = "Retinas"
    bl_parent_id = "ARTFISH_PT_fish_view"

    def draw(self, context: bpy.types.Context) -> None:
        """The settings, and a row of pictures for each map."""
        from .retinas import Unseen, retinas, said

        layout, view = split(self.layout), context.scene.artfish_view
        observed = observe(context)
        if observed is None:
            draw_lines(layout, lacking(context), icon="INFO")
            return
        if observed.row == NO_ROW:
            layout.label(text=translated("Select a fish to see what it sees"), translate=False, icon="INFO")
            return
        layout.prop(view, "eyes")
        column = layout.column(align=True)
        column.prop(view, "pan", slider=True)
        column.prop(view, "tilt", slider=True)
        layout.row(align=True).prop(view, "maps")
        layout.prop(view, "pixels")
        try:
            found = retinas(observed, view, pace.hurried(context.scene))
        except Unseen as error:
            draw_lines(layout, str(error), icon="INFO")
            return
        units = chart_units(context)
        for pictures in found.pictures.values():
            row = layout.row(align=True)
            for icon in pictures:
                row.template_icon(icon_value=icon, scale=units / len(pictures))
        draw_lines(layout, said(found.sights))


CLASSES = (ARTFISH_PT_fish_view, ARTFISH_PT_retinas)
