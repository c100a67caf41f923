"""The camera of a ride: at the bow of the submarine, an ordinary keyed camera, free to be edited.

It may have two eyes, by Blender's own stereoscopy, and a panoramic picture (Yu & Terzopoulos 1998, §8.2 and §8.3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np

from ...core.base.vectors import vector
from ...core.scene.ride import Ride, RideCamera
from ..blender.fcurves import LOCATION, thin, write
from ..blender.versions import channelbag, use_cycles
from ..identity.film_time import FIRST
from .view import SENSOR_MM

RIDE_NAME = "Submarine"
RIDE_CAMERA = "artfish_ride"
"""Property of the camera of a scene's own ride, which a bake films with instead of making another."""
TALLEST_CYLINDER = 2.8
"""Largest vertical angle of a cylindrical panorama, radians."""
ROTATION = [("rotation_euler", axis) for axis in range(3)]
BOW_LENGTHS, BOW_RADIANS = 0.0005, 0.0003
"""Largest errors of position, over the submarine's length, and of turn at any frame: less than a pixel."""
BOW_CLIP_LENGTHS, FARTHEST_SEEN_METRES = 0.02, 200.0
"""Near clipping distance, over its length, and far clipping distance in metres."""


def add_ride_camera(
    into: bpy.types.Collection,
    ride: Ride,
    poses: np.ndarray,
    first: int = FIRST,
    origin: Sequence[float] = (0.0, 0.0, 0.0),
    unit: float = 1.0,
    scaled: bool = False,
) -> bpy.types.Object:
    """A new camera that rides along.

    Args:
        into: Its collection.
        ride: The ride of the camera.
        poses: Recorded poses of the submarine, (frames, 5).
        first: Frame of the scene that shows the first pose.
        origin: The water's own origin, metres.
        unit: Metres in a unit of the scene.
        scaled: Whether its position is in metres regardless, since its parent is scaled.
    """
    data = bpy.data.cameras.new(RIDE_NAME)
    set_picture(data, ride.camera, unit)
    data.clip_start, data.clip_end = BOW_CLIP_LENGTHS * ride.length / unit, FARTHEST_SEEN_METRES / unit
    data.display_size = ride.girth / unit
    camera = bpy.data.objects.new(RIDE_NAME, data)
    camera.rotation_mode = "XYZ"
    into.objects.link(camera)
    ways = ways_of(poses, ride)
    metre = 1.0 if scaled else unit
    ways[:3] = (ways[:3] + np.array(origin)[:, None]) / metre
    bounds = np.repeat([BOW_LENGTHS * ride.length / metre, BOW_RADIANS], 3)
    camera.location, camera.rotation_euler = ways[:3, 0].tolist(), ways[3:, 0].tolist()
    write(channelbag(bpy.data.actions.new(RIDE_NAME), camera), LOCATION + ROTATION, thin(ways, bounds), first)
    return camera


def ways_of(poses: np.ndarray, ride: Ride) -> np.ndarray:
    """Position of a bow camera in metres and its Euler angles, x, y and z, (6, n), from poses (n, 5)."""
    place, azimuth, pitch = poses[:, :3], poses[:, 3], poses[:, 4]
    bow = place + 0.5 * ride.length * vector(azimuth, pitch)
    return np.concatenate((bow.T, upright(azimuth, pitch)))


def upright(azimuth: np.ndarray, pitch: np.ndarray) -> np.ndarray:
    """Euler angles x, y and z (3, n) of upright cameras with these azimuths and pitches (n,), radians."""
    return np.stack((0.5 * np.pi + pitch, np.zeros(len(pitch)), azimuth - 0.5 * np.pi))


def set_picture(data: Any, seen: RideCamera, unit: float = 1.0) -> None:
    """Sets a camera's lens or panorama, and its two eyes."""
    data.sensor_width, data.lens = SENSOR_MM, seen.lens
    data.type = "PERSP" if seen.picture == "flat" else "PANO"
    if seen.picture == "equirectangular":
        data.panorama_type = "EQUIRECTANGULAR"
        data.longitude_min, data.longitude_max = -0.5 * seen.width, 0.5 * seen.width
        data.latitude_min, data.latitude_max = -0.5 * seen.height, 0.5 * seen.height
    elif seen.picture == "cylindrical":
        data.panorama_type = "CENTRAL_CYLINDRICAL"
        around, up = 0.5 * seen.width, math.tan(0.5 * min(seen.height, TALLEST_CYLINDER))
        data.central_cylindrical_range_u_min, data.central_cylindrical_range_u_max = -around, around
        data.central_cylindrical_range_v_min, data.central_cylindrical_range_v_max = -up, up
        data.central_cylindrical_radius = 1.0
    data.stereo.convergence_mode = "OFFAXIS"
    data.stereo.interocular_distance = seen.eyes / unit
    data.stereo.convergence_distance = seen.convergence / unit
    data.stereo.use_spherical_stereo = seen.picture != "flat"


def shape_of(camera: RideCamera) -> float | None:
    """Aspect ratio of an undistorted panorama; None for a flat picture, which may have any."""
    if camera.picture == "flat":
        return None
    if camera.picture == "equirectangular":
        return camera.width / camera.height
    return camera.width / (2.0 * math.tan(0.5 * min(camera.height, TALLEST_CYLINDER)))


def film_with(scene: bpy.types.Scene, camera: bpy.types.Object, seen: RideCamera) -> None:
    """Makes a ride's camera the scene's, with stereoscopy if it has two eyes."""
    scene.camera = camera
    scene.render.use_multiview = seen.stereo
    if seen.stereo:
        scene.render.views_format = "STEREO_3D"


def fit_picture(scene: bpy.types.Scene, seen: RideCamera) -> None:
    """Has Cycles render a panorama at its own aspect ratio."""
    shape = shape_of(seen)
    if shape is not None:
        use_cycles(scene)
        scene.render.resolution_y = max(4, round(scene.render.resolution_x / shape))
