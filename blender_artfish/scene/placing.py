"""A clear place for new objects in a scene: at the 3D cursor, or beside the visible meshes there."""

from __future__ import annotations

from typing import NamedTuple

import bpy
from mathutils import Vector

from ..identity.references import MARK
from ..identity.units import in_metres, metres
from ..species.preview import PREVIEW_PART
from ..stage.surroundings import MARK_SURROUNDINGS

BACKDROP = 20.0
"""Size in metres from which a mesh is a ground or a backdrop, and may reach into the tank."""
GAP = 0.2
"""Metres between the tank and a mesh in front of it."""
TOUCH_METRES = 1e-3
"""Overlap up to which two boxes only touch."""
GIVING_WAY = MARK, PREVIEW_PART, MARK_SURROUNDINGS
"""Custom properties of objects that need not be kept clear of."""
SOLID_TYPES = {"MESH", "CURVE", "SURFACE", "META", "FONT", "CURVES", "POINTCLOUD"}
"""Types of objects that take up room."""


class Box(NamedTuple):
    """An upright box.

    Attributes:
        low: Its lowest corner, in metres.
        high: Its highest corner.
    """

    low: Vector
    high: Vector

    @property
    def size(self) -> Vector:
        """Extents in metres."""
        return self.high - self.low

    def meets(self, other: Box) -> bool:
        """True if two boxes overlap."""
        pairs = zip(self.low[:], self.high[:], other.low[:], other.high[:], strict=True)
        return all(low < top - TOUCH_METRES and high > bottom + TOUCH_METRES for low, high, bottom, top in pairs)

    def with_other(self, other: Box) -> Box:
        """The bounding box of both."""
        low, high = zip(self.low[:], other.low[:], strict=True), zip(self.high[:], other.high[:], strict=True)
        return Box(Vector([min(pair) for pair in low]), Vector([max(pair) for pair in high]))


def on_floor(at: Vector, size: Vector) -> Box:
    """The box with the middle of its floor at a place."""
    low = at - Vector((0.5 * size.x, 0.5 * size.y, 0.0))
    return Box(low, low + size)


def seen(context: bpy.types.Context, water: bool = False) -> list[Box]:
    """The boxes of visible objects in a view layer; instances are merged with their parent object's box.

    Live fishes and previews do not count, nor do grounds and backdrops.

    Args:
        context: The context, for its view layer.
        water: Whether objects in the water count, too.
    """
    unit, found = metres(context.scene), dict[int, Box]()
    for instance in context.evaluated_depsgraph_get().object_instances:
        obj = instance.object
        bearer = (instance.parent or obj).original
        wet = bearer.artfish.kind == "TANK" or bearer.artfish.kind != "NONE" and not water
        if obj.type not in SOLID_TYPES or wet or any(bearer.get(mark) for mark in GIVING_WAY):
            continue
        matrix = in_metres(instance.matrix_world, unit)
        corners = [matrix @ Vector(corner) for corner in obj.bound_box]
        low, high = (Vector([end(corner[axis] for corner in corners) for axis in range(3)]) for end in (min, max))
        if max((high - low)[:]) < BACKDROP:
            box, number = Box(low, high), bearer.session_uid
            found[number] = found[number].with_other(box) if number in found else box
    return list(found.values())


def clear_place(context: bpy.types.Context, size: Vector, start: Vector) -> Vector:
    """The middle of a box's floor, in metres, at a place or behind it, clear of visible objects."""
    boxes, at = seen(context), start.copy()
    for _ in range(len(boxes) + 1):
        own = on_floor(at, size)
        inside = [box.high.y for box in boxes if box.meets(own)]
        if not inside:
            break
        at.y = max(inside) + 0.5 * size.y + GAP
    return at


def beside(context: bpy.types.Context, water: Box, size: Vector) -> Box:
    """A box on the floor of the water that touches one of its sides, the first free one if there is any."""
    middle, boxes = 0.5 * (water.low + water.high), seen(context)
    middle.z = water.low.z
    reach = 0.5 * (water.size + size)
    ways = [Vector((reach.x, 0, 0)), Vector((-reach.x, 0, 0)), Vector((0, reach.y, 0)), Vector((0, -reach.y, 0))]
    sides = [on_floor(middle + way, size) for way in ways]
    return next((side for side in sides if not any(box.meets(side) for box in boxes)), sides[0])


def clear_above(context: bpy.types.Context, at: Vector, reach: float) -> Vector:
    """The middle of a box of this half-width, in metres, at a place or above it, clear of all meshes."""
    boxes, ball = seen(context, water=True), Vector((reach,) * 3)
    found = at.copy()
    for _ in range(len(boxes) + 1):
        inside = [box.high.z for box in boxes if box.meets(Box(found - ball, found + ball))]
        if not inside:
            break
        found.z = max(inside) + reach
    return found
