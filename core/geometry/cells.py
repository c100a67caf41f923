"""Cubes of space near triangles, and for each the few triangles that cross it or can be nearest somewhere in it.

In a cube with half the diagonal r, whose middle is d away from the nearest triangle, no triangle is nearest anywhere
that is farther than d + 2 r from the middle.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..base.nearest import Points
from ..base.sums import mean
from ..base.vectors import norm
from .facets import Facets

PIECE_CELLS = 1.5
"""Cells of the longest edge of the pieces of triangles among which those near a cell are looked for."""
MOST_PIECES = 2_000_000
"""Pieces from which on they are cut no smaller."""
CHUNK_CELLS = 2000
"""Cells whose triangles are looked for at once."""
MOST_CANDIDATES = 512
"""Pieces near a cell from which on it is crowded."""
ROUNDING = 1e-9
"""Cells that a bound is looser than it must be, for rounding."""
HALF_DIAGONAL = 0.8660254037844386
_NO_PAIRS = np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0)


class TrianglePieces(NamedTuple):
    """Triangles cut small, to find near ones by the middles of the pieces.

    Attributes:
        middles: Middles of all pieces.
        owners: The triangle that each is of, (k,).
        reach: Metres from the middle of a piece to its farthest corner, of all pieces the most.
        whole: Whether all are as small as they should be.
    """

    middles: Points
    owners: np.ndarray
    reach: float
    whole: bool

    @classmethod
    def of(cls, corners: np.ndarray, edge: float, low: np.ndarray, high: np.ndarray) -> TrianglePieces:
        """The pieces of triangles (m, 3, 3), no edge longer, that come into a box between two corners."""
        owners, done, whose, many = np.arange(len(corners)), [], [], 0
        while len(corners) and many + len(corners) <= MOST_PIECES:
            near = ((corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)).all(axis=1)
            corners, owners = corners[near], owners[near]
            sides = norm(np.roll(corners, -1, axis=1) - corners)
            long = sides.max(axis=1, initial=0.0) > edge
            done.append(corners[~long])
            whose.append(owners[~long])
            many += len(whose[-1])
            corners, owners = halved(corners[long], sides[long]), np.repeat(owners[long], 2)
        found = np.concatenate((*done, corners))
        middles = mean(found, axis=1)
        reach = float(norm(found - middles[:, None]).max(initial=0.0)) * (1 + 1e-12)
        return cls(Points(middles), np.concatenate((*whose, owners)), reach, not len(corners))

    def nearest(self, points: np.ndarray, among: int) -> np.ndarray:
        """Triangles that so many pieces are of, those with the nearest middles, (n, among); fewer if there are."""
        among = min(among, len(self.owners))
        return self.owners[self.middles.nearest(points, np.arange(1, among + 1))]


def halved(corners: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Both halves of triangles (m, 3, 3) with sides so long, (m, 3), each cut across its longest, (2m, 3, 3)."""
    first = sides.argmax(axis=1)
    a, b, c = (corners[np.arange(len(first)), (first + k) % 3] for k in range(3))
    middle = 0.5 * (a + b)
    return np.stack((np.stack((a, middle, c), axis=1), np.stack((middle, b, c), axis=1)), axis=1).reshape(-1, 3, 3)


class Cells:
    """Triangles near cells: of each cell those that may cross it; of some, all that can be nearest somewhere in it.

    Attributes:
        crowded: Cells of which only those are there that may cross them, for there are too many, (n,).
        first: First of the triangles of each cell, (n,).
        many: Number of them, (n,).
        crossing: Number of them, the first, that may go through it, (n,).
        facets: Rows of the triangles, (k,).
    """

    def __init__(
        self,
        facets: Facets,
        pieces: TrianglePieces,
        middles: np.ndarray,
        cell: float,
        gap: np.ndarray,
        edged: np.ndarray,
    ):
        """Looks for the triangles near cells.

        Args:
            facets: The triangles.
            pieces: The same in pieces.
            middles: Middles of the cells in metres, (n, 3).
            cell: Metres along a cell.
            gap: Metres from their middles to a triangle that is about as near as any, (n,).
            edged: Cells for which all triangles that can be nearest are looked for, (n,).
        """
        self._facets, self._cell = facets, cell
        self.crowded = np.zeros(len(middles), dtype=bool)
        found = []
        for start in range(0, len(middles), CHUNK_CELLS):
            some = slice(start, start + CHUNK_CELLS)
            found.append(self._near(pieces, middles[some], gap[some], edged[some], start))
        owner, row, away = (np.concatenate(each) for each in zip(*found, strict=True)) if found else _NO_PAIRS
        through = away <= (HALF_DIAGONAL + ROUNDING) * cell
        self.facets = row[np.argsort(2 * owner + ~through, kind="stable")].astype(np.int32)
        self.many = np.bincount(owner, minlength=len(middles))
        self.first = np.cumsum(self.many) - self.many
        self.crossing = np.bincount(owner[through], minlength=len(middles))

    def _near(
        self, pieces: TrianglePieces, middles: np.ndarray, gap: np.ndarray, edged: np.ndarray, start: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pairs of cells, counted from a start, and triangles, and their distance from the middle in metres."""
        through = (HALF_DIAGONAL + ROUNDING) * self._cell
        reach = np.where(edged, gap + 2 * through, through) + pieces.reach
        crowded = edged & pieces.middles.throng(middles, reach, MOST_CANDIDATES)
        self.crowded[start : start + len(middles)] = crowded
        near, place, _ = pieces.middles.within(middles, np.where(crowded, through + pieces.reach, reach))
        code = np.unique(near * len(self._facets) + pieces.owners[place])
        owner, row = code // len(self._facets), code % len(self._facets)
        away = np.sqrt(self._facets.squared(middles[owner], row))
        least = np.full(len(middles), np.inf)
        np.minimum.at(least, owner, away)
        able = away <= np.where(edged & ~crowded, least + 2 * through, through)[owner]
        return owner[able] + start, row[able], away[able]
