"""An animator's camera: what it sees, and how far it sees through the scene."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from ..identity.units import metres

EDGE_SHARE = 0.1
"""Share of the picture at each edge in which the middle of the water is not to be."""
SIGHTLINE_ROWS = 9
"""Rays along each side of the picture."""
DEEPEST_METRES = 20.0
"""Metres from a camera beyond which water is not made for it."""
OPEN_WATER_METRES = 6.0
"""Metres in front of a camera that sees nothing at all."""
BEHIND_FOCUS = 1.5
"""Depth of the water in front of a camera, over the distance that is in focus."""
NEAR_METRES = 0.1
"""Metres from a camera to the water that is made for it."""
SURFACES_PASSED = 40
"""Surfaces that a ray passes at most."""


class Sightline(NamedTuple):
    """A line of sight, in units of the scene.

    Attributes:
        start: Where it leaves the camera's plane.
        way: The way for each unit of depth.
        hit: The depth at which it meets something; infinity if nothing.
        met: That object.
    """

    start: Vector
    way: Vector
    hit: float
    met: bpy.types.Object | None

    def at(self, depth: float) -> Vector:
        """The place at a depth."""
        return self.start + depth * self.way


def camera_of(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The scene's camera if it is the animator's."""
    camera = scene.camera
    return None if camera is None or camera.type != "CAMERA" or camera.artfish.made else camera


def rays(
    context: bpy.types.Context, camera: bpy.types.Object, across: int, hidden: Callable[[bpy.types.Object], bool]
) -> list[Sightline]:
    """Lines of sight through the picture, the nearest to its middle first.

    Args:
        context: The context, for its view layer.
        camera: The camera.
        across: So many along each side of the picture.
        hidden: True for objects that rays go through.
    """
    scene, matrix = context.scene, camera.matrix_world.normalized()
    corners = camera.data.view_frame(scene=scene)
    low, high = (Vector([end(corner[axis] for corner in corners) for axis in range(3)]) for end in (min, max))
    turned = matrix.to_3x3()
    places = [(step + 0.5) / across for step in range(across)] if across > 2 else [0.5] if across == 1 else [0.0, 1.0]
    found = []
    for u in places:
        for v in places:
            corner = Vector((low.x + u * (high.x - low.x), low.y + v * (high.y - low.y), 0.0))
            if camera.data.type == "ORTHO":
                start, way = matrix @ corner, turned @ Vector((0.0, 0.0, -1.0))
            else:
                start = matrix.translation.copy()
                way = turned @ Vector((corner.x / -low.z, corner.y / -low.z, -1.0))
            found.append((abs(u - 0.5) + abs(v - 0.5), Sightline(start, way, *_hit(context, start, way, hidden))))
    return [ray for _, ray in sorted(found, key=lambda each: each[0])]


def _hit(
    context: bpy.types.Context, start: Vector, way: Vector, hidden: Callable[[bpy.types.Object], bool]
) -> tuple[float, bpy.types.Object | None]:
    """The depth at which a line of sight meets something, infinity if nothing, and what."""
    depsgraph, at, length = context.evaluated_depsgraph_get(), start.copy(), way.length
    for _ in range(SURFACES_PASSED):
        met, place, _, _, obj, _ = context.scene.ray_cast(depsgraph, at, way.normalized())
        if not met:
            break
        if not hidden(obj.original):
            return (place - start).length / length, obj.original
        at = place + 1e-4 * way
    return float("inf"), None


def sees(
    context: bpy.types.Context,
    camera: bpy.types.Object,
    place: Vector,
    reach: float,
    hidden: Callable[[bpy.types.Object], bool],
) -> bool:
    """True if a place is well within a camera's picture, and nothing hides it.

    Args:
        context: The context, for its view layer.
        camera: The camera.
        place: In units of the scene.
        reach: So far about the place is the water; what is in there hides nothing.
        hidden: True for objects that hide nothing.
    """
    u, v, depth = world_to_camera_view(context.scene, camera, place)[:]
    if not (EDGE_SHARE < u < 1.0 - EDGE_SHARE and EDGE_SHARE < v < 1.0 - EDGE_SHARE):
        return False
    if not camera.data.clip_start < depth < camera.data.clip_end:
        return False
    start = camera.matrix_world.translation
    if camera.data.type == "ORTHO":
        start = place + depth * (camera.matrix_world.normalized().to_3x3() @ Vector((0.0, 0.0, 1.0)))
    way = place - start
    return way.length <= reach or _hit(context, start, way.normalized(), hidden)[0] > way.length - reach


def seen_points(
    context: bpy.types.Context, camera: bpy.types.Object, hidden: Callable[[bpy.types.Object], bool]
) -> list[Vector]:
    """Points about all that a camera sees, in units of the scene: near it, and where its lines of sight end.

    They end at the first surface; in the open at the farthest surface that any meets within `DEEPEST_METRES`. A camera
    with depth of field sees no farther than `BEHIND_FOCUS` times the distance in focus.
    """
    unit = metres(context.scene)
    lines = rays(context, camera, SIGHTLINE_ROWS, hidden) + rays(context, camera, 2, hidden)
    deepest = max((ray.hit for ray in lines if ray.hit * unit < DEEPEST_METRES), default=OPEN_WATER_METRES / unit)
    focus = focused(camera)
    if focus:
        deepest = min(BEHIND_FOCUS * focus, DEEPEST_METRES / unit)
    near = min(max(camera.data.clip_start, NEAR_METRES / unit), 0.5 * deepest)
    return [ray.at(depth) for ray in lines for depth in (min(near, ray.hit), min(deepest, ray.hit))]


def focused(camera: bpy.types.Object) -> float:
    """The distance in focus, in units of the scene; 0 without depth of field."""
    dof = camera.data.dof
    if not dof.use_dof:
        return 0.0
    if dof.focus_object is None:
        return float(dof.focus_distance)
    back = camera.matrix_world.normalized().inverted() @ dof.focus_object.matrix_world.translation
    return max(-back.z, 0.0)
