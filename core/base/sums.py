"""Sums in a stated order, so that they have the same bits on every machine.

NumPy adds along an axis, and multiplies and adds in `einsum`, `dot` and `@`, in an order that depends on the processor,
on its version and on where the numbers are in memory. Here the order depends on how many numbers there are and on
nothing else.
"""

from __future__ import annotations

from math import prod

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled, integer, laid, reads, writes

NUMBERS_A_THREAD = 100_000
"""Fewest numbers that are worth a thread of their own."""

TOTAL = compiled(
    "total", over="outer", terms=reads("f8", "outer", "count", "inner"), sums=writes("f8", "outer", "inner")
)
WEIGHTED = compiled(
    "weighted",
    over="outer",
    shares=reads("f8", "*voices"),
    vectors=reads("f8", "*outer", "count", "inner"),
    sums=writes("f8", "*outer", "inner"),
    own=integer(),
)
SCALED = compiled(
    "scaled",
    over="outer",
    vectors=reads("f8", "outer", "inner"),
    factors=reads("f8", "outer"),
    found=writes("f8", "outer", "inner"),
)


def total(terms: ArrayLike, axis: int = -1) -> np.ndarray:
    """The sum along an axis.

    The order is that of folding: the second half of the numbers is added to the first, the middle one of an odd number
    being left alone, and so on with the results until one is left. For three numbers that is (a + c) + b.
    """
    terms = np.asarray(terms)
    if terms.dtype == float and terms.flags.c_contiguous:
        axis %= terms.ndim
        outer, inner = prod(terms.shape[:axis]), prod(terms.shape[axis + 1 :])
        sums = np.empty((outer, inner))
        count = terms.shape[axis]
        if TOTAL(terms=terms.reshape(outer, count, inner), sums=sums, least=_least(count * inner)):
            return sums.reshape(terms.shape[:axis] + terms.shape[axis + 1 :])[()]
    left = np.moveaxis(terms, axis, 0)
    if not len(left):
        return np.zeros(left.shape[1:], dtype=left.dtype)[()]
    while len(left) > 1:
        folded = left[: (len(left) + 1) // 2].copy(order="K")
        folded[: len(left) // 2] += left[len(folded) :]
        left = folded
    return left[0].copy()


def mean(terms: ArrayLike, axis: int = -1) -> np.ndarray:
    """The mean along an axis, summed in the order of `total`."""
    terms = np.asarray(terms)
    return total(terms, axis) / terms.shape[axis]


def weighted(shares: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Sum of vectors (..., k, c), each times its share (..., k) or (k,), in the order of `total`, (..., c)."""
    if shares.shape in (vectors.shape[:-1], vectors.shape[-2:-1]) and shares.dtype == vectors.dtype == float:
        *rows, count, width = vectors.shape
        sums, (shares, vectors) = np.empty((*rows, width)), laid(shares, vectors)
        own, least = shares.ndim > 1, _least(count * width)
        if WEIGHTED(shares=shares, vectors=vectors, sums=sums, own=own, least=least):
            return sums
    return total(shares[..., None] * vectors, axis=-2)


def scaled(vectors: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Arrays (n, ...), each times its factor (n,)."""
    found = np.empty(vectors.shape)
    if vectors.dtype == float and vectors.flags.c_contiguous:
        inner = prod(vectors.shape[1:])
        rows = vectors.reshape(len(vectors), inner), laid(factors)[0], found.reshape(len(vectors), inner)
        if SCALED(vectors=rows[0], factors=rows[1], found=rows[2], least=_least(inner)):
            return found
    return np.multiply(vectors, factors.reshape(-1, *[1] * (vectors.ndim - 1)), out=found)


def _least(numbers: int) -> int:
    """Fewest rows of so many numbers that are worth a thread."""
    return max(1, NUMBERS_A_THREAD // max(numbers, 1))
