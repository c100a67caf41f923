"""The panel of single baked fishes: editing after the bake."""

from __future__ import annotations

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, draw_lines, split
from ..identity import provenance
from . import fish_operators as operators
from . import whole_fish

FISH_MOST = 8
"""Most hidden fishes listed by name."""


class ARTFISH_PT_baked_fish(Sidebar, bpy.types.Panel):
    """Whole fishes after the bake: select, hide, delete, duplicate, move, retime, and swap how they look."""

    bl_label = "Baked Fishes"
    part = parts.DELIVER
    bl_order = 9
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The buttons, the hidden fishes, and the settings of the selected fish."""
        layout = split(self.layout)
        missing = whole_fish.missing(context)
        fishes = [] if missing else whole_fish.fishes_of(context.scene, whole_fish.meant(context))
        if missing:
            draw_lines(layout, missing, icon="INFO")
        elif fishes:
            self._draw_buttons(layout, fishes)
        self._draw_hidden(layout, whole_fish.hidden(context.scene))
        if fishes:
            self._draw_offsets(layout, fishes[0])

    def _draw_hidden(self, layout: bpy.types.UILayout, hidden: list[whole_fish.WholeFish]) -> None:
        if not hidden:
            return
        column = layout.column(align=True)
        column.label(text="Hidden")
        for fish in hidden[:FISH_MOST]:
            show = column.operator(operators.ARTFISH_OT_show_fishes.bl_idname, text=fish.root.name, icon="HIDE_ON")
            show.name = fish.root.name
        show = column.operator(operators.ARTFISH_OT_show_fishes.bl_idname, text=f"Show All {len(hidden)}")
        show.name = ""

    def _draw_offsets(self, layout: bpy.types.UILayout, fish: whole_fish.WholeFish) -> None:
        for offset in (fish.offset, fish.offset and fish.offset.parent):
            if offset is not None and provenance.is_offset(offset):
                column = layout.column(align=True)
                column.label(text=offset.name, icon="EMPTY_AXIS")
                column.prop(offset, "location", text="Move")
                column.prop(offset, "rotation_euler", text="Turn")
                column.prop(offset, "scale", text="Scale")

    def _draw_buttons(self, layout: bpy.types.UILayout, fishes: list[whole_fish.WholeFish]) -> None:
        fish = fishes[0]
        layout.label(text=fish.root.name if len(fishes) == 1 else f"{len(fishes)} fishes", icon="OBJECT_DATA")
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
        retimed = None if fish.action is None else fish.action.get(whole_fish.RETIMED)
        text = "Retime Fish" if retimed is None else f"Retime Fish ({retimed[0]:+g} frames, x {retimed[1]:.3g})"
        column.operator(operators.ARTFISH_OT_retime_fish.bl_idname, text=text, icon="TIME")
        column.operator(operators.ARTFISH_OT_swap_look.bl_idname, icon="MATERIAL")
        row = column.row(align=True)
        row.enabled = fish.root.type == "ARMATURE"
        row.operator(operators.ARTFISH_OT_swap_species.bl_idname, icon="ARMATURE_DATA")


CLASSES = (ARTFISH_PT_baked_fish,)
