"""A mesh as a signed distance: exact near its surface where that is edged, sampled elsewhere.

Space around the mesh is cut into cells. The distance is interpolated between samples at their corners; but in cells
close to the surface in which that would err by more than `SMOOTH_CELLS`, it is that to the nearest of the few triangles
that can be nearest somewhere in the cell. Lines of sight are held against the triangles themselves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..base.elementary import cube_root
from ..base.vectors import LEAST_LENGTH, dot, norm, unit
from .cells import HALF_DIAGONAL, PIECE_CELLS, Cells, TrianglePieces
from .compiled_solids import CompiledSolid, Formed, Layout
from .facets import Facets
from .sampling import chunks, crossings, lines, of_corners, refined, slopes
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
CROWD_PIECES = 24
"""The same in cells that are crowded."""
FEW_PAIRS = 2000
"""Number of pairs of points and triangles up to which they are looked at one by one at once."""
GRAIN_CELLS = 0.25
"""Cells to which paths are found."""
MOST_CELLS_ALONG = 600
"""Cells that a line of sight is followed through at the most, several times as many as there are along any."""
TOUCHING_CELLS = 1e-9
"""Cells from the surface within which a place lies on it."""
LEVEL_CELLS = 1e-9
"""Slope of the samples from one to the next, in cells, below which it says no way."""
INSIDE = 0.5
"""The winding number from which on a place is inside, either way."""
_ASKEW = np.array([1.1e-3, 2.3e-3, 1.7e-3])
"""Cells by which places are moved before it is asked what is inside, since meshes often lie along the grid."""
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


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
        self._counts, self._last = counts, counts - 1.0
        self._strides = np.array([counts[1] * counts[2], counts[2], 1])
        self._steps = dot(_CORNERS, self._strides)

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
        self._table = self.samples.ravel()

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
        self._low_corners, self._middles = places, places + self.cell * (0.5 + _ASKEW)
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
        among = self._pieces.nearest(points, CROWD_PIECES)
        squared = self._facets.squared(np.repeat(points, among.shape[1], axis=0), among.ravel()).reshape(among.shape)
        rows = np.take_along_axis(among, squared.argmin(axis=1)[:, None], axis=1)[:, 0]
        return rows, self._facets.nearest(points, rows)

    def _unsigned(self, points: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Distance of points (n, 3) in close cells from the surface, (n,), and the nearest triangle, (n,)."""
        away, nearest = np.empty(len(rows)), np.empty(len(rows), dtype=int)
        crowded = self._cells.crowded[rows]
        some = np.flatnonzero(crowded)
        if len(some):
            among = self._pieces.nearest(points[some], CROWD_PIECES)
            squared = self._facets.squared(np.repeat(points[some], among.shape[1], axis=0), among.ravel())
            squared = squared.reshape(among.shape)
            away[some] = np.sqrt(squared.min(axis=1))
            nearest[some] = np.take_along_axis(among, squared.argmin(axis=1)[:, None], axis=1)[:, 0]
        rest = np.flatnonzero(~crowded)
        many = self._cells.many[rows[rest]]
        few = bool(many.sum() <= FEW_PAIRS)
        for chunk in ([slice(None)] if few else chunks(many)) if len(rest) else ():
            which = rest[chunk]
            away[which], nearest[which] = self._nearest(points[which], rows[which], not few)
        return away, nearest

    def _nearest(self, points: np.ndarray, rows: np.ndarray, spheres: bool) -> tuple[np.ndarray, np.ndarray]:
        """`_unsigned` of few points, with or without a first look at the spheres around triangles."""
        owner, facet = self._cells.pairs(rows)
        begin = np.flatnonzero(np.diff(owner, prepend=-1))
        if spheres:
            gap, radius = norm(points[owner] - self._facets.centers[facet]), self._facets.radii[facet]
            able = gap - radius <= np.minimum.reduceat(gap + radius, begin)[owner]
            owner, facet = owner[able], facet[able]
            begin = np.flatnonzero(np.diff(owner, prepend=-1))
        squared = self._facets.squared(points[owner], facet)
        least = np.minimum.reduceat(squared, begin)
        # Of triangles that are equally near, the first.
        which = np.minimum.reduceat(np.where(squared == least[owner], np.arange(len(owner)), len(owner)), begin)
        return np.sqrt(least), facet[which]

    def _turns_at(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """The winding numbers at points (n, 3) in close cells, by the crossings of a line from the middle, (n,)."""
        owner, facet = self._cells.pairs(rows, crossing=True)
        crossed = self._facets.crossed(self._middles[rows[owner]], points[owner], facet)
        return self._turns[rows] + np.bincount(owner, weights=crossed, minlength=len(rows)).astype(int)

    def _inside(self, points: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Mask of the points (n, 3) in close cells that are inside, (n,)."""
        if self._shell:
            return np.zeros(len(rows), dtype=bool)
        turns, apart = np.empty(len(rows)), self._cells.crossing[rows] > MOST_CROSSING
        apart |= self._gaping
        if apart.any():
            turns[apart] = self._groups.at(points[apart])
        if not apart.all():
            turns[~apart] = self._turns_at(points[~apart], rows[~apart])
        return np.asarray(np.abs(turns) > INSIDE)

    @cached_property
    def _groups(self) -> Winding:
        """The triangles in groups."""
        return Winding(self._facets.corners)

    def _measured(self, points: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distance of points (n, 3) in close cells, (n,), and the nearest triangle, (n,)."""
        away, nearest = self._unsigned(points, rows)
        return np.where(self._inside(points, rows), -away, away), nearest

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        around, share, beyond, cell = self._located(points)
        value = lines(around, share)[2]
        self._measure(points, value, self._edged[cell])
        self._reach_beyond(value, around, share, beyond)
        return value - self._half

    def _measure(self, points: np.ndarray, value: np.ndarray, rows: np.ndarray) -> None:
        """Puts measured distances in the place of interpolated ones, (n,), where there is a row of a close cell."""
        close = np.flatnonzero(rows >= 0)
        if len(close):
            value[close] = self._measured(points[close], rows[close])[0]

    def _reach_beyond(
        self,
        value: np.ndarray,
        around: np.ndarray,
        share: np.ndarray,
        beyond: np.ndarray,
        way: np.ndarray | None = None,
    ) -> None:
        """Puts in distances, (n,), beyond the grid, and unit vectors along which they grow, (n, 3).

        The triangle nearest to the last place of the grid on the way is taken to be nearest there too.
        """
        outside = np.flatnonzero(beyond.any(axis=1))
        if len(outside):
            last, slope = slopes(around[outside], share[outside])
            arm = beyond[outside] + np.maximum(last, 0.0)[:, None] * unit(slope)
            value[outside] = norm(arm)
            if way is not None:
                way[outside] = arm

    def bound(self, points: np.ndarray, keep: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid: where it is interpolated, the depth may exceed the truth by half a cell's diagonal."""
        around, share, beyond, cell = self._located(points)
        value = lines(around, share)[2]
        spare = HALF_DIAGONAL * self.cell
        rows = np.where(np.abs(value - self._half - keep) <= spare, self._edged[cell], -1)
        least = np.sqrt(dot(beyond, beyond) + np.square(np.maximum(value, 0.0))) - spare - self._half
        self._measure(points, value, rows)
        self._reach_beyond(value, around, share, beyond)
        depth, far = value - self._half, self._row_of_cell[cell] < 0
        smooth = (rows >= 0) | ~far & (self._edged[cell] < 0)
        clear = np.maximum(least, np.where(far, (CLOSE_CELLS - HALF_DIAGONAL) * self.cell - self._half, 0.0))
        return depth, np.where(smooth, depth, clear)

    @cached_property
    def form(self) -> CompiledSolid:
        """The form for compiled functions."""
        numbers = self.low, self.cell, self._half, self.grain, self._middle, self._radius, self._shell, self._gaping
        layout, of = Layout(*numbers), self._cells
        cells = of.first, of.many, of.crossing, self._turns, of.crowded, self._middles, of.facets
        return CompiledSolid.of_mesh(
            layout, self.samples, (self._row_of_cell, self._edged, *cells), self._facets.arrays
        )

    def _distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Formed."""
        flat = points.reshape(-1, 3)
        around, share, beyond, cell = self._located(flat)
        rows = self._edged[cell]
        value, slope = slopes(around, share)
        close = np.flatnonzero(rows >= 0)
        if len(close):
            value[close], slope[close] = self._arms(flat[close], rows[close])
        self._reach_beyond(value, around, share, beyond, slope)
        length = norm(slope)
        level = length < LEVEL_CELLS * self.cell
        slope[level], length[level] = (0.0, 0.0, 1.0), 1.0
        return (value - self._half).reshape(points.shape[:-1]), (slope / length[:, None]).reshape(points.shape)

    def _arms(self, points: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Signed distance of points (n, 3) in close cells, (n,), and unit vectors along which it grows, (n, 3)."""
        value, nearest = self._measured(points, rows)
        arm = points - self._facets.nearest(points, nearest)
        touching = np.abs(value) < TOUCHING_CELLS * self.cell
        away = np.where(touching, 1.0, value)[:, None]
        return value, np.where(touching[:, None], self._facets.normals[nearest], arm / away)

    def _blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """See Formed: however thin it is, for near the surface a line is held against the triangles themselves."""
        through, within = self.followed(start, end)
        return through | within

    def followed(self, start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Masks of lines (n, 3) to (n, 3) through a triangle, and of those inside before it, (n,) both.

        Along a line that does not, only that of its start and of places far from the surface is said.
        """
        length = norm(end - start)
        way = (end - start) / np.maximum(length, LEAST_LENGTH)[:, None]
        enter, leave = self.span(start, way, 0.0)
        leave = np.minimum(leave, length)
        through, within = np.zeros(len(start), dtype=bool), np.zeros(len(start), dtype=bool)
        live = np.flatnonzero(enter < leave)
        t = enter[live]
        if len(live):
            within[live] = self.depth(start[live]) < 0
        for _ in range(MOST_CELLS_ALONG):
            if not len(live):
                break
            place = start[live] + t[:, None] * way[live]
            depth, rows, onward = self._onward(place, way[live])
            close = np.flatnonzero(rows >= 0)
            if len(close):
                owner, facet = self._cells.pairs(rows[close], crossing=True)
                line = live[close][owner]
                through[line[self._facets.crossed(start[line], end[line], facet) != 0]] = True
            within[live] |= depth < 0
            t = t + onward + TOUCHING_CELLS * self.cell
            on = np.flatnonzero((t < leave[live]) & ~through[live])
            live, t = live[on], t[on]
        return through, within

    def _onward(self, points: np.ndarray, ways: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Depth of points (n, 3) on lines, the close row or -1, and metres without any triangle but the row's.

        The depth of places in close cells is said of shells alone, which are thicker than their triangles.
        """
        around, share, beyond, cell = self._located(points)
        rows, value = self._row_of_cell[cell], lines(around, share)[2]
        outer = dot(beyond, beyond)
        depth = np.where(outer > 0, np.sqrt(outer + np.square(np.maximum(value, 0.0))), value) - self._half
        onward = np.maximum(np.abs(depth) - HALF_DIAGONAL * self.cell, (CLOSE_CELLS - HALF_DIAGONAL) * self.cell)
        close = np.flatnonzero(rows >= 0)
        if len(close):
            origin = self._low_corners[rows[close]]
            steep = np.where(np.abs(ways[close]) < 1e-12, 1e-12, ways[close])
            wall = np.where(steep > 0, origin + self.cell, origin)
            onward[close] = np.maximum(((wall - points[close]) / steep).min(axis=1), 0.0)
            depth[close] = self.depth(points[close]) if self._shell else np.inf
        if self._shell:
            onward = np.minimum(onward, np.maximum(depth, 0.5 * self._half))
        return depth, rows, onward

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Solid: within the sphere around the mesh and its margin."""
        arm = points - self._middle
        b = dot(arm, ways)
        discriminant = b * b - dot(arm, arm) + np.square(self._radius + self._half + np.asarray(margin))
        root = np.sqrt(np.maximum(discriminant, 0.0))
        return np.maximum(-b - root, 0.0), np.where(discriminant > 0, root - b, -np.inf)

    def _located(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """The places of points (n, 3) in the grid.

        Returns:
            The samples around each, (n, 2, 2, 2), its place between them, (n, 3), the metres beyond the grid along
            each axis, (n, 3), and its cell, (n,): beyond the grid the last, in which none is.
        """
        local = (points - self.low) / self.cell
        inner = np.minimum(np.maximum(local, 0.0), self._last)
        corner = np.minimum(inner.astype(int), self._counts - 2)
        first = dot(corner, self._strides)
        around = self._table[first[:, None] + self._steps].reshape(-1, 2, 2, 2)
        beyond = (local - inner) * self.cell
        return around, inner - corner, beyond, np.where(beyond.any(axis=1), len(self._table) - 1, first)
