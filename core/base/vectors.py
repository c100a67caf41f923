"""Arithmetic on arrays of vectors, (..., 3), and of angles."""

from __future__ import annotations

import numpy as np


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Scalar product, (...)."""
    return np.einsum("...i,...i", a, b)


def norm(a: np.ndarray) -> np.ndarray:
    """Length, (...)."""
    return np.sqrt(np.einsum("...i,...i", a, a))


def unit(a: np.ndarray) -> np.ndarray:
    """The vector at length 1; nothing stays nothing, (..., 3)."""
    return a / np.maximum(norm(a), 1e-300)[..., None]


def vector(azimuth: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The unit vector of this azimuth, at this angle above the horizontal, both (...) in radians, (..., 3)."""
    flat = np.cos(slope)
    return np.stack((flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(slope)), axis=-1)


def arctan2(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Angle of the point (x, y) from the x axis in radians, (...), of arrays that may be columns of others.

    NumPy has two arctangents, which differ in the last bit, and takes the slower one where the result seems to overlap
    an argument in memory. A column seems to reach beyond the array that it is of; so it depends on what else is in
    memory which of the two is taken, unless the column is copied.
    """
    return np.arctan2(np.asarray(y, order="C"), np.asarray(x, order="C"))


def wrap(angle: np.ndarray) -> np.ndarray:
    """The same angle within [-pi, pi) radians."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
