"""Operators: single fishes of a shoal that differ from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import bpy

from ..blender.handlers import together
from ..identity.roles import objects_of
from ..scene.operators import Tool

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

ROW = "artfish_row"
"""Custom property of a fish that swims, live or baked: its row in the recording."""


def chosen(context: bpy.types.Context) -> tuple[bpy.types.Object | None, int]:
    """The shoal that is active, or whose fish is, and that fish's index in it, -1 where no single fish is active."""
    thing = context.object
    if thing is not None and thing.artfish.kind == "SHOAL":
        return thing, -1
    while thing is not None and thing.get(ROW) is None:
        thing = thing.parent
    if thing is None:
        return None, -1
    row = thing[ROW]
    for shoal in objects_of(context.scene, "SHOAL"):
        if row < shoal.artfish.shoal.count:
            return shoal, row
        row -= shoal.artfish.shoal.count
    return None, -1


def member(held: Any, index: int) -> Any:
    """What is said of the fish of this index, or None."""
    return next((each for each in held.members if each.index == index), None)


class OnShoal(Tool):
    """What operators on a shoal's single fishes have in common."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, or one of its fishes."""
        cls.poll_message_set("Select a shoal, or a fish of one, first")
        return chosen(context)[0] is not None


class ARTFISH_OT_member_add(OnShoal):
    """Let a single fish differ from its shoal: the one that is selected, or the next"""

    bl_idname = "artfish.member_add"
    bl_label = "Add Single Fish"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows the fish if it is in the list already."""
        shoal, index = chosen(context)
        held = shoal.artfish
        told = {each.index for each in held.members}
        if index < 0:
            free = [index for index in range(held.shoal.count) if index not in told]
            if not free:
                self.report({"WARNING"}, f"Every fish of {shoal.name} is in the list already")
                return {"CANCELLED"}
            index = free[0]
        with together(held, context):
            if index not in told:
                held.members.add().index = index
        held.active_member = next(place for place, each in enumerate(held.members) if each.index == index)
        return {"FINISHED"}


class ARTFISH_OT_member_remove(OnShoal):
    """Let this fish be as its shoal again"""

    bl_idname = "artfish.member_remove"
    bl_label = "Remove Single Fish"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs one in the list."""
        if not super().poll(context):
            return False
        cls.poll_message_set("Choose a fish in the list first")
        held = chosen(context)[0].artfish
        return 0 <= held.active_member < len(held.members)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Forgets what was said of it."""
        held = chosen(context)[0].artfish
        with together(held, context):
            held.members.remove(held.active_member)
        held.active_member = min(held.active_member, len(held.members) - 1)
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_member_add, ARTFISH_OT_member_remove)
