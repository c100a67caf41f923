"""Products and inverses of matrices, a row at a time."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def product(*, first: Array, second: Array, found: Array) -> None:
    """The rows of the second, each times its number in a row of the first, added in their order."""
    found[:] = 0.0
    for column, row in zip(first.T, second, strict=True):
        found += column[:, None] * row


def inverse(*, matrix: Array, found: Array) -> None:
    """Elimination row by row, of the matrix beside the identity."""
    size = len(matrix)
    both = np.concatenate((matrix, np.eye(size)), axis=1)
    for row in range(size):
        both[row] /= both[row, row]
        factors = both[:, row].copy()
        factors[row] = 0.0
        both -= factors[:, None] * both[row]
    found[:] = both[:, size:]
