"""Recognition and removal of a Quick Look's surroundings; quick_look.py makes them."""

from __future__ import annotations

import bpy

COLLECTION_NAME = "Artfish Quick Look"
MARK_SURROUNDINGS = "artfish_quick_look"
"""Custom property of the collection and its contents."""


def clear_away(stage: bpy.types.Collection) -> None:
    """Remove the collection with all its data."""
    objects = list(stage.objects)
    blocks = {obj.data for obj in objects if obj.data}
    paints = {slot.material for obj in objects for slot in obj.material_slots if slot.material}
    bpy.data.batch_remove([*objects, stage])
    for found in (blocks, paints):
        bpy.data.batch_remove([block for block in found if not block.users])


def left_over() -> list[bpy.types.Collection]:
    """Collections of surroundings in this file."""
    return [each for each in bpy.data.collections if each.get(MARK_SURROUNDINGS) and each.library is None]
