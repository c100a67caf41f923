"""The lattice in which ways are planned: cells of the water, the kind of each, and the cost of the way to each.

A cell is of the kind of its middle. The cost from cell to cell is a whole number, so that it is the same by whichever
method it is found and on every machine.
"""

from __future__ import annotations

from functools import cached_property
from math import prod

import numpy as np

from ...base.constants import constant
from ...base.elementary import cube_root
from ...base.vectors import dot
from ...compiled import changes, compiled, real, takes, writes
from .tuning import (
    EASY_WEIGHT,
    LATTICE_CELLS,
    LEVEL_COSTS,
    OPAQUE_CELLS,
    RISING_COSTS,
    SHUT_CELLS,
    TIGHT_WEIGHT,
    UNSEEN_WEIGHT,
)

EASY, TIGHT, SHUT, OPAQUE = range(4)
"""Kinds of cells: with room, with little, without, and not to be seen through."""
FARTHEST_COST = np.iinfo(np.int32).max
"""Cost of a cell to which there is no way."""
LATTICE_STEPS = constant(
    np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if x or y or z])
)
"""The steps from a cell to its 26 neighbours, in the order in which ties are broken, (26, 3)."""
STEP_COSTS = constant(
    np.where(
        LATTICE_STEPS[:, 2] == 0,
        np.array(LEVEL_COSTS)[np.count_nonzero(LATTICE_STEPS[:, :2], axis=1)],
        np.array(RISING_COSTS)[np.count_nonzero(LATTICE_STEPS[:, :2], axis=1)],
    )
)
"""Cost of each step, times the sum of the weights at both ends, (26,)."""
STRAIGHT_COST = 2 * LEVEL_COSTS[1] * EASY_WEIGHT
"""Cost of a straight step on the level through easy water."""
_WEIGHTS = np.array([EASY_WEIGHT, TIGHT_WEIGHT, 0, 0], dtype=np.uint8)

WAY_COSTS = compiled(
    "way_costs",
    weights=takes("u1", "cells"),
    sources=takes("i8", "n"),
    steps=takes("i8", 26),
    prices=takes("i8", 26),
    costs=writes("i4", "cells"),
    links=writes("i4", 2, "cells"),
)
LOOK_ROUND = compiled(
    "look_round",
    chart=takes("u1", "cells"),
    eye=takes("f8", 3),
    seen=changes("?", "cells"),
    ahead=takes("f8", 3),
    low=takes("f8", 3),
    shape=takes("i8", 3),
    cell=real(),
    reach=real(),
    cosine=real(),
)


class Lattice:
    """Cells of a box of water, with a rim of one cell around it through which there is no way.

    Attributes:
        low: The outer corner of the first cell of the rim in metres, (3,).
        cell: Metres along the edge of a cell.
        shape: Number of cells along each axis, the rim included, (3,).
    """

    def __init__(self, size: np.ndarray, cell: float, most: int = LATTICE_CELLS):
        """Divides a box from the origin to `size` into cells of about this edge in metres, larger if too many."""
        size = np.asarray(size, dtype=float)
        cell = max(float(cell), float(cube_root(size[0] * size[1] * size[2] / most)))
        while prod(np.ceil(size / cell).tolist()) > most:
            cell *= 1.05
        counts = np.maximum(np.ceil(size / cell), 1.0).astype(int)
        self.cell, self.shape = cell, tuple((counts + 2).tolist())
        self.low = 0.5 * (size - counts * cell) - cell
        self._strides = self.shape[1] * self.shape[2], self.shape[2]
        self.steps = self._row(LATTICE_STEPS)

    def __len__(self) -> int:
        return self.shape[0] * self.shape[1] * self.shape[2]

    @cached_property
    def middles(self) -> np.ndarray:
        """Middles of all cells in metres, (cell, 3)."""
        axes = [self.low[axis] + self.cell * (np.arange(self.shape[axis]) + 0.5) for axis in range(3)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 3)

    @cached_property
    def inner(self) -> np.ndarray:
        """Mask of the cells that are no rim, (cell,) bool."""
        inner = np.zeros(self.shape, dtype=bool)
        inner[1:-1, 1:-1, 1:-1] = True
        return inner.reshape(-1)

    def cells(self, points: np.ndarray) -> np.ndarray:
        """Rows of the cells in which places (..., 3) lie, or of the nearest within the rim, (...)."""
        index = np.floor((points - self.low) / self.cell).astype(int)
        index = np.minimum(np.maximum(index, 1), np.array(self.shape) - 2)
        return self._row(index)

    def _row(self, index: np.ndarray) -> np.ndarray:
        """Rows of cells by their places along the axes (..., 3), (...)."""
        return index[..., 0] * self._strides[0] + index[..., 1] * self._strides[1] + index[..., 2]

    def near(self, points: np.ndarray, reach: float) -> tuple[np.ndarray, np.ndarray]:
        """Cells whose middles are within a reach of any of some places (n, 3), in metres, and their distances.

        Returns:
            Their rows, rising, (m,), and the squares of their distances from the nearest of the places in m², (m,).
        """
        around = np.arange(-int(np.ceil(reach / self.cell)), int(np.ceil(reach / self.cell)) + 1)[:, None]
        index = np.floor((points - self.low) / self.cell).astype(int)[:, None] + around
        arm = self.low + self.cell * (index + 0.5) - points[:, None]
        within = (index >= 1) & (index <= np.array(self.shape) - 2)
        squares = _all_sums(np.where(within, arm * arm, np.inf))
        inside = squares <= reach * reach
        least = np.full(len(self), np.inf)
        np.minimum.at(least, _all_sums(index * (*self._strides, 1))[inside], squares[inside])
        rows = np.flatnonzero(np.isfinite(least))
        return rows, least[rows]

    def kinds(self, squares: np.ndarray, clear: float, easy: float) -> np.ndarray:
        """Kinds of cells at distances from obstacles whose squares are these in m²: EASY to OPAQUE, (n,) uint8."""
        opaque = OPAQUE_CELLS * self.cell
        kinds = np.where(squares <= easy * easy, TIGHT, EASY)
        clear = max(clear, SHUT_CELLS * self.cell)
        kinds = np.where(squares <= clear * clear, SHUT, kinds)
        return np.where(squares <= opaque * opaque, OPAQUE, kinds).astype(np.uint8)

    def grown(self, which: np.ndarray, cells: int) -> np.ndarray:
        """Mask of the cells of `which`, (cell,) bool, and of all within so many along the axes, (cell,) bool."""
        grown = which.reshape(self.shape)
        for _ in range(cells):
            for axis in range(3):
                before = np.swapaxes(grown, 0, axis)
                wider = before.copy()
                wider[1:] |= before[:-1]
                wider[:-1] |= before[1:]
                grown = np.swapaxes(wider, 0, axis)
        return grown.reshape(-1)

    def widened(self, chart: np.ndarray, cells: int) -> np.ndarray:
        """Kinds of cells for a fish that needs so many cells more room on all sides, (cell,) uint8."""
        return np.where(self.grown(chart >= SHUT, cells), np.maximum(chart, np.uint8(SHUT)), chart)

    def weights(self, chart: np.ndarray, seen: np.ndarray | None = None) -> np.ndarray:
        """Weights of the costs of ways through cells, 0 where there is no way.

        Args:
            chart: Kinds of cells, (cell,) uint8.
            seen: Mask of the cells that were looked at, (cell,) bool; None where that does not matter.

        Returns:
            (cell,) uint8.
        """
        found = _WEIGHTS[chart]
        if seen is not None:
            found = np.where((found > 0) & ~seen, found + np.uint8(UNSEEN_WEIGHT), found)
        found[~self.inner] = 0
        return found

    def costs(self, weights: np.ndarray, sources: np.ndarray) -> np.ndarray:
        """Cost of the cheapest way from the nearest of some cells to every one.

        Args:
            weights: Weights of the costs of ways through cells, (cell,) uint8, 0 where there is no way.
            sources: Rows of the cells, (n,).

        Returns:
            (cell,) int32, `FARTHEST_COST` where there is no way.
        """
        found, links = np.empty(len(self), dtype=np.int32), np.empty((2, len(self)), dtype=np.int32)
        given = {"weights": weights, "sources": sources, "steps": self.steps, "prices": np.asarray(STEP_COSTS)}
        WAY_COSTS(**given, costs=found, links=links)
        return found

    def descent(self, weights: np.ndarray, costs: np.ndarray, start: int) -> np.ndarray:
        """The cheapest way from a cell to where costs are 0, cell by cell, (n,); only itself where there is none."""
        way, prices = [start], STEP_COSTS
        at = start
        while 0 < costs[at] < FARTHEST_COST:
            to = self.steps + at
            own = costs[to].astype(np.int64) + prices * (weights[to].astype(np.int64) + int(weights[at]))
            own[weights[to] == 0] = 2 * FARTHEST_COST
            at = int(to[own.argmin()])
            way.append(at)
        return np.array(way)

    def entry(self, weights: np.ndarray, place: np.ndarray) -> int:
        """The cell nearest to a place (3,) through which a way leads, by these weights; -1 without any."""
        return self.nearest(int(self.cells(place)), weights > 0)

    def nearest(self, cell: int, among: np.ndarray) -> int:
        """The cell nearest to one, in the mask `among`, (cell,) bool, the first of several; -1 without any."""
        if among[cell]:
            return cell
        at = self.middles[cell]
        rows = np.flatnonzero(among)
        if not len(rows):
            return -1
        arm = self.middles[rows] - at
        return int(rows[dot(arm, arm).argmin()])

    def looked_at(
        self, chart: np.ndarray, eye: np.ndarray, ahead: np.ndarray, reach: float, cosine: float, seen: np.ndarray
    ) -> None:
        """Marks the cells that an eye sees into, past none that it does not see through; none if the eye is nowhere.

        Args:
            chart: Kinds of cells, (cell,) uint8.
            eye: Its place in metres, (3,).
            ahead: Unit vector in which it looks, (3,).
            reach: Distance up to which it sees in metres.
            cosine: Cosine of half of its field of view.
            seen: Mask of the cells that were looked at, (cell,) bool; more are set in place.
        """
        LOOK_ROUND(
            chart=chart,
            eye=eye,
            seen=seen,
            ahead=ahead,
            low=self.low,
            shape=np.array(self.shape),
            cell=self.cell,
            reach=reach,
            cosine=cosine,
        )


def _all_sums(terms: np.ndarray) -> np.ndarray:
    """Sums of one x, one y and one z out of terms (n, k, 3), in all combinations, added in this order, (n, k, k, k)."""
    return terms[:, :, None, None, 0] + terms[:, None, :, None, 1] + terms[:, None, None, :, 2]
