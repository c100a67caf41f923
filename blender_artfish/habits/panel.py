"""Panels: what the fishes of a shoal are like, and how single ones of them differ."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import USE
from ..blender.layout import Sidebar, split
from ..species.panel import PAGES, label
from .operators import ARTFISH_OT_member_add, ARTFISH_OT_member_remove, chosen

LIKES = {
    "brightness": "Bright places",
    "darkness": "Dark places",
    "warmth": "Warm water",
    "cold": "Cold water",
    "schooling": "Company",
}
MIND = {page.label: page.held for page in PAGES if any(key.startswith("mind.") for key in page.held)}
"""Numbers of the mind, by the title of the page of a species that they stand in."""


class ARTFISH_UL_members(bpy.types.UIList):
    """Single fishes of a shoal."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """Which fish, and what of it is said."""
        layout.label(text=f"Fish {item.number}", icon="USER")
        said = layout.row()
        said.alignment = "RIGHT"
        said.active = False
        said.label(text=", ".join(word.lower() for word in (item.sex, item.type) if word != "UNSET"))


class Habits(Sidebar):
    """What the panels of a shoal's habits have in common."""

    bl_options: Any = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only where a shoal is, or a fish of one."""
        return chosen(context)[0] is not None


class ARTFISH_PT_habits(Habits, bpy.types.Panel):
    """What the fishes of a shoal are like."""

    bl_label = "Habits"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """Sex, type, and what they like."""
        shoal, index = chosen(context)
        layout = split(self.layout)
        layout.label(text=shoal.name if index < 0 else f"{shoal.name}, fish {index + 1}", icon="OUTLINER_OB_POINTCLOUD")
        held = shoal.artfish
        column = layout.column(align=True)
        column.prop(held.shoal, "sex")
        if held.shoal.sex == "mixed":
            column.prop(held.shoal, "females", slider=True)
        column = layout.column(align=True)
        column.prop(held.shoal, "type")
        column.prop(held.shoal, "leader")
        _likes(layout, held.habits)


class ARTFISH_PT_habits_mind(Habits, bpy.types.Panel):
    """In what the minds of a shoal differ from their species."""

    bl_label = "Own Mind"
    bl_parent_id = "ARTFISH_PT_habits"

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers to tick and set."""
        _mind(split(self.layout), chosen(context)[0].artfish.mind)


class ARTFISH_PT_members(Habits, bpy.types.Panel):
    """Single fishes that differ from their shoal."""

    bl_label = "Single Fishes"
    bl_parent_id = "ARTFISH_PT_habits"

    def draw(self, context: bpy.types.Context) -> None:
        """The list, and what one of them is like."""
        layout, (shoal, index) = self.layout, chosen(context)
        held = shoal.artfish
        if not held.members:
            words = "Add a Fish" if index < 0 else f"Add Fish {index + 1}"
            layout.operator(ARTFISH_OT_member_add.bl_idname, text=words, icon="ADD")
            return
        row = layout.row()
        row.template_list("ARTFISH_UL_members", "", held, "members", held, "active_member", rows=3)
        column = row.column(align=True)
        column.operator(ARTFISH_OT_member_add.bl_idname, text="", icon="ADD")
        column.operator(ARTFISH_OT_member_remove.bl_idname, text="", icon="REMOVE")
        member = _active(held)
        if member is None:
            return
        column = split(layout).column(align=True)
        column.prop(member, "number")
        if member.index >= held.shoal.count:
            column.label(text=f"There are only {held.shoal.count}", icon="ERROR")
        for name in ("sex", "type", "leader"):
            column.prop(member, name)
        _likes(layout, member.habits)


class ARTFISH_PT_member_mind(Habits, bpy.types.Panel):
    """In what the mind of a single fish differs from its shoal's."""

    bl_label = "Its Mind"
    bl_parent_id = "ARTFISH_PT_members"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs one in the list."""
        return super().poll(context) and _active(chosen(context)[0].artfish) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers to tick and set."""
        _mind(split(self.layout), _active(chosen(context)[0].artfish).mind)


def _active(held: Any) -> Any:
    """The single fish that is chosen in the list, or None."""
    return held.members[held.active_member] if 0 <= held.active_member < len(held.members) else None


def _likes(layout: bpy.types.UILayout, habits: Any) -> None:
    column = layout.column(align=True)
    for name, words in LIKES.items():
        column.prop(habits, name, text=words)


def _mind(layout: bpy.types.UILayout, mind: Any) -> None:
    """Every number that a mind may have of its own, in the order in which a species shows them."""
    for words, held in MIND.items():
        layout.label(text=words)
        column = layout.column(align=True)
        for key in held:
            part, _, name = key.partition(".")
            if part != "mind":
                continue
            row = column.row(heading=label(key))
            row.prop(mind, USE + name, text="")
            value = row.row()
            value.enabled = getattr(mind, USE + name)
            value.prop(mind, name, text="")


CLASSES = (
    ARTFISH_UL_members,
    ARTFISH_PT_habits,
    ARTFISH_PT_habits_mind,
    ARTFISH_PT_members,
    ARTFISH_PT_member_mind,
)
