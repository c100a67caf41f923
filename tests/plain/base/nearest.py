"""Nearest neighbours by trying everybody: the tree is no more than the list of its points.

Distances are compared by (x^2 + y^2) + z^2; of points that are equally near, the one in the first row is nearer.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

Array = np.ndarray
CHUNK = 256
"""Places that are held against all points at once."""


def _squares(points: Array, places: Array) -> Array:
    """Squares of distances from places (n, 3) to points (m, 3), (n, m)."""
    arms = points - places[:, None]
    return (arms[..., 0] ** 2 + arms[..., 1] ** 2) + arms[..., 2] ** 2


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
    for begin in range(0, len(places), CHUNK):
        span = slice(begin, begin + CHUNK)
        squares = _squares(points, places[span])
        order = np.argsort(squares, axis=1, kind="stable")[:, ranks - 1]
        rows[span], far[span] = order, np.take_along_axis(squares, order[:, -1:], axis=1)[:, 0]


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
    for center in range(first, last):
        distance = np.sqrt(_squares(points, centers[center, None])[0])
        near = np.flatnonzero(distance <= reach[center])
        end = done + len(near)
        if end <= pairs.shape[1]:
            pairs[0, done:end], pairs[1, done:end], distances[done:end] = center, near, distance[near]
        done = end
    found[0] = done


def throng(*, tree: SimpleNamespace, centers: Array, reach: Array, many: Array, enough: int) -> None:
    """True where more points than enough are within reach."""
    points = _points(tree)
    for begin in range(0, len(centers), CHUNK):
        span = slice(begin, begin + CHUNK)
        near = np.sqrt(_squares(points, centers[span])) <= reach[span, None]
        many[span] = near.sum(axis=1) > enough


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
        distance = np.sqrt(_squares(points[one + 1 :], points[one, None])[0])
        others = one + 1 + np.flatnonzero(distance < reaches[one] + reaches[one + 1 :])
        both = np.stack((np.full(len(others), tree.rows[one]), tree.rows[others]))
        after = done + len(others)
        if after <= pairs.shape[1]:
            pairs[:, done:after] = np.sort(both, axis=0)
        done = after
    found[0] = done
