"""Sums by folding: the second half is added to the first, the middle one of an odd number being left, and so on."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def _folded(terms: Array) -> Array:
    """The sums along the middle axis, (outer, count, inner)."""
    left = np.moveaxis(terms, 1, 0)
    if not len(left):
        return np.zeros(left.shape[1:])
    while len(left) > 1:
        folded = left[: (len(left) + 1) // 2].copy()
        folded[: len(left) // 2] += left[len(folded) :]
        left = folded
    return left[0]


def total(*, terms: Array, sums: Array) -> None:
    """The sums over the middle axis."""
    sums[:] = _folded(terms)


def weighted(*, shares: Array, vectors: Array, sums: Array, own: int) -> None:
    """The sums of vectors, each times its share; all rows have one set of shares, or each its own."""
    rows, count, _ = vectors.shape
    each = shares.reshape(rows if own else 1, count, 1)
    sums[:] = _folded(each * vectors)


def scaled(*, vectors: Array, factors: Array, found: Array) -> None:
    """Vectors, each times its factor."""
    found[:] = vectors * factors[:, None]
