"""Products and inverses of matrices with the same bits on every machine, where BLAS and LAPACK have their own."""

from __future__ import annotations

import numpy as np


def product(first: np.ndarray, *others: np.ndarray) -> np.ndarray:
    """Matrices multiplied from the left on, each sum in sequence, (m, n) of (m, k) and so on."""
    for other in others:
        found = np.zeros((len(first), other.shape[1]))
        for column, row in zip(first.T, other, strict=True):
            found += column[:, None] * row
        first = found
    return first


def inverse(matrix: np.ndarray) -> np.ndarray:
    """The inverse of a symmetric, positive definite matrix, (n, n), by elimination row by row (Gauss and Jordan)."""
    size = len(matrix)
    both = np.concatenate((matrix, np.eye(size)), axis=1)
    for row in range(size):
        both[row] /= both[row, row]
        factors = both[:, row].copy()
        factors[row] = 0.0
        both -= factors[:, None] * both[row]
    return both[:, size:].copy()
