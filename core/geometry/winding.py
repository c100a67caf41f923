"""The generalised winding number of a mesh about a place (Jacobson, Kavan & Sorkine-Hornung 2013).

It is 1 inside a closed mesh and 0 outside. Of an open one it changes smoothly between these where the gaps are, and by
1 through the surface. Triangles that are far away for their extent count together, as one small one does (Barill,
Dickson, Schmidt, Levin & Jacobson 2018, eq. 4, of the first order).
"""

from __future__ import annotations

import numpy as np

from ..base.elementary import arctan2
from ..base.sums import mean, total
from ..base.vectors import cross, dot, norm
from ..compiled import compiled, keep, part, takes, writes
from .compiled_solids import PATHS_A_THREAD, TRIANGLE_GROUPS

LEAF_TRIANGLES = 8
"""Triangles of the smallest groups; each larger group is of four."""

WINDING = compiled(
    "winding",
    over="n",
    least=PATHS_A_THREAD,
    groups=part(TRIANGLE_GROUPS),
    points=takes("f8", "n", 3),
    turns=writes("f8", "n"),
)


def solid_angle(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The share of all directions that a triangle takes in, seen from a point, positive from behind it.

    Args:
        points: (..., 3).
        corners: Corners of one triangle each, (..., 3, 3).

    Returns:
        -0.5 to 0.5, (...) (van Oosterom & Strackee 1983).
    """
    a, b, c = np.moveaxis(corners - points[..., None, :], -2, 0)
    la, lb, lc = norm(a), norm(b), norm(c)
    volume = dot(a, cross(b, c))
    return arctan2(volume, la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb) / (2 * np.pi)


def winding(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The winding number of triangles (m, 3, 3) about each point (p, 3), every triangle for itself, (p,)."""
    return np.array([total(solid_angle(point, corners)) for point in points])


class Winding:
    """The winding numbers of a mesh of many triangles, within some 1 %, and exact close to it.

    Attributes:
        groups: The triangles in groups, as compiled functions take them.
    """

    def __init__(self, corners: np.ndarray):
        """Groups triangles (m, 3, 3) by where they are."""
        corners = corners[_along_a_curve(mean(corners, axis=1))]
        areas = 0.5 * cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        levels: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        size = many = LEAF_TRIANGLES
        middles = mean(corners, axis=1)
        while not levels or len(levels[-1][0]) > 1:
            middles, areas = (total(_in_groups(of, many), axis=1) for of in (middles, areas))
            starts = np.arange(0, len(corners), size)
            centers = middles / np.diff(np.append(starts, len(corners)))[:, None]
            away = norm(corners - np.repeat(centers, size, axis=0)[: len(corners), None]).max(axis=1)
            levels.append((centers, _in_groups(away, size).max(axis=1), areas))
            size, many = 4 * size, 4
        starts = np.cumsum([0, *(len(centers) for centers, _, _ in levels)])
        middles, radii, areas = (np.concatenate(of) for of in zip(*levels, strict=True))
        self.groups = keep(TRIANGLE_GROUPS, starts=starts, middles=middles, radii=radii, areas=areas, corners=corners)

    def at(self, points: np.ndarray) -> np.ndarray:
        """The winding number of points (p, 3), (p,)."""
        turns = np.empty(len(points))
        WINDING(groups=self.groups, points=points, turns=turns)
        return turns


def _in_groups(items: np.ndarray, many: int) -> np.ndarray:
    """Items (n, ...) that follow each other, so many a group, (groups, many, ...); zeros fill the last."""
    groups = -(-len(items) // many)
    padded = np.zeros((groups * many, *items.shape[1:]))
    padded[: len(items)] = items
    return padded.reshape(groups, many, *items.shape[1:])


def _along_a_curve(places: np.ndarray) -> np.ndarray:
    """Rows of places (n, 3) in an order in which those that follow each other are close (Morton 1966)."""
    extent = np.ptp(places, axis=0).max()
    steps = ((places - places.min(axis=0)) * (1023.0 / max(extent, 1e-300))).astype(np.int64)
    code = np.zeros(len(places), dtype=np.int64)
    for bit in range(10):
        for axis in range(3):
            code |= ((steps[:, axis] >> bit) & 1) << (3 * bit + axis)
    return np.argsort(code, kind="stable")
