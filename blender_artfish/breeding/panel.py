"""The panel that breeds: two parents, nine children, and the family of the one that is selected."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, draw, draw_lines, split
from ..blender.words import translated
from ..habits.operators import chosen
from ..scene.properties import settings_of
from . import family
from .brood import child_of
from .operators import ARTFISH_OT_breed, ARTFISH_OT_breed_keep, ARTFISH_OT_breed_parent

INDENT = "    "


class ARTFISH_PT_breeding(Sidebar, bpy.types.Panel):
    """Children of two species."""

    bl_label = "Breeding"
    part = parts.MORE
    bl_order = 3
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The parents, the button, and what can be done with the fish that is selected."""
        layout, settings = split(self.layout), context.scene.artfish_breeding
        layout.prop(settings, "mother")
        layout.prop(settings, "father")
        column = layout.column(align=True)
        column.prop(settings, "mutation", slider=True)
        column.prop(settings, "seed")
        row = layout.row()
        row.scale_y = 1.3
        row.operator(ARTFISH_OT_breed.bl_idname, icon="HEART")
        shoal = chosen(context)[0]
        if shoal is None:
            draw_lines(layout, "Select a fish or its shoal: to breed on with it, to keep it, and to see its family")
            return
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_breed_parent.bl_idname, text="As Mother").role = "MOTHER"
        row.operator(ARTFISH_OT_breed_parent.bl_idname, text="As Father").role = "FATHER"
        child = child_of(context)
        if child is not None:
            text = translated("Keep under Another Name") if child.kept else translated("Keep")
            layout.operator(ARTFISH_OT_breed_keep.bl_idname, text=text, icon="PINNED" if child.kept else "UNPINNED")
        lines = layout.column(align=True)
        for line in family_lines(context.scene, shoal.artfish.shoal.species):
            lines.label(text=line)


def family_lines(scene: bpy.types.Scene, name: str) -> list[str]:
    """The family tree of a species as lines, ancestors indented by their generation."""
    return [
        INDENT * each.generation + (f"{translated(each.role.capitalize())}: " if each.role else "") + each.name
        for each in family.tree(scene, name)
    ]


class ARTFISH_PT_generations(Sidebar, bpy.types.Panel):
    """Lives that pass in the water: births, growth and deaths."""

    bl_label = "Generations"
    bl_parent_id = "ARTFISH_PT_breeding"
    bl_order = 0
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header(self, context: bpy.types.Context) -> None:
        """Checkbox that lets fishes be born, grow and die."""
        self.layout.prop(settings_of(context).generations, "on", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """Bounds, the pace of lives, and their times."""
        layout, settings = split(self.layout), settings_of(context).generations
        layout.active = settings.on
        draw(layout.column(align=True), settings)


CLASSES = (ARTFISH_PT_breeding, ARTFISH_PT_generations)
