"""Eating: a mouth that opens near food, draws in the water before it and swallows (Tu 1999, §7.8 and §7.9.1).

The book says that an open mouth draws in everything near it, not how strongly nor from how far; all numbers here
are ours.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

from ...base.vectors import dot, norm, unit
from ...body.anatomy import NOSE_NODE, RING_NODES

OPEN_AT = 0.5  # lengths of the eater from its mouth to the food, at which it opens
SUCK_AT = 0.35  # lengths from an open mouth, within which it draws
SWALLOW_AT = 0.08  # lengths from an open mouth, within which it swallows
FLOOR = 0.05  # lengths from the mouth, within which the pull no longer grows
CONE = np.pi / 3  # rad to every side of straight ahead, within which a mouth draws
OPENING, CLOSING = 20.0, 8.0  # share of what is missing, a second
GAPING = 0.5  # opening above which a mouth swallows
MOUTHFUL = 0.35  # largest morsel in lengths of the eater


def mouth(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where mouths are and where they face.

    Args:
        nodes: Places in metres, (n, 23, 3).

    Returns:
        The nose in metres (n, 3), and the unit vector to it from the middle of the first ring (n, 3).
    """
    place = nodes[:, NOSE_NODE].copy()
    return place, unit(place - nodes[:, RING_NODES[0]].mean(axis=1))


def gape(distance: np.ndarray, length: np.ndarray, opening: np.ndarray, dt: float) -> np.ndarray:
    """How far mouths are open a moment later: they open fast on food that is near, and else close.

    Args:
        distance: From the mouth to the food in metres, inf without food, (n,).
        length: Of the eater in metres, (n,).
        opening: At present, 0 closed to 1 open, (n,).
        dt: Length of the moment in seconds; two halves of it do as much as the whole.

    Returns:
        0 to 1, (n,).
    """
    opens = distance < OPEN_AT * length
    share = 1 - np.exp(-np.where(opens, OPENING, CLOSING) * dt)
    return opening + share * (opens - opening)


def suction(
    mouth_place: np.ndarray,
    mouth_ahead: np.ndarray,
    opening: np.ndarray,
    mouth_length: np.ndarray,
    points: np.ndarray,
    strength: float,
    owner: np.ndarray,
) -> np.ndarray:
    """The pull of open mouths on everything before them: the vacuum force of Tu 1999, §7.9.1, over mass.

    It falls with the square of the distance.

    Args:
        mouth_place: Metres, (m, 3).
        mouth_ahead: Unit vectors, (m, 3).
        opening: 0 to 1; the pull is in proportion, (m,).
        mouth_length: Length of each mouth's fish in metres, (m,).
        points: Nodes of bodies and whatever drifts, in metres, (p, 3).
        strength: Pull of a wide open mouth on what is right before it, in m/s².
        owner: Row of the mouth whose fish a point belongs to, which does not draw it, or -1, (p,).

    Returns:
        Acceleration in m/s², summed over mouths, (p, 3).
    """
    draws = np.flatnonzero(opening > 0)
    row, point = _pairs(mouth_place[draws], SUCK_AT * mouth_length[draws], points)
    row = draws[row]
    offset = points[point] - mouth_place[row]
    distance = norm(offset)
    drawn = (dot(offset, mouth_ahead[row]) >= np.cos(CONE) * distance) & (owner[point] != row)
    row, point, offset, distance = row[drawn], point[drawn], offset[drawn], distance[drawn]
    nearest = FLOOR * mouth_length[row]
    size = strength * opening[row] * (nearest / np.maximum(distance, nearest)) ** 2
    pull = -size[:, None] * unit(offset)
    return np.stack([np.bincount(point, pull[:, axis], len(points)) for axis in range(3)], axis=1)


def swallowed(
    mouth_place: np.ndarray, opening: np.ndarray, mouth_length: np.ndarray, place: np.ndarray, size: np.ndarray
) -> np.ndarray:
    """Who swallows what: the nearest mouth that is open, close enough and large enough.

    Args:
        mouth_place: Metres, (m, 3).
        opening: 0 to 1, (m,).
        mouth_length: Length of each mouth's fish in metres, (m,).
        place: Of each morsel in metres, (p, 3).
        size: Of each morsel in metres, (p,).

    Returns:
        Row of the mouth that swallows each morsel, -1 for none, (p,).
    """
    gapes = np.flatnonzero(opening > GAPING)
    row, morsel = _pairs(mouth_place[gapes], SWALLOW_AT * mouth_length[gapes], place)
    row = gapes[row]
    passes = size[morsel] <= MOUTHFUL * mouth_length[row]
    row, morsel = row[passes], morsel[passes]
    # Nearest last, and of equally near ones the first: the last one written stays.
    order = np.lexsort((-row, -norm(place[morsel] - mouth_place[row])))
    eater = np.full(len(place), -1)
    eater[morsel[order]] = row[order]
    return eater


def _pairs(centers: np.ndarray, reach: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of centers and of the points within reach (m,) of them, (pair,) each."""
    if not len(centers) or not len(points):
        return np.zeros(0, dtype=int), np.zeros(0, dtype=int)
    tree = cKDTree(points, balanced_tree=False, compact_nodes=False)
    found = tree.query_ball_point(centers, reach)
    count = np.fromiter(map(len, found), dtype=int, count=len(found))
    return np.repeat(np.arange(len(centers)), count), np.concatenate(found).astype(int)
