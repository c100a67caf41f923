"""Flipbooks: objects with another shape at each frame, by one absolute shape key a frame."""

from __future__ import annotations

from collections.abc import Iterable

import bpy
import numpy as np

from ..stage.objects import move_straight

KEY_STEP = 10.0
"""Step between shape keys, in units of evaluation time."""


def leaf_through(obj: bpy.types.Object, shapes: np.ndarray, first: int, radii: np.ndarray | None = None) -> None:
    """Gives a mesh or a curve its shape at each frame.

    Args:
        obj: A new object, with as many vertices or points of curves as each shape.
        shapes: Positions (frames, n, 3), metres.
        first: Frame of the scene that shows the first shape.
        radii: Radii of the points of a curve over its bevel, (frames, n); all 1 if left out.
    """
    flat = shapes.astype(np.float32).reshape(len(shapes), -1)
    for number, shape in enumerate(flat):
        key = obj.shape_key_add(name=f"{number + 1}", from_mix=False)
        key.interpolation = "KEY_LINEAR"
        key.data.foreach_set("co", shape)
        if radii is not None:
            key.data.foreach_set("radius", radii[number].astype(np.float32))
    keys = obj.data.shape_keys
    keys.use_relative = False
    frames = first, first + max(len(flat) - 1, 1)
    move_straight(keys, "eval_time", [0.0, KEY_STEP * max(len(flat) - 1, 1)], frames)


def lines_of(name: str, lines: Iterable[np.ndarray], bevel: float, material: bpy.types.Material) -> bpy.types.Curve:
    """A curve of polylines through points (n, 3) each, as round rods of a radius, all in metres."""
    curve = bpy.data.curves.new(name, "CURVE")
    curve.dimensions, curve.bevel_depth, curve.bevel_resolution, curve.use_fill_caps = "3D", bevel, 1, True
    for line in lines:
        spline = curve.splines.new("POLY")
        spline.points.add(len(line) - 1)
        spline.points.foreach_set("co", np.insert(line, 3, 1.0, axis=1).astype(np.float32).ravel())
    curve.materials.append(material)
    return curve
