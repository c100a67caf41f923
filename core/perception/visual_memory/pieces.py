"""Obstacles in pieces, each an object of its own to a memory: a maze is never one object (Kuffner & Latombe 1999, §3).

An obstacle is cut along a grid in axes of its own. A piece is what of its surface lies in one cell, and stands for that
by points on it: some of them by which it is seen, and all of them for planning around remembered obstacles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.attitude import NOT_TURNED, matrices, rotated
from ...base.elementary import cube_root, sin_and_cos
from ...base.nearest import nearest
from ...base.sums import total
from ...base.vectors import cross, local, norm, unit
from ...geometry.deforming import Deforming
from ...geometry.moving import Moving
from ...geometry.solids import Solid
from ...geometry.tuning import SHEET_METRES
from ...scene.obstacles import Cylinder, MeshObstacle
from ..tuning import PIECE_METRES, PIECE_POINTS, SURFACE_METRES

STANDING = -1
"""In place of the row of a mover, for standing obstacles."""
MOST_POINTS = 100_000
"""On the surface of one obstacle; on larger ones they lie farther apart."""
MOST_CELLS = 50_000
"""Most cells of the grid along which one obstacle is cut; larger ones have larger pieces."""
FINEST_CUT = 512
"""Into how many parts an edge of a triangle is cut at the most."""
AFLOAT_METRES = 0.002
"""Distance of the points by which a piece is seen from its surface, so that it does not hide itself."""
ROUND_WAYS = 600
"""Directions in which the surface of a solid is felt for that is neither pillar nor mesh."""
FEELS = 8
"""Steps towards the surface in each of these."""
_GOLDEN_ANGLE = 2.399963229728653


@dataclass(frozen=True, eq=False)
class Grid:
    """The grid that cuts one obstacle into pieces.

    Attributes:
        low: Corner of the first cell in its own axes in metres, (3,).
        edge: Metres along the edges of a cell, (3,).
        counts: Cells along each axis, (3,).
        piece: Piece in each cell, by rows of cells; the nearest where it has none of its own, (cells,).
        used: The cells of its pieces, in their order, (k,).
    """

    low: np.ndarray
    edge: np.ndarray
    counts: np.ndarray
    piece: np.ndarray
    used: np.ndarray

    @property
    def boxes(self) -> np.ndarray:
        """Middle and half the edges of the cells of its pieces in metres, (k, 2, 3)."""
        at = np.stack(np.unravel_index(self.used, self.counts.tolist()), axis=1)
        return np.stack((self.low + (at + 0.5) * self.edge, np.tile(0.5 * self.edge, (len(at), 1))), axis=1)

    def cells(self, points: np.ndarray) -> np.ndarray:
        """In which cell each point (n, 3) is, (n,)."""
        at = np.clip(((points - self.low) / self.edge).astype(int), 0, self.counts - 1)
        return (at[:, 0] * self.counts[1] + at[:, 1]) * self.counts[2] + at[:, 2]


@dataclass(frozen=True, eq=False)
class ObstaclePieces:
    """All pieces of a scene's obstacles.

    A place p of an obstacle's own axes is at `at + R p` in the world, where pose (at, turn) and R is of the turn.

    Attributes:
        obstacle: Row of its obstacle among the scene's, (p,); the submarine comes after the last.
        mover: Row of its obstacle among movers, `STANDING` of standing ones, (p,).
        middle: Middle of the box around it in its obstacle's axes in metres, (p, 3).
        half: Half the edges of that box in metres, (p, 3).
        cell: Middle and half the edges of the cell that it is all of its obstacle in, likewise, (p, 2, 3).
        home: Pose of its obstacle as the scene begins: place in metres and turn, (p, 7).
        lift: Metres before its surface at which it is seen, (p,).
        sheet: Whether it is seen from both sides, (p,) bool.
        points: Points on its surface in its obstacle's axes in metres, some `spacing` apart, piece by piece, (q, 3).
        normals: Outwards from there, (q, 3).
        owner: Piece of each point, (q,).
        looked: Rows of the points by which each is seen, (p, PIECE_POINTS).
        spacing: Metres between neighbouring points of each piece, about, (p,).
        grids: Grid of each obstacle, by its row.
    """

    obstacle: np.ndarray
    mover: np.ndarray
    middle: np.ndarray
    half: np.ndarray
    cell: np.ndarray
    home: np.ndarray
    lift: np.ndarray
    sheet: np.ndarray
    points: np.ndarray
    normals: np.ndarray
    owner: np.ndarray
    looked: np.ndarray
    spacing: np.ndarray
    grids: dict[int, Grid]

    def __len__(self) -> int:
        return len(self.obstacle)

    @classmethod
    def of(cls, scene: Any, movers: Any) -> ObstaclePieces:
        """The pieces of a scene's obstacles.

        Args:
            scene: The scene.
            movers: Its moving obstacles (`habitat.movers.Movers`).
        """
        row_of = {row: mover for mover, row in enumerate(movers.rows.tolist())}
        tables, grids, count = [_none()], {}, 0
        for row, obstacle in enumerate(scene.bodies):
            mover = row_of.get(row, STANDING)
            form = movers.solids[mover] if mover != STANDING else None
            points, normals, spacing, sheet, lift = _surface(obstacle, form)
            grids[row], owner = _cut(points, count)
            order, pieces = np.argsort(owner, kind="stable"), int(owner.max()) + 1 - count
            home = np.concatenate((obstacle.at, NOT_TURNED)) if form is None else movers.pose[mover]
            if isinstance(form, Deforming):
                home = np.concatenate((form.middle, NOT_TURNED))
            table = (*_table(points[order], normals[order], owner[order], pieces, count), grids[row].boxes)
            alike = (np.full(pieces, value) for value in (row, mover, lift, sheet, spacing))
            tables.append((*table, *alike, np.tile(home, (pieces, 1))))
            count += pieces
        firsts = np.cumsum([0] + [len(table[0]) for table in tables])
        gathered = [np.concatenate(column) for column in zip(*tables, strict=True)]
        looked = np.concatenate([table[5] + first for table, first in zip(tables, firsts, strict=False)])
        points, normals, owner, middle, half, _, cell, row_, mover_, lift_, sheet_, spacing_, home_ = gathered
        return cls(
            *(row_.astype(int), mover_.astype(int), middle, half, cell, home_, lift_, sheet_.astype(bool)),
            *(points, normals, owner.astype(int), looked.astype(int), spacing_, grids),
        )

    def at(self, obstacle: int, points: np.ndarray) -> np.ndarray:
        """The piece of an obstacle, by its row, at places (n, 3) on its surface in its own axes, (n,)."""
        grid = self.grids[obstacle]
        return grid.piece[grid.cells(points)]


def placed(pose: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Places in the world in metres of points (..., 3) in the axes of obstacles at poses (..., 7)."""
    return pose[..., :3] + turned(pose, points)


def turned(pose: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """Directions in the world of directions (..., 3) in the axes of obstacles at poses (..., 7)."""
    return rotated(pose[..., 3:], ways)


def own(pose: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Points in the axes of obstacles at poses (..., 7) of places in the world in metres, (..., 3)."""
    return local(matrices(pose[..., 3:]), places - pose[..., :3])


def _none() -> tuple[np.ndarray, ...]:
    """The table of no obstacle."""
    vectors, numbers = np.zeros((0, 3)), np.zeros(0)
    looked = np.zeros((0, PIECE_POINTS), dtype=int)
    return (
        *(vectors, vectors, numbers, vectors, vectors, looked, np.zeros((0, 2, 3))),
        *([numbers] * 5),
        np.zeros((0, 7)),
    )


def _surface(obstacle: Any, form: Moving | None) -> tuple[np.ndarray, np.ndarray, float, bool, float]:
    """Points on an obstacle and their normals in its own axes, how far apart they are, and how it is seen.

    A deforming obstacle has the form that it begins with, about its middle.
    """
    if isinstance(obstacle, Cylinder):
        points, normals, spacing = _on_pillar(obstacle.radius, obstacle.height)
        return points, normals, spacing, False, AFLOAT_METRES
    if isinstance(obstacle, MeshObstacle):
        surface, vertices = obstacle.surface, obstacle.upright(obstacle.surface.vertices)
        if isinstance(form, Deforming):
            vertices = form.vertices - form.middle
        points, normals, spacing = _on_triangles(vertices[surface.triangles])
        sheet = obstacle.thickness is not None or surface.sheet
        thickness = (obstacle.thickness or SHEET_METRES) if sheet else 0.0
        return points, normals, spacing, sheet, 0.5 * thickness + AFLOAT_METRES
    return *_on_solid(obstacle.moving(), *obstacle.sphere), False, AFLOAT_METRES


def _on_pillar(radius: float, height: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Points all over an upright pillar about its foot."""
    around = 2.0 * np.pi * radius
    area = (around + 2.0 * radius) * (height + 2.0 * radius)
    spacing = max(SURFACE_METRES, float(np.sqrt(area / MOST_POINTS)))
    ring, rows = max(8, 4 * int(np.ceil(0.25 * around / spacing))), max(2, int(np.ceil(height / spacing)) + 1)
    angle, z = 2.0 * np.pi * np.arange(ring) / ring, np.linspace(0.0, height, rows)
    sine, cosine = sin_and_cos(angle)
    out = np.stack((cosine, sine, np.zeros(ring)), axis=1)
    mantle = radius * out[:, None] + z[:, None] * (0.0, 0.0, 1.0)
    circles = int(np.ceil(radius / spacing))
    radii = radius * (np.arange(circles) + 0.5) / circles
    end = (radii[:, None, None] * out).reshape(-1, 3)
    up = np.tile((0.0, 0.0, 1.0), (len(end), 1))
    points = np.concatenate((mantle.reshape(-1, 3), end, end + (0.0, 0.0, height)))
    normals = np.concatenate((np.repeat(out, rows, axis=0), -up, up))
    return points, normals, spacing


def _on_triangles(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
    """Points all over triangles (m, 3, 3)."""
    one, two, three = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    facing = cross(two, three)
    longest = np.maximum(np.maximum(norm(two), norm(three)), norm(three - two))
    area = 0.5 * float(total(norm(facing)))
    spacing = max(SURFACE_METRES, float(np.sqrt(2.0 * area / MOST_POINTS)))
    cuts = np.clip(np.ceil(longest / spacing), 1, FINEST_CUT).astype(int)
    points, normals = [], []
    for cut in np.unique(cuts).tolist():
        mine = np.flatnonzero(cuts == cut)
        i, j = (of.ravel() for of in np.meshgrid(np.arange(cut), np.arange(cut), indexing="ij"))
        upright, turned_over = i + j < cut, i + j < cut - 1
        a = np.concatenate((i[upright] + 1.0 / 3.0, i[turned_over] + 2.0 / 3.0)) / cut
        b = np.concatenate((j[upright] + 1.0 / 3.0, j[turned_over] + 2.0 / 3.0)) / cut
        on = one[mine, None] + a[:, None] * two[mine, None] + b[:, None] * three[mine, None]
        points.append(on.reshape(-1, 3))
        normals.append(np.repeat(unit(facing[mine]), len(a), axis=0))
    return *_thinned(np.concatenate(points), np.concatenate(normals), spacing), spacing


def _on_solid(solid: Solid, middle: np.ndarray, radius: float) -> tuple[np.ndarray, np.ndarray, float]:
    """Points on a solid that bulges everywhere, felt for from a sphere around it."""
    rows = np.arange(ROUND_WAYS)
    z = 1.0 - (2.0 * rows + 1.0) / ROUND_WAYS
    sine, cosine = sin_and_cos(_GOLDEN_ANGLE * rows)
    flat = np.sqrt(1.0 - z * z)
    points = middle + radius * np.stack((flat * cosine, flat * sine, z), axis=1)
    for _ in range(FEELS):
        distance, away = solid.distance(points)
        points = points - distance[:, None] * away
    spacing = max(SURFACE_METRES, float(np.sqrt(4.0 * np.pi / ROUND_WAYS)) * radius)
    return points, away, spacing


def _thinned(points: np.ndarray, normals: np.ndarray, spacing: float) -> tuple[np.ndarray, np.ndarray]:
    """One point of those that are in the same cell as wide as the spacing and face about the same way."""
    axis = np.abs(normals).argmax(axis=1)
    way = 2 * axis + (normals[np.arange(len(axis)), axis] < 0)
    keys = np.concatenate((np.floor(points / spacing).astype(int), way[:, None]), axis=1)
    _, kept = np.unique(keys, axis=0, return_index=True)
    return points[kept], normals[kept]


def _cut(points: np.ndarray, first: int) -> tuple[Grid, np.ndarray]:
    """The grid along which points (q, 3) are parted, and the piece of each, numbered from a first on, (q,)."""
    low, extent = points.min(axis=0), np.maximum(np.ptp(points, axis=0), AFLOAT_METRES)
    coarse = max(1.0, float(cube_root(extent[0] * extent[1] * extent[2] / MOST_CELLS)) / PIECE_METRES)
    counts = np.maximum(np.rint(extent / (coarse * PIECE_METRES)), 1.0).astype(int)
    grid = Grid(low, extent / counts, counts, *np.zeros((2, 0), dtype=int))
    used, owner = np.unique(grid.cells(points), return_inverse=True)
    at = np.stack(np.unravel_index(np.arange(int(counts[0] * counts[1] * counts[2])), counts.tolist()), axis=1).astype(
        float
    )
    piece = nearest(at, at[used], np.ones(1, dtype=int))[:, 0]
    return Grid(low, grid.edge, counts, first + piece, used), first + owner.ravel()


def _table(
    points: np.ndarray, normals: np.ndarray, owner: np.ndarray, pieces: int, first: int
) -> tuple[np.ndarray, ...]:
    """One obstacle's table: its points, normals and their pieces, the boxes around these, and points to be seen by."""
    begins = np.searchsorted(owner, first + np.arange(pieces + 1))
    low, high = np.minimum.reduceat(points, begins[:-1]), np.maximum.reduceat(points, begins[:-1])
    many = np.diff(begins)[:, None]
    looked = begins[:-1, None] + (many * (2 * np.arange(PIECE_POINTS) + 1)) // (2 * PIECE_POINTS)
    return points, normals, owner, 0.5 * (low + high), 0.5 * (high - low), looked
