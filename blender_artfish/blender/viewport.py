"""The 3D View that an animator looks at, turned to something."""

from __future__ import annotations

from math import atan, sin

import bpy
from mathutils import Vector

VIEW_SENSOR_MM = 72.0
"""Width of the film in a 3D View, for its focal length."""
SNUG = 1.05
"""Distance from which a box is looked at, over the one from which the ball about it fills the view."""


def view_area(context: bpy.types.Context) -> bpy.types.Area | None:
    """The 3D View that something was called from, or else the largest on the screen; None where no window is open."""
    if bpy.app.background or context.screen is None:
        return None
    if context.area is not None and context.area.type == "VIEW_3D":
        return context.area
    areas = [area for area in context.screen.areas if area.type == "VIEW_3D"]
    return max(areas, key=lambda area: area.width * area.height, default=None)


def frame(context: bpy.types.Context, low: Vector, high: Vector, through_camera: bool = False) -> None:
    """Turn the 3D View to a box, from the side from which it looks now; nothing where no window is open.

    Args:
        context: Says which view.
        low: Lowest corner of the box, in units of the scene.
        high: Its highest.
        through_camera: Whether a view that looks through the camera goes on doing so.
    """
    area = view_area(context)
    if area is None or not isinstance(space := area.spaces.active, bpy.types.SpaceView3D):
        return
    view, region = space.region_3d, next(region for region in area.regions if region.type == "WINDOW")
    if view.view_perspective == "CAMERA":
        if through_camera:
            return
        view.view_perspective = "PERSP"
    narrow = min(region.width, region.height) / max(region.width, region.height, 1)
    view.view_location = 0.5 * (low + high)
    view.view_distance = SNUG * 0.5 * (high - low).length / sin(atan(0.5 * VIEW_SENSOR_MM / space.lens * narrow))
    area.tag_redraw()
