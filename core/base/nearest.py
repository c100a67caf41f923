"""Nearest neighbours, found in a tree; of points that are equally near, the one in the first row counts as nearer.

Distances are compared by the sum of the squares of x, y and z, added one after the other. The kernel's trees (near.c)
do so themselves. Where these refuse, scipy's trees only name candidates, which are measured here: scipy's own
distances differ in their last bits on some machines, and so may put them in another order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from ..compiled import Kept, changes, compiled, integer, keep, part, reads, record, writes
from .threads import share_all
from .vectors import dot, norm

_LEAF = 8  # points in the smallest leaf of a tree; the largest have twice as many
_FEW = 12  # places that are not yet worth a tree: all points are tried
_LARGE = 1000  # points in a tree that is worth several threads
_TRUNK = 2  # levels of such a tree before they share out its branches
_LOOKS = 12  # at wandering points for which one tree is good
_LEAST = 128  # places that are worth a thread of their own
_ROOM = 8  # points near each place for which there is room at first
_SPARE = 3  # candidates beyond those looked for: so many may be as far away as the last one that counts
_SLACK = 1e-9  # share of a distance by which scipy's tree may err, and far more than it does

TREE = record(
    "Tree",
    rows=changes("i8", "count"),
    places=changes("f8", 3, "count"),
    boxes=changes("f8", "nodes", 6),
    depth=integer(),
)
PLANT = compiled(
    "plant",
    over="branches",
    tree=part(TREE),
    points=reads("f8", "tree.count", 3),
    branches=integer(),
    top=integer(),
    levels=integer(),
)
REPLANT = compiled("replant", tree=part(TREE), points=reads("f8", "tree.count", 3))
NEAREST = compiled(
    "nearest",
    over="n",
    least=_LEAST,
    tree=part(TREE),
    places=reads("f8", "n", 3),
    ranks=reads("i8", "many"),
    far=changes("f8", "n"),
    rows=writes("i8", "n", "many"),
)
WITHIN = compiled(
    "within",
    tree=part(TREE),
    points=reads("f8", "tree.count", 3),
    centers=reads("f8", "n", 3),
    reach=reads("f8", "n"),
    found=writes("i8", 1),
    pairs=writes("i8", 2, "room"),
    distances=writes("f8", "room"),
    first=integer(),
    last=integer(),
)
THRONG = compiled(
    "throng",
    over="n",
    least=_LEAST,
    tree=part(TREE),
    centers=reads("f8", "n", 3),
    reach=reads("f8", "n"),
    many=writes("?", "n"),
    enough=integer(),
)
REACHES = compiled(
    "reaches",
    tree=part(TREE),
    reach=reads("f8", "tree.count"),
    reaches=writes("f8", "tree.count"),
    most=writes("f8", "tree.nodes"),
)
MEETING = compiled(
    "meeting",
    tree=part(TREE),
    reaches=reads("f8", "tree.count"),
    most=reads("f8", "tree.nodes"),
    found=writes("i8", 1),
    pairs=writes("i8", 2, "room"),
    first=integer(),
    last=integer(),
)


class Points:
    """Points in a tree that is searched for the nearest."""

    def __init__(self, points: np.ndarray, plain: bool = False):
        """Plants the tree of points (m, 3); a plain one has them all in one leaf, for few queries."""
        self._points = _rows(points)
        many = len(self._points)
        depth = 0 if plain else max((many // _LEAF).bit_length() - 1, 0)
        rows, places, boxes = np.empty(many, dtype=np.int64), np.empty((3, many)), np.empty(((2 << depth) - 1, 6))
        self._tree = keep(TREE, rows=rows, places=places, boxes=boxes, depth=depth)
        self._depth = depth
        self._planted = many > 0 and self._plant()

    @property
    def tree(self) -> Kept:
        """The tree, as compiled functions take it."""
        return self._tree

    def _plant(self) -> bool:
        """Has the kernel plant the tree, a large one branch by branch in several threads; True if it did."""
        tree, points, levels = self._tree, self._points, self._depth + 1
        if len(points) < _LARGE or self._depth < _TRUNK:
            return PLANT(tree=tree, points=points, branches=1, top=0, levels=levels)
        trunk = PLANT(tree=tree, points=points, branches=1, top=0, levels=_TRUNK)
        return trunk and PLANT(tree=tree, points=points, branches=1 << _TRUNK, top=_TRUNK, levels=levels)

    def move(self, points: np.ndarray) -> bool:
        """Moves the same points to other places, (m, 3), in the tree as it is; True if the kernel did it."""
        if not self._planted or len(points) != len(self._points):
            return False
        self._points = _rows(points)
        self.__dict__.pop("_named", None)
        self._planted = REPLANT(tree=self._tree, points=self._points)
        return self._planted

    def nearest(self, places: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        """See `nearest`."""
        return nearest_of_each(places, [(self, ranks)])[0]

    def search(self, places: np.ndarray, ranks: np.ndarray, far: np.ndarray, found: np.ndarray) -> bool:
        """Has the kernel find the points nearest to all places, if it can; True if it did."""
        return self._planted and NEAREST(tree=self._tree, places=places, ranks=ranks, far=far, rows=found)

    def within(self, centers: np.ndarray, reach: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `within`."""
        centers, reach = _rows(centers), np.ascontiguousarray(np.broadcast_to(reach, len(centers)), dtype=float)
        pieces: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

        def search(begin: int, end: int) -> bool:
            room, found = _ROOM * (end - begin), np.empty(1, dtype=np.int64)
            while True:
                distances, pairs = np.empty(room), np.empty((2, room), dtype=np.int64)
                given = {"tree": self._tree, "points": self._points, "centers": centers, "reach": reach}
                if not WITHIN(**given, found=found, pairs=pairs, distances=distances, first=begin, last=end):
                    return False
                many = int(found[0])
                if many <= room:
                    pieces[begin] = pairs[0, :many], pairs[1, :many], distances[:many]
                    return True
                room = many

        if not self._planted or not share_all(search, len(centers), _LEAST):
            return self._within(centers, reach)
        row, point, distance = (np.concatenate(of) for of in zip(*(pieces[k] for k in sorted(pieces)), strict=True))
        return row, point, distance

    def throng(self, centers: np.ndarray, reach: np.ndarray, most: int) -> np.ndarray:
        """Mask of the centers (n, 3) with more than `most` points within their reach, (n,), (n,) bool."""
        centers, reach = _rows(centers), np.ascontiguousarray(reach, dtype=float)
        many = np.empty(len(centers), dtype=bool)
        done = self._planted and THRONG(tree=self._tree, centers=centers, reach=reach, many=many, enough=most)
        return many if done else self._throng(centers, reach, most)

    def meeting(self, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pairs of points that are closer than the sum of their reaches, (m,): the lower row first, in order."""
        reach = np.ascontiguousarray(reach, dtype=float)
        tree, leaves, widest = self._tree, 1 << self._depth, np.empty((2 << self._depth) - 1)
        reaches = np.empty(len(reach))
        pieces: list[tuple[np.ndarray, np.ndarray]] = []

        def search(begin: int, end: int) -> bool:
            room, found = _ROOM * _LEAF * (end - begin), np.empty(1, dtype=np.int64)
            while True:
                pairs, given = np.empty((2, room), dtype=np.int64), {"tree": tree, "reaches": reaches, "most": widest}
                if not MEETING(**given, found=found, pairs=pairs, first=begin, last=end):
                    return False
                many = int(found[0])
                if many <= room:
                    pieces.append((pairs[0, :many], pairs[1, :many]))
                    return True
                room = many

        planted = self._planted and REACHES(tree=tree, reach=reach, reaches=reaches, most=widest)
        if not planted or not share_all(search, leaves, _LEAST // _LEAF):
            return self._meeting(reach)
        first, second = (np.concatenate(of) for of in zip(*pieces, strict=True))
        order = np.argsort(first * len(reach) + second, kind="stable")
        return first[order], second[order]

    # The same as the kernel does, by scipy's trees

    @cached_property
    def _named(self) -> cKDTree:
        return cKDTree(self._points, balanced_tree=False, compact_nodes=False)

    def named(self, places: np.ndarray, ranks: np.ndarray, spare: int = _SPARE) -> np.ndarray:
        """The nearest by scipy's tree, out of `spare` more candidates than are looked for."""
        most = int(ranks[-1])
        count = min(most + spare, len(self._points))
        found = np.asarray(self._named.query(places, k=np.arange(1, count + 1))[1])
        found.sort(axis=1)
        arms = self._points[found] - places[:, None]
        squares = dot(arms, arms)
        order = np.argsort(squares, axis=1, kind="stable")
        found = np.take_along_axis(found, order[:, ranks - 1], axis=1)
        if count < len(self._points):
            ends = np.take_along_axis(squares, order[:, [most - 1, -1]], axis=1)
            # Where all spare candidates are as far away as the last, there may be more of them.
            unclear = np.flatnonzero(ends[:, 1] <= (1.0 + _SLACK) * ends[:, 0])
            if len(unclear):
                found[unclear] = self.named(places[unclear], ranks, 8 * spare)
        return found

    def _within(self, centers: np.ndarray, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if not len(centers) or not len(self._points):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        found = self._named.query_ball_point(centers, (1.0 + _SLACK) * reach, return_sorted=True)
        count = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
        center, point = np.repeat(np.arange(len(centers)), count), np.concatenate(found).astype(np.int64)
        distance = norm(self._points[point] - centers[center])
        close = distance <= reach[center]
        return center[close], point[close], distance[close]

    def _throng(self, centers: np.ndarray, reach: np.ndarray, most: int) -> np.ndarray:
        many = self._named.query_ball_point(centers, (1.0 + _SLACK) * reach, return_length=True) > most
        rows = np.flatnonzero(many)
        if len(rows):
            surely = (1.0 - _SLACK) * reach[rows]
            sure = self._named.query_ball_point(centers[rows], surely, return_length=True) > most
            for row in rows[~sure]:
                many[row] = np.count_nonzero(norm(self._points - centers[row]) <= reach[row]) > most
        return many

    def _meeting(self, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """`meeting` by octaves of reach, since a tree takes one reach only."""
        octave = np.frexp(reach)[1]
        sizes = [np.flatnonzero(octave == size) for size in np.unique(octave)]
        trees = [cKDTree(self._points[size], balanced_tree=False, compact_nodes=False) for size in sizes]
        found = [np.empty((0, 2), dtype=np.int64)]
        for one, (size, tree) in enumerate(zip(sizes, trees, strict=True)):
            most = (1.0 + _SLACK) * reach[size].max()
            found.append(size[tree.query_pairs(2 * most, output_type="ndarray")])
            for bigger, other in zip(sizes[one + 1 :], trees[one + 1 :], strict=True):
                met = tree.sparse_distance_matrix(
                    other, most + (1.0 + _SLACK) * reach[bigger].max(), output_type="ndarray"
                )
                found.append(np.stack((size[met["i"]], bigger[met["j"]]), axis=1))
        pairs = np.sort(np.concatenate(found), axis=1)
        first, second = pairs[:, 0], pairs[:, 1]
        pairs = pairs[norm(self._points[second] - self._points[first]) < reach[first] + reach[second]]
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        return pairs[:, 0], pairs[:, 1]


class Wanderers:
    """Points that move from one query to the next, slowly for how often they are queried.

    The result does not depend on the shape of the tree, so that one planted a while ago does as well. It is planted
    anew from time to time, as it becomes slow.
    """

    def __init__(self) -> None:
        """Begins with no points."""
        self._points: Points | None = None
        self._left = 0  # looks for which the tree is still good

    def at(self, places: np.ndarray) -> Points:
        """The points at their present places, (m, 3); valid until the next call."""
        if self._points is None or self._left == 0 or not self._points.move(places):
            self._points, self._left = Points(places), _LOOKS
        self._left -= 1
        return self._points


def nearest(places: np.ndarray, among: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """The points nearest to each place, by rank.

    Args:
        places: (n, 3).
        among: Points to search, (m, 3).
        ranks: Ranks to find, 1 for the nearest, rising, at most m, (k,).

    Returns:
        Rows of `among`, (n, k).
    """
    return Points(among, len(places) <= _FEW).nearest(places, ranks)


def nearest_of_each(
    places: np.ndarray, crowds: Sequence[tuple[Points, np.ndarray]], far: np.ndarray | None = None
) -> list[np.ndarray]:
    """The points of each of some crowds that are nearest to each place, by rank.

    Args:
        places: (n, 3).
        crowds: The c crowds, each as its points and the ranks to find, see `nearest`.
        far: Square of the distance to the last one of each crowd a moment ago, 0 if unknown, (c, n): about right, it
            makes the search faster. It may be set to its present value. The result is the same with any.

    Returns:
        Rows of each crowd's points, (n, k).
    """
    places, chosen = _rows(places), [np.ascontiguousarray(ranks, dtype=np.int64) for _, ranks in crowds]
    found = [np.empty((len(places), len(ranks)), dtype=np.int64) for ranks in chosen]
    far = np.zeros((len(crowds), len(places))) if far is None else far
    each = zip(crowds, chosen, far, found, strict=True)
    if all(points.search(places, ranks, away, rows) for (points, _), ranks, away, rows in each):
        return found
    return [points.named(places, ranks) for (points, _), ranks in zip(crowds, chosen, strict=True)]


def within(
    centers: np.ndarray, reach: np.ndarray | float, points: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The points within reach of centers.

    Args:
        centers: (n, 3).
        reach: (n,) or one for all.
        points: (m, 3).

    Returns:
        Rows of centers, in order, rows of the points of each, in order, and their distances, (pairs,) each.
    """
    return Points(points, len(centers) <= _FEW).within(centers, reach)


def pairs_within(places: np.ndarray, reach: float, points: np.ndarray) -> int:
    """Number of pairs of places (n, 3) and points (m, 3) at most about `reach` apart."""
    return int(cKDTree(places).count_neighbors(cKDTree(points), (1.0 + _SLACK) * reach))


def _rows(points: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(points, dtype=float)
