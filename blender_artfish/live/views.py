"""The animator's view of the scene: that of the 3D View, or of the scene's camera without one."""

from __future__ import annotations

from typing import NamedTuple

import bpy
from mathutils import Matrix, Vector

from . import pace

HALF_SENSOR_MM, VIEW_ASPECT = 18.0, 16.0 / 9.0
"""Half the sensor width for a focal length, and the aspect ratio of a world's view."""
WIDEST_MM, LONGEST_MM = 1.0, 500.0
"""Limits of a view's focal length; an orthographic view has the longest."""


class Spectator(NamedTuple):
    """A view of the scene.

    Attributes:
        at: Viewpoint, in Blender's units.
        ahead: View direction, of length 1.
        lens: Focal length in mm on a sensor 36 mm wide that takes in the whole view.
    """

    at: Vector
    ahead: Vector
    lens: float


def view_of(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> Spectator | None:
    """The view of the largest 3D View that shows a scene, or else of its camera; None without either."""
    found = None if pace.unhurried() else _largest(scene)
    if found is None:
        return _by_camera(scene.camera, scene, depsgraph)
    space, sight = found
    if sight.view_perspective == "CAMERA":
        return _by_camera(space.camera, scene, depsgraph)
    picture = sight.window_matrix
    reach = 1.0 / picture[0][0], 1.0 / picture[1][1]
    if sight.is_perspective:
        return _view(sight.view_matrix.inverted(), reach, 1.0)
    turn = sight.view_rotation.to_matrix().to_4x4()
    return _view(Matrix.Translation(sight.view_location) @ turn, reach, 0.0)


def _largest(scene: bpy.types.Scene) -> tuple[bpy.types.SpaceView3D, bpy.types.RegionView3D] | None:
    """The largest 3D View that shows a scene in any window."""
    windows = [window for window in bpy.context.window_manager.windows if window.scene == scene]
    areas = [area for window in windows for area in window.screen.areas if area.type == "VIEW_3D"]
    if not areas:
        return None
    space = max(areas, key=lambda area: area.width * area.height).spaces.active
    assert isinstance(space, bpy.types.SpaceView3D)
    return space, space.region_3d


def _by_camera(
    camera: bpy.types.Object | None, scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph
) -> Spectator | None:
    if camera is None or not isinstance(camera.data, bpy.types.Camera):
        return None
    corners = camera.data.view_frame(scene=scene)
    reach = max(abs(corner.x) for corner in corners), max(abs(corner.y) for corner in corners)
    depth = 0.0 if camera.data.type == "ORTHO" else -corners[0].z
    return _view(camera.evaluated_get(depsgraph).matrix_world, reach, depth)


def _view(place: Matrix, reach: tuple[float, float], depth: float) -> Spectator:
    """The view along -z of a matrix.

    Args:
        place: Matrix of the viewpoint.
        reach: Half of the visible width and height.
        depth: Distance of that rectangle; 0 for an orthographic view, which is taken from far off.
    """
    wide = max(reach[0], VIEW_ASPECT * reach[1])
    ahead = (place.to_3x3() @ Vector((0.0, 0.0, -1.0))).normalized()
    if depth > 0.0:
        lens = HALF_SENSOR_MM * depth / wide
        return Spectator(place.translation.copy(), ahead, min(max(lens, WIDEST_MM), LONGEST_MM))
    return Spectator(place.translation - LONGEST_MM / HALF_SENSOR_MM * wide * ahead, ahead, LONGEST_MM)
