"""Distances from triangles."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def facets_squared(*, table: Array, points: Array, rows: Array, found: Array) -> None:
    """Squares of the distances of points from triangles with corners at (0, 0), (length, 0) and (out, height)."""
    axes, (x, y, z) = table[:9, rows].reshape(3, 3, -1), points.T
    x, y, z = axes[:, 0] * x + axes[:, 1] * y + axes[:, 2] * z - table[9:12, rows]
    length, out, height, left_scale, right_scale = table[12:, rows]
    far, reach = x - length, length - out
    nearest = np.square(x - np.minimum(np.maximum(x, 0.0), length)) + y * y
    share = np.minimum(np.maximum((x * out + y * height) * left_scale, 0.0), 1.0)
    nearest = np.minimum(nearest, np.square(x - share * out) + np.square(y - share * height))
    share = np.minimum(np.maximum((y * height - far * reach) * right_scale, 0.0), 1.0)
    nearest = np.minimum(nearest, np.square(far + share * reach) + np.square(y - share * height))
    inside = (y > 0.0) & (x * height > y * out) & (-far * height > y * reach)
    found[:] = np.where(inside, 0.0, nearest) + z * z
