"""Panels of the habits of a shoal's fishes, and of single fishes that differ."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.declarations import title
from ..blender.layout import Sidebar, draw_optional, split
from ..blender.words import Message, translated
from ..species import memory
from ..species.pages import PAGES, label
from .operators import ARTFISH_OT_member_add, ARTFISH_OT_member_remove, chosen

LIKE_LABELS: dict[str, Message] = {
    "brightness": "Bright places",
    "darkness": "Dark places",
    "warmth": "Warm water",
    "cold": "Cold water",
    "schooling": "Company",
}
"""Panel label of each habit."""
MIND_FIELDS = {page.label: page.fields for page in PAGES if any(key.startswith("mind.") for key in page.fields)}
"""Numbers of the mind, by the title of their page in a species."""


class ARTFISH_UL_members(bpy.types.UIList):
    """Single fishes of a shoal."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """The fish's number, and its own settings."""
        layout.label(text=translated("Fish {number}", number=item.number), icon="USER")
        differs = layout.row()
        differs.alignment = "RIGHT"
        differs.active = False
        differs.label(text=", ".join(translated(title(word)) for word in (item.sex, item.type) if word != "UNSET"))


class HabitsPanel(Sidebar):
    """Base of the panels of a shoal's habits."""

    bl_options: Any = {"DEFAULT_CLOSED"}
    part = parts.MAKE

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a shoal, or a fish of one."""
        return super().poll(context) and chosen(context)[0] is not None


class ARTFISH_PT_habits(HabitsPanel, bpy.types.Panel):
    """Habits of a shoal's fishes."""

    bl_label = "Habits"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """Sex, type, and likings."""
        shoal, index = chosen(context)
        layout = split(self.layout)
        layout.label(
            text=shoal.name if index < 0 else translated("{shoal}, fish {index}", shoal=shoal.name, index=index + 1),
            icon="OUTLINER_OB_POINTCLOUD",
        )
        settings = shoal.artfish
        column = layout.column(align=True)
        column.prop(settings.shoal, "sex")
        if settings.shoal.sex == "mixed":
            column.prop(settings.shoal, "females", slider=True)
        column = layout.column(align=True)
        column.prop(settings.shoal, "type")
        column.prop(settings.shoal, "leader")
        column.prop(settings.shoal, "vision")
        _likes(layout, settings.habits)


class ARTFISH_PT_habits_mind(HabitsPanel, bpy.types.Panel):
    """In what the minds of a shoal differ from their species."""

    bl_label = "Own Mind"
    bl_parent_id = "ARTFISH_PT_habits"

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers to tick and set."""
        _mind(split(self.layout), chosen(context)[0].artfish.mind)


class ARTFISH_PT_habits_memory(HabitsPanel, bpy.types.Panel):
    """Visual memory of a shoal's fishes, and its duration."""

    bl_label = "Visual Memory"
    bl_parent_id = "ARTFISH_PT_habits"

    def draw_header(self, context: bpy.types.Context) -> None:
        """Checkbox that turns memory on."""
        self.layout.prop(chosen(context)[0].artfish.memory, "remembers", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """The rules of forgetting."""
        memory.draw(split(self.layout), chosen(context)[0].artfish.memory)


class ARTFISH_PT_members(HabitsPanel, bpy.types.Panel):
    """Single fishes that differ from their shoal."""

    bl_label = "Single Fishes"
    bl_parent_id = "ARTFISH_PT_habits"

    def draw(self, context: bpy.types.Context) -> None:
        """The list, and the settings of the selected fish."""
        layout, (shoal, index) = self.layout, chosen(context)
        settings = shoal.artfish
        if not settings.members:
            words = translated("Add a Fish") if index < 0 else translated("Add Fish {index}", index=index + 1)
            layout.operator(ARTFISH_OT_member_add.bl_idname, text=words, icon="ADD")
            return
        row = layout.row()
        row.template_list("ARTFISH_UL_members", "", settings, "members", settings, "active_member", rows=3)
        column = row.column(align=True)
        column.operator(ARTFISH_OT_member_add.bl_idname, text="", icon="ADD")
        column.operator(ARTFISH_OT_member_remove.bl_idname, text="", icon="REMOVE")
        member = _active(settings)
        if member is None:
            return
        column = split(layout).column(align=True)
        column.prop(member, "number")
        if member.index >= settings.shoal.count:
            column.label(text=translated("There are only {count}", count=settings.shoal.count), icon="ERROR")
        for name in ("sex", "type", "leader"):
            column.prop(member, name)
        _likes(layout, member.habits)


class ARTFISH_PT_member_mind(HabitsPanel, bpy.types.Panel):
    """In what the mind of a single fish differs from its shoal's."""

    bl_label = "Its Mind"
    bl_parent_id = "ARTFISH_PT_members"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a fish in the list."""
        return super().poll(context) and _active(chosen(context)[0].artfish) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """Numbers to tick and set."""
        _mind(split(self.layout), _active(chosen(context)[0].artfish).mind)


def _active(settings: Any) -> Any:
    """The single fish selected in the list, or None."""
    return settings.members[settings.active_member] if 0 <= settings.active_member < len(settings.members) else None


def _likes(layout: bpy.types.UILayout, habits: Any) -> None:
    column = layout.column(align=True)
    for name, words in LIKE_LABELS.items():
        column.prop(habits, name, text=translated(words), translate=False)


def _mind(layout: bpy.types.UILayout, mind: Any) -> None:
    """Every number of a mind, in the order of a species' pages."""
    for words, keys in MIND_FIELDS.items():
        layout.label(text=translated(words), translate=False)
        column = layout.column(align=True)
        for key in keys:
            part, _, name = key.partition(".")
            if part == "mind":
                draw_optional(column, mind, name, label(key))


CLASSES = (
    ARTFISH_UL_members,
    ARTFISH_PT_habits,
    ARTFISH_PT_habits_mind,
    ARTFISH_PT_habits_memory,
    ARTFISH_PT_members,
    ARTFISH_PT_member_mind,
)
