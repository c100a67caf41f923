"""Polygons of any form cut into triangles: concave ones, and those whose corners lie on a line, from any first corner.

Quadrilaterals are cut along the diagonal that lies within them; what has more corners loses one ear after the other
(Meisters 1975), seen along the axis that is nearest to its normal.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.sums import total
from ..base.vectors import cross, dot

_KEPT_AXES = np.array([[1, 2], [2, 0], [0, 1]])
"""The axes that are left where one is looked along, in the order that keeps what is anticlockwise anticlockwise."""


def triangulate(vertices: np.ndarray, corners: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Triangles that cover polygons, turning as these do.

    Args:
        vertices: Any unit, (n, 3).
        corners: Rows of the corners of all polygons, one after the other, (c,).
        sizes: Number of corners of each polygon, 3 or more, (p,).

    Returns:
        Rows of the vertices of each triangle, polygon after polygon, (m, 3): two fewer than corners for each, and
        fewer where corners lie on a line.
    """
    starts = np.cumsum(sizes) - sizes
    threes, fours = np.flatnonzero(sizes == 3), np.flatnonzero(sizes == 4)
    parts = [corners[starts[threes][:, None] + np.arange(3)]]
    parts.append(_halves(vertices, corners[starts[fours][:, None] + np.arange(4)]))
    owners = [threes, np.repeat(fours, 2)]
    for row in np.flatnonzero(sizes > 4):
        polygon = corners[starts[row] : starts[row] + sizes[row]]
        parts.append(polygon[ears(flattened(vertices[polygon]))])
        owners.append(np.full(len(parts[-1]), row))
    return np.concatenate(parts)[np.argsort(np.concatenate(owners), kind="stable")]


def _halves(vertices: np.ndarray, quads: np.ndarray) -> np.ndarray:
    """The two triangles of each quadrilateral (q, 4), one after the other, (2q, 3)."""
    a, b, c, d = vertices[quads].transpose(1, 0, 2)
    normal = cross(c - a, d - b)
    dented = (dot(cross(b - a, c - a), normal) <= 0) | (dot(cross(c - a, d - a), normal) <= 0)
    turned = np.where(dented[:, None], np.roll(quads, -1, axis=1), quads)
    return turned[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3)


def flattened(places: np.ndarray) -> np.ndarray:
    """A polygon's corners (n, 3) as seen from where it turns anticlockwise, along an axis, (n, 2)."""
    after = np.roll(places, -1, axis=0)
    normal = total(cross(places - places[0], after - places[0]), axis=0)
    axis = int(np.abs(normal).argmax())
    flat = places[:, _KEPT_AXES[axis]]
    return flat if normal[axis] >= 0 else flat[:, ::-1]


def ears(flat: np.ndarray) -> np.ndarray:
    """Triangles of a simple polygon that turns anticlockwise.

    Args:
        flat: Its corners, (n, 2). Corners may lie on a line, and a cut that leads to a hole and back may be run along
            twice. A polygon that crosses itself gives some triangles, without further promise.

    Returns:
        Rows of corners, (n - 2, 3) or fewer: triangles that would be lines are left out.
    """
    left, cut = list(range(len(flat))), []
    at = 0
    missed = 0
    while len(left) > 3 and missed < len(left):
        before, here, after = left[at - 1], left[at], left[(at + 1) % len(left)]
        area = _turn(flat[before], flat[here], flat[after])
        if area == 0 or (area > 0 and not _blocked(flat, left, before, here, after)):
            if area > 0:
                cut.append((before, here, after))
            del left[at]
            at, missed = (at - 1) % len(left), 0
        else:
            at, missed = (at + 1) % len(left), missed + 1
    # The rest is a triangle, or crosses itself.
    cut += [(left[0], left[row], left[row + 1]) for row in range(1, len(left) - 1)]
    return np.array([each for each in cut if _turn(*flat[list(each)]) != 0], dtype=int).reshape(-1, 3)


def _turn(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Twice the area of a triangle of the plane, positive where it turns anticlockwise."""
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def _blocked(flat: np.ndarray, left: Sequence[int], before: int, here: int, after: int) -> bool:
    """True if another corner lies in a triangle, or on the side along which it would be cut off."""
    a, b, c = flat[before], flat[here], flat[after]
    others = flat[[row for row in left if row not in (before, here, after)]]
    others = others[~((others[:, None] == (a, b, c)).all(axis=2)).any(axis=1)]
    sides = [
        (end[0] - start[0]) * (others[:, 1] - start[1]) - (end[1] - start[1]) * (others[:, 0] - start[0])
        for start, end in ((a, b), (b, c), (c, a))
    ]
    return bool(((sides[0] > 0) & (sides[1] > 0) & (sides[2] >= 0)).any())
