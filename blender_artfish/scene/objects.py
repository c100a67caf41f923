"""Objects in the water: created by kind, kept in one collection, and cleared away."""

from __future__ import annotations

from math import pi
from typing import Any

import bpy
from mathutils import Vector

from ..identity.roles import next_order, objects_of
from ..identity.units import display_size, metres

At = Any  # a place: a Vector, or three numbers; the stubs do not say that a Vector is a sequence
AHEAD, UP = Vector((1.0, 0.0, 0.0)), Vector((0.0, 0.0, 1.0))
COLLECTION = "Artfish scene"
EMPTY_SHAPES: dict[str, Any] = {
    "SHOAL": "SPHERE",
    "CURRENT": "SINGLE_ARROW",
    "PLANKTON": "SPHERE",
    "SEAWEED": "CONE",
    "BUBBLES": "CIRCLE",
    "HOOK": "SINGLE_ARROW",
    "HEAT": "SPHERE",
    "SPOT": "SPHERE",
}
"""Display type of empties of each kind."""
OBJECT_NAMES = {
    "TANK": "Tank",
    "OBSTACLE": "Rock",
    "BED": "Sea bed",
    "CURRENT": "Current",
    "PLANKTON": "Plankton",
    "SEAWEED": "Seaweed",
    "BUBBLES": "Bubbles",
    "HOOK": "Hook",
    "HEAT": "Heat source",
    "SPOT": "Place",
}


def add(scene: bpy.types.Scene, kind: str, at: At, data: bpy.types.ID | None = None) -> bpy.types.Object:
    """A new object of a kind, at a place in metres: an empty unless it has data, which is in metres, too."""
    unit = metres(scene)
    obj = bpy.data.objects.new(OBJECT_NAMES.get(kind, kind.capitalize()), data)
    obj.location = Vector(at) / unit
    role = obj.artfish
    role.kind, role.order, role.made = kind, next_order(scene), True
    if data is None:
        obj.empty_display_type = EMPTY_SHAPES.get(kind, "PLAIN_AXES")
        own = getattr(role, kind.lower(), None)
        across = getattr(own, "spread", getattr(own, "radius", 0.3))
        role.dot = obj.empty_display_type == "SPHERE"
        obj.empty_display_size = display_size(obj, across, unit)
        if kind == "SEAWEED":  # a cone's own axis is Y
            obj.rotation_euler.x = 0.5 * pi
    elif not isinstance(data, bpy.types.Camera):
        obj.scale = (1.0 / unit,) * 3
    collection_of(scene).objects.link(obj)
    return obj


def collection_of(scene: bpy.types.Scene) -> bpy.types.Collection:
    """The collection of objects in the water, made if missing; it may have been renamed."""
    for collection in scene.collection.children_recursive:
        if collection.get("artfish") == "scene" and not (collection.library or collection.override_library):
            return collection
    collection = bpy.data.collections.new(COLLECTION)
    collection["artfish"] = "scene"
    scene.collection.children.link(collection)
    return collection


def clear(scene: bpy.types.Scene) -> None:
    """Remove the objects that Artfish put into the water; an animator's own objects stay and lose their role.

    Children of removed objects stay in place, and the scene gets its former camera back.
    """
    here = [obj for obj in objects_of(scene) if obj.library is None]
    made = [obj for obj in here if obj.artfish.made]
    for obj in here:
        if not obj.artfish.made:
            obj.artfish.kind = "NONE"
    going = set(made)
    for child in [each for each in bpy.data.objects if each.parent in going and each not in going]:
        place = child.matrix_world.copy()
        child.parent = None
        child.matrix_world = place
    films = scene.camera in going
    bpy.data.batch_remove(made)
    if films:
        give_camera_back(scene)


def give_camera_back(scene: bpy.types.Scene) -> None:
    """Restore the camera a scene had before ours, or another of its own if that is gone."""
    own = [obj for obj in scene.objects if obj.type == "CAMERA" and not obj.artfish.made]
    former = scene.artfish.former_camera
    scene.camera = former if former in own else next(iter(own), None)
    scene.artfish.former_camera = None
