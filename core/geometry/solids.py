"""Solids of any form, with the same questions as cylinders: how far away, how far a path is free, what they hide.

A closed mesh is a signed distance sampled on a grid around itself. Paths go by sphere tracing (Hart 1996): the
distance to the solid is what a path may safely go on.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial import cKDTree

from ..base.vectors import dot, norm
from . import triangles

MOST_MARCHES = 48  # steps of a path at most; one that is not at its end by then ends where it is
MOST_FIELD_SAMPLES = 200_000  # of a field, at most
FIELD_PAD_EXTENTS = 0.2  # water around a mesh that its grid takes in, over the mesh's longest extent
OWN_DISTANCE_CELLS = 3.0  # cells from the surface within which every sample has its own distance
CHUNK_PAIRS = 400_000  # pairs of places and triangles in memory at once

_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


class Solid(ABC):
    """Something in the water.

    Attributes:
        grain: Metres to which paths are found: they end within this much of the margin, and never lead this much
            deeper into it.
    """

    grain: float

    @abstractmethod
    def depth(self, points: np.ndarray) -> np.ndarray:
        """Distance of points (n, 3) from the surface in metres, negative inside, (n,)."""

    @abstractmethod
    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """That distance of points (..., 3), (...), and the unit direction in which it grows, (..., 3)."""

    @abstractmethod
    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Between which metres of a path it may come within the margin: none where the first is not the smaller."""

    def free_path(
        self, points: np.ndarray, directions: np.ndarray, margin: ArrayLike, reach: ArrayLike = np.inf
    ) -> np.ndarray:
        """How far a straight path goes on before it comes within a margin of the solid.

        A path that starts within the margin has 0 if it leads further in, and goes on if it leads out.

        Args:
            points: Starts in metres, (..., 3).
            directions: Unit vectors, (..., 3).
            margin: Distance to keep in metres, (...).
            reach: Metres beyond which nobody asks, (...).

        Returns:
            Metres, 0 or more, infinite where nothing is in the way, (...).
        """
        enter, leave = self.span(points, directions, margin)
        leave = np.minimum(leave, reach)
        free = np.full(leave.shape, np.inf)
        hit = np.nonzero(enter < leave)
        start, way = (np.broadcast_to(of, (*free.shape, 3))[hit] for of in (points, directions))
        keep, t, end = np.broadcast_to(margin, free.shape)[hit], enter[hit], leave[hit]
        found, live = np.full(len(t), np.inf), np.arange(len(t))
        for _ in range(MOST_MARCHES):
            place = start + t[:, None] * way
            gap = self.depth(place) - keep
            near = np.flatnonzero(gap < self.grain)
            ended = near[dot(self.distance(place[near])[1], way[near]) < 0]
            found[live[ended]] = t[ended]
            t = t + np.maximum(gap, self.grain)
            t[ended] = np.inf
            on = np.flatnonzero(t < end)
            start, way, keep, t, end, live = (of[on] for of in (start, way, keep, t, end, live))
            if not len(live):
                break
        found[live] = t
        free[hit] = found
        return free

    def blocks(self, start: np.ndarray, end: np.ndarray) -> np.ndarray:
        """Whether the solid stands in the way from start to end.

        A line is missed that is in the solid for less than two grains; one that keeps close to it for all its marches
        is taken for blocked.

        Args:
            start: Metres, (m, 3).
            end: Metres, (m, 3).

        Returns:
            (m,).
        """
        ray = end - start
        length = norm(ray)
        way = ray / np.maximum(length, 1e-12)[:, None]
        enter, leave = self.span(start, way, 0.0)
        leave = np.minimum(leave, length)
        blocked = np.zeros(len(start), dtype=bool)
        live = np.flatnonzero(enter < leave)
        t = enter[live]
        for _ in range(MOST_MARCHES):
            depth = self.depth(start[live] + t[:, None] * way[live])
            blocked[live] = depth < 0
            t = t + np.maximum(depth, 2 * self.grain)
            on = np.flatnonzero((depth >= 0) & (t < leave[live]))
            live, t = live[on], t[on]
            if not len(live):
                break
        blocked[live] = True  # so long a way so close to it
        return blocked


class Rock(Solid):
    """A closed mesh as a sampled signed distance.

    At the samples the distance is exact within a cell of the surface and too large by no more than a 12th of a cell
    up to `OWN_DISTANCE_CELLS` cells. Between them it is interpolated, by which it errs by up to sqrt(3) / 2 cells at
    sharp edges, and by some cell^2 / 4r where the surface is round with radius r. Farther out than the band, samples
    are twice as far apart, and it may exceed the truth by cell^2 over the distance more. Beyond the grid, which takes
    in `FIELD_PAD_EXTENTS` of water all around, it is never more than the distance that the grid's own samples leave
    room for, and no less than 0.7 of that.

    Attributes:
        cell: Metres between samples.
        low: The first sample, (3,).
        samples: Signed distance in metres, (nx, ny, nz).
        middle: Of the sphere around the mesh, (3,).
        radius: Of that sphere in metres.
        grain: See Solid; a quarter of a cell.
    """

    def __init__(self, vertices: np.ndarray, faces: np.ndarray):
        """Samples the field.

        Args:
            vertices: Metres, (n, 3).
            faces: Triangles of a closed mesh, (m, 3).
        """
        corners = vertices[faces]
        low, high = corners.min(axis=(0, 1)), corners.max(axis=(0, 1))
        self.middle = 0.5 * (low + high)
        self.radius = float(norm(corners.reshape(-1, 3) - self.middle).max())
        pad = FIELD_PAD_EXTENTS * (high - low).max()
        extent = high - low + 2 * pad
        self.cell = float((extent.prod() / MOST_FIELD_SAMPLES) ** (1 / 3))
        self.grain = 0.25 * self.cell
        counts = 2 * np.ceil(extent / (2 * self.cell)).astype(int) + 1
        self.low = self.middle - 0.5 * self.cell * (counts - 1)
        away = _unsigned(corners, self.low, self.cell, counts)
        inside = _crossings(corners, self.low, self.cell, counts) != 0
        self.samples = np.where(inside, -away, away)
        self._table, self._counts = self.samples.ravel(), counts
        strides = np.array([counts[1] * counts[2], counts[2], 1])
        self._strides, self._steps = strides, _CORNERS @ strides

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        samples, share, beyond = self._cells(points)
        _, _, value = _lines(samples, share)
        outer = dot(beyond, beyond)
        return np.where(outer > 0, np.sqrt(outer + np.maximum(value, 0.0) ** 2), value)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        samples, share, beyond = self._cells(points.reshape(-1, 3))
        x, y, z = share.T
        along_z, along_yz, value = _lines(samples, share)
        over_x = along_yz[:, 1] - along_yz[:, 0]
        over_y = _mix(along_z[:, 0, 1] - along_z[:, 0, 0], along_z[:, 1, 1] - along_z[:, 1, 0], x)
        steep = samples[:, :, :, 1] - samples[:, :, :, 0]
        over_z = _mix(_mix(steep[:, 0, 0], steep[:, 0, 1], y), _mix(steep[:, 1, 0], steep[:, 1, 1], y), x)
        slope = np.stack((over_x, over_y, over_z), axis=-1) / self.cell
        outer = dot(beyond, beyond)
        outside = outer > 0
        # The grid's last sample says how far the mesh is from there; along the clamped axes it no longer changes.
        arm = beyond + np.maximum(value, 0.0)[:, None] * np.where(beyond == 0, slope, 0.0)
        slope = np.where(outside[:, None], arm, slope)
        length = norm(slope)
        flat = length < 1e-9
        slope[flat], length[flat] = (0.0, 0.0, 1.0), 1.0
        value = np.where(outside, np.sqrt(outer + np.maximum(value, 0.0) ** 2), value)
        return value.reshape(points.shape[:-1]), (slope / length[:, None]).reshape(points.shape)

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Solid: within the sphere around the mesh and its margin."""
        arm = points - self.middle
        b = dot(arm, ways)
        discriminant = b * b - dot(arm, arm) + (self.radius + np.asarray(margin)) ** 2
        root = np.sqrt(np.maximum(discriminant, 0.0))
        return np.maximum(-b - root, 0.0), np.where(discriminant > 0, root - b, -np.inf)

    def _cells(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Samples around each point (n, 2, 2, 2), its place between them (n, 3), how far beyond the grid (n, 3)."""
        local = (points - self.low) / self.cell
        inner = np.minimum(np.maximum(local, 0.0), self._counts - 1.0)
        corner = np.minimum(inner.astype(int), self._counts - 2)
        samples = self._table[(corner @ self._strides)[:, None] + self._steps]
        return samples.reshape(-1, 2, 2, 2), inner - corner, (local - inner) * self.cell


class Basin(Solid):
    """The walls of a tank of any form: all that is outside a closed mesh.

    Attributes:
        grain: See Solid.
    """

    def __init__(self, vertices: np.ndarray, faces: np.ndarray):
        """Samples the field, as for a rock of that form."""
        self._inside = Rock(vertices, faces)
        self.grain = self._inside.grain

    def depth(self, points: np.ndarray) -> np.ndarray:
        """See Solid."""
        return -self._inside.depth(points)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Solid."""
        distance, way = self._inside.distance(points)
        return -distance, -way

    def span(self, points: np.ndarray, ways: np.ndarray, margin: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """See Solid: anywhere up to the far side of the sphere around the mesh."""
        leave = self._inside.span(points, ways, margin)[1]
        return np.zeros_like(leave), np.maximum(leave, 0.0)


def _mix(one: np.ndarray, two: np.ndarray, share: np.ndarray) -> np.ndarray:
    return one + share * (two - one)


def _lines(samples: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Interpolated along z, (n, 2, 2), along y too, (n, 2), and along x too, (n,)."""
    x, y, z = share.T
    along_z = _mix(samples[..., 0], samples[..., 1], z[:, None, None])
    along_yz = _mix(along_z[..., 0], along_z[..., 1], y[:, None])
    return along_z, along_yz, _mix(along_yz[:, 0], along_yz[:, 1], x)


def _unsigned(corners: np.ndarray, low: np.ndarray, cell: float, counts: np.ndarray) -> np.ndarray:
    """Distance from each sample to the mesh, (nx, ny, nz); counts are odd.

    First that to the nearest of points on the surface: every place of it has one within r = 0.4 cells in its own
    triangle, at a right angle to the shortest way, so what is found for a distance D exceeds it by r^2 / 2D at most.
    Far from the surface only every second sample along each axis is measured and those between are interpolated; within
    a cell of it the triangles themselves are.
    """
    x, y, z = (first + cell * np.arange(count) for first, count in zip(low, counts, strict=True))
    places = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1)
    points = cKDTree(_once(triangles.split(corners, 0.4 * np.sqrt(3) * cell).reshape(-1, 3)))
    away: np.ndarray = np.asarray(points.query(places[::2, ::2, ::2], workers=-1)[0])
    for axis in range(3):
        away = _refined(away, axis)
    away, places = away.ravel(), places.reshape(-1, 3)
    near = np.flatnonzero(away < (OWN_DISTANCE_CELLS + 1) * cell)
    away[near] = points.query(places[near], workers=-1)[0]

    pieces = triangles.split(corners, 3 * cell)
    first = np.maximum(np.ceil((pieces.min(axis=1) - low) / cell - 1), 0).astype(int)
    last = np.minimum(np.floor((pieces.max(axis=1) - low) / cell + 1), counts - 1).astype(int)
    wide = np.maximum(last - first + 1, 0)
    middle = pieces.mean(axis=1)
    radius = norm(pieces - middle[:, None]).max(axis=1)
    for chunk in _chunks(wide.prod(axis=1)):
        owner, step = _boxes(wide[chunk])
        owner += chunk.start
        row = (first[owner] + step) @ np.array([counts[1] * counts[2], counts[2], 1])
        close = norm(places[row] - middle[owner]) <= radius[owner] + away[row]
        row, owner = row[close], owner[close]
        np.minimum.at(away, row, triangles.distance(places[row], pieces[owner]))
    return away.reshape(tuple(counts))


def _once(places: np.ndarray) -> np.ndarray:
    """Places (n, 3) without those that are there already; several times as fast as `np.unique`."""
    places = places[np.lexsort(places.T)]
    return places[np.append(True, (places[1:] != places[:-1]).any(axis=1))]


def _refined(values: np.ndarray, axis: int) -> np.ndarray:
    """Values with their means between them along an axis."""
    values = np.moveaxis(values, axis, 0)
    fine = np.empty((2 * len(values) - 1, *values.shape[1:]))
    fine[::2] = values
    fine[1::2] = 0.5 * (values[1:] + values[:-1])
    return np.ascontiguousarray(np.moveaxis(fine, 0, axis))


def _chunks(sizes: np.ndarray) -> list[slice]:
    """Runs of items whose sizes come to about `CHUNK_PAIRS`."""
    group = (np.cumsum(sizes) - sizes) // CHUNK_PAIRS
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    return [slice(start, end) for start, end in zip(starts, [*starts[1:], len(sizes)], strict=True)]


def _boxes(wide: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All samples of boxes (n, axes) samples wide: the row of their box, (k,), and their place in it, (k, axes)."""
    sizes = wide.prod(axis=1)
    owner = np.repeat(np.arange(len(wide)), sizes)
    rest = np.arange(len(owner)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    steps = []
    for axis in range(wide.shape[1] - 1, -1, -1):
        steps.append(rest % wide[owner, axis])
        rest //= wide[owner, axis]
    return owner, np.stack(steps[::-1], axis=1)


def _crossings(corners: np.ndarray, low: np.ndarray, cell: float, counts: np.ndarray) -> np.ndarray:
    """How often the mesh goes around each sample, (nx, ny, nz): what a line from below crosses, in less out.

    An edge tells the two columns of samples beside it apart in the same way for either of its triangles, whichever
    direction it is run along, so that no line slips through between them.
    """
    a, b, c = corners.transpose(1, 0, 2)
    flat = corners[..., :2]
    first = np.maximum(np.ceil((flat.min(axis=1) - low[:2]) / cell), 0).astype(int)
    last = np.minimum(np.floor((flat.max(axis=1) - low[:2]) / cell), counts[:2] - 1).astype(int)
    owner, step = _boxes(np.maximum(last - first + 1, 0))
    column = first[owner] + step
    place = low[:2] + cell * column
    a, b, c = a[owner], b[owner], c[owner]
    sides = np.stack([_side(start, end, place) for start, end in ((b, c), (c, a), (a, b))])
    left, right = (sides > 0).all(axis=0), (sides < 0).all(axis=0)
    through = np.flatnonzero(left | right)
    share = sides[:, through] / sides[:, through].sum(axis=0)
    height = share[0] * a[through, 2] + share[1] * b[through, 2] + share[2] * c[through, 2]
    above = np.ceil((height - low[2]) / cell).astype(int)  # the first sample above it
    turns = np.zeros((counts[0], counts[1], counts[2] + 1), dtype=int)
    # A face that looks down is the way in for who comes from below; it is seen clockwise from above.
    np.add.at(turns, (*column[through].T, np.clip(above, 0, counts[2])), np.where(right[through], 1, -1))
    return turns.cumsum(axis=2)[:, :, :-1]


def _side(start: np.ndarray, end: np.ndarray, place: np.ndarray) -> np.ndarray:
    """On which side of an edge, as seen from above, a place lies: positive left, never 0, (n,)."""
    swap = (start[:, 0] > end[:, 0]) | ((start[:, 0] == end[:, 0]) & (start[:, 1] > end[:, 1]))
    one, two = np.where(swap[:, None], end, start), np.where(swap[:, None], start, end)
    side = (two[:, 0] - one[:, 0]) * (place[:, 1] - one[:, 1]) - (two[:, 1] - one[:, 1]) * (place[:, 0] - one[:, 0])
    side = np.where(side == 0, 1e-300, side)
    return np.where(swap, -side, side)
