"""The panel of data sets: which pictures are made and labelled, and what was made."""

from __future__ import annotations

from pathlib import Path

import bpy

from ..blender import parts, runtime
from ..blender.glances import glance
from ..blender.jobs import share
from ..blender.layout import Sidebar, draw_lines, draw_work, split
from ..blender.words import counted, translated
from .choosing import DatasetPace, count_of, folder_of, glanced, obstacle_of
from .operators import ARTFISH_OT_make_dataset

PAGE = "index.html"
"""The page of a data set."""
MANY_SECONDS = 120.0
"""Seconds from which on minutes are shown."""


class ARTFISH_PT_dataset(Sidebar, bpy.types.Panel):
    """Choose which pictures of the baked fishes are made and labelled, and make them."""

    bl_label = "Data Set"
    part = parts.DELIVER
    bl_order = 11
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The settings and the button, any obstacle, and what was made."""
        layout, scene = split(self.layout), context.scene
        settings = scene.artfish_dataset
        layout.prop(settings, "folder")
        layout.prop(settings, "own_range")
        column = layout.column(align=True)
        if settings.own_range:
            column.prop(settings, "first")
            column.prop(settings, "last")
        else:
            column.prop(scene, "frame_start", text=translated("From"), translate=False)
            column.prop(scene, "frame_end", text=translated("To"), translate=False)
        column.prop(settings, "every")
        layout.prop(settings, "cameras")
        column = layout.column(align=True)
        column.prop(scene.render, "resolution_x", text=translated("Width"), translate=False)
        column.prop(scene.render, "resolution_y", text=translated("Height"), translate=False)
        column.prop(scene.render, "resolution_percentage", text="%", translate=False)
        layout.prop(settings, "samples")
        row = layout.row(heading=translated("Formats"), translate=False, align=True)
        for name in ("coco", "mot", "yolo"):
            row.prop(settings, name, toggle=True)
        layout.prop(settings, "anew")
        _draw_work(layout, context)
        _draw_made(layout, scene)


def _draw_work(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The button with the number of pictures, or the progress, or why there is neither."""
    if (column := draw_work(layout, share())) is None:
        return
    column.operator(ARTFISH_OT_make_dataset.bl_idname, icon="IMAGE_DATA")
    about = glanced(context)
    if obstacle := glance(obstacle_of, context.scene, *about):
        draw_lines(layout.column(align=True), obstacle, icon="INFO")
        return
    count, seconds = glance(count_of, context.scene, *about), runtime.of(DatasetPace).seconds
    said = counted(count, "{count} picture", "{count} pictures")
    layout.label(text=said if seconds is None else said + _lasting(count * seconds), translate=False)


def _draw_made(layout: bpy.types.UILayout, scene: bpy.types.Scene) -> None:
    """The folder, and its page, if there is one."""
    page = glance(page_of, scene, scene.artfish_dataset.folder, bpy.data.filepath, share() is None)
    if page is not None and page.is_file():
        column = layout.column(align=True)
        column.label(text=scene.artfish_dataset.folder, icon="FILE_FOLDER", translate=False)
        column.operator("wm.url_open", text=translated("Look at It"), translate=False, icon="URL").url = page.as_uri()


def page_of(scene: bpy.types.Scene) -> Path | None:
    """Where the page of a scene's data set is, once it is made; None if no folder is set."""
    try:
        return folder_of(scene).absolute() / PAGE
    except ValueError:
        return None


def _lasting(seconds: float) -> str:
    """A time in words, after a number."""
    if seconds >= MANY_SECONDS:
        return translated(", about {minutes:.0f} min", minutes=seconds / 60)
    return translated(", about {seconds:.0f} s", seconds=max(seconds, 1))


CLASSES = (ARTFISH_PT_dataset,)
