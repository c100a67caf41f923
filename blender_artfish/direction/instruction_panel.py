"""The panel of instructions: what fishes do by themselves, and when."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.layout import Sidebar, split
from ..blender.words import translated
from ..scene.operators import ARTFISH_OT_add_to_water
from .instruction_operators import (
    ARTFISH_OT_add_instruction,
    ARTFISH_OT_move_instruction,
    ARTFISH_OT_remove_instruction,
)
from .instruction_properties import ACTS, ALWAYS, CONDITIONS, WHEN, WHOM, fields_of, title_of
from .panel import one_of

ACT_ICONS: dict[str, Any] = {
    "hide": "HIDE_ON",
    "visit": "CURVE_PATH",
    "wait": "PAUSE",
    "follow": "TRACKING_FORWARDS",
    "lead": "TRACKING_BACKWARDS",
    "guard": "FAKE_USER_ON",
    "swap_sides": "ARROW_LEFTRIGHT",
    "enter": "IMPORT",
    "leave": "EXPORT",
    "go_to": "EMPTY_AXIS",
}


class ARTFISH_UL_instructions(bpy.types.UIList):
    """Instructions, the first first."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """Its act and condition, and whom it is for."""
        words = layout.split(factor=0.7)
        words.label(text=title_of(item), icon=ACT_ICONS[item.do])
        whom = words.row()
        whom.alignment, whom.active = "RIGHT", False
        fish = translated(", fish {member}", member=item.member) if item.one_member else ""
        whom.label(text=translated("all") if item.fishes is None else item.fishes.name + fish)


class ARTFISH_PT_instructions(Sidebar, bpy.types.Panel):
    """Instructions that fishes follow by themselves."""

    bl_label = "Instructions"
    bl_parent_id = "ARTFISH_PT_direction"
    bl_order = 1
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The list, the numbers of the one that is chosen, and a button for places."""
        layout, settings = self.layout, context.scene.artfish
        rows = settings.instruction_rows
        if not rows:
            layout.operator(ARTFISH_OT_add_instruction.bl_idname, icon="ADD")
        else:
            row = layout.row()
            row.template_list(
                "ARTFISH_UL_instructions", "", settings, "instruction_rows", settings, "active_instruction", rows=3
            )
            column = row.column(align=True)
            column.operator(ARTFISH_OT_add_instruction.bl_idname, text="", icon="ADD")
            column.operator(ARTFISH_OT_remove_instruction.bl_idname, text="", icon="REMOVE")
            column.operator(ARTFISH_OT_move_instruction.bl_idname, text="", icon="TRIA_UP").up = True
            column.operator(ARTFISH_OT_move_instruction.bl_idname, text="", icon="TRIA_DOWN").up = False
        if 0 <= settings.active_instruction < len(rows):
            shown = rows[settings.active_instruction]
            column = split(layout).column(align=True)
            column.prop(shown, "do")
            _draw_fields(column, shown, fields_of(shown.do, ACTS), "")
            column.separator()
            column.prop(shown, "when")
            if shown.when != ALWAYS:
                _draw_fields(column, shown, fields_of(shown.when, CONDITIONS), WHEN)
        layout.operator(ARTFISH_OT_add_to_water.bl_idname, text="Add Place", icon="EMPTY_DATA").kind = "SPOT"
        if settings.instructions:
            layout.prop(settings, "instructions")


def _draw_fields(layout: bpy.types.UILayout, row: Any, fields: list[dict[str, Any]], prefix: str) -> None:
    """A line for each number or name of an act or a condition."""
    for field in fields:
        name = field["name"]
        layout.prop(row, prefix + name)
        if name in WHOM:
            member = prefix + WHOM[name]
            one_of(layout, row, f"one_{member}", member, getattr(row, prefix + name) is not None)


CLASSES = (ARTFISH_UL_instructions, ARTFISH_PT_instructions)
