"""Paths: ways from cell to cell made short, round where they turn, and of places that are a cell apart."""

from __future__ import annotations

import numpy as np

from ...base.elementary import interpolated
from ...base.vectors import dot, norm, unit
from .lattice import Lattice
from .tuning import AHEAD_CELLS, CORNER_POINTS, MOST_PATH_POINTS, NARROWEST_CORNER_CELLS, STEEPEST_LEG

SHUT_OFF = 256
"""In place of what a cell costs, where there is no way; too much for the eight bits that a cell's cost takes."""


def dearest(lattice: Lattice, weights: np.ndarray, start: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """The cost of the dearest cell on straight ways, `SHUT_OFF` if one is shut.

    Args:
        lattice: Lattice of the cells.
        weights: Cost of ways through each, (cell,) uint8.
        start: Their beginnings in metres, (3,) or (n, 3).
        ends: Their ends in metres, (n, 3).

    Returns:
        (n,) int.
    """
    rays = ends - start
    count = int(np.ceil(2.0 * float(norm(rays).max(initial=0.0)) / lattice.cell)) + 1
    shares = np.arange(count + 1) / count
    along = weights[lattice.cells(start + shares[:, None, None] * rays)]
    return np.where((along == 0).any(axis=0), SHUT_OFF, along.max(axis=0).astype(int))


def shortened(lattice: Lattice, weights: np.ndarray, way: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """A way with as few corners as it needs: straight on as long as that costs no more than the cells left out.

    Args:
        lattice: Lattice of the cells.
        weights: Cost of ways through each, (cell,) uint8.
        way: Rows of its cells, two or more, (n,).
        start: Its beginning in metres, (3,).
        end: Its end in metres, (3,).

    Returns:
        Its corners with both ends in metres, (m, 3).
    """
    places = np.concatenate((start[None], lattice.middles[way[1:-1]], end[None]))
    own = np.where(weights[way] == 0, SHUT_OFF, weights[way].astype(int))
    corners, at, last = [places[0]], 0, len(places) - 1
    while at < last:
        ends = places[at + 1 : at + 1 + AHEAD_CELLS]
        rise, level = np.abs(ends[:, 2] - places[at, 2]), norm((ends - places[at])[:, :2])
        straight = dearest(lattice, weights, places[at], ends) <= np.maximum.accumulate(own[at:])[1 : len(ends) + 1]
        straight &= rise <= STEEPEST_LEG * level
        at += 1 + int(np.flatnonzero(straight)[-1]) if straight.any() else 1
        corners.append(places[at])
    return np.array(corners)


def rounded(lattice: Lattice, weights: np.ndarray, corners: np.ndarray, radius: float) -> np.ndarray:
    """A way whose corners are as round as there is room, up to a radius.

    Where the curve would lead through what is dearer than its two legs, it is made half as wide, and so on.

    Args:
        lattice: Lattice of the cells.
        weights: Cost of ways through each, (cell,) uint8.
        corners: Corners and ends in metres, (m, 3).
        radius: Metres.

    Returns:
        Metres, (n, 3).
    """
    shares = (np.arange(CORNER_POINTS) / (CORNER_POINTS - 1.0))[:, None]
    found = [corners[:1]]
    for before, at, after in zip(corners[:-2], corners[1:-1], corners[2:], strict=True):
        back, on = unit(before - at), unit(after - at)
        cosine = float(dot(back, on))
        # A circle touches both legs where the tangent of half of the angle between them says.
        tangent = np.sqrt(max(1.0 - cosine, 0.0) / max(1.0 + cosine, 1e-9))
        cut = min(radius / max(float(tangent), 1e-6), 0.5 * float(norm(before - at)), 0.5 * float(norm(after - at)))
        most = int(dearest(lattice, weights, at, np.stack((before, after))).max())
        curve = at[None]
        while cut > NARROWEST_CORNER_CELLS * lattice.cell:
            first, last = at + cut * back, at + cut * on
            bent = np.square(1.0 - shares) * first + 2.0 * shares * (1.0 - shares) * at + np.square(shares) * last
            if (dearest(lattice, weights, bent[:-1], bent[1:]) <= most).all():
                curve = bent
                break
            cut *= 0.5
        found.append(curve)
    return np.concatenate((*found, corners[-1:]))


def even(points: np.ndarray, spacing: float) -> np.ndarray:
    """A path of places so many metres apart along another, from its beginning on, and its end, (n, 3)."""
    knots = np.concatenate(([0.0], np.cumsum(norm(np.diff(points, axis=0)))))
    count = min(int(np.ceil(knots[-1] / spacing)) + 1, MOST_PATH_POINTS)
    along = np.minimum(spacing * np.arange(count), knots[-1])
    rising = np.concatenate(([True], np.diff(knots) > 0.0))
    return np.stack([interpolated(along, knots[rising], axis[rising]) for axis in points.T], axis=-1)
