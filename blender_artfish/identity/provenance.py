"""What a bake made, known by custom properties: it may be renamed, moved and saved, and is still recognized."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import bpy

BAKE = "artfish_bake"
"""On everything that a bake made: the id of the bake."""
ROW = "artfish_row"
"""On the empty of a fish: its row in the recording."""
ROLE = "artfish_role"
"""On objects and collections: what they are in the bake; the same scene gives the same roles."""
NAME = "artfish_name"
"""On the same objects: their own name, which copies do not have."""
MADE = "artfish_bakes"
"""On a scene: the ids of bakes that were made in it, and neither linked nor appended."""
RECORD = "artfish_record"
"""On the collection of a bake: how it was made, and what of the scene it changed, as JSON."""
SKY = "artfish_sky"
"""On the same: the world that it made, which is kept so while another bake is in its place."""
LOOKS = "artfish_looks"
"""On a material of a species: from which looks it was made."""
NO_ROW = -1
"""In place of a row where there is no fish."""
FISH_ROLE = re.compile(r"fish (.+) (\d+)(?: (\S+))?", re.DOTALL)
"""The role of an object of a fish: its species, whose name may have spaces, its number among these, and which part."""
LONGEST_NUMBER = 16
"""Digits by which nobody has counted bakes."""
ROOT, TOP, FORMER = "root", "top", "former"
"""Roles of the empty and the collection that hold everything, and of the collection that was replaced."""
OFFSET = "offset"
"""Last word of the role of an empty that carries a fish or a shoal, and has no keys."""

_known: list[set[int]] = []
"""Of the open file: the numbers of what is signed and no copy. Undo and renaming leave them, saving does not."""


def plain(name: str) -> str:
    """A name without the number by which Blender keeps names apart."""
    return re.sub(r"\.\d{3,}$", "", name)


def digest(data: Any) -> str:
    """A short text that is another for other JSON."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def of(obj: bpy.types.ID, mark: str) -> str:
    """The text that a mark says; "" where there is none, or an animator has put something else there."""
    said = obj.get(mark)
    return said if isinstance(said, str) else ""


class FishRole(NamedTuple):
    """What an object is of a fish.

    Attributes:
        species: The name of its species.
        part: Which part of it, "" for what carries the others or is all of it.
    """

    species: str
    part: str


def fish_of(obj: bpy.types.ID) -> FishRole | None:
    """What an object is of a baked fish; None where it is nothing of one."""
    found = FISH_ROLE.fullmatch(of(obj, ROLE))
    return None if found is None else FishRole(found[1], found[3] or "")


def row_of(obj: bpy.types.ID | None) -> int:
    """The row of a fish in its recording; `NO_ROW` where it is none, or something else is written there."""
    row = None if obj is None else obj.get(ROW)
    return row if isinstance(row, int) and row >= 0 else NO_ROW


def is_offset(obj: bpy.types.ID | None) -> bool:
    """Whether an object is the empty that carries a fish or a shoal."""
    return obj is not None and of(obj, ROLE).endswith(f" {OFFSET}")


def offset_name(carried: str) -> str:
    """What such an empty is called, of a fish or a shoal of this name."""
    return f"Offset {carried}"


def number_of(bake: str) -> int:
    """Of a bake, by its id: the later, the higher; 0 where there is none in it."""
    tail = bake.rpartition(".")[2]
    return int(tail) if tail.isdecimal() and len(tail) < LONGEST_NUMBER else 0


def objects(scene: bpy.types.Scene, bake: str) -> list[bpy.types.Object]:
    """The objects of a scene that a bake made, wherever they are now; copies and those of linked files stay out."""
    ours = [obj for obj in scene.objects if of(obj, BAKE) == bake and obj.library is None]
    return [obj for obj in ours if is_original(obj)]


def is_original(obj: bpy.types.ID) -> bool:
    """Whether an object or a collection that was signed is no copy of one."""
    return obj.session_uid in _originals()


def sign(blocks: Iterable[bpy.types.ID]) -> None:
    """Write their own names on objects or collections that are no copies."""
    for obj in blocks:
        _originals().add(obj.session_uid)
        if of(obj, NAME) != obj.name:
            obj[NAME] = obj.name


def forget() -> None:
    """Tell originals from copies anew, by their names, as they are in the open file by then."""
    _known.clear()


def recognise() -> None:
    """The same at once, of a file that was just opened: from now on anything may be renamed."""
    forget()
    _originals()


def _originals() -> set[int]:
    if not _known:
        every = (*bpy.data.objects, *bpy.data.collections)
        _known.append({obj.session_uid for obj in every if of(obj, NAME) == obj.name})
    return _known[0]
