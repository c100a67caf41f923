"""Triangles prepared for frequent queries.

Each has axes of its own, along its longest side, across it and along its normal, in which it is flat.
"""

from __future__ import annotations

import numpy as np

from ..base.vectors import cross, dot, norm
from ..compiled import compiled, reads, takes, writes

PAIRS_A_THREAD = 5000
"""Points and triangles that are worth a thread of their own."""

FACETS_SQUARED = compiled(
    "facets_squared",
    over="n",
    least=PAIRS_A_THREAD,
    table=reads("f8", 17, "facets"),
    points=takes("f8", "n", 3),
    rows=takes("i8", "n"),
    found=writes("f8", "n"),
)


class Facets:
    """Triangles in axes of their own.

    Attributes:
        corners: Metres, (m, 3, 3), the longest side first.
        normals: Unit vectors, which face outwards, (m, 3).
        arrays: Their table, (17, m), corners, normals, mask of the flat ones, (m,), and mask of upward sides, (m, 3).
    """

    def __init__(self, corners: np.ndarray):
        """Lays out triangles (m, 3, 3) that turn anticlockwise as seen from outside."""
        sides = norm(np.roll(corners, -1, axis=1) - corners)
        turn = (sides.argmax(axis=1)[:, None] + np.arange(3)) % 3
        self.corners = np.take_along_axis(corners, turn[..., None], axis=1)
        a, b, c = self.corners.transpose(1, 0, 2)
        length = sides.max(axis=1)
        along = np.where(length[:, None] > 0, (b - a) / np.maximum(length, 1e-300)[:, None], (1.0, 0.0, 0.0))
        out = dot(c - a, along)
        rise = c - a - out[:, None] * along
        height = norm(rise)
        flat = height <= 1e-12 * length
        # A triangle that is a line has no direction across: any at a right angle to it will do.
        spare = cross(along, np.eye(3)[np.abs(along).argmin(axis=1)])
        across = np.where(flat[:, None], spare, rise)
        across /= norm(across)[:, None]
        self.normals = cross(along, across)
        height = np.where(flat, 0.0, height)
        axes = [along, across, self.normals]
        columns = [axis[:, k] for axis in axes for k in range(3)] + [dot(a, axis) for axis in axes]
        columns += [length, out, height, 1.0 / np.maximum(out * out + height * height, 1e-300)]
        rest = length - out
        columns += [1.0 / np.maximum(rest * rest + height * height, 1e-300)]
        self._table = np.ascontiguousarray(np.stack(columns))
        following = np.roll(self.corners, -1, axis=1)
        self.arrays = self._table, self.corners, self.normals, flat, _before(self.corners, following)

    def __len__(self) -> int:
        return len(self.corners)

    def squared(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Square of the distance of points (k, 3) to triangles by their rows (k,), in square metres, (k,)."""
        found = np.empty(len(rows))
        FACETS_SQUARED(table=self._table, points=points, rows=rows, found=found)
        return found


def _before(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Mask of the places that come before others by their coordinates, (...)."""
    differ = one != two
    axis = differ.argmax(axis=-1)[..., None]
    first, second = np.take_along_axis(one, axis, axis=-1), np.take_along_axis(two, axis, axis=-1)
    return np.asarray((first < second)[..., 0])
