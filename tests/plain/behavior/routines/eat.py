"""The pull of mouths on points near them, one mouth after the other."""

from __future__ import annotations

import numpy as np

from artfish.core.base.vectors import dot, norm, unit

Array = np.ndarray


def suction(
    *,
    places: Array,
    ways: Array,
    openings: Array,
    lengths: Array,
    points: Array,
    owners: Array,
    pulls: Array,
    reach: float,
    cosine: float,
    floor_lengths: float,
    strength: float,
) -> None:
    """Every open mouth pulls all within its reach and cone, but for its own fish, with the square of the distance."""
    for mouth in np.flatnonzero(openings > 0.0):
        offset, nearest = points - places[mouth], floor_lengths * lengths[mouth]
        distance = norm(offset)
        drawn = (distance <= reach * lengths[mouth]) & (dot(offset, ways[mouth]) >= cosine * distance)
        drawn &= owners != mouth
        size = strength * openings[mouth] * np.square(nearest / np.maximum(distance[drawn], nearest))
        pulls[drawn] += -size[:, None] * unit(offset[drawn])


def swallowed(
    *,
    places: Array,
    openings: Array,
    lengths: Array,
    morsels: Array,
    sizes: Array,
    eaters: Array,
    gaps: Array,
    least_opening: float,
    reach: float,
    mouthful: float,
) -> None:
    """The nearest mouth that gapes, and is close and large enough; of equally near ones the first."""
    for mouth in np.flatnonzero(openings > least_opening):
        distance = norm(morsels - places[mouth])
        nearer = (distance <= reach * lengths[mouth]) & (sizes <= mouthful * lengths[mouth]) & (distance < gaps)
        eaters[nearer], gaps[nearer] = mouth, distance[nearer]
