"""Surfaces that fishes know by their range maps: the free distance along ways, and the distance of the nearest.

A range map is kept as the nearest surface in every small square of its pixels, where that was in the water. What lies
between two such places is taken to be surface, too.
"""

from __future__ import annotations

import numpy as np

from ...compiled import changes, compiled, integer, takes, writes
from .reading import IMAGES_A_THREAD

SOLID, FIRST_WALL = 1, 2
"""Kinds of surface: anything, and the first of the walls of the water, low and high x, low and high y, and so on."""
NOWHERE = 1e6
"""Coordinate in metres of what stands for no surface."""
SEEING_A_THREAD = 4
"""Fishes whose surfaces are worth a thread of their own."""

_CELLS = compiled(
    "cells",
    over="images",
    least=IMAGES_A_THREAD,
    identities=takes("i4", "images", "size", "size"),
    ranges=takes("f4", "images", "size", "size"),
    kinds=takes("u1", "identities_known"),
    nearests=changes("f4", "images", "count"),
    pixels=changes("i4", "images", "count"),
    nearest_kinds=changes("u1", "images", "count"),
    block=integer(),
)
SEEN_PATH = compiled(
    "seen_path",
    over="n",
    least=SEEING_A_THREAD,
    starts=takes("f8", "n", "begins", 3),
    ways=takes("f8", "n", "headings", 3),
    surfaces=takes("f8", "n", "count", 3),
    gaps=takes("f8", "n", "count"),
    all_kinds=takes("u1", "n", "count"),
    margins=takes("f8", "n"),
    free=writes("f8", "n", "paths"),
    least_kind=integer(),
)
SEEN_NEAREST = compiled(
    "seen_nearest",
    over="n",
    least=SEEING_A_THREAD,
    points=takes("f8", "n", "many", 3),
    surfaces=takes("f8", "n", "count", 3),
    all_kinds=takes("u1", "n", "count"),
    squares=writes("f8", "n", "many"),
    rows=writes("i8", "n", "many"),
    greatest_kind=integer(),
)


def cells(
    identity: np.ndarray, range_: np.ndarray, kinds: np.ndarray, block: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nearest surface in each square of pixels.

    Args:
        identity: Identities in n images, (n, size, size) int32.
        range_: Ranges in metres, (n, size, size) float32.
        kinds: Kind of surface of each identity, 0 for none, (identities + 1,) uint8.
        block: Pixels across a square; rows and columns of pixels that fill none do not count.

    Returns:
        Metres, infinite without any, float32; the pixel, row by row, int32; and its kind, uint8; (n, cells) each.
    """
    images, size = identity.shape[:2]
    across = size // block
    count = across * across
    nearest, pixel = np.full((images, count), np.inf, np.float32), np.zeros((images, count), np.int32)
    kind = np.zeros((images, count), np.uint8)
    found = {"nearests": nearest, "pixels": pixel, "nearest_kinds": kind}
    _CELLS(identities=identity, ranges=range_, kinds=kinds, **found, block=block)
    return nearest, pixel, kind


def free_path(
    points: np.ndarray,
    ways: np.ndarray,
    margin: np.ndarray,
    places: np.ndarray,
    apart: np.ndarray,
    kinds: np.ndarray,
    least_kind: int = SOLID,
) -> np.ndarray:
    """Length of paths before they come within a margin of a surface.

    A path that starts within it has 0 if it leads nearer, and all of its way if it leads off, as `Antenna` has it.

    Args:
        points: Starts of the paths of n fishes in metres, (n, s, 3), one or as many as paths.
        ways: Unit vectors along them, (n, w, 3), likewise.
        margin: Distance to keep in metres, (n,).
        places: Places of surface in metres, (n, k, 3).
        apart: Radius around each in which there is surface, too, the least to keep from it, in metres, (n, k).
        kinds: Kind of each, (n, k) uint8.
        least_kind: Lowest kind that counts.

    Returns:
        Metres, infinite where nothing is in the way, (n, c).
    """
    n, paths = len(points), max(points.shape[1], ways.shape[1])
    free = np.empty((n, paths))
    SEEN_PATH(
        starts=points,
        ways=ways,
        surfaces=places,
        gaps=apart,
        all_kinds=kinds,
        margins=margin,
        free=free,
        least_kind=least_kind,
    )
    return free


def nearest(
    points: np.ndarray, places: np.ndarray, kinds: np.ndarray, greatest_kind: int = 255
) -> tuple[np.ndarray, np.ndarray]:
    """The surface nearest to points.

    Args:
        points: Points of n fishes in metres, (n, p, 3).
        places: Places of surface in metres, (n, k, 3).
        kinds: Kind of each, 0 for none, (n, k) uint8.
        greatest_kind: Highest kind that counts.

    Returns:
        Metres, infinite without any, and its row, (n, p) both.
    """
    square, row = np.empty(points.shape[:2]), np.empty(points.shape[:2], dtype=np.int64)
    given = {"points": points, "surfaces": places, "all_kinds": kinds, "greatest_kind": greatest_kind}
    SEEN_NEAREST(**given, squares=square, rows=row)
    return np.sqrt(square), row


def walls(points: np.ndarray, places: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Metres from points, (n, 3), to each of the six walls of the water, infinite where it is not seen, (n, 6)."""
    found = np.full((len(points), 6), np.inf)
    for wall in range(6):
        axis, side = divmod(wall, 2)
        away = np.where(side, places[..., axis] - points[:, None, axis], points[:, None, axis] - places[..., axis])
        found[:, wall] = np.where(kinds == FIRST_WALL + wall, away, np.inf).min(axis=1)
    return found
