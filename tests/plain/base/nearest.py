"""Nearest neighbours, each held against all that scipy's trees name; our tree is no more than the list of its points.

Distances are compared by (x^2 + y^2) + z^2; of points that are equally near, the first row is nearer. Those of
scipy may err in their last bits, so that its trees are asked for somewhat more.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from scipy.spatial import cKDTree

Array = np.ndarray
SLACK = 1e-9
"""Share of a distance by which scipy's trees may err, and far more than they do."""


def _squares(points: Array, place: Array) -> Array:
    """Squares of distances from a place (3,) to points (m, 3), (m,)."""
    arms = points - place
    return (arms[:, 0] ** 2 + arms[:, 1] ** 2) + arms[:, 2] ** 2


def _named(points: Array, places: Array, reach: Array) -> list[Array]:
    """Rows of all points that may be within reach of each place, rising."""
    found = cKDTree(points).query_ball_point(places, (1.0 + SLACK) * reach, return_sorted=True)
    return [np.array(rows, dtype=np.int64) for rows in found]


def _points(tree: SimpleNamespace) -> Array:
    """The points of a tree by their rows, (m, 3)."""
    points = np.empty((len(tree.rows), 3))
    points[tree.rows] = tree.places.T
    return points


def plant(*, tree: SimpleNamespace, points: Array, branches: int, top: int, levels: int) -> None:
    """Takes the points in their order; boxes are never looked at."""
    tree.rows[:], tree.places[:], tree.boxes[:] = np.arange(len(points)), points.T, 0.0


def replant(*, tree: SimpleNamespace, points: Array) -> None:
    """The points are elsewhere."""
    tree.places[:] = points[tree.rows].T


def nearest(*, tree: SimpleNamespace, places: Array, ranks: Array, far: Array, rows: Array) -> None:
    """The points nearest to each place by rank, and how far the last of them is, squared."""
    points = _points(tree)
    reach = cKDTree(points).query(places, k=[ranks[-1]])[0][:, 0]
    for place, named in enumerate(_named(points, places, reach)):
        squares = _squares(points[named], places[place])
        order = np.argsort(squares, kind="stable")[ranks - 1]
        rows[place], far[place] = named[order], squares[order[-1]]


def within(
    *,
    tree: SimpleNamespace,
    points: Array,
    centers: Array,
    reach: Array,
    found: Array,
    pairs: Array,
    distances: Array,
    first: int,
    last: int,
) -> None:
    """Points within reach of centers from `first` to before `last`; more than there is room for are only counted."""
    done = 0
    for center, named in enumerate(_named(points, centers[first:last], reach[first:last]), first):
        distance = np.sqrt(_squares(points[named], centers[center]))
        close = distance <= reach[center]
        end = done + np.count_nonzero(close)
        if end <= pairs.shape[1]:
            pairs[0, done:end], pairs[1, done:end], distances[done:end] = center, named[close], distance[close]
        done = end
    found[0] = done


def throng(*, tree: SimpleNamespace, centers: Array, reach: Array, many: Array, enough: int) -> None:
    """True where more points than enough are within reach."""
    points = _points(tree)
    for center, named in enumerate(_named(points, centers, reach)):
        many[center] = np.count_nonzero(np.sqrt(_squares(points[named], centers[center])) <= reach[center]) > enough


def reaches(*, tree: SimpleNamespace, reach: Array, reaches: Array, most: Array) -> None:
    """Reach in the order of the tree; no node has a point that reaches farther than the farthest of all."""
    reaches[:], most[:] = reach[tree.rows], reach.max()


def meeting(
    *, tree: SimpleNamespace, reaches: Array, most: Array, found: Array, pairs: Array, first: int, last: int
) -> None:
    """Pairs that both reach, of the points of some leaves and those after them; more than there is room are counted."""
    count, points = len(tree.rows), tree.places.T
    begin, end = (count * first) >> tree.depth, (count * last) >> tree.depth
    done = 0
    for one in range(begin, end):
        distance = np.sqrt(_squares(points[one + 1 :], points[one]))
        others = one + 1 + np.flatnonzero(distance < reaches[one] + reaches[one + 1 :])
        both = np.stack((np.full(len(others), tree.rows[one]), tree.rows[others]))
        after = done + len(others)
        if after <= pairs.shape[1]:
            pairs[:, done:after] = np.sort(both, axis=0)
        done = after
    found[0] = done
