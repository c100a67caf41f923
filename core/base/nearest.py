"""Who is nearest to whom: found in a k-d tree, measured here, and of equally near ones the first row is the nearer.

A tree's own distances have bits of its own on some machines, and so may have another order. It only says who may be
meant; what is measured, compared and put in order is the sum of the squares of x, y and z, one after the other.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from .vectors import dot, norm

_SPARE = 3  # more candidates than are looked for: so many may be as far away as the last one that counts
_SLACK = 1e-9  # share of a distance by which the tree may err, and far more than it does


class Points:
    """Points that it is asked of often who is near."""

    def __init__(self, points: np.ndarray, balanced: bool = True):
        """Plants the tree of points (m, 3); one that is balanced takes longer and answers sooner."""
        self._points = points
        self._tree = cKDTree(points, balanced_tree=balanced, compact_nodes=balanced)

    def nearest(self, places: np.ndarray, ranks: np.ndarray, workers: int = 1, spare: int = _SPARE) -> np.ndarray:
        """See `nearest`; so many more candidates are looked at first."""
        most = int(ranks[-1])
        count = min(most + spare, len(self._points))
        found = np.asarray(self._tree.query(places, k=np.arange(1, count + 1), workers=workers)[1])
        found.sort(axis=1)
        arms = self._points[found] - places[:, None]
        squares = dot(arms, arms)
        order = np.argsort(squares, axis=1, kind="stable")
        found = np.take_along_axis(found, order[:, ranks - 1], axis=1)
        if count < len(self._points):
            ends = np.take_along_axis(squares, order[:, [most - 1, -1]], axis=1)
            # Where all that are to spare are as far away, there may be more of them.
            unclear = np.flatnonzero(ends[:, 1] <= (1.0 + _SLACK) * ends[:, 0])
            if len(unclear):
                found[unclear] = self.nearest(places[unclear], ranks, workers, 8 * spare)
        return found

    def about(self, places: np.ndarray, reach: np.ndarray, workers: int = 1) -> list[list[int]]:
        """Of each place (n, 3) the points that are within reach, (n,), and some that are hardly beyond, in no order."""
        return list(self._tree.query_ball_point(places, (1.0 + _SLACK) * reach, workers=workers, return_sorted=False))

    def throng(self, places: np.ndarray, reach: np.ndarray, most: int, workers: int = 1) -> np.ndarray:
        """Whether more points than so many are within reach, (n,), of each place (n, 3), (n,) bool."""
        many = self._tree.query_ball_point(places, (1.0 + _SLACK) * reach, workers=workers, return_length=True) > most
        rows = np.flatnonzero(many)
        if len(rows):
            surely = (1.0 - _SLACK) * reach[rows]
            sure = self._tree.query_ball_point(places[rows], surely, workers=workers, return_length=True) > most
            for row in rows[~sure]:
                many[row] = np.count_nonzero(norm(self._points - places[row]) <= reach[row]) > most
        return many


def nearest(places: np.ndarray, among: np.ndarray, ranks: np.ndarray, workers: int = 1) -> np.ndarray:
    """The points nearest to each place, by rank.

    Args:
        places: (n, 3).
        among: Points that are looked at, (m, 3).
        ranks: Which of them, 1 for the nearest, rising, at most m, (k,).
        workers: Threads; -1 is all there are.

    Returns:
        Rows of `among`, (n, k).
    """
    return Points(among, balanced=False).nearest(places, ranks, workers)


def within(
    centers: np.ndarray, reach: np.ndarray | float, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points that are no farther from centers than they reach.

    Args:
        centers: (n, 3).
        reach: (n,) or one for all.
        points: (m, 3).

    Returns:
        Rows of centers, in order, of the points of each, in order, and how far apart they are, (pairs,) each.
    """
    if not len(centers) or not len(points):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0)
    reach = np.broadcast_to(np.asarray(reach, dtype=float), len(centers))
    tree = cKDTree(points, balanced_tree=False, compact_nodes=False)
    found = tree.query_ball_point(centers, (1.0 + _SLACK) * reach, return_sorted=True)
    count = np.fromiter(map(len, found), dtype=int, count=len(found))
    center, point = np.repeat(np.arange(len(centers)), count), np.concatenate(found).astype(int)
    distance = norm(points[point] - centers[center])
    close = distance <= reach[center]
    return center[close], point[close], distance[close]


def pairs_of(points: np.ndarray, reach: float) -> np.ndarray:
    """Pairs of points (m, 3) that are about as near to each other or nearer, in no order, (pairs, 2)."""
    tree = cKDTree(points, balanced_tree=False, compact_nodes=False)
    return tree.query_pairs((1.0 + _SLACK) * reach, output_type="ndarray")


def pairs_between(places: np.ndarray, reach: float, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of places (n, 3) and points (m, 3) that are about as near to each other or nearer, in no order."""
    one, other = (cKDTree(of, balanced_tree=False, compact_nodes=False) for of in (places, points))
    met = one.sparse_distance_matrix(other, (1.0 + _SLACK) * reach, output_type="ndarray")
    return met["i"], met["j"]


def pairs_within(places: np.ndarray, reach: float, points: np.ndarray) -> int:
    """How many places (n, 3) and points (m, 3) are about as near to each other or nearer."""
    return int(cKDTree(places).count_neighbors(cKDTree(points), (1.0 + _SLACK) * reach))
