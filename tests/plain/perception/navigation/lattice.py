"""Ways through cells, and cells that are seen into."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import dijkstra

from artfish.core.base.vectors import dot, norm
from artfish.core.perception.navigation.lattice import FARTHEST_COST, OPAQUE

Array = np.ndarray


def way_costs(*, weights: Array, sources: Array, steps: Array, prices: Array, costs: Array, links: Array) -> None:  # noqa: ARG001
    """Costs of ways on a graph of all steps: whole numbers, which a float holds exactly."""
    passable = np.flatnonzero(weights)
    rows = np.full(len(weights), -1)
    rows[passable] = np.arange(len(passable))
    begins, ends, dear = [], [], []
    for step, price in zip(steps, prices, strict=True):
        to = passable + step
        through = np.flatnonzero(weights[to])
        begins.append(through)
        ends.append(rows[to[through]])
        dear.append(price * (weights[passable[through]].astype(float) + weights[to[through]]))
    joined = np.concatenate(begins), np.concatenate(ends)
    graph = coo_array((np.concatenate(dear), joined), shape=(len(passable),) * 2).tocsr()
    costs[:] = FARTHEST_COST
    from_where = np.unique(rows[sources[weights[sources] > 0]])
    if len(from_where):
        nearest = dijkstra(graph, indices=from_where, min_only=True)
        costs[passable] = np.where(np.isfinite(nearest), nearest, FARTHEST_COST)


def look_round(
    *,
    chart: Array,
    eye: Array,
    seen: Array,
    ahead: Array,
    low: Array,
    shape: Array,
    cell: float,
    reach: float,
    cosine: float,
) -> None:
    """Cells that an eye sees into: half a cell's steps lead there through none that is opaque."""
    strides = shape[1] * shape[2], shape[2], 1
    index = np.stack(np.meshgrid(*(np.arange(1, count - 1) for count in shape), indexing="ij"), axis=-1).reshape(-1, 3)
    index = index[~seen[dot(index, strides)]]
    ray = low + cell * (index + 0.5) - eye
    away = norm(ray)
    within = (away <= reach) & (away < np.inf) & (dot(ray, ahead) >= cosine * away)
    rows, ray, away = dot(index[within], strides), ray[within], away[within]
    steps = np.floor(2.0 * away / cell).astype(int)
    free = np.ones(len(rows), dtype=bool)
    for step in range(1, int(steps.max(initial=0)) + 1):
        on = np.flatnonzero(free & (step <= steps))
        share = step / (steps[on] + 1.0)
        at = np.floor((eye + share[:, None] * ray[on] - low) / cell).astype(int)
        free[on] = chart[dot(np.minimum(np.maximum(at, 1), shape - 2), strides)] != OPAQUE
    seen[rows[free]] = True
