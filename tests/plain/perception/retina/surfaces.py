"""Surfaces that fishes know by their range maps."""

from __future__ import annotations

import numpy as np

from artfish.core.base.vectors import dot

Array = np.ndarray


def cells(
    *,
    identities: Array,
    ranges: Array,
    kinds: Array,
    nearests: Array,
    pixels: Array,
    nearest_kinds: Array,
    block: int,
) -> None:
    """The nearest surface in each square of pixels, of equally near ones the first, row by row."""
    images, size = identities.shape[:2]
    across = size // block
    used = slice(None), slice(across * block), slice(across * block)
    own = kinds[identities]
    every = np.broadcast_to(np.arange(size * size, dtype=np.int32).reshape(size, size), own.shape)
    away, own, every = (
        of[used].reshape(images, across, block, across, block).swapaxes(2, 3).reshape(images, across * across, -1)
        for of in (np.where(own > 0, ranges, np.float32(np.inf)), own, every)
    )
    best = away.argmin(axis=-1)[..., None]
    away, own, every = (np.take_along_axis(of, best, axis=-1)[..., 0] for of in (away, own, every))
    nearer = away < nearests
    nearests[nearer], pixels[nearer], nearest_kinds[nearer] = away[nearer], every[nearer], own[nearer]


def seen_path(
    *,
    starts: Array,
    ways: Array,
    surfaces: Array,
    gaps: Array,
    all_kinds: Array,
    margins: Array,
    free: Array,
    least_kind: int,
) -> None:
    """Metres along each path before it comes within a margin of a surface that it leads towards."""
    keep = np.maximum(margins[:, None], gaps)[:, None]
    arm = surfaces[:, None] - starts[:, :, None]
    along = dot(arm, ways[:, :, None])
    left = keep * keep - (dot(arm, arm) - along * along)
    meets = (left > 0.0) & (along > 0.0) & (all_kinds >= least_kind)[:, None]
    onward = np.maximum(along - np.sqrt(np.maximum(left, 0.0)), 0.0)
    free[:] = np.where(meets, onward, np.inf).min(axis=2, initial=np.inf)


def seen_nearest(
    *, points: Array, surfaces: Array, all_kinds: Array, squares: Array, rows: Array, greatest_kind: int
) -> None:
    """Squares of the metres from points to the nearest surface that counts, and its row."""
    counts = (all_kinds > 0) & (all_kinds <= greatest_kind)
    arm = surfaces[:, None] - points[:, :, None]
    away = np.where(counts[:, None], dot(arm, arm), np.inf)
    rows[:] = away.argmin(axis=2)
    squares[:] = np.take_along_axis(away, rows[..., None], axis=2)[..., 0]
