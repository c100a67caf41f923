"""The panels of the snake grid, in the Image Editor's sidebar."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.layout import Sidebar, draw, split
from ..blender.words import translated
from .pictures import shown
from .properties import GRID_PARTS


class ImageSidebar(Sidebar):
    """Base that places the panels."""

    bl_space_type: Any = "IMAGE_EDITOR"


class ARTFISH_PT_snake_grid(ImageSidebar, bpy.types.Panel):
    """Find a fish in a picture and put the picture on a species."""

    bl_label = "Snake Grid"

    def draw(self, context: bpy.types.Context) -> None:
        """The grid's settings, and its operators."""
        layout = split(self.layout)
        image = shown(context)
        if image is None:
            layout.label(text=translated("Open a picture of a fish"), translate=False, icon="INFO")
            return
        settings = image.artfish
        layout.prop(settings, "species")
        layout.prop(settings, "part")
        if settings.part == "body":
            layout.prop(settings, "facing")
        kept = set(image.keys())  # noqa: SIM118
        there = f"artfish grid {settings.part}" in kept
        row = layout.row(align=True)
        row.operator("artfish.fit_grid", icon="OUTLINER_OB_LATTICE")
        row.operator("artfish.snake_grid", text="Edit", icon="EDITMODE_HLT")
        if there:
            row.operator("artfish.forget_grid", text="", icon="X")
        column = layout.column(align=True)
        column.enabled = any(f"artfish grid {part[0]}" in kept for part in GRID_PARTS)
        column.operator("artfish.wear_picture", icon="MATERIAL")
        column.operator("artfish.take_off_picture", icon="LOOP_BACK")
        column = layout.column()
        column.enabled = "artfish grid body" in kept
        column.operator("artfish.save_profile", icon="FILE_TICK")


class ARTFISH_PT_snake_elasticity(ImageSidebar, bpy.types.Panel):
    """Elasticity of the contours."""

    bl_label = "Contours"
    bl_parent_id = "ARTFISH_PT_snake_grid"
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a picture."""
        return shown(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """The numbers of appendix A."""
        draw(split(self.layout), shown(context).artfish.elasticity)


CLASSES = (ARTFISH_PT_snake_grid, ARTFISH_PT_snake_elasticity)
