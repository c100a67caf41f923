"""Drawing of a species' numbers: values, rings and angles, tables of outlines, and markings."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.layout import split
from ..blender.words import Message, counted, translated, wrapped
from .character_operators import ARTFISH_OT_species_as_traits
from .pages import BODY_OUTLINES, ENTRY_LABELS, MARKING_COUNTS, MARKING_NAMES, ROW_COLUMNS, ROW_FIELDS, label
from .row_operators import ARTFISH_OT_row_add, ARTFISH_OT_row_remove
from .traits import ENDS

SIDEBAR_LETTERS = 28
"""Letters that fit side by side in a sidebar."""
TRAIT_WORD_SHARE = 0.25
"""Share of a line for the word at either end of a trait."""


def draw_warning(layout: bpy.types.UILayout, line: Message) -> None:
    """A warning, wrapped into lines."""
    box = layout.box().column(align=True)
    for number, words in enumerate(wrapped(translated(line), SIDEBAR_LETTERS)):
        box.label(text=words, icon="ERROR" if number == 0 else "BLANK1")


def draw_traits(layout: bpy.types.UILayout, traits: Any) -> None:
    """A slider a trait, with its words on either side."""
    column = layout.column(align=True)
    for name, (low, high) in ENDS.items():
        line = column.split(factor=TRAIT_WORD_SHARE, align=True)
        first = line.row()
        first.alignment = "RIGHT"
        first.label(text=translated(low), translate=False)
        rest = line.split(factor=1.0 - TRAIT_WORD_SHARE / (1.0 - TRAIT_WORD_SHARE), align=True)
        rest.prop(traits, name, text="", slider=True)
        rest.label(text=translated(high), translate=False)


def draw_fields(
    layout: bpy.types.UILayout, entry: Any, keys: tuple[str, ...], own: frozenset[str] = frozenset()
) -> None:
    """Values one below the other, related ones close together; a species' own ones with a button to give them back."""
    column = None
    for key in keys:
        part, _, name = key.partition(".")
        if not key or key in ROW_FIELDS or key in ENTRY_LABELS:
            column = None
        if key in ROW_FIELDS:
            _rows(layout, entry, key)
        elif key in ENTRY_LABELS:
            _entries(layout, entry, key)
        elif key:
            column = column or layout.column(align=True)
            line = column.row(align=True) if key in own else column
            line.prop(
                getattr(entry, part),
                name,
                text=translated(label(key)),
                translate=False,
                slider=_slides(getattr(entry, part), name),
            )
            _give_back(line, key, own)
        if key in ROW_FIELDS or key in ENTRY_LABELS:
            _give_back(layout, key, own, text="As Its Traits Give")


def _give_back(layout: bpy.types.UILayout, key: str, own: frozenset[str], text: str = "") -> None:
    """The button beside a species' own number that lets it be as its traits give it."""
    if key in own:
        layout.operator(ARTFISH_OT_species_as_traits.bl_idname, text=text, icon="LOOP_BACK").key = key


def _entries(layout: bpy.types.UILayout, entry: Any, key: str) -> None:
    """The numbers of one value, each labelled: with the ring at a station of the body, or the angle of a turn."""
    part, _, name = key.partition(".")
    column = layout.column(align=True)
    column.label(text=translated(label(key)), translate=False)
    for index, words in enumerate(ENTRY_LABELS[key]):
        text = translated(words, station=entry.body.stations[index % len(entry.body.stations)])
        column.prop(getattr(entry, part), name, index=index, text=text, slider=_slides(getattr(entry, part), name))


def _slides(group: Any, name: str) -> bool:
    """True if a value is a share, best shown as a bar."""
    made = group.bl_rna.properties[name]
    return made.type == "FLOAT" and made.subtype == "NONE" and made.hard_max - made.hard_min <= 2.0


def _rows(layout: bpy.types.UILayout, entry: Any, key: str) -> None:
    """A list of rows: outlines as a table, markings one below the other."""
    part, _, name = key.partition(".")
    rows = getattr(getattr(entry, part), name)
    draw = _marking if part == "looks" else _point
    column = layout.column(align=True)
    column.use_property_split = False
    if part == "looks":
        head = column.row(align=True)
        head.label(text=counted(len(rows), *MARKING_COUNTS[name]))
        _button(head, ARTFISH_OT_row_add, "ADD", key, len(rows) - 1)
    else:
        heads = column.row(align=True)
        for words in ROW_COLUMNS[key]:
            heads.label(text=translated(words), translate=False)
        heads.label(text="", icon="BLANK1")
        heads.label(text="", icon="BLANK1")
    for index, row in enumerate(rows):
        draw(column, key, index, row)


def _point(column: bpy.types.UILayout, key: str, index: int, row: Any) -> None:
    """A point of an outline; its beginning is fixed, and the belly begins where the back does."""
    line = column.row(align=True)
    for place in range(len(ROW_COLUMNS[key])):
        fixed = index == 0 and (key in BODY_OUTLINES and place == 0 or key == "form.belly")
        cell = line.row(align=True)
        cell.enabled = not fixed
        cell.prop(row, "values", index=place, text="")
    _button(line, ARTFISH_OT_row_add, "ADD", key, index)
    _button(line, ARTFISH_OT_row_remove, "X", key, index)


def _marking(column: bpy.types.UILayout, key: str, index: int, row: Any) -> None:
    """A band or a patch, its numbers one below the other."""
    box = column.box()
    head = box.row(align=True)
    head.label(text=translated(MARKING_NAMES[key.partition(".")[2]], number=index + 1))
    _button(head, ARTFISH_OT_row_add, "DUPLICATE", key, index)
    _button(head, ARTFISH_OT_row_remove, "X", key, index)
    values = split(box.column(align=True))
    for place, words in enumerate(ROW_COLUMNS[key]):
        values.prop(row, "values", index=place, text=translated(words), translate=False)


def _button(row: bpy.types.UILayout, operator: type[bpy.types.Operator], icon: Any, key: str, index: int) -> None:
    button = row.operator(operator.bl_idname, text="", icon=icon, emboss=False)
    button.part, _, button.field = key.partition(".")
    button.index = index
