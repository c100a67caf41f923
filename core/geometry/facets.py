"""Triangles prepared for frequent queries: the distance of each from a point, and the crossing of each by a line.

Each has axes of its own, along its longest side, across it and along its normal, in which it is flat.
"""

from __future__ import annotations

import numpy as np

from ..base.sums import mean
from ..base.vectors import cross, dot, norm
from ..compiled import compiled, reads, takes, writes

PAIRS_A_THREAD = 5000
"""Points and triangles that are worth a thread of their own."""

FACETS_SQUARED = compiled(
    "facets_squared",
    sure=True,
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
        centers: Their middles, (m, 3).
        radii: Metres from the middle to the farthest corner, and a little more, (m,).
        normals: Unit vectors, which face outwards, (m, 3).
        arrays: Their table, (17, m), corners, normals, mask of the flat ones, (m,), and mask of upward sides, (m, 3).
    """

    def __init__(self, corners: np.ndarray):
        """Lays out triangles (m, 3, 3) that turn anticlockwise as seen from outside."""
        sides = norm(np.roll(corners, -1, axis=1) - corners)
        turn = (sides.argmax(axis=1)[:, None] + np.arange(3)) % 3
        self.corners = np.take_along_axis(corners, turn[..., None], axis=1)
        self.centers = mean(self.corners, axis=1)
        self.radii = norm(self.corners - self.centers[:, None]).max(axis=1) * (1 + 1e-12)
        a, b, c = self.corners.transpose(1, 0, 2)
        length = sides.max(axis=1)
        along = np.where(length[:, None] > 0, (b - a) / np.maximum(length, 1e-300)[:, None], (1.0, 0.0, 0.0))
        out = dot(c - a, along)
        rise = c - a - out[:, None] * along
        height = norm(rise)
        self._flat = height <= 1e-12 * length
        # A triangle that is a line has no direction across: any at a right angle to it will do.
        spare = cross(along, np.eye(3)[np.abs(along).argmin(axis=1)])
        across = np.where(self._flat[:, None], spare, rise)
        across /= norm(across)[:, None]
        self.normals = cross(along, across)
        height = np.where(self._flat, 0.0, height)
        axes = [along, across, self.normals]
        columns = [axis[:, k] for axis in axes for k in range(3)] + [dot(a, axis) for axis in axes]
        columns += [length, out, height, 1.0 / np.maximum(out * out + height * height, 1e-300)]
        rest = length - out
        columns += [1.0 / np.maximum(rest * rest + height * height, 1e-300)]
        self._table = np.ascontiguousarray(np.stack(columns))
        following = np.roll(self.corners, -1, axis=1)
        self._upward = _before(self.corners, following)
        self.arrays = self._table, self.corners, self.normals, self._flat, self._upward

    def __len__(self) -> int:
        return len(self.corners)

    def squared(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Square of the distance of points (k, 3) to triangles by their rows (k,), in square metres, (k,)."""
        found = np.empty(len(rows))
        FACETS_SQUARED(table=self._table, points=points, rows=rows, found=found)
        return found

    def nearest(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The place of each triangle that is nearest to its point, (k, 3)."""
        (x, y, _), (length, out, height, left_scale, right_scale) = self._local(points, rows)
        far, reach = x - length, length - out
        inside = (y > 0.0) & (x * height > y * out) & (-far * height > y * reach)
        left = np.minimum(np.maximum((x * out + y * height) * left_scale, 0.0), 1.0)
        right = np.minimum(np.maximum((y * height - far * reach) * right_scale, 0.0), 1.0)
        u = np.stack((np.minimum(np.maximum(x, 0.0), length), left * out, length - right * reach, x))
        v = np.stack((np.zeros_like(x), left * height, right * height, y))
        which = np.where(inside, 3, (np.square(u[:3] - x) + np.square(v[:3] - y)).argmin(axis=0))[None]
        u, v = np.take_along_axis(u, which, axis=0)[0], np.take_along_axis(v, which, axis=0)[0]
        along, across = self._table[:3, rows].T, self._table[3:6, rows].T
        return self.corners[rows, 0] + u[:, None] * along + v[:, None] * across

    def crossed(self, start: np.ndarray, end: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Crossings of triangles, by their rows, by lines (k, 3) to (k, 3): 1 inwards, -1 outwards, 0 not at all, (k,).

        Of triangles that share a side, a line through it crosses one, since the side is tested in the same way for both
        (Woop, Benthin and Wald 2013).
        """
        before, after = self._height(start, rows) > 0.0, self._height(end, rows) > 0.0
        found = np.zeros(len(rows), dtype=int)
        some = np.flatnonzero((before != after) & ~self._flat[rows])
        rows, start, end = rows[some], start[some], end[some]
        arms = self.corners[rows] - start[:, None]
        sides = dot(cross(arms, np.roll(arms, -1, axis=1)), (end - start)[:, None])
        left = np.where(sides == 0.0, self._upward[rows], sides > 0.0)
        through = (left[:, 0] == left[:, 1]) & (left[:, 1] == left[:, 2])
        found[some] = np.where(through, np.where(before[some], 1, -1), 0)
        return found

    def _height(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Height of points (k, 3) above the planes of triangles in metres, (k,)."""
        return dot(points, self.normals[rows]) - self._table[11, rows]

    def _local(self, points: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Points (k, 3) in the axes of triangles, (3, k), and the numbers that give the form of these, (5, k).

        A triangle has its corners at (0, 0), (length, 0) and (out, height).
        """
        table = self._table[:, rows]
        axes, (x, y, z) = table[:9].reshape(3, 3, -1), points.T
        return axes[:, 0] * x + axes[:, 1] * y + axes[:, 2] * z - table[9:12], table[12:]


def _before(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Mask of the places that come before others by their coordinates, (...)."""
    differ = one != two
    axis = differ.argmax(axis=-1)[..., None]
    first, second = np.take_along_axis(one, axis, axis=-1), np.take_along_axis(two, axis, axis=-1)
    return np.asarray((first < second)[..., 0])
