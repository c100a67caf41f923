"""The facing and the tail of a cut-out: its opaque part narrows to the tail's root and widens behind it.

Only the silhouette is gone by, so that no eyespot or marking decides.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

SILHOUETTE_PIXELS = 20_000
"""About how many pixels of a silhouette are gone by."""
TILTS_DEGREES = tuple(range(-60, 61, 6))
"""Angles of the fish's line from level."""
SLICES, FIRST_ROOT_SHARE, LAST_ROOT_SHARE, BODY_SHARE = 48, 0.55, 0.93, 0.6
"""Into how many slices a silhouette is cut along that line; between which shares of it, from the nose's end, the tail's
root is looked for; and within which share the body is highest."""
LEAST_FLARE, MOST_FLARE, MOST_NARROWING = 1.1, 2.5, 4.0
"""Least height of a tail fin over its root, and the most that counts of it and of the body."""
BODY_WEIGHT, LENGTH_WEIGHT = 0.5, 1.0
"""Weight of the body's height over the root's, and of the length, beside the tail fin's."""
LEAST_ADVANTAGE = 0.2
"""Least advantage of one facing over the other, as a share of the weighed sum."""


@dataclass(frozen=True)
class TailFin:
    """The tail fin of a silhouette.

    Attributes:
        facing: Direction of the nose, "left" or "right".
        root: Middle of the tail's root (2,), in pixels.
    """

    facing: str
    root: np.ndarray


def tail_fin(alpha: np.ndarray) -> TailFin | None:
    """The tail fin of the opaque part of a picture (h, w), None where neither end is plainly one."""
    parts, count = ndimage.label(alpha > 0.5)
    if not count:
        return None
    rows, columns = np.nonzero(parts == 1 + np.argmax(np.bincount(parts.ravel())[1:]))
    every = max(1, len(rows) // SILHOUETTE_PIXELS)
    places, area = np.stack([columns, rows], axis=1)[::every].astype(float), float(len(rows))
    left, right = (max((_root(places, area, turn + tilt) for tilt in TILTS_DEGREES), key=_worth) for turn in (0, 180))
    if abs(left[0] - right[0]) < LEAST_ADVANTAGE or not np.isfinite(max(left[0], right[0])):
        return None
    return TailFin("left", left[1]) if left[0] > right[0] else TailFin("right", right[1])


def _worth(found: tuple[float, np.ndarray]) -> float:
    return found[0]


def _root(places: np.ndarray, area: float, degrees: float) -> tuple[float, np.ndarray]:
    """The likeness of the end in a direction to a tail fin, and the middle of its root (2,).

    Args:
        places: Pixels (n, 2) of the silhouette, or some of them.
        area: Number of pixels in all.
        degrees: Direction from the nose to the tail, clockwise in the picture from its right.
    """
    turn = np.radians(degrees)
    along = places @ np.array([np.cos(turn), np.sin(turn)])
    along -= along.min()
    length = max(float(along.max()), 1.0)
    at = np.minimum((along / length * SLICES).astype(int), SLICES - 1)
    height = ndimage.gaussian_filter1d(np.bincount(at, minlength=SLICES).astype(float), 1.0, mode="constant")
    roots = np.arange(int(FIRST_ROOT_SHARE * SLICES), int(LAST_ROOT_SHARE * SLICES))
    least = np.maximum(height[roots], 1e-6)
    flare = np.array([height[root:].max() for root in roots]) / least
    narrowing = height[: int(BODY_SHARE * SLICES)].max() / least
    worth = np.log(np.minimum(flare, MOST_FLARE)) + BODY_WEIGHT * np.log(np.clip(narrowing, 1e-6, MOST_NARROWING))
    worth = np.where(flare < LEAST_FLARE, -np.inf, worth)
    best = int(np.argmax(worth))
    here = np.abs(at - roots[best]) <= 1
    middle = places[here].mean(axis=0) if here.any() else places.mean(axis=0)
    return float(worth[best] + 0.5 * LENGTH_WEIGHT * np.log(length**2 / area)), middle
