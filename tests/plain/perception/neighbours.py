"""Neighbours of fishes."""

from __future__ import annotations

import numpy as np

from artfish.core.base.vectors import norm

Array = np.ndarray


def around(
    *,
    fishes: Array,
    rows: Array,
    places: Array,
    ways: Array,
    velocities: Array,
    lengths: Array,
    species: Array,
    leads: Array,
    sights: Array,
    offsets: Array,
    motions: Array,
    headings: Array,
    sizes: Array,
    kin: Array,
    leaders: Array,
    others: Array,
    close: int,
) -> None:
    """All that fishes know of the others in their rows, of which the first `close` are near, the rest glanced at."""
    me = fishes[:, None]
    offsets[:] = places[rows] - places[me]
    motions[:] = velocities[rows] - velocities[me]
    headings[:], sizes[:], leaders[:] = ways[rows], lengths[rows], leads[rows]
    others[:] = rows != me
    kin[:] = (species[rows] == species[me]) & others & (norm(offsets) <= sights[me])
    others[:, close:] = False
