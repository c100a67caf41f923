"""Cubes of space near triangles, and for each the few triangles that cross it or can be nearest somewhere in it.

In a cube with half the diagonal r, whose middle is d away from the nearest triangle, no triangle is nearest anywhere
that is farther than d + 2 r from the middle.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from ..base.vectors import norm
from .facets import Facets
from .sampling import spread

PIECE_CELLS = 1.0
"""Cells of the longest edge of the pieces of triangles among which those near a cell are looked for."""
CHUNK_CELLS = 2000
"""Cells whose triangles are looked for at once."""
MOST_CANDIDATES = 256
"""Triangles of a cube from which on it is cut into eight."""
MOST_CUTS = 6
"""How often a cube is cut."""
MOST_TABLE_PAIRS = 12_000_000
"""Pairs of cubes and triangles that a table holds at the most, four bytes each."""
ROUNDING = 1e-9
"""Cells that a bound is looser than it must be, for rounding."""
HALF_DIAGONAL = 0.5 * 3**0.5
_NO_PAIRS = np.zeros(0, dtype=int), np.zeros(0, dtype=int), np.zeros(0)
_OCTANTS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


class Pieces(NamedTuple):
    """Triangles cut small, to find what is near by the middles of the pieces.

    Attributes:
        tree: Of the middles of all pieces.
        owners: The triangle that each is of, (k,).
        reach: Metres from the middle of a piece to its farthest corner, of all pieces the most.
    """

    tree: cKDTree
    owners: np.ndarray
    reach: float

    @classmethod
    def of(cls, corners: np.ndarray, edge: float, low: np.ndarray, high: np.ndarray) -> Pieces:
        """Of triangles (m, 3, 3), no edge longer, as far as they come into a box between two corners."""
        owners, done, whose = np.arange(len(corners)), [], []
        while len(corners):
            near = ((corners.max(axis=1) >= low) & (corners.min(axis=1) <= high)).all(axis=1)
            corners, owners = corners[near], owners[near]
            sides = norm(np.roll(corners, -1, axis=1) - corners)
            long = sides.max(axis=1, initial=0.0) > edge
            done.append(corners[~long])
            whose.append(owners[~long])
            corners, owners = halved(corners[long], sides[long]), np.repeat(owners[long], 2)
        found = np.concatenate(done)
        middles = found.mean(axis=1)
        reach = float(norm(found - middles[:, None]).max(initial=0.0)) * (1 + 1e-12)
        return cls(cKDTree(middles), np.concatenate(whose), reach)


def halved(corners: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Both halves of triangles (m, 3, 3) with sides so long, (m, 3), each cut across its longest, (2m, 3, 3)."""
    first = sides.argmax(axis=1)
    a, b, c = (corners[np.arange(len(first)), (first + k) % 3] for k in range(3))
    middle = 0.5 * (a + b)
    return np.stack((np.stack((a, middle, c), axis=1), np.stack((middle, b, c), axis=1)), axis=1).reshape(-1, 3, 3)


class Cells:
    """Of cells near triangles those that may cross each; of some, all that can be nearest somewhere in it.

    A row is a cell, or one of the eight cubes that another row is cut into.

    Attributes:
        parts: The first of eight rows that a row is cut into, -1 where it is not cut, (rows,).
        origin: Lowest corner of each row in metres, (rows, 3).
        edge: Of each in metres, (rows,).
        first: Where the triangles of each row begin, (rows,).
        many: How many there are, (rows,).
        crossing: How many of them, the first, may go through it, (rows,).
        facets: Rows of the triangles, (k,).
        whole: Whether all triangles are there that can be nearest, however many.
    """

    def __init__(
        self, facets: Facets, pieces: Pieces, origin: np.ndarray, cell: float, gap: np.ndarray, edged: np.ndarray
    ):
        """Looks for the triangles near cells.

        Args:
            facets: The triangles.
            pieces: The same in pieces.
            origin: Lowest corners of the cells in metres, (n, 3).
            cell: Metres along a cell.
            gap: Metres from their middles to a triangle that is about as near as any, (n,).
            edged: Of which cells all triangles that can be nearest are looked for, (n,).
        """
        self._facets, self._cell = facets, cell
        found = []
        for start in range(0, len(origin), CHUNK_CELLS):
            some = slice(start, start + CHUNK_CELLS)
            found.append(self._near(pieces, origin[some] + 0.5 * cell, gap[some], edged[some], start))
        owner, row, away = (np.concatenate(each) for each in zip(*found, strict=True)) if found else _NO_PAIRS
        layers: list[tuple[np.ndarray, ...]] = [(origin, np.full(len(origin), cell), owner, row, away)]
        self.parts = np.full(len(origin), -1)
        total = len(owner)
        for _ in range(MOST_CUTS):
            origin, edge, owner, row, away = layers[-1]
            many = np.bincount(owner, minlength=len(origin))
            crowded = np.flatnonzero(many > MOST_CANDIDATES)
            if not len(crowded) or total > MOST_TABLE_PAIRS:
                break
            self.parts[len(self.parts) - len(origin) + crowded] = len(self.parts) + 8 * np.arange(len(crowded))
            both = np.repeat(edged[crowded], 8)
            first = (np.cumsum(many) - many)[crowded]
            layers.append(self._cut(origin[crowded], edge[crowded], first, many[crowded], row, both))
            edged = both
            self.parts = np.append(self.parts, np.full(8 * len(crowded), -1))
            left = ~np.isin(owner, crowded)
            layers[-2] = (origin, edge, owner[left], row[left], away[left])
            total += len(layers[-1][2]) - np.count_nonzero(~left)
        self.whole = total <= MOST_TABLE_PAIRS
        self._are_cut = len(layers) > 1
        self._lay(layers)

    def _lay(self, layers: list[tuple[np.ndarray, ...]]) -> None:
        begin = np.cumsum([0] + [len(layer[0]) for layer in layers[:-1]])
        self.origin, self.edge = (np.concatenate([layer[k] for layer in layers]) for k in (0, 1))
        owner = np.concatenate([layer[2] + start for layer, start in zip(layers, begin, strict=True)])
        row, away = (np.concatenate([layer[k] for layer in layers]) for k in (3, 4))
        through = away <= self.edge[owner] * HALF_DIAGONAL + ROUNDING * self._cell
        order = np.argsort(2 * owner + ~through, kind="stable")
        self.facets = row[order].astype(np.int32)
        self.many = np.bincount(owner, minlength=len(self.edge))
        self.first = np.cumsum(self.many) - self.many
        self.crossing = np.bincount(owner[through], minlength=len(self.edge))

    def _near(
        self, pieces: Pieces, middles: np.ndarray, gap: np.ndarray, edged: np.ndarray, start: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Pairs of cells, counted from a start, and triangles, and their distance from the middle in metres."""
        reach = np.where(edged, gap + 2 * HALF_DIAGONAL * self._cell, HALF_DIAGONAL * self._cell)
        lists = pieces.tree.query_ball_point(middles, reach + ROUNDING * self._cell + pieces.reach, workers=-1)
        many = np.array([len(each) for each in lists])
        place = np.fromiter(chain.from_iterable(lists), dtype=np.int64, count=int(many.sum()))
        code = np.unique(np.repeat(np.arange(len(many)), many) * len(self._facets) + pieces.owners[place])
        owner, row = code // len(self._facets), code % len(self._facets)
        away = np.sqrt(self._facets.squared(middles[owner], row))
        return self._able(owner, row, away, np.full(len(many), self._cell), edged, start)

    def _able(
        self, owner: np.ndarray, row: np.ndarray, away: np.ndarray, edge: np.ndarray, edged: np.ndarray, start: int = 0
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of pairs, those of triangles that cross their cube or, where it is edged, can be nearest somewhere in it."""
        least = np.full(len(edge), np.inf)
        np.minimum.at(least, owner, away)
        reach = np.where(edged, least + 2 * HALF_DIAGONAL * edge, HALF_DIAGONAL * edge) + ROUNDING * self._cell
        able = away <= reach[owner]
        return owner[able] + start, row[able], away[able]

    def _cut(
        self,
        origin: np.ndarray,
        edge: np.ndarray,
        first: np.ndarray,
        many: np.ndarray,
        rows: np.ndarray,
        edged: np.ndarray,
    ) -> tuple[np.ndarray, ...]:
        """The eight parts of cubes, and their pairs of what the cubes have."""
        edge = np.repeat(0.5 * edge, 8)
        origin = np.repeat(origin, 8, axis=0) + edge[:, None] * np.tile(_OCTANTS, (len(many), 1))
        found = []
        for part in range(len(edge)):
            row = rows[first[part // 8] : first[part // 8] + many[part // 8]]
            middle = np.broadcast_to(origin[part] + 0.5 * edge[part], (len(row), 3))
            away = np.sqrt(self._facets.squared(middle, row))
            one = slice(part, part + 1)
            found.append(self._able(np.zeros(len(row), dtype=int), row, away, edge[one], edged[one], part))
        owner, row, away = (np.concatenate(each) for each in zip(*found, strict=True))
        return origin, edge, owner, row, away

    def descend(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The smallest rows that points (n, 3) in rows (n,) are in, (n,)."""
        for _ in range(MOST_CUTS if self._are_cut else 0):
            inner = np.flatnonzero(self.parts[rows] >= 0)
            if not len(inner):
                break
            row = rows[inner]
            above = points[inner] >= self.origin[row] + 0.5 * self.edge[row, None]
            rows = rows.copy()
            rows[inner] = self.parts[row] + above @ (4, 2, 1)
        return rows

    def pairs(self, rows: np.ndarray, crossing: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """For n rows: which of them each pair is of, and its triangle, (k,) both; or only of those that cross it."""
        owner, place = spread(self.first[rows], (self.crossing if crossing else self.many)[rows])
        return owner, self.facets[place]
