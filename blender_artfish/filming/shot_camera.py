"""The camera of a shot: an ordinary keyed camera, with its focus keyed, too."""

from __future__ import annotations

import math

import bpy
import numpy as np

from ...core.studio.camera_work import CameraPath
from ..blender.fcurves import LOCATION, thin, write
from ..blender.versions import channelbag
from ..stage.camera import f_stop
from ..stage.ride import FARTHEST_SEEN_METRES, ROTATION, upright
from ..stage.view import SENSOR_MM

NEAREST_DRAWN = 0.01
"""Near clipping distance of the camera, metres."""
PLACE_METRES, CAMERA_TURN_RADIANS, FOCUS_METRES = 2e-4, 3e-4, 2e-3
"""Largest errors of position, turn and focus at any frame: less than a pixel, and less than is seen."""


def add_shot_camera(
    into: bpy.types.Collection,
    name: str,
    path: CameraPath,
    blur: float,
    first: int,
    unit: float = 1.0,
    fisheye: float = 0.0,
) -> bpy.types.Object:
    """A camera that follows a path.

    Args:
        into: Its collection.
        name: Its name.
        path: Its path, frame by frame.
        blur: Diameter of the blur of distant objects, over the picture's width.
        first: Frame of the scene that shows the path's first frame.
        unit: Metres in a unit of the scene.
        fisheye: Angle of view of a fisheye lens over the picture's width in degrees; 0 is an ordinary lens.
    """
    data = bpy.data.cameras.new(name)
    data.sensor_width, data.lens = SENSOR_MM, path.lens
    data.clip_start, data.clip_end = NEAREST_DRAWN / unit, FARTHEST_SEEN_METRES / unit
    camera = bpy.data.objects.new(name, data)
    camera.rotation_mode = "XYZ"
    into.objects.link(camera)
    ways = np.concatenate((path.at.T / unit, turns(path.look_at - path.at)))
    camera.location, camera.rotation_euler = ways[:3, 0], ways[3:, 0]
    bounds = np.repeat([PLACE_METRES / unit, CAMERA_TURN_RADIANS], 3)
    write(channelbag(bpy.data.actions.new(name), camera), LOCATION + ROTATION, thin(ways, bounds), first)
    if fisheye > 0.0:
        _bend(data, math.radians(fisheye))
        return camera
    data.dof.use_dof = blur > 0.0
    if blur > 0.0:
        focus = path.focus[None] / unit
        data.dof.aperture_fstop = f_stop(path.lens, float(np.median(path.focus)), blur, unit)
        write(
            channelbag(bpy.data.actions.new(f"{name} focus"), data),
            [("dof.focus_distance", 0)],
            thin(focus, FOCUS_METRES / unit),
            first,
        )
    return camera


def _bend(data: bpy.types.Camera, angle: float) -> None:
    """Gives a camera an equidistant fisheye lens, everything in focus.

    It is Cycles' polynomial lens, which keeps circles round in a picture of any shape; its equidistant lens
    stretches them to the picture.
    """
    data.type, data.panorama_type = "PANO", "FISHEYE_LENS_POLYNOMIAL"
    data.fisheye_fov = angle
    data.fisheye_polynomial_k0 = 0.0
    data.fisheye_polynomial_k1 = -angle / data.sensor_width
    data.fisheye_polynomial_k2 = data.fisheye_polynomial_k3 = data.fisheye_polynomial_k4 = 0.0


def turns(forward: np.ndarray) -> np.ndarray:
    """Euler angles (3, k) in radians, unwrapped, of upright cameras that look along (k, 3)."""
    level = np.hypot(forward[:, 0], forward[:, 1])
    azimuth = np.unwrap(np.arctan2(forward[:, 1], forward[:, 0]))
    return upright(azimuth, np.arctan2(forward[:, 2], level))
