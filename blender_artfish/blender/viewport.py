"""The animator's 3D View, turned to look at a box."""

from __future__ import annotations

from contextlib import suppress
from math import atan, sin

import bpy
from mathutils import Vector

VIEW_SENSOR_MM = 72.0
"""Sensor width of a 3D View, for its focal length."""
SNUG = 1.05
"""Viewing distance of a box, over the distance at which its bounding sphere fills the view."""


def view_area(context: bpy.types.Context) -> bpy.types.Area | None:
    """The 3D View of the context, or else the largest on the screen; None without a window."""
    if bpy.app.background or context.screen is None:
        return None
    if context.area is not None and context.area.type == "VIEW_3D":
        return context.area
    areas = [area for area in context.screen.areas if area.type == "VIEW_3D"]
    return max(areas, key=lambda area: area.width * area.height, default=None)


def frame(context: bpy.types.Context, low: Vector, high: Vector, through_camera: bool = False) -> None:
    """Turn the 3D View to a box, from its present direction; does nothing without a window.

    Args:
        context: The context of the view.
        low: Lowest corner of the box, in units of the scene.
        high: Its highest corner.
        through_camera: Whether a view through the camera stays one.
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


def open_sidebar(context: bpy.types.Context, tab: str) -> None:
    """Shows the sidebar of the 3D View, with one of its tabs; does nothing without a window.

    A sidebar that has never been drawn has no tabs yet; it shows the one that it was left with.
    """
    area = view_area(context)
    if area is None or not isinstance(space := area.spaces.active, bpy.types.SpaceView3D):
        return
    space.show_region_ui = True
    region = next(region for region in area.regions if region.type == "UI")
    with suppress(TypeError):  # it has not been drawn
        region.active_panel_category = tab  # type: ignore[assignment]  # any tab, as add-ons name them
    area.tag_redraw()
