"""Replicas moved by captured cycles."""

from __future__ import annotations

import numpy as np

from artfish.core.base.attitude import compose, matrices, normalised
from artfish.core.base.elementary import sin_and_cos
from artfish.core.body.anatomy import NODES

Array = np.ndarray


def replay(
    *,
    poses: Array,
    sways: Array,
    corners: Array,
    shares: Array,
    moments: Array,
    once: Array,
    motions: Array,
    lengths: Array,
    offsets: Array,
    fading: Array,
    shown: Array,
    before: Array,
    carriers: Array,
    origins: Array,
    frames: Array,
    nodes: Array,
    seconds: float,
) -> None:
    """Carriers move on, own frames sway about them, and nodes of those shown lie in these, mixed of poses."""
    # Along their middle heading (eq. 11, with alpha, which it lacks).
    ahead, left, up, turn = motions.T
    turned, way = turn * seconds, lengths * seconds
    sine, cosine = sin_and_cos(before[:, 0] + 0.5 * turned)
    steep, flat = sin_and_cos(before[:, 1])
    carriers[:] = before
    carriers[:, 0] += turned
    carriers[:, 3] += way * ((ahead * (flat * cosine) - left * sine) - up * (steep * cosine))
    carriers[:, 4] += way * ((ahead * (flat * sine) + left * cosine) - up * (steep * sine))
    carriers[:, 5] += way * (ahead * steep + up * flat)

    level, sway = turns(carriers), mixed(sways, corners, shares, moments, once)
    frames[:] = matrices(compose(level, normalised(sway[:, :4])))
    axes, (x, y, z) = matrices(level), (sway[:, 4 + axis, None] for axis in range(3))
    origins[:] = carriers[:, 3:] + lengths[:, None] * ((axes[:, :, 0] * x + axes[:, :, 1] * y) + axes[:, :, 2] * z)

    pose = mixed(poses, corners, shares, moments, once) + fading.astype(np.float32)[:, None, None] * offsets
    axes = (lengths[:, None, None] * frames).astype(np.float32)
    x, y, z = (pose[:, None, axis] for axis in range(3))
    placed = (axes[:, :, :1] * x + axes[:, :, 1:2] * y) + axes[:, :, 2:] * z
    nodes[shown] = (origins[:, None] + placed[:, :, :NODES].swapaxes(1, 2).astype(float))[shown]


def turns(carriers: Array) -> Array:
    """Carriers' turns as quaternions, (n, 4): heading to the left, then slope upwards, then roll."""
    (sine, cosine), (steep, flat), (lean, upright) = (sin_and_cos(0.5 * carriers[:, axis]) for axis in range(3))
    w, x, y, z = cosine * flat, sine * steep, -(cosine * steep), sine * flat
    return np.stack(
        (w * upright - x * lean, w * lean + x * upright, y * upright + z * lean, z * upright - y * lean), axis=-1
    )


def mixed(table: Array, corners: Array, shares: Array, moments: Array, once: Array) -> Array:
    """Values of a table of rows and poses, (k, poses, ...), mixed of those before and after a moment, (n, ...)."""
    whole, count = np.floor(moments), table.shape[1]
    now, share = np.where((whole >= 0.0) & (whole < count), whole, 0.0).astype(int), moments - whole
    later = np.where(now + 1 >= count, np.where(once != 0, count - 1, 0), now + 1)
    found = np.zeros((len(now), *table.shape[2:]), table.dtype)
    each = (len(now), *[1] * (table.ndim - 2))
    for row, own in zip(corners.T, shares.T, strict=True):
        found += (own * (1.0 - share)).astype(table.dtype).reshape(each) * table[row, now]
        found += (own * share).astype(table.dtype).reshape(each) * table[row, later]
    return found
