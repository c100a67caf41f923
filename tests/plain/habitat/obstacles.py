"""Distances from pillars."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

Array = np.ndarray


def from_cylinders(*, points: Array, cylinders: SimpleNamespace, distance: Array, direction: Array) -> None:
    """Metres from the surface of the nearest cylinder, negative inside, and where that grows; up without any."""
    if not len(cylinders.radius):
        distance[:], direction[:] = np.inf, (0.0, 0.0, 1.0)
        return
    foot = np.stack((cylinders.x, cylinders.y, cylinders.z), axis=-1)
    _, out, up = _offsets(points[:, None], foot, cylinders.radius, cylinders.height)
    beyond = np.sqrt(np.square(np.maximum(out, 0.0)) + np.square(np.maximum(up, 0.0)))
    nearest = np.where(np.maximum(out, up) > 0, beyond, np.maximum(out, up)).argmin(axis=1)
    arm, out, up = _offsets(points, foot[nearest], cylinders.radius[nearest], cylinders.height[nearest])
    # Outside, the distance grows along the line from the nearest point; inside, along the shorter way out.
    beyond_out, beyond_up = np.maximum(out, 0.0), np.maximum(up, 0.0)
    corner = np.sqrt(np.square(beyond_out) + np.square(beyond_up))
    inside = corner == 0
    scale = np.where(inside, 1.0, corner)
    sideways = np.where(inside, out >= up, beyond_out / scale)
    upright = np.where(inside, out < up, beyond_up / scale) * np.where(arm[:, 2] < 0, -1.0, 1.0)
    length = np.sqrt(np.square(arm[:, 0]) + np.square(arm[:, 1]))
    on_axis = (length == 0)[:, None]
    flat = np.where(on_axis, (1.0, 0.0), arm[:, :2] / np.where(on_axis, 1.0, length[:, None]))
    distance[:] = corner + np.minimum(np.maximum(out, up), 0.0)
    direction[:, :2], direction[:, 2] = sideways[:, None] * flat, upright


def _offsets(points: Array, foot: Array, radius: Array, height: Array) -> tuple[Array, Array, Array]:
    """Vectors from the middles of cylinders to points, and distances beyond their mantles and their ends."""
    arm = points - foot
    arm[..., 2] -= height / 2
    return arm, np.sqrt(np.square(arm[..., 0]) + np.square(arm[..., 1])) - radius, np.abs(arm[..., 2]) - height / 2
