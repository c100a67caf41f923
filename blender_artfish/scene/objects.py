"""Objects in the water: made as one of a kind, kept in one collection, and cleared away."""

from __future__ import annotations

from math import pi
from typing import Any

import bpy

from ..identity.roles import next_order, objects_of

At = Any  # a place: a Vector, or three numbers; the stubs do not say that a Vector is a sequence
COLLECTION = "Artfish scene"
SHAPES = {
    "SHOAL": "SPHERE",
    "CURRENT": "SINGLE_ARROW",
    "PLANKTON": "SPHERE",
    "SEAWEED": "CONE",
    "BUBBLES": "CIRCLE",
    "HOOK": "SINGLE_ARROW",
    "HEAT": "SPHERE",
}
"""How empties of each kind look."""
NAMES = {
    "TANK": "Tank",
    "OBSTACLE": "Rock",
    "BED": "Sea bed",
    "CURRENT": "Current",
    "PLANKTON": "Plankton",
    "SEAWEED": "Seaweed",
    "BUBBLES": "Bubbles",
    "HOOK": "Hook",
    "HEAT": "Heat source",
}


def add(scene: bpy.types.Scene, kind: str, at: At, data: bpy.types.ID | None = None) -> bpy.types.Object:
    """A new object of a kind: an empty unless it has data."""
    thing = bpy.data.objects.new(NAMES.get(kind, kind.capitalize()), data)
    thing.location = tuple(at)
    held = thing.artfish
    held.kind, held.order, held.made = kind, next_order(scene), True
    if data is None:
        thing.empty_display_type = SHAPES.get(kind, "PLAIN_AXES")
        own = getattr(held, kind.lower(), None)
        across = getattr(own, "spread", getattr(own, "radius", 0.3))
        thing.empty_display_size = across
        if kind == "SEAWEED":  # a cone's own axis is Y
            thing.rotation_euler.x = 0.5 * pi
    collection_of(scene).objects.link(thing)
    return thing


def collection_of(scene: bpy.types.Scene) -> bpy.types.Collection:
    """The collection of what stands in the water, made unless it is there; it may have been renamed."""
    for collection in scene.collection.children_recursive:
        if collection.get("artfish") == "scene" and collection.library is None:
            return collection
    collection = bpy.data.collections.new(COLLECTION)
    collection["artfish"] = "scene"
    scene.collection.children.link(collection)
    return collection


def clear(scene: bpy.types.Scene) -> None:
    """Remove what Artfish made to stand in the water; an animator's own objects are let go, wherever they are."""
    here = [thing for thing in objects_of(scene) if thing.library is None]
    made = [thing for thing in here if thing.artfish.made]
    for thing in here:
        if not thing.artfish.made:
            thing.artfish.kind = "NONE"
    bpy.data.batch_remove(made)
