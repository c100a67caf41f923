"""Blender's cameras as the optics of labels: focal length, sensor, shift, and pixels that are not square."""

from __future__ import annotations

from typing import Any

import bpy

from ...core.base.codec import SceneError
from ...core.dataset.lenses import LensOptics

OTHER_LENSES = {
    "ORTHO": "an orthographic camera",
    "PANO": "a panoramic camera",
    "CUSTOM": "a camera with a lens of its own",
}
"""Lenses whose pictures are none of a perspective."""


def refuse_lens(camera: bpy.types.Object) -> None:
    """Refuses a camera whose pictures are none of a perspective, by a SceneError."""
    kind = getattr(camera.data, "type", "")
    if kind != "PERSP":
        raise SceneError(OTHER_LENSES.get(kind, "no camera"), "one with a perspective lens", file=camera.name)


def picture_size(scene: bpy.types.Scene) -> tuple[int, int]:
    """Width and height of a scene's pictures, in pixels."""
    render = scene.render
    share = render.resolution_percentage
    return max(render.resolution_x * share // 100, 1), max(render.resolution_y * share // 100, 1)


def optics_of(camera: bpy.types.Object, scene: bpy.types.Scene) -> LensOptics:
    """The optics of a camera, as evaluated, in the pictures of a scene.

    Raises:
        SceneError: It has no perspective lens.
    """
    refuse_lens(camera)
    lens: Any = camera.data
    (width, height), render = picture_size(scene), scene.render
    tall = render.pixel_aspect_y / render.pixel_aspect_x  # of a pixel, over its width
    lies = width >= tall * height if lens.sensor_fit == "AUTO" else lens.sensor_fit == "HORIZONTAL"
    across = width if lies else tall * height  # widths of a pixel along the sensor's side
    sensor = lens.sensor_height if lens.sensor_fit == "VERTICAL" else lens.sensor_width
    focal = across * lens.lens / sensor
    centre = 0.5 * width - lens.shift_x * across, 0.5 * height + lens.shift_y * across / tall
    return LensOptics(width, height, (focal, focal / tall), centre)
