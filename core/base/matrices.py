"""Products and inverses of matrices with the same bits on every machine, where BLAS and LAPACK have their own."""

from __future__ import annotations

import numpy as np

from ..compiled import compiled, takes, writes

PRODUCT = compiled("product", first=takes("f8", "m", "k"), second=takes("f8", "k", "n"), found=writes("f8", "m", "n"))
INVERSE = compiled("inverse", matrix=takes("f8", "n", "n"), found=writes("f8", "n", "n"))


def product(first: np.ndarray, *others: np.ndarray) -> np.ndarray:
    """Matrices multiplied from the left on, each sum in sequence, (m, n) of (m, k) and so on."""
    for other in others:
        found = np.empty((len(first), other.shape[1]))
        PRODUCT(first=first, second=other, found=found)
        first = found
    return first


def inverse(matrix: np.ndarray) -> np.ndarray:
    """The inverse of a symmetric, positive definite matrix, (n, n), by elimination row by row (Gauss and Jordan)."""
    found = np.empty((len(matrix), len(matrix)))
    INVERSE(matrix=matrix, found=found)
    return found
