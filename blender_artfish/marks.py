"""What a bake made, told by custom properties: it may be renamed, moved and saved, and is known again."""

from __future__ import annotations

import re

import bpy

BAKE = "artfish_bake"
"""On everything that a bake made: the id of the bake."""
ROW = "artfish_row"
"""On the empty of a fish: its row in the recording."""
ROLE = "artfish_role"
"""On objects and collections: what they are in the bake; the same scene gives the same roles."""
RECORD = "artfish_record"
"""On the empty that carries a bake: how it was made, and what of the scene it changed, as JSON."""
LOOKS = "artfish_looks"
"""On a material of a species: from which looks it was made."""
ROOT, TOP, FORMER = "root", "top", "former"
"""Roles of the empty and the collection that hold everything, and of the collection that was replaced."""


def plain(name: str) -> str:
    """A name without the number by which Blender keeps names apart."""
    return re.sub(r"\.\d{3,}$", "", name)


def of(thing: bpy.types.ID, mark: str) -> str:
    """The text that a mark says; "" where there is none, or an animator has put something else there."""
    said = thing.get(mark)
    return said if isinstance(said, str) else ""


def objects(scene: bpy.types.Scene, bake: str) -> list[bpy.types.Object]:
    """The objects of a scene that a bake made, wherever they are now; those of linked files stay out."""
    return [thing for thing in scene.objects if of(thing, BAKE) == bake and thing.library is None]
