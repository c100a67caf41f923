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
    """The sum along an axis, of whole numbers in their own kind and of others in float64.

    The order is that of folding: the second half of the numbers is added to the first, the middle one of an odd number
    being left alone, and so on with the results until one is left. For three numbers that is (a + c) + b.
    """
    terms = np.asarray(terms)
    if terms.dtype.kind in "bui":  # exact in any order
        return terms.sum(axis)
    terms = np.asarray(terms, dtype=float, order="C")
    axis %= terms.ndim
    outer, count, inner = prod(terms.shape[:axis]), terms.shape[axis], prod(terms.shape[axis + 1 :])
    sums = np.empty((outer, inner))
    TOTAL(terms=terms.reshape(outer, count, inner), sums=sums, least=_least(count * inner))
    return sums.reshape(terms.shape[:axis] + terms.shape[axis + 1 :])[()]


def mean(terms: ArrayLike, axis: int = -1) -> np.ndarray:
    """The mean along an axis, summed in the order of `total`."""
    terms = np.asarray(terms)
    return total(terms, axis) / terms.shape[axis]


def weighted(shares: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Sum of vectors (..., k, c), each times its share (..., k) or (k,), in the order of `total`, (..., c)."""
    *rows, count, width = vectors.shape
    if shares.shape != (count,):
        shares = np.broadcast_to(shares, (*rows, count))
    sums, (shares, vectors) = np.empty((*rows, width)), laid(shares, vectors)
    WEIGHTED(shares=shares, vectors=vectors, sums=sums, own=shares.ndim > 1, least=_least(count * width))
    return sums


def scaled(vectors: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """Arrays (n, ...), each times its factor (n,)."""
    (vectors, factors), inner = laid(vectors, factors), prod(vectors.shape[1:])
    found = np.empty(vectors.shape)
    rows = {name: array.reshape(len(vectors), inner) for name, array in (("vectors", vectors), ("found", found))}
    SCALED(**rows, factors=factors, least=_least(inner))
    return found


def _least(numbers: int) -> int:
    """Fewest rows of so many numbers that are worth a thread."""
    return max(1, NUMBERS_A_THREAD // max(numbers, 1))
