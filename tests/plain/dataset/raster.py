"""Triangles filled into pictures, each asked about every pixel."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
MOST_SAMPLES, FARTHEST_PIXEL, MOST_BLOCKERS = float(1 << 20), 1e5, 8


def flat(corners: Array) -> tuple[Array, Array] | None:
    """The three edges (3, 3) of a triangle and the plane (3,) of one over its depth; None where it cannot be drawn."""
    a, b, c = corners
    area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    if not np.isfinite(area) or area == 0.0:
        return None
    sign = 1.0 if area > 0.0 else -1.0
    edges = np.empty((3, 3))
    for i in range(3):
        one, other = corners[(i + 1) % 3], corners[(i + 2) % 3]
        edges[i, 0] = sign * (one[1] - other[1])
        edges[i, 1] = sign * (other[0] - one[0])
        edges[i, 2] = -(edges[i, 0] * one[0] + edges[i, 1] * one[1])
    plane = np.zeros(3)
    for i in range(3):
        plane = plane + edges[i] * (corners[i, 2] / abs(area))
    return edges, plane


def holds(edges: Array, x: Array, y: Array) -> Array:
    """True for points that lie within all three edges."""
    inside = np.ones(np.broadcast_shapes(x.shape, y.shape), dtype=bool)
    for a, b, c in edges:
        inside &= ~((a * x + b * y) + c < 0.0)
    return inside


def paint(*, corners: Array, sides: Array, mark: int, depths: Array, marks: Array) -> None:
    """The nearest triangle in each pixel; of equally near ones the first."""
    rows, columns = marks.shape
    x, y = np.arange(columns) + 0.5, (np.arange(rows) + 0.5)[:, None]
    for side in sides:
        found = flat(corners[side])
        if found is None:
            continue
        edges, plane = found
        inverse = (plane[0] * x + plane[1] * y) + plane[2]
        with np.errstate(divide="ignore"):
            depth = (1.0 / inverse).astype(np.float32)
        nearer = holds(edges, x, y) & (inverse > 0.0) & (depth < depths)
        depths[nearer] = depth[nearer]
        marks[nearer] = mark


def cover(
    *,
    corners: Array,
    sides: Array,
    spans: Array,
    own: Array,
    marks: Array,
    boxes: Array,
    seen_boxes: Array,
    pixels: Array,
    blockers: Array,
) -> None:
    """Pixels that each fish covers alone, in the picture and beyond it, and who is there instead."""
    rows, columns = marks.shape
    boxes[:], seen_boxes[:], pixels[:], blockers[:] = np.nan, 0, 0, 0
    for fish, (first, last) in enumerate(spans):
        some = sides[first:last]
        if not len(some):
            continue
        places = corners[some.ravel(), :2]
        if np.isnan(places).all():
            continue
        box = np.concatenate([np.nanmin(places, axis=0), np.nanmax(places, axis=0)])
        boxes[fish] = box
        inside = covered(corners, some, np.arange(columns) + 0.5, np.arange(rows) + 0.5)
        there = marks[inside]
        pixels[fish, 1] = inside.sum()
        pixels[fish, 0] = (there == own[fish]).sum()
        seen = np.argwhere(inside & (marks == own[fish]))
        if len(seen):
            seen_boxes[fish] = [*seen.min(axis=0)[::-1], *(seen.max(axis=0)[::-1] + 1)]
        values, counts = np.unique(there[there != own[fish]], return_counts=True)
        for place, entry in enumerate(np.lexsort((values, -counts))[:MOST_BLOCKERS]):
            blockers[fish, place] = values[entry], counts[entry]
        if box[0] >= 0.0 and box[1] >= 0.0 and box[2] <= columns and box[3] <= rows:
            continue
        low = np.maximum(np.floor(box[:2]), -FARTHEST_PIXEL)
        size = np.minimum(np.ceil(box[2:]), FARTHEST_PIXEL) - low
        if not (size > 0.0).all():
            continue
        step = max(1.0, float(np.ceil(np.sqrt(size[0] * size[1] / MOST_SAMPLES))))
        x, y = (
            begin + step * (np.arange(int(np.ceil(wide / step))) + 0.5) for begin, wide in zip(low, size, strict=True)
        )
        beyond = ~((x > 0.0) & (x < columns) & ((y > 0.0) & (y < rows))[:, None])
        pixels[fish, 2] = int((covered(corners, some, x, y) & beyond).sum()) * int(step * step)


def covered(corners: Array, sides: Array, x: Array, y: Array) -> Array:
    """True for each point of a grid that lies in any of some triangles, (y, x)."""
    found = np.zeros((len(y), len(x)), dtype=bool)
    for side in sides:
        drawn = flat(corners[side])
        if drawn is not None:
            found |= holds(drawn[0], x, y[:, None])
    return found
