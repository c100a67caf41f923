"""The rows of a fish's list of edits: what Artfish's tools did, then what the artist did with Blender's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import bpy

from . import edits, hand
from .hand import HandEdit
from .key_edits import edits_of
from .whole_fish import WholeFish


@dataclass(frozen=True)
class EditRow:
    """A row of the list.

    Attributes:
        icon: Its icon.
        words: What was done.
        on: Whether it is switched on.
        switched: Whether it can be switched.
        trouble: Why it could not be done to the present bake; "" if it is done.
        place: Its place among the edits of Artfish's tools; -1 for others.
        by_hand: What the artist did, if it is such a row.
    """

    icon: Any
    words: str
    on: bool
    switched: bool = True
    trouble: str = ""
    place: int = -1
    by_hand: HandEdit | None = None


def rows_of(fish: WholeFish) -> list[EditRow]:
    """All rows of a fish."""
    listed = edits.of(fish.root)
    course = edits_of(fish.action).course
    rows = [
        EditRow(kind.icon, kind.words(edit.values, course), edit.on, trouble=edit.trouble, place=place)
        for place, edit in enumerate(listed)
        for kind in (edits.EDIT_KINDS[edit.kind],)
    ]
    return rows + [
        EditRow(hand.ICONS[edit.kind], edit.words, edit.on, edit.switched, by_hand=edit) for edit in hand.found(fish)
    ]


def switch(fish: WholeFish, scene: bpy.types.Scene, row: EditRow) -> None:
    """Switch what a row says on or off.

    Raises:
        SceneError: It cannot be done.
    """
    from . import editing

    if row.by_hand is None:
        editing.switch(fish, scene, row.place, not row.on)
    else:
        hand.switch(row.by_hand, not row.on)


def remove(fish: WholeFish, scene: bpy.types.Scene, row: EditRow) -> None:
    """Undo what a row says and forget it.

    Raises:
        SceneError: It cannot be done.
    """
    from . import editing

    if row.by_hand is None:
        editing.remove(fish, scene, row.place)
    else:
        hand.remove(row.by_hand)
