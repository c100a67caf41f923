"""The camera of the film: at the place of its view, tracking a target, with the distance out of focus."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.recording import Recording
from .light import hang_shafts
from .objects import Span, add, move_evenly, move_straight
from .view import SENSOR_MM, Framing

TARGET_METRES = 0.01
"""Size of the target's axes: small, as they lie in the middle of the picture."""
FAR_BLUR = 0.0025
"""Blur of distant objects, as a share of the picture's width."""


def f_stop(lens: float, distance: float, blur: float, unit: float = 1.0) -> float:
    """The aperture that blurs distant objects by a share of the picture's width.

    Args:
        lens: Focal length in mm.
        distance: Focus distance, metres.
        blur: Blur over the picture's width.
        unit: Metres in a unit of the scene.
    """
    return unit * lens**2 / (1000.0 * distance * SENSOR_MM * blur)


def place_camera(
    stage: bpy.types.Collection, span: Span, view: Framing, recording: Recording, unit: float = 1.0
) -> bpy.types.Object:
    """The camera, tracking its target, with `unit` metres in a scene unit; it drifts to the side or has keys."""
    target = add(stage, "Camera target", None, tuple(view.target))
    target.empty_display_size = TARGET_METRES
    data = bpy.data.cameras.new("Camera")
    data.lens, data.clip_start, data.clip_end = view.lens, 0.01 / unit, 200.0 / unit
    distance = float(np.linalg.norm(view.target - view.at))
    data.dof.use_dof, data.dof.focus_object = True, target
    data.dof.aperture_fstop = f_stop(view.lens, distance, FAR_BLUR, unit)
    camera = add(stage, "Camera", data, tuple(view.at))
    aim = camera.constraints.new("TRACK_TO")
    aim.target, aim.track_axis, aim.up_axis = target, "TRACK_NEGATIVE_Z", "UP_Y"
    hang_shafts(stage, camera, 1.8 * distance, recording.scene, span)
    keys = recording.scene.shots
    if len(keys) > 1:
        frames = [span.first + key.time * recording.fps for key in keys]
        for owner, path, values in (
            (camera, "location", [key.at for key in keys]),
            (target, "location", [key.look_at for key in keys]),
            (data, "lens", [key.lens for key in keys]),
        ):
            move_straight(owner, path, values, frames)
    elif not keys:
        ray = view.target - view.at
        side = 0.05 * np.cross(ray, (0.0, 0.0, 1.0))
        move_evenly(camera, "location", [tuple(view.at - side), tuple(view.at + side)], span)
    return camera
