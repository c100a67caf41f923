"""Nearest neighbours, found in a tree; of points that are equally near, the one in the first row counts as nearer.

Distances are compared by the sum of the squares of x, y and z, added one after the other, in trees of near.c; scipy's
differ in their last bits on some machines, and so may put points in another order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..compiled import Kept, changes, compiled, integer, keep, part, reads, record, writes
from .threads import share_all

_LEAF = 8  # points in the smallest leaf of a tree; the largest have twice as many
_FEW = 12  # places that are not yet worth a tree: all points are tried
_LARGE = 1000  # points in a tree that is worth several threads
_TRUNK = 2  # levels of such a tree before they share out its branches
_LOOKS = 12  # at wandering points for which one tree is good
_LEAST = 128  # places that are worth a thread of their own
_ROOM = 8  # points near each place for which there is room at first

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
        """Plants the tree of points (m, 3); a plain one has them all in one leaf, for few queries.

        Raises:
            ValueError: A point is not finite.
        """
        self._points = _finite(points)
        many = len(self._points)
        depth = 0 if plain else max((many // _LEAF).bit_length() - 1, 0)
        rows, places, boxes = np.empty(many, dtype=np.int64), np.empty((3, many)), np.empty(((2 << depth) - 1, 6))
        self._tree = keep(TREE, rows=rows, places=places, boxes=boxes, depth=depth)
        self._depth = depth
        if many:
            self._plant()

    @property
    def tree(self) -> Kept:
        """The tree, as compiled functions take it."""
        return self._tree

    def _plant(self) -> None:
        """Plants the tree, a large one branch by branch in several threads."""
        tree, points, levels = self._tree, self._points, self._depth + 1
        if len(points) < _LARGE or self._depth < _TRUNK:
            PLANT(tree=tree, points=points, branches=1, top=0, levels=levels)
            return
        PLANT(tree=tree, points=points, branches=1, top=0, levels=_TRUNK)
        PLANT(tree=tree, points=points, branches=1 << _TRUNK, top=_TRUNK, levels=levels)

    def move(self, points: np.ndarray) -> bool:
        """Moves the points to other places, (m, 3), in the tree as it is; False if there are more or fewer of them.

        Raises:
            ValueError: A point is not finite.
        """
        if len(points) != len(self._points):
            return False
        self._points = _finite(points)
        if len(points):
            REPLANT(tree=self._tree, points=self._points)
        return True

    def nearest(self, places: np.ndarray, ranks: np.ndarray) -> np.ndarray:
        """See `nearest`."""
        return nearest_of_each(places, [(self, ranks)])[0]

    def search(self, places: np.ndarray, ranks: np.ndarray, far: np.ndarray, found: np.ndarray) -> None:
        """Finds the points nearest to finite places (n, 3) by rank (k,), as rows (n, k).

        Args:
            places: (n, 3).
            ranks: Rising, (k,).
            far: Square of the distance to the last of them, about right or 0 before, and right after, (n,).
            found: Rows, (n, k), filled.
        """
        if len(ranks):
            NEAREST(tree=self._tree, places=places, ranks=ranks, far=far, rows=found)

    def within(self, centers: np.ndarray, reach: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `within`."""
        centers, reach = _finite(centers), np.ascontiguousarray(np.broadcast_to(reach, len(centers)), dtype=float)
        pieces: dict[int, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}

        def search(begin: int, end: int) -> bool:
            room, found = _ROOM * (end - begin), np.empty(1, dtype=np.int64)
            while True:
                distances, pairs = np.empty(room), np.empty((2, room), dtype=np.int64)
                given = {"tree": self._tree, "points": self._points, "centers": centers, "reach": reach}
                WITHIN(**given, found=found, pairs=pairs, distances=distances, first=begin, last=end)
                many = int(found[0])
                if many <= room:
                    pieces[begin] = pairs[0, :many], pairs[1, :many], distances[:many]
                    return True
                room = many

        if not len(self._points):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
        share_all(search, len(centers), _LEAST)
        row, point, distance = (np.concatenate(of) for of in zip(*(pieces[k] for k in sorted(pieces)), strict=True))
        return row, point, distance

    def count_within(self, centers: np.ndarray, reach: float) -> int:
        """Number of pairs of centers (n, 3) and points that are at most `reach` apart."""
        if not len(self._points):
            return 0
        centers, found = _finite(centers), np.empty(1, dtype=np.int64)
        given = {"tree": self._tree, "points": self._points, "centers": centers, "reach": np.full(len(centers), reach)}
        nowhere = {"pairs": np.empty((2, 0), dtype=np.int64), "distances": np.empty(0)}
        WITHIN(**given, **nowhere, found=found, first=0, last=len(centers))
        return int(found[0])

    def throng(self, centers: np.ndarray, reach: np.ndarray, most: int) -> np.ndarray:
        """Mask of the centers (n, 3) with more than `most` points within their reach, (n,), (n,) bool."""
        centers, reach = _finite(centers), np.ascontiguousarray(reach, dtype=float)
        many = np.zeros(len(centers), dtype=bool)
        if len(self._points):
            THRONG(tree=self._tree, centers=centers, reach=reach, many=many, enough=most)
        return many

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
                MEETING(**given, found=found, pairs=pairs, first=begin, last=end)
                many = int(found[0])
                if many <= room:
                    pieces.append((pairs[0, :many], pairs[1, :many]))
                    return True
                room = many

        if not len(self._points):
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        REACHES(tree=tree, reach=reach, reaches=reaches, most=widest)
        share_all(search, leaves, _LEAST // _LEAF)
        first, second = (np.concatenate(of) for of in zip(*pieces, strict=True))
        order = np.argsort(first * len(reach) + second, kind="stable")
        return first[order], second[order]


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
    places, chosen = _finite(places), [np.ascontiguousarray(ranks, dtype=np.int64) for _, ranks in crowds]
    found = [np.empty((len(places), len(ranks)), dtype=np.int64) for ranks in chosen]
    far = np.zeros((len(crowds), len(places))) if far is None else far
    for (points, _), ranks, away, rows in zip(crowds, chosen, far, found, strict=True):
        points.search(places, ranks, away, rows)
    return found


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


def _finite(places: np.ndarray) -> np.ndarray:
    """Places as C takes them.

    Raises:
        ValueError: One is not finite.
    """
    places = np.ascontiguousarray(places, dtype=float)
    if not np.isfinite(places).all():
        row = int(np.argmin(np.isfinite(places).all(axis=1)))
        raise ValueError(f"found place {places[row].tolist()} (row {row}), allowed finite numbers")
    return places
