"""Provenance of what a bake made, in custom properties that survive renaming, moving and saving."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import bpy

BAKE = "artfish_bake"
"""Property of everything that a bake made: the id of the bake."""
ROW = "artfish_row"
"""Property of a fish's empty: its row in the recording."""
ROLE = "artfish_role"
"""Property of objects and collections: their role in the bake; the same scene gives the same roles."""
NAME = "artfish_name"
"""Property of the same objects: the name they had when they were last known to be no copies; see `_originals_among`."""
OF_PART = "artfish_part"
"""Property of what a bake of some fishes made: the id of that bake; what was there before has none, or another."""
MADE = "artfish_bakes"
"""Property of a scene: the ids of bakes made in it, and neither linked nor appended."""
RECORD = "artfish_record"
"""Property of a bake's collection: the bake's record and the settings it changed in the scene, as JSON."""
SKY = "artfish_sky"
"""Property of a bake's collection: the world it made, kept so while another bake is in its place."""
LOOKS = "artfish_looks"
"""Property of a species' material: the looks it was made from."""
NO_ROW = -1
"""Stands for the row where there is no fish."""
FISH_ROLE = re.compile(r"fish (.+) (\d+(?:\.\d+)?)(?: (\S+))?", re.DOTALL)
"""The role of a fish's object: its species, whose name may have spaces, its number, and the part. The number is that of
its shoal among those of its species, a dot, and its own within it; in earlier bakes its own within the species."""
SHOAL_ROLE = re.compile(r"shoal .+ (\d{1,9}) offset", re.DOTALL)
"""The role of the empty of a shoal, with its number."""
LONGEST_NUMBER = 16
"""More digits than any count of bakes has."""
ROOT, TOP, FORMER = "root", "top", "former"
"""Roles of the empty and the collection that hold everything, and of the replaced bake's collection."""
OFFSET = "offset"
"""Last word of the role of an empty that carries a fish or a shoal and has no keys."""

_known: list[set[int]] = []
"""Session numbers of the open file's signed originals, kept by undo and renaming, not by saving."""


def plain(name: str) -> str:
    """A name without Blender's numeric suffix."""
    return re.sub(r"\.\d{3,}$", "", name)


def digest(data: Any) -> str:
    """A short text that differs for different JSON."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()[:16]


def of(obj: bpy.types.ID, mark: str) -> str:
    """The text of a property; "" if it is missing or was overwritten."""
    said = obj.get(mark)
    return said if isinstance(said, str) else ""


class FishRole(NamedTuple):
    """The role of an object within a fish.

    Attributes:
        species: The name of its species.
        part: The part, "" for the object that carries the others or is all of it.
    """

    species: str
    part: str


def fish_role(species: str, shoal: int, number: int) -> str:
    """The role of a fish by its species, the number of its shoal and its own within that, from 0."""
    return f"fish {species} {shoal}.{number}"


def fish_of(obj: bpy.types.ID) -> FishRole | None:
    """The role of an object within a baked fish; None if it is part of none."""
    found = FISH_ROLE.fullmatch(of(obj, ROLE))
    return None if found is None else FishRole(found[1], found[3] or "")


def row_of(obj: bpy.types.ID | None) -> int:
    """The row of a fish in its recording; `NO_ROW` if it is none, or the property was overwritten."""
    row = None if obj is None else obj.get(ROW)
    return row if isinstance(row, int) and row >= 0 else NO_ROW


def is_offset(obj: bpy.types.ID | None) -> bool:
    """True if an object is an empty that carries a fish or a shoal."""
    return obj is not None and of(obj, ROLE).endswith(f" {OFFSET}")


def offset_name(carried: str) -> str:
    """Name of the offset of a fish or a shoal of this name."""
    return f"Offset {carried}"


def number_of(bake: str) -> int:
    """The number in a bake's id, higher for later bakes; 0 if it has none."""
    tail = bake.rpartition(".")[2]
    return int(tail) if tail.isdecimal() and len(tail) < LONGEST_NUMBER else 0


def objects(scene: bpy.types.Scene, bake: str) -> list[bpy.types.Object]:
    """The objects of a scene that a bake made, in whatever collection; copies and linked ones are left out."""
    ours = [obj for obj in scene.objects if of(obj, BAKE) == bake and obj.library is None]
    return [obj for obj in ours if is_original(obj)]


def is_original(obj: bpy.types.ID) -> bool:
    """True if a signed object or collection is no copy."""
    return obj.session_uid in _originals()


def sign(blocks: Iterable[bpy.types.ID]) -> None:
    """Write their own names on objects or collections that are no copies."""
    for obj in blocks:
        _originals().add(obj.session_uid)
        if of(obj, NAME) != obj.name:
            obj[NAME] = obj.name


def disown() -> None:
    """Take the signature off all copies, so that none is taken for an original that is gone, in whatever Blender."""
    for obj in (*bpy.data.objects, *bpy.data.collections):
        if of(obj, NAME) and of(obj, ROLE) and obj.is_editable and not is_original(obj):
            del obj[NAME]


def forget() -> None:
    """Tell originals from copies anew at the next use, by what the open file says at that time."""
    _known.clear()


def recognise() -> None:
    """The same at once, for a file just opened: from now on anything may be renamed."""
    forget()
    _originals()


def _originals() -> set[int]:
    if not _known:
        _known.append(
            {obj.session_uid for kind in (bpy.data.objects, bpy.data.collections) for obj in _originals_among(kind)}
        )
    return _known[0]


def _originals_among(blocks: Iterable[bpy.types.ID]) -> list[bpy.types.ID]:
    """Those of the blocks of an opened file that are no copies.

    A block with a role in a bake that no other has is the bake's own, whatever it is called: it may have been renamed
    where there was no add-on to hear of it. Of several, which somebody has copied, it is the one that has kept its
    name; where none has, the first that is not called as Blender calls copies.
    """
    alike: dict[tuple[str, str], list[bpy.types.ID]] = {}
    found = []
    for obj in blocks:
        bake, role, name = of(obj, BAKE), of(obj, ROLE), of(obj, NAME)
        if name and bake and role and obj.library is None:
            alike.setdefault((bake, role), []).append(obj)
        elif name == obj.name:
            found.append(obj)
    for some in alike.values():
        found.append(min(some, key=lambda obj: (of(obj, NAME) != obj.name, of(obj, NAME) == plain(obj.name))))
    return found
