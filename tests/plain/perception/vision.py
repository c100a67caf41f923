"""Sight of fishes by fishes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.sums import mean
from artfish.core.base.vectors import dot, norm

Array = np.ndarray


def middles(*, candidates: Array, nodes: Array, middles: Array) -> None:
    """Middles of the fishes that are looked at, and how far their nodes are from them."""
    rows = np.unique(candidates)
    middles[rows, :3] = mean(nodes[rows], axis=1)
    middles[rows, 3] = norm(nodes[rows] - middles[rows, None, :3]).max(axis=1)


def look(
    *,
    rows: Array,
    candidates: Array,
    eyes: Array,
    headings: Array,
    nodes: Array,
    alive: Array,
    sight: Array,
    length: Array,
    middles: Array,
    cylinders: SimpleNamespace,
    distance: Array,
    seen: Array,
    cosine: float,
) -> None:
    """Nodes that are in range, in the field and behind no pillar, of each candidate all or whether there is any.

    Distances are those to the middles, infinite where only that there is none was asked for.
    """
    me, every = rows[:, None], seen.shape[2] > 1
    distance[:] = norm(middles[candidates, :3] - eyes[me])
    reach = sight[me] * length[candidates] / length[me]
    near = (candidates != me) & alive[candidates] & (distance - middles[candidates, 3] <= reach)
    ray = nodes[candidates] - eyes[me][:, :, None]
    away = norm(ray)
    visible = near[..., None] & (away <= reach[..., None]) & (dot(ray, headings[me][:, :, None]) >= cosine * away)
    row, column, point = np.nonzero(visible)
    visible[row, column, point] = ~_behind(eyes[rows[row]], nodes[candidates[row, column], point], cylinders)
    seen[:] = visible if every else visible.any(axis=2, keepdims=True)
    if not every:
        distance[~seen[..., 0]] = np.inf


def behind_cylinders(*, starts: Array, ends: Array, cylinders: SimpleNamespace, behind: Array) -> None:
    """Lines with a cylinder in the way, equations 6.1 and 6.2."""
    behind[:] = _behind(starts, ends, cylinders)


def _behind(start: Array, end: Array, cylinders: SimpleNamespace) -> Array:
    """Mask of the lines some of which is in a cylinder."""
    dx, dy, dz = (end - start).T
    flat = dx * dx + dy * dy
    steep = np.where(np.abs(dz) < 1e-12, 1e-12, dz)
    blocked = np.zeros(len(start), dtype=bool)
    for foot_x, foot_y, foot_z, radius, height in zip(*vars(cylinders).values(), strict=True):
        x, y, z = start[:, 0] - foot_x, start[:, 1] - foot_y, start[:, 2] - foot_z
        # The part of the line, t in [0, 1], between the heights of foot and top, and how near it comes to the axis.
        foot, top = -z / steep, (height - z) / steep
        enter, leave = np.maximum(np.minimum(foot, top), 0.0), np.minimum(np.maximum(foot, top), 1.0)
        nearest = np.divide(-(x * dx + y * dy), flat, out=np.zeros_like(flat), where=flat > 0)
        t = np.minimum(np.maximum(nearest, enter), leave)
        blocked |= (enter < leave) & (np.square(x + t * dx) + np.square(y + t * dy) < radius * radius)
    return blocked
