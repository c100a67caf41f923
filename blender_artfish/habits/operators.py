"""Operators on single fishes of a shoal that differ from the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..blender.handlers import together
from ..blender.words import translated
from ..identity import provenance
from ..identity.roles import objects_of
from ..scene.operators import Tool

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


def chosen(context: bpy.types.Context) -> tuple[bpy.types.Object | None, int]:
    """The active shoal, or that of the active fish, and the fish's index in it, -1 without an active fish."""
    obj = context.object
    if obj is not None and obj.artfish.kind == "SHOAL":
        return obj, -1
    while obj is not None and provenance.row_of(obj) == provenance.NO_ROW:
        obj = obj.parent
    if obj is None:
        return None, -1
    row = provenance.row_of(obj)
    for shoal in objects_of(context.scene, "SHOAL"):
        if row < shoal.artfish.shoal.count:
            return shoal, row
        row -= shoal.artfish.shoal.count
    return None, -1


class OnShoal(Tool):
    """Base of the operators on a shoal's single fishes."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, or one of its fishes."""
        cls.poll_message_set(translated("Select a shoal, or a fish of one, first"))
        return chosen(context)[0] is not None


class ARTFISH_OT_member_add(OnShoal):
    """Let a single fish differ from its shoal: the one that is selected, or the next"""

    bl_idname = "artfish.member_add"
    bl_label = "Add Single Fish"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Adds the fish, or selects it if it is in the list already."""
        shoal, index = chosen(context)
        settings = shoal.artfish
        listed = {each.index for each in settings.members}
        if index < 0:
            free = [index for index in range(settings.shoal.count) if index not in listed]
            if not free:
                self.report({"WARNING"}, translated("Every fish of {shoal} is in the list already", shoal=shoal.name))
                return {"CANCELLED"}
            index = free[0]
        with together(settings, context):
            if index not in listed:
                settings.members.add().index = index
        settings.active_member = next(place for place, each in enumerate(settings.members) if each.index == index)
        return {"FINISHED"}


class ARTFISH_OT_member_remove(OnShoal):
    """Let this fish be as its shoal again"""

    bl_idname = "artfish.member_remove"
    bl_label = "Remove Single Fish"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a fish in the list."""
        if not super().poll(context):
            return False
        cls.poll_message_set(translated("Choose a fish in the list first"))
        settings = chosen(context)[0].artfish
        return 0 <= settings.active_member < len(settings.members)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Drops the fish's own settings."""
        settings = chosen(context)[0].artfish
        with together(settings, context):
            settings.members.remove(settings.active_member)
        settings.active_member = min(settings.active_member, len(settings.members) - 1)
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_member_add, ARTFISH_OT_member_remove)
