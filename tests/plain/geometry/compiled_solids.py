"""Solids of any form: meshes, basins and beds. What is asked is where they are, where paths end, and what they hide."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import LN2, log
from artfish.core.base.nearest import Points
from artfish.core.base.sums import weighted
from artfish.core.base.vectors import LEAST_LENGTH, cross, dot, norm, unit
from artfish.core.geometry.cells import HALF_DIAGONAL
from artfish.core.geometry.compiled_solids import BASIN, BED, MESH
from artfish.core.geometry.facets import FACETS_SQUARED
from artfish.core.geometry.mesh_field import CLOSE_CELLS, MOST_CROSSING
from artfish.core.geometry.winding import Winding

Array = np.ndarray
Field = SimpleNamespace

MOST_MARCHES = 48
MOST_CELLS_ALONG = 600
CROWD_PIECES = 24
TOUCHING_CELLS = LEVEL_CELLS = 1e-9
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])


def solid_depth(*, field: Field, points: Array, depth: Array) -> None:
    """Depths of points."""
    depth[:] = _depth(field, points)


def solid_distance(*, field: Field, points: Array, distance: Array, direction: Array) -> None:
    """Distances of points, and the unit directions in which they grow."""
    distance[:], direction[:] = _distance(field, points)


def solid_free_path(*, field: Field, points: Array, ways: Array, margins: Array, reaches: Array, free: Array) -> None:
    """Paths by sphere tracing (Hart 1996): the distance to the solid is what a path may safely go on."""
    grain, layout = field.layout.grain, field.layout
    # Never more than a third of the water above its hills is kept from a bed.
    keep = np.minimum(margins, (layout.depth - layout.top) / 3) if field.kind == BED else margins
    t, leave = _span(field, points, ways, keep)
    leave = np.minimum(leave, reaches)
    free[:] = np.inf
    live = np.flatnonzero(t < leave)
    for _ in range(MOST_MARCHES):
        place = points[live] + t[live, None] * ways[live]
        depth, clear = _bound(field, place, keep[live])
        gap = depth - keep[live]
        near = np.flatnonzero(gap < grain)
        ended = near[dot(_distance(field, place[near])[1], ways[live[near]]) < 0]
        free[live[ended]] = t[live[ended]]
        t[live] += np.maximum(np.minimum(gap, clear), grain)
        t[live[ended]] = np.inf
        live = live[t[live] < leave[live]]
    free[live] = t[live]


def solid_blocks(*, field: Field, starts: Array, ends: Array, blocked: Array) -> None:
    """Lines from starts to ends that are hidden from each other."""
    if field.kind == BED:
        blocked[:] = _bed_blocks(field, starts, ends)
        return
    through, within = _followed(field, starts, ends)
    blocked[:] = through | (within if field.kind == MESH else _depth(field, starts) < 0)


def solid_nearest(*, field: Field, points: Array, nearest: Array, places: Array) -> None:
    """The triangle that is nearest to each point, and its place that is."""
    nearest[:] = _among_pieces(field, points)[1]
    places[:] = _nearest_on(field, points, nearest)


def _depth(field: Field, points: Array) -> Array:
    if field.kind == BED:
        return _bed_depth(field, points)
    around, share, beyond, cell = _located(field, points)
    value = _slopes(around, share)[0]
    close = np.flatnonzero(field.edged[cell] >= 0)
    value[close] = _measured(field, points[close], field.edged[cell[close]])[0]
    _reach_beyond(value, np.empty(points.shape), around, share, beyond)
    depth = value - field.layout.half
    return depth if field.kind == MESH else -depth


def _distance(field: Field, points: Array) -> tuple[Array, Array]:
    if field.kind == BED:
        return _bed_distance(field, points)
    layout = field.layout
    around, share, beyond, cell = _located(field, points)
    value, slope = _slopes(around, share)
    close = np.flatnonzero(field.edged[cell] >= 0)
    value[close], nearest = _measured(field, points[close], field.edged[cell[close]])
    arm = points[close] - _nearest_on(field, points[close], nearest)
    touching = np.abs(value[close, None]) < TOUCHING_CELLS * layout.cell
    slope[close] = np.where(touching, field.normals[nearest], arm / np.where(touching, 1.0, value[close, None]))
    _reach_beyond(value, slope, around, share, beyond)
    length = norm(slope)
    level = length < LEVEL_CELLS * layout.cell
    slope[level], length[level] = (0.0, 0.0, 1.0), 1.0
    distance, way = value - layout.half, slope / length[:, None]
    return (distance, way) if field.kind == MESH else (-distance, -way)


def _bound(field: Field, points: Array, keep: Array) -> tuple[Array, Array]:
    """Depths, exact where it matters whether they are `keep`, and metres without any surface, which may be fewer.

    Where a depth is interpolated, it may exceed the truth by half a cell's diagonal.
    """
    if field.kind != MESH:
        depth = _depth(field, points)
        return depth, depth
    layout = field.layout
    around, share, beyond, cell = _located(field, points)
    value = _slopes(around, share)[0]
    spare = HALF_DIAGONAL * layout.cell
    rows = np.where(np.abs(value - layout.half - keep) <= spare, field.edged[cell], -1)
    surely = np.sqrt(dot(beyond, beyond) + np.square(np.maximum(value, 0.0))) - spare - layout.half
    close = np.flatnonzero(rows >= 0)
    value[close] = _measured(field, points[close], rows[close])[0]
    _reach_beyond(value, np.empty(points.shape), around, share, beyond)
    depth, far = value - layout.half, field.rows[cell] < 0
    exact = (rows >= 0) | ~far & (field.edged[cell] < 0)
    clear = np.maximum(surely, np.where(far, (CLOSE_CELLS - HALF_DIAGONAL) * layout.cell - layout.half, 0.0))
    return depth, np.where(exact, depth, clear)


def _span(field: Field, points: Array, ways: Array, margin: Array) -> tuple[Array, Array]:
    """Between which metres of a path it may come within the margin: none where the first is not the smaller."""
    layout = field.layout
    if field.kind == BED:  # below the highest hill and its margin, and not beyond the tank
        rise, room = ways[:, 2], points[:, 2] - (layout.top + margin)
        over = np.abs(room) / np.maximum(np.abs(rise), 1e-12)
        enter = np.where(room <= 0, 0.0, np.where(rise < 0, over, np.inf))
        return enter, np.minimum(np.where((room <= 0) & (rise > 0), over, np.inf), layout.diagonal)
    # Within the sphere around a mesh and its margin; of a basin anywhere up to the far side of that.
    arm = points - layout.middle
    b = dot(arm, ways)
    discriminant = b * b - dot(arm, arm) + np.square(layout.radius + layout.half + margin)
    root = np.sqrt(np.maximum(discriminant, 0.0))
    enter, leave = np.maximum(-b - root, 0.0), np.where(discriminant > 0, root - b, -np.inf)
    return (0.0 * enter, np.maximum(leave, 0.0)) if field.kind == BASIN else (enter, leave)


def _located(field: Field, points: Array) -> tuple[Array, Array, Array, Array]:
    """Samples around each point, its place between them, metres beyond the grid, and its cell; the last beyond it."""
    counts, strides = field.counts, np.array([field.counts[1] * field.counts[2], field.counts[2], 1])
    local = (points - field.layout.low) / field.layout.cell
    inner = np.minimum(np.maximum(local, 0.0), counts - 1.0)
    corner = np.minimum(np.where(inner > 0, inner, 0.0).astype(int), counts - 2)
    first = dot(corner, strides)
    around = field.samples[first[:, None] + dot(CORNERS, strides)].reshape(-1, 2, 2, 2)
    beyond = (local - inner) * field.layout.cell
    return around, inner - corner, beyond, np.where((beyond != 0.0).any(axis=1), len(field.samples) - 1, first)


def _mix(one: Array, two: Array, share: Array) -> Array:
    return one + share * (two - one)


def _slopes(around: Array, share: Array) -> tuple[Array, Array]:
    """Value between samples, and by how much it grows along a cell of each axis."""
    x, y, z = share.T
    along_z = _mix(around[..., 0], around[..., 1], z[:, None, None])
    along_yz = _mix(along_z[..., 0], along_z[..., 1], y[:, None])
    over_x = along_yz[:, 1] - along_yz[:, 0]
    over_y = _mix(along_z[:, 0, 1] - along_z[:, 0, 0], along_z[:, 1, 1] - along_z[:, 1, 0], x)
    steep = around[:, :, :, 1] - around[:, :, :, 0]
    over_z = _mix(_mix(steep[:, 0, 0], steep[:, 0, 1], y), _mix(steep[:, 1, 0], steep[:, 1, 1], y), x)
    return _mix(along_yz[:, 0], along_yz[:, 1], x), np.stack((over_x, over_y, over_z), axis=-1)


def _reach_beyond(value: Array, arm: Array, around: Array, share: Array, beyond: Array) -> None:
    """Puts in distances beyond the grid, and arms from the surface.

    The triangle nearest to the last place of the grid on the way is taken to be nearest there too.
    """
    outside = np.flatnonzero((beyond != 0.0).any(axis=1))
    last, slope = _slopes(around[outside], share[outside])
    arm[outside] = beyond[outside] + np.maximum(last, 0.0)[:, None] * unit(slope)
    value[outside] = norm(arm[outside])


def _measured(field: Field, points: Array, rows: Array) -> tuple[Array, Array]:
    """Signed distances of points in close cells, and the nearest triangles."""
    square, nearest = np.full(len(rows), np.inf), np.zeros(len(rows), dtype=np.int64)
    crowded = field.crowded[rows]
    square[crowded], nearest[crowded] = _among_pieces(field, points[crowded])
    rest = np.flatnonzero(~crowded)
    owner, facet = _pairs(field, rows[rest], field.many)
    away = _squared(field, points[rest[owner]], facet)
    begin = np.flatnonzero(np.diff(owner, prepend=-1))
    for first, last in zip(begin, [*begin[1:], len(owner)], strict=False):
        least = away[first:last].argmin()
        square[rest[owner[first]]], nearest[rest[owner[first]]] = away[first + least], facet[first + least]
    return np.where(_inside(field, points, rows), -np.sqrt(square), np.sqrt(square)), nearest


def _pairs(field: Field, rows: Array, many: Array) -> tuple[Array, Array]:
    """Which of the cells each pair is of, and its triangle, one of the first so many."""
    owner = np.repeat(np.arange(len(rows)), many[rows])
    begin = field.first[rows] - (np.cumsum(many[rows]) - many[rows])
    return owner, field.owned[np.arange(len(owner)) + begin[owner]].astype(np.int64)


def _squared(field: Field, points: Array, facets: Array) -> Array:
    found = np.empty(len(facets))
    FACETS_SQUARED(table=field.table, points=points, rows=facets, found=found)
    return found


def _among_pieces(field: Field, points: Array) -> tuple[Array, Array]:
    """Squares of distances to the nearest of the triangles that the pieces with the nearest middles are of; and it."""
    square, nearest = np.full(len(points), np.nan), np.zeros(len(points), dtype=np.int64)
    there = np.flatnonzero(np.isfinite(dot(points, points)))
    many = min(CROWD_PIECES, field.pieces.rows.size)
    if not len(there) or not many:
        return square, nearest
    middles = np.empty((field.pieces.rows.size, 3))
    middles[field.pieces.rows] = field.pieces.places.T
    among = field.owners[Points(middles).nearest(points[there], np.arange(1, many + 1))]
    away = _squared(field, np.repeat(points[there], many, axis=0), among.ravel()).reshape(among.shape)
    best = away.argmin(axis=1)[:, None]
    square[there] = np.take_along_axis(away, best, axis=1)[:, 0]
    nearest[there] = np.take_along_axis(among, best, axis=1)[:, 0]
    return square, nearest


def _inside(field: Field, points: Array, rows: Array) -> Array:
    """Points in close cells that are inside: by the crossings of a line from the middle, or by the winding number."""
    if field.layout.shell:
        return np.zeros(len(rows), dtype=bool)
    owner, facet = _pairs(field, rows, field.crossing)
    crossed = _crossed(field, field.middles[rows[owner]], points[owner], facet)
    turns = (field.turns[rows] + np.bincount(owner, weights=crossed, minlength=len(rows))).astype(float)
    apart = (field.crossing[rows] > MOST_CROSSING) | bool(field.layout.gaping)
    if apart.any():
        turns[apart] = Winding(field.corners).at(points[apart])
    return np.abs(turns) > 0.5


def _local(field: Field, points: Array, facets: Array) -> tuple[Array, Array]:
    """Points in the axes of triangles with corners at (0, 0), (length, 0) and (out, height), and their numbers."""
    axes, (x, y, z) = field.table[:9, facets].reshape(3, 3, -1), points.T
    return axes[:, 0] * x + axes[:, 1] * y + axes[:, 2] * z - field.table[9:12, facets], field.table[12:, facets]


def _nearest_on(field: Field, points: Array, facets: Array) -> Array:
    """The place of each triangle that is nearest to its point."""
    (x, y, _), (length, out, height, left_scale, right_scale) = _local(field, points, facets)
    far, reach = x - length, length - out
    inside = (y > 0.0) & (x * height > y * out) & (-far * height > y * reach)
    left = np.minimum(np.maximum((x * out + y * height) * left_scale, 0.0), 1.0)
    right = np.minimum(np.maximum((y * height - far * reach) * right_scale, 0.0), 1.0)
    u = np.stack((np.minimum(np.maximum(x, 0.0), length), left * out, length - right * reach, x))
    v = np.stack((np.zeros_like(x), left * height, right * height, y))
    which = np.where(inside, 3, (np.square(u[:3] - x) + np.square(v[:3] - y)).argmin(axis=0))[None]
    u, v = np.take_along_axis(u, which, axis=0)[0], np.take_along_axis(v, which, axis=0)[0]
    along, across = field.table[:3, facets].T, field.table[3:6, facets].T
    return field.corners[facets, 0] + u[:, None] * along + v[:, None] * across


def _crossed(field: Field, start: Array, end: Array, facets: Array) -> Array:
    """Crossings of triangles by lines: 1 inwards, -1 outwards, 0 not at all.

    Of triangles that share a side, a line through it crosses one, since the side is tested in the same way for both
    (Woop, Benthin and Wald 2013).
    """
    normals, plane = field.normals[facets], field.table[11, facets]
    before, after = dot(start, normals) - plane > 0.0, dot(end, normals) - plane > 0.0
    arms = field.corners[facets] - start[:, None]
    sides = dot(cross(arms, np.roll(arms, -1, axis=1)), (end - start)[:, None])
    left = np.where(sides == 0.0, field.upward[facets], sides > 0.0)
    through = (left[:, 0] == left[:, 1]) & (left[:, 1] == left[:, 2]) & (before != after) & ~field.flat[facets]
    return np.where(through, np.where(before, 1, -1), 0)


def _followed(field: Field, start: Array, end: Array) -> tuple[Array, Array]:
    """Lines through a triangle, and those inside before it.

    Of a line that goes through none, only that of its start and of places far from the surface is said.
    """
    layout, mesh = field.layout, SimpleNamespace(**{**vars(field), "kind": MESH})
    length = norm(end - start)
    way = (end - start) / np.maximum(length, LEAST_LENGTH)[:, None]
    t, leave = _span(mesh, start, way, np.zeros(len(start)))
    leave = np.minimum(leave, length)
    through, within = np.zeros(len(start), dtype=bool), np.zeros(len(start), dtype=bool)
    live = np.flatnonzero(t < leave)
    within[live] = _depth(mesh, start[live]) < 0
    for _ in range(MOST_CELLS_ALONG):
        depth, rows, onward = _onward(mesh, start[live] + t[live, None] * way[live], way[live])
        close = np.flatnonzero(rows >= 0)
        owner, facet = _pairs(field, rows[close], field.crossing)
        line = live[close][owner]
        through[line[_crossed(field, start[line], end[line], facet) != 0]] = True
        within[live] |= depth < 0
        t[live] = t[live] + onward + TOUCHING_CELLS * layout.cell
        live = live[(t[live] < leave[live]) & ~through[live]]
    return through, within


def _onward(field: Field, points: Array, ways: Array) -> tuple[Array, Array, Array]:
    """Depths of points on lines, their close rows or -1, and metres without any triangle but the row's.

    The depth of places in close cells is said of shells alone, which are thicker than their triangles.
    """
    layout = field.layout
    around, share, beyond, cell = _located(field, points)
    rows, value, outer = field.rows[cell], _slopes(around, share)[0], dot(beyond, beyond)
    depth = np.where(outer > 0, np.sqrt(outer + np.square(np.maximum(value, 0.0))), value) - layout.half
    onward = np.maximum(np.abs(depth) - HALF_DIAGONAL * layout.cell, (CLOSE_CELLS - HALF_DIAGONAL) * layout.cell)
    close = np.flatnonzero(rows >= 0)
    corner = np.stack(np.unravel_index(cell[close], field.counts), axis=-1)
    origin = layout.low + layout.cell * corner
    steep = np.where(np.abs(ways[close]) < 1e-12, 1e-12, ways[close])
    wall = np.where(steep > 0, origin + layout.cell, origin)
    onward[close] = np.maximum(((wall - points[close]) / steep).min(axis=1), 0.0)
    depth[close] = _depth(field, points[close]) if layout.shell else np.inf
    if layout.shell:
        onward = np.minimum(onward, np.maximum(depth, 0.5 * layout.half))
    return depth, rows, onward


def _bed_at(field: Field, places: Array) -> tuple[Array, Array, tuple[Array, Array]]:
    """The numbers of the four places of the grid around each, their weights, and how these change along x and y."""
    counts, step = field.counts, field.layout.step
    local = np.minimum(np.maximum(places / step, 0.0), counts - 1.0)
    corner = np.minimum(np.where(local > 0, local, 0.0).astype(int), counts - 2)
    x, y = (local - corner).T
    rows = (counts[1] * corner[:, 0] + corner[:, 1])[:, None] + [0, 1, counts[1], counts[1] + 1]
    weights = np.stack(((1 - x) * (1 - y), (1 - x) * y, x * (1 - y), x * y), axis=1)
    along_x = np.stack((y - 1, -y, 1 - y, y), axis=1) / step[0]
    along_y = np.stack((x - 1, 1 - x, -x, x), axis=1) / step[1]
    return field.samples.reshape(counts[0] * counts[1], -1)[rows], weights, (along_x, along_y)


def _bed_level(field: Field, above: Array) -> tuple[Array, Array, Array]:
    """The sampled height below one, how far it is to the next, and by how much that grows a metre."""
    layout, levels = field.layout, int(field.layout.levels)
    over = np.maximum(above, 0.0) / layout.cell
    local = np.minimum(log(1.0 + over) / LN2, layout.levels)
    level = np.minimum(np.where(local > 0, local, 0.0).astype(int), levels - 1)
    rate = np.where((above > 0) & (local < layout.levels), 1.0 / ((1.0 + over) * layout.cell * LN2), 0.0)
    return level[:, None, None], local - level, rate


def _bed_depth(field: Field, points: Array) -> Array:
    samples, weights, _ = _bed_at(field, points[:, :2])
    above = points[:, 2] - dot(samples[..., 0], weights)
    level, share, _ = _bed_level(field, above)
    low, high = (dot(np.take_along_axis(samples, 3 + up + level, axis=2)[..., 0], weights) for up in (0, 1))
    return above * (low + share * (high - low))


def _bed_distance(field: Field, points: Array) -> tuple[Array, Array]:
    samples, weights, tilts = _bed_at(field, points[:, :2])
    height, slope_x, slope_y = weighted(weights, np.ascontiguousarray(samples[..., :3])).T
    above = points[:, 2] - height
    level, share, rate = _bed_level(field, above)
    low, high = (np.take_along_axis(samples, 3 + up + level, axis=2)[..., 0] for up in (0, 1))
    nearness = low + share[:, None] * (high - low)
    k = dot(nearness, weights)
    up = k + above * rate * dot(high - low, weights)
    along_x, along_y = (above * dot(nearness, tilt) for tilt in tilts)
    way = np.stack((along_x - up * slope_x, along_y - up * slope_y, np.maximum(up, 0.05)), axis=-1)
    return above * k, unit(way)


def _bed_blocks(field: Field, start: Array, end: Array) -> Array:
    """Lines in a bed somewhere; one that keeps close to it for all its marches is taken to be."""
    ray = end - start
    length = norm(ray)
    way = ray / np.maximum(length, 1e-12)[:, None]
    t, leave = _span(field, start, way, np.zeros(len(start)))
    leave = np.minimum(leave, length)
    blocked = np.zeros(len(start), dtype=bool)
    live = np.flatnonzero(t < leave)
    for _ in range(MOST_MARCHES):
        depth = _bed_depth(field, start[live] + t[live, None] * way[live])
        blocked[live] = depth < 0
        t[live] += np.maximum(depth, 2 * field.layout.grain)
        live = live[(depth >= 0) & (t[live] < leave[live])]
    blocked[live] = True
    return blocked
