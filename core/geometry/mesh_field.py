"""A mesh as a signed distance: exact near its surface where that is edged, sampled elsewhere.

Space around the mesh is cut into cells. The distance is interpolated between samples at their corners; but in cells
close to the surface in which that would err by more than `SMOOTH_CELLS`, it is that to the nearest of the few triangles
that can be nearest somewhere in the cell. Lines of sight are held against the triangles themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..base.elementary import cube_root
from ..base.vectors import norm
from .cells import HALF_DIAGONAL, PIECE_CELLS, Cells, TrianglePieces
from .compiled_solids import NO_GROUPS, SOLID_NEAREST, CompiledSolid, Formed, Layout
from .facets import Facets
from .sampling import chunks, crossings, of_corners, refined
from .triangles import Surface
from .tuning import SHEET_METRES
from .winding import Winding

MOST_SAMPLES = 200_000
"""Corners of cells at most."""
PAD_EXTENTS = 0.2
"""Margin of water sampled around a mesh, over the longest extent of its sampled part."""
CLOSE_CELLS = HALF_DIAGONAL + 0.35
"""Cells from its middle to the surface, up to which a cell is close: in all others it is farther than the second."""
OWN_DISTANCE_CELLS = 2.5
"""Cells from the surface up to which every sample is measured; of those beyond, every second along each axis."""
NEAR_PIECES = 6
"""The nearest pieces by their middles whose triangles are tried for the nearest, close to the surface."""
SMOOTH_CELLS = 0.1
"""Cells by which the interpolated distance may err in a close cell."""
MOST_CROSSING = 500
"""Triangles through a cell from which on it is quicker to ask them all in groups what is inside."""
GRAIN_CELLS = 0.25
"""Cells to which paths are found."""
INSIDE = 0.5
"""The winding number from which on a place is inside, either way."""
_ASKEW = np.array([1.1e-3, 2.3e-3, 1.7e-3])
"""Cells by which places are moved before it is asked what is inside, since meshes often lie along the grid."""


@dataclass(frozen=True)
class Extent:
    """A box of space, from corner to corner in metres, (3,) each."""

    low: np.ndarray
    high: np.ndarray

    @classmethod
    def around(cls, points: np.ndarray) -> Extent:
        """The box around points (n, 3)."""
        return cls(points.min(axis=0), points.max(axis=0))

    def shared(self, other: Extent) -> Extent | None:
        """The intersection of two boxes; None if they do not meet."""
        low, high = np.maximum(self.low, other.low), np.minimum(self.high, other.high)
        return Extent(low, high) if (low <= high).all() else None


class MeshField(Formed):
    """A solid with a mesh for its surface.

    Gaps of an open mesh are filled with polygons. Where these would have another inside than the generalised winding
    number, inside is where that is above one half, with no surface in the gaps. A sheet is a shell.

    Attributes:
        region: Sampled region; beyond it the distance is a lower bound.
        cell: Metres along the edge of a cell.
        low: The first corner of a cell, (3,).
        samples: Signed distance at the cells' corners in metres, (nx, ny, nz).
        exact: Whether it is as exact as promised: else the mesh has more triangles in one place than there is memory
            for.
        grain: See Solid; a quarter of a cell.
    """

    def __init__(
        self, surface: Surface, region: Extent | None = None, thickness: float | None = None, most: int = MOST_SAMPLES
    ):
        """Samples the field.

        Args:
            surface: Surface in metres.
            region: Region in which distances are asked for; all around the mesh if left out.
            thickness: Metres, of a mesh that is a shell: there is no inside, and it is solid up to half of this from
                the triangles. None of a solid, and of a sheet as thick as any.
            most: Corners of cells, about.
        """
        if thickness is None and surface.sheet:
            thickness = SHEET_METRES
        filled = surface if thickness is not None else surface.filled
        corners = (filled or surface).corners
        self._half = 0.5 * (thickness or 0.0)
        self._shell, self._gaping = thickness is not None, filled is None
        self._facets = Facets(corners)
        box = Extent.around(corners.reshape(-1, 3))
        self._middle, self._radius = 0.5 * (box.low + box.high), 0.5 * float(norm(box.high - box.low))
        inner = box if region is None else box.shared(region) or region
        pad = PAD_EXTENTS * float((inner.high - inner.low).max()) + self._half
        self.region = Extent(inner.low - pad, inner.high + pad)
        self._lay_grid(most)
        cut = bool((self.region.low > box.low).any() or (self.region.high < box.high).any())
        self._sample(corners, np.zeros((0, 3, 3)) if filled else surface.caps, pad if cut else np.inf)

    def _lay_grid(self, most: int) -> None:
        """Cubes that fill the region, an even number along each axis, with about so many corners."""
        extent = self.region.high - self.region.low
        self.cell = float(cube_root(extent[0] * extent[1] * extent[2] / most))
        self.grain = GRAIN_CELLS * self.cell
        counts = 2 * np.ceil(extent / (2 * self.cell)).astype(int) + 1
        self.low = 0.5 * (self.region.low + self.region.high) - 0.5 * self.cell * (counts - 1)
        self._counts = counts

    def _places(self, shift: float = 0.0) -> np.ndarray:
        """Places of the samples, (nx, ny, nz, 3), or places so many cells on along each axis."""
        lines = [low + self.cell * (np.arange(n) + shift) for low, n in zip(self.low, self._counts, strict=True)]
        return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1)

    def _sample(self, corners: np.ndarray, caps: np.ndarray, pad: float) -> None:
        """Signed distances at the samples, and the triangles of close cells; nothing farther than the pad is left out.

        Distances are first those to the triangles of the nearest of all pieces, by their middles.
        """
        spare = 0.0 if np.isinf(pad) else pad
        pieces = TrianglePieces.of(corners, PIECE_CELLS * self.cell, self.region.low - spare, self.region.high + spare)
        places = self._places()
        away = self._roughly(pieces, places[::2, ::2, ::2].reshape(-1, 3)).reshape(tuple((self._counts + 1) // 2))
        for axis in range(3):
            away = refined(away, axis)
        away, places = away.ravel(), places.reshape(-1, 3)
        near = np.flatnonzero(away < OWN_DISTANCE_CELLS * self.cell)
        away[near] = self._roughly(pieces, places[near], NEAR_PIECES)
        if not np.isinf(pad):
            border = np.minimum(places - self.region.low, self.region.high - places).min(axis=-1)
            away = np.minimum(away, np.maximum(border, 0.0) + pad)
        inside = self._find_inside(corners, caps, places, away)
        self.samples = np.where(inside, -away, away).reshape(tuple(self._counts))

        nearest = np.full(tuple(self._counts), np.inf)
        nearest[:-1, :-1, :-1] = of_corners(np.abs(self.samples), np.minimum)
        first = np.flatnonzero(nearest.ravel() <= (CLOSE_CELLS + HALF_DIAGONAL) * self.cell)
        gap = self._roughly(pieces, places[first] + 0.5 * self.cell, NEAR_PIECES)
        first, gap = first[gap <= CLOSE_CELLS * self.cell], gap[gap <= CLOSE_CELLS * self.cell]
        edged = self._bends().ravel()[first] > SMOOTH_CELLS * self.cell
        self._cells = Cells(self._facets, pieces, places[first] + 0.5 * self.cell, self.cell, gap, edged)
        self._pieces, self.exact = pieces, pieces.whole
        rows = np.arange(len(first), dtype=np.int32)
        self._row_of_cell = np.full(len(places), -1, dtype=np.int32)
        self._edged = self._row_of_cell.copy()
        self._row_of_cell[first], self._edged[first[edged]] = rows, rows[edged]
        self._find_turns(corners, places[first], first)

    def _roughly(self, pieces: TrianglePieces, points: np.ndarray, among: int = 1) -> np.ndarray:
        """Distance of points (n, 3) to the nearest of the triangles that so many nearest pieces are of, (n,)."""
        if not len(pieces.owners):
            return np.full(len(points), np.inf)
        nearest = pieces.nearest(points, among)
        found, among = np.empty(len(points)), nearest.shape[1]
        for chunk in chunks(np.full(len(points), among)):
            rows = nearest[chunk].ravel()
            squared = self._facets.squared(np.repeat(points[chunk], among, axis=0), rows)
            found[chunk] = np.sqrt(squared.reshape(-1, among).min(axis=1))
        return found

    def _find_inside(self, corners: np.ndarray, caps: np.ndarray, places: np.ndarray, away: np.ndarray) -> np.ndarray:
        """Mask of the samples that are inside, (n,).

        The winding number of a mesh with gaps is a whole number with them filled, less that of the fillings.
        """
        if self._shell:
            return np.zeros(len(places), dtype=bool)
        low = self.low + self.cell * _ASKEW
        turns = crossings(np.concatenate((corners, caps)), low, self.cell, self._counts).astype(float)
        if not self._gaping or not len(caps):
            return np.asarray(np.abs(turns.ravel()) > INSIDE)
        gaps, every = Winding(caps), slice(None, None, 2)
        smooth = turns[every, every, every].copy()
        smooth -= gaps.at(self._places()[every, every, every].reshape(-1, 3) + self.cell * _ASKEW).reshape(smooth.shape)
        for axis in range(3):
            smooth = refined(smooth, axis)
        unclear = np.abs(np.abs(smooth.ravel()) - INSIDE) < 0.1
        near = np.flatnonzero((away < OWN_DISTANCE_CELLS * self.cell) | unclear)
        smooth.ravel()[near] = turns.ravel()[near] - gaps.at(places[near] + self.cell * _ASKEW)
        return np.asarray(np.abs(smooth.ravel()) > INSIDE)

    def _find_turns(self, corners: np.ndarray, places: np.ndarray, first: np.ndarray) -> None:
        """Finds the winding numbers at the middles of close cells, which begin at places (n, 3)."""
        self._middles = places + self.cell * (0.5 + _ASKEW)
        self._turns = np.zeros(len(first), dtype=int)
        if not self._shell and not self._gaping:
            turns = crossings(corners, self.low + self.cell * (0.5 + _ASKEW), self.cell, self._counts).ravel()
            self._turns = turns[first]

    def _bends(self) -> np.ndarray:
        """Metres by which the distance interpolated in each cell may err: how much it bends along the axes there."""
        bend = np.zeros(self.samples.shape)
        for axis in range(3):
            around = [(1, 1) if k == axis else (0, 0) for k in range(3)]
            bend += np.pad(np.abs(np.diff(self.samples, 2, axis=axis)), around, mode="edge")
        most = np.zeros(bend.shape)
        most[:-1, :-1, :-1] = of_corners(bend, np.maximum) / 8
        return most

    def nearest(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The triangle nearest to each of n points by its row, (n,), and its place that is, in metres, (n, 3)."""
        rows, places = np.empty(len(points), dtype=np.int64), np.empty((len(points), 3))
        SOLID_NEAREST(field=self.form.field, points=points, nearest=rows, places=places)
        return rows, places

    @cached_property
    def form(self) -> CompiledSolid:
        """The form for compiled functions."""
        numbers = self.low, self.cell, self._half, self.grain, self._middle, self._radius, self._shell, self._gaping
        of, pieces = self._cells, (self._pieces.middles.tree, self._pieces.owners)
        cells = of.first, of.many, of.crossing, self._turns, of.crowded, self._middles, of.facets
        grouped = not self._shell and (self._gaping or bool((of.crossing > MOST_CROSSING).any()))
        groups = Winding(self._facets.corners).groups if grouped else NO_GROUPS
        close = self._row_of_cell, self._edged, *cells
        return CompiledSolid.of_mesh(Layout(*numbers), self.samples, close, pieces, groups, self._facets.arrays)
