"""Operators on the list of instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.handlers import notify
from ..blender.words import translated
from .operators import Leading

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_add_instruction(Leading):
    """Add an instruction, for the selected shoal, or for every one"""

    bl_idname = "artfish.add_instruction"
    bl_label = "Add Instruction"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Puts it at the end of the list."""
        settings, shoal = context.scene.artfish, context.object
        row = settings.instruction_rows.add()
        row.do, row.when = "hide", "threatened"
        if shoal is not None and shoal.artfish.kind == "SHOAL":
            row.fishes = shoal
        settings.active_instruction = len(settings.instruction_rows) - 1
        return {"FINISHED"}


class OnInstruction(Leading):
    """Base of the operators on the instruction that is shown."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs an instruction."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Choose an instruction in the list first"))
        return 0 <= context.scene.artfish.active_instruction < len(context.scene.artfish.instruction_rows)


class ARTFISH_OT_remove_instruction(OnInstruction):
    """Remove this instruction"""

    bl_idname = "artfish.remove_instruction"
    bl_label = "Remove Instruction"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Takes it out of the list."""
        settings = context.scene.artfish
        settings.instruction_rows.remove(settings.active_instruction)
        settings.active_instruction = max(min(settings.active_instruction, len(settings.instruction_rows) - 1), 0)
        notify(settings, context)
        return {"FINISHED"}


class ARTFISH_OT_move_instruction(OnInstruction):
    """Move this instruction in the list: the first whose condition holds is followed"""

    bl_idname = "artfish.move_instruction"
    bl_label = "Move Instruction"

    up: bpy.props.BoolProperty(name="Up", description="Nearer to the first; off, nearer to the last", default=True)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Exchanges it with the one before or after it."""
        settings = context.scene.artfish
        at = settings.active_instruction
        to = at - 1 if self.up else at + 1
        if not 0 <= to < len(settings.instruction_rows):
            return {"CANCELLED"}
        settings.instruction_rows.move(at, to)
        settings.active_instruction = to
        notify(settings, context)
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_add_instruction, ARTFISH_OT_remove_instruction, ARTFISH_OT_move_instruction)
