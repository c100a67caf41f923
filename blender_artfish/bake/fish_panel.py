"""The panel of single baked fishes: editing after the bake."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, draw_lines, split
from ..blender.words import Message, translated
from ..identity import provenance
from . import deleting, edit_operators, whole_fish
from . import fish_operators as operators

FISH_MOST = 8
"""Most hidden fishes listed by name."""


class ARTFISH_PT_baked_fish(Sidebar, bpy.types.Panel):
    """Fishes after the bake that are hidden or deleted; the tools of one are on top when it is selected."""

    bl_label = "Baked Fishes"
    part = parts.DELIVER
    bl_order = 9
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Those that are hidden or deleted, and a word about what is lacking."""
        layout = split(self.layout)
        missing = whole_fish.missing(context)
        hidden, gone = whole_fish.hidden(context.scene), deleting.deleted(context.scene)
        if missing:
            draw_lines(layout, missing, icon="INFO")
        elif not hidden and not gone:
            layout.label(text=translated("The tools of the selected one are on top"), translate=False, icon="INFO")
        shown, restored = operators.ARTFISH_OT_show_fishes, edit_operators.ARTFISH_OT_restore_fishes
        _draw_names(
            layout, "Hidden", [fish.root.name for fish in hidden], shown.bl_idname, "Show All {count}", "HIDE_ON"
        )
        _draw_names(
            layout, "Deleted", [root.name for root in gone], restored.bl_idname, "Restore All {count}", "CHECKBOX_HLT"
        )


def _draw_names(
    layout: bpy.types.UILayout, title: Message, names: list[str], operator: str, all_again: Message, icon: Any
) -> None:
    """Draws a button that brings a fish back for each of the first names, and one for all of them."""
    if not names:
        return
    column = layout.column(align=True)
    column.label(text=translated(title), translate=False)
    for name in names[:FISH_MOST]:
        column.operator(operator, text=name, icon=icon).name = name
    column.operator(operator, text=translated(all_again, count=len(names))).name = ""


def selected_fishes(context: bpy.types.Context) -> list[whole_fish.WholeFish]:
    """The baked fishes that are meant: those selected, the active one first."""
    return [] if whole_fish.missing(context) else whole_fish.fishes_of(context.scene, whole_fish.meant(context))


def draw_fishes(layout: bpy.types.UILayout, fishes: list[whole_fish.WholeFish]) -> None:
    """Draws the tools of selected baked fishes, the edits of the first, and its offsets."""
    _draw_buttons(layout, fishes)
    _draw_edits(layout, fishes[0])
    _draw_offsets(layout, fishes[0])


def _draw_edits(layout: bpy.types.UILayout, fish: whole_fish.WholeFish) -> None:
    from .rows import rows_of

    rows = rows_of(fish)
    if not rows:
        return
    box = layout.box().column(align=True)
    box.label(text=translated("Edits of {name}", name=fish.root.name))
    for place, row in enumerate(rows):
        line = box.row(align=True)
        switch = line.row(align=True)
        switch.enabled = row.switched
        tick: Any = "CHECKBOX_HLT" if row.on else "CHECKBOX_DEHLT"
        switch.operator(edit_operators.ARTFISH_OT_switch_edit.bl_idname, text="", icon=tick, emboss=False).row = place
        words = line.row(align=True)
        words.active = row.on
        words.label(text=row.words, icon="ERROR" if row.trouble else row.icon)
        line.operator(edit_operators.ARTFISH_OT_remove_edit.bl_idname, text="", icon="X", emboss=False).row = place
        if row.trouble:
            draw_lines(box, row.trouble)


def _draw_offsets(layout: bpy.types.UILayout, fish: whole_fish.WholeFish) -> None:
    for offset in (fish.offset, fish.offset and fish.offset.parent):
        if offset is not None and provenance.is_offset(offset):
            column = layout.column(align=True)
            column.label(text=offset.name, translate=False, icon="EMPTY_AXIS")
            column.prop(offset, "location", text=translated("Move"), translate=False)
            column.prop(offset, "rotation_euler", text=translated("Turn"), translate=False)
            column.prop(offset, "scale", text=translated("Scale"), translate=False)


def _draw_buttons(layout: bpy.types.UILayout, fishes: list[whole_fish.WholeFish]) -> None:
    fish = fishes[0]
    layout.label(
        text=fish.root.name if len(fishes) == 1 else translated("{count} fishes", count=len(fishes)), icon="OBJECT_DATA"
    )
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator(operators.ARTFISH_OT_select_whole_fish.bl_idname, text="Whole Fish").shoal = False
    row.operator(operators.ARTFISH_OT_select_whole_fish.bl_idname, text="Its Shoal").shoal = True
    row = column.row(align=True)
    row.operator(operators.ARTFISH_OT_select_offset.bl_idname, text="Its Offset").shoal = False
    row.operator(operators.ARTFISH_OT_select_offset.bl_idname, text="Shoal's Offset").shoal = True
    layout.prop(fish.root.artfish, "locked", icon="LOCKED" if fish.root.artfish.locked else "UNLOCKED")
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator(operators.ARTFISH_OT_hide_fish.bl_idname, icon="HIDE_ON")
    row.operator(operators.ARTFISH_OT_delete_fish.bl_idname, icon="TRASH")
    column.operator(operators.ARTFISH_OT_duplicate_fish.bl_idname, icon="DUPLICATE")
    column.operator(operators.ARTFISH_OT_retime_fish.bl_idname, icon="TIME")
    row = column.row(align=True)
    row.operator(edit_operators.ARTFISH_OT_hold_fish.bl_idname, icon="PAUSE")
    row.operator(edit_operators.ARTFISH_OT_nudge_fish.bl_idname, icon="CURVE_PATH")
    column.operator(edit_operators.ARTFISH_OT_watch_fish.bl_idname, icon="CON_TRACKTO")
    column.operator(operators.ARTFISH_OT_swap_look.bl_idname, icon="MATERIAL")
    row = column.row(align=True)
    row.enabled = fish.root.type == "ARMATURE"
    row.operator(operators.ARTFISH_OT_swap_species.bl_idname, icon="ARMATURE_DATA")


CLASSES = (ARTFISH_PT_baked_fish,)
