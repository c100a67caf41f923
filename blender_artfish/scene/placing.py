"""A clear place for new objects in a scene: at the 3D cursor, or beside the visible meshes there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import bpy
from mathutils import Vector

from ..identity.references import MARK
from ..identity.units import in_metres, metres
from ..species.preview import PREVIEW_PART
from ..stage.surroundings import MARK_SURROUNDINGS
from . import sight

BACKDROP = 20.0
"""Size in metres from which a mesh is a ground or a backdrop, and may reach into the tank."""
GAP = 0.2
"""Metres between the tank and a mesh in front of it."""
SIGHTLINES = 5
"""Lines of sight along each side of the picture that are tried for a place."""
FARTHEST_FLOOR = 30.0
"""Metres before a camera in which fishes are put on a floor."""
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

    def holds(self, place: Vector) -> bool:
        """True if a place in metres is in the box."""
        ends = zip(self.low[:], place[:], self.high[:], strict=True)
        return all(low - TOUCH_METRES <= at <= high + TOUCH_METRES for low, at, high in ends)

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

    def counts(obj: bpy.types.Object) -> bool:
        return obj.artfish.kind == "NONE" or water

    return list(extents(context, counts, BACKDROP).values())


def extents(
    context: bpy.types.Context, counts: Callable[[bpy.types.Object], bool], largest: float = float("inf")
) -> dict[bpy.types.Object, Box]:
    """The boxes of visible objects that take up room, but the tank, live fishes and previews.

    Args:
        context: The context, for its view layer.
        counts: True for objects that count.
        largest: Meshes of this size in metres and larger do not count.

    Returns:
        A box for each; what an object instances is in its box.
    """
    unit, found = metres(context.scene), dict[bpy.types.Object, Box]()
    for instance in context.evaluated_depsgraph_get().object_instances:
        obj = instance.object
        bearer = (instance.parent or obj).original
        if obj.type not in SOLID_TYPES or gives_way(bearer) or not counts(bearer):
            continue
        matrix = in_metres(instance.matrix_world, unit)
        corners = [matrix @ Vector(corner) for corner in obj.bound_box]
        low, high = (Vector([end(corner[axis] for corner in corners) for axis in range(3)]) for end in (min, max))
        if max((high - low)[:]) < largest:
            box = Box(low, high)
            found[bearer] = found[bearer].with_other(box) if bearer in found else box
    return found


def gives_way(obj: bpy.types.Object) -> bool:
    """True for objects that need not be kept clear of: the tank, live fishes, previews, what only a look shows."""
    return obj.artfish.kind == "TANK" or any(obj.get(mark) for mark in GIVING_WAY)


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


class Gathering(NamedTuple):
    """Where the fishes of new water are, to be seen by a camera.

    Attributes:
        above: Their middle, in metres from the middle of the water's floor.
        reach: So far about it most of them are, in metres.
    """

    above: Vector
    reach: float


def seen_place(context: bpy.types.Context, size: Vector, start: Vector, subject: Gathering) -> Vector:
    """The middle of a box's floor, in metres: a clear place at which the animator's camera sees the fishes in it.

    That of `clear_place`, if the camera sees the fishes there or there is no camera. Or else one on the
    ground that the camera looks at, or at the height of the start: the first that is all clear, or where at least the
    fishes are clear of meshes, or any. Or else one along the camera's sight, as near as the fishes fit in.
    """
    at, camera = clear_place(context, size, start), sight.camera_of(context.scene)
    if camera is None or sees(context, camera, at, subject):
        return at
    boxes = seen(context)
    lines = sight.rays(context, camera, SIGHTLINES, gives_way)
    for places in (_on_floors(context, lines, start, subject), _along(context, camera, lines, subject)):
        visible = [place for place in places if sees(context, camera, place, subject)]
        free = [place for place in visible if not _meets(boxes, place + subject.above, subject.reach)]
        clear = [place for place in free if not any(box.meets(on_floor(place, size)) for box in boxes)]
        if found := clear or free or visible:
            return found[0]
    return at


def sees(context: bpy.types.Context, camera: bpy.types.Object | None, at: Vector, subject: Gathering) -> bool:
    """True if a camera sees the fishes in water with the middle of its floor at a place in metres."""
    unit = metres(context.scene)
    if camera is None:
        return False
    return sight.sees(context, camera, (at + subject.above) / unit, subject.reach / unit, gives_way)


def _meets(boxes: list[Box], middle: Vector, reach: float) -> bool:
    ball = Vector((reach,) * 3)
    return any(box.meets(Box(middle - ball, middle + ball)) for box in boxes)


def _on_floors(
    context: bpy.types.Context, lines: list[sight.Sightline], start: Vector, subject: Gathering
) -> Iterator[Vector]:
    """Places in metres for a box's floor on what a camera's sightlines meet, and at the height of the start."""
    unit = metres(context.scene)
    for ray in lines:
        if ray.hit * unit < FARTHEST_FLOOR and ray.met is not None and unit * max(ray.met.dimensions[:]) >= BACKDROP:
            ground = unit * ray.at(ray.hit)
            yield ground - Vector((subject.above.x, subject.above.y, 0.0))
    for ray in lines:
        rise = start.z + subject.above.z - unit * ray.start.z
        depth = rise / ray.way.z if abs(ray.way.z) > 1e-6 else -1.0
        if 0.0 < depth < FARTHEST_FLOOR:
            yield unit * ray.at(depth / unit) - subject.above


def _along(
    context: bpy.types.Context, camera: bpy.types.Object, lines: list[sight.Sightline], subject: Gathering
) -> Iterator[Vector]:
    """Places in metres for a box's floor with the fishes on a camera's sightlines, in the picture as a whole."""
    unit = metres(context.scene)
    fits = 2.0 * subject.reach / (1.0 if camera.data.type == "ORTHO" else _half_width(context, camera))
    for share in (1.0, 1.5, 2.0, 3.0, 0.7):
        for ray in lines:
            yield unit * ray.at(share * fits / unit) - subject.above


def _half_width(context: bpy.types.Context, camera: bpy.types.Object) -> float:
    """Half the narrower side of a camera's picture at a depth of 1."""
    corners = camera.data.view_frame(scene=context.scene)
    sides = [max(corner[axis] for corner in corners) - min(corner[axis] for corner in corners) for axis in (0, 1)]
    return 0.5 * min(sides) / -corners[0].z


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
