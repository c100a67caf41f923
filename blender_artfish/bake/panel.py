"""The panel that bakes."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.glances import glance
from ..blender.jobs import share
from ..blender.layout import Sidebar, draw_lines, draw_work, split
from ..blender.words import Message, translated
from ..scene.offers import draw_offers
from ..scene.properties import settings_of
from . import cache_files, history, plan
from .operators import ARTFISH_OT_bake, ARTFISH_OT_drop_earlier_bakes, ARTFISH_OT_revert_bake
from .weight import megabytes, weight_of

FIT_FOR: dict[str, Message] = {
    "armature": "For all formats of Export, games among them",
    "shapes": "For Alembic and USD: glTF and FBX need an Armature",
    "compact": "For films in Blender: other programs need a Mesh",
    "points": "For films in Blender: other programs need a Mesh",
    "cache": "For films in Blender: the file stays small; other programs need a Mesh",
    "crowd": "For films in Blender, and for USD as text (.usda)",
}
"""Use of each form, or of each drive of a mesh."""
MOVING = ("fishes", "plankton", "bubbles", "spawn", "seaweed", "hook")


def _earlier(scene: bpy.types.Scene) -> int:
    """The bytes of the earlier bakes that a scene keeps; 0 if it keeps none."""
    found = history.earlier(scene)
    return max(weight_of(found), 1) if found else 0


class ARTFISH_PT_bake(Sidebar, bpy.types.Panel):
    """Choose what is baked, its frames and its dice, and bake."""

    bl_label = "Bake"
    part = parts.DELIVER
    bl_order = 8

    def draw(self, context: bpy.types.Context) -> None:
        """The settings and the buttons."""
        layout = split(self.layout)
        scene, settings = context.scene, settings_of(context)
        bake, source = settings.bake, plan.source_of(context.scene)
        layout.prop(bake, "source")
        if source == "PRESET":
            layout.prop(settings, "preset")
        elif source == "FILE":
            layout.prop(bake, "file")
        layout.prop(settings, "seed")
        layout.prop(bake, "own_range")
        column = layout.column(align=True)
        if bake.own_range:
            column.prop(bake, "first")
            column.prop(bake, "last")
        else:
            column.prop(scene, "frame_start", text=translated("From"), translate=False)
            column.prop(scene, "frame_end", text=translated("To"), translate=False)
        there = glance(history.last, scene)
        again = there is not None and not bake.beside
        if (column := draw_work(layout, share())) is not None:
            column.operator(
                ARTFISH_OT_bake.bl_idname,
                text="Bake Again" if again else "Bake",
                icon="RENDER_ANIMATION",
            )
            if again and there is not None:
                some = column.operator(ARTFISH_OT_bake.bl_idname, text="Bake Selected Only", icon="RESTRICT_SELECT_OFF")
                some.scope = "SELECTED"
        if reason := plan.obstacle(scene):
            draw_lines(self.layout.column(align=True), reason, icon="ERROR")
        if lost := cache_files.missing(scene):
            draw_lines(self.layout.column(align=True), lost, icon="ERROR")
        layout.operator(ARTFISH_OT_revert_bake.bl_idname, icon="LOOP_BACK")
        if size := glance(_earlier, scene):
            text = translated("Drop Earlier Bakes ({size})", size=megabytes(size))
            layout.operator(ARTFISH_OT_drop_earlier_bakes.bl_idname, text=text, icon="TRASH")
        if source == "SCENE":
            draw_offers(layout, scene)


class ARTFISH_PT_bake_what(Sidebar, bpy.types.Panel):
    """Contents of the bake."""

    bl_label = "What"
    bl_parent_id = "ARTFISH_PT_bake"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """A checkbox for each."""
        layout, bake = split(self.layout), settings_of(context).bake
        column = layout.column(heading=translated("Bake"), translate=False, align=True)
        for name in MOVING:
            column.prop(bake, name)
        column = layout.column(heading=translated("Also"), translate=False, align=True)
        column.prop(bake, "stage")
        row = column.row()
        row.enabled = bake.stage
        row.prop(bake, "film")


class ARTFISH_PT_bake_how(Sidebar, bpy.types.Panel):
    """Form and precision of the keys."""

    bl_label = "Keys"
    bl_parent_id = "ARTFISH_PT_bake"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Form and tolerance, and the fate of the last bake."""
        layout, bake = split(self.layout), settings_of(context).bake
        layout.prop(bake, "form")
        if bake.form == "mesh":
            layout.prop(bake, "drive")
            row = layout.row()
            row.enabled = bake.drive == "armature"
            row.prop(bake, "stretch_free")
        draw_lines(
            self.layout.column(align=True), FIT_FOR[bake.drive if bake.form == "mesh" else bake.form], icon="INFO"
        )
        layout.prop(bake, "tolerance")
        layout.prop(bake, "beside")


CLASSES = (ARTFISH_PT_bake, ARTFISH_PT_bake_what, ARTFISH_PT_bake_how)
