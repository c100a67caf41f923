"""Arithmetic on arrays of vectors, (..., 3), and of angles; the components of vectors are added one after the other."""

from __future__ import annotations

import numpy as np

from .elementary import sin_and_cos

LEAST_LENGTH = 1e-150
"""Length of a vector with a direction, at least: the squares of shorter ones are no longer numbers."""
LEAST_SINGLE = np.float32(1e-18)
"""The same in numbers of four bytes."""


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Scalar product of vectors of any dimension, (...)."""
    products = a * b
    found = products[..., 0]
    for axis in range(1, products.shape[-1]):
        found = found + products[..., axis]
    return found


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Vector product, (..., 3)."""
    (ax, ay, az), (bx, by, bz) = ((of[..., 0], of[..., 1], of[..., 2]) for of in (a, b))
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def norm(a: np.ndarray) -> np.ndarray:
    """Length, (...)."""
    return np.sqrt(dot(a, a))


def unit(a: np.ndarray) -> np.ndarray:
    """The vector at length 1; nothing, or next to nothing, stays so and is never longer than 1, (..., 3)."""
    length = norm(a)
    return a / np.maximum(length, LEAST_SINGLE if length.dtype == np.float32 else LEAST_LENGTH)[..., None]


def local(frames: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) by their components along the columns of frames, (..., 3, 3): ahead, left and up, (..., 3)."""
    return (
        vectors[..., :1] * frames[..., 0, :]
        + vectors[..., 1:2] * frames[..., 1, :]
        + vectors[..., 2:] * frames[..., 2, :]
    )


def vector(azimuth: np.ndarray, slope: np.ndarray) -> np.ndarray:
    """The unit vector of this azimuth, at this angle above the horizontal, both (...) in radians, (..., 3)."""
    (left, ahead), (up, flat) = sin_and_cos(azimuth), sin_and_cos(slope)
    return np.stack((flat * ahead, flat * left, up + np.zeros_like(left)), axis=-1)


def wrap(angle: np.ndarray) -> np.ndarray:
    """The same angle within [-pi, pi) radians."""
    return (angle + np.pi) % (2 * np.pi) - np.pi
