"""Turns as unit quaternions w, x, y, z, as arrays (..., 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .elementary import arccos, sin, sin_and_cos
from .vectors import LEAST_LENGTH, dot, local, norm

NOT_TURNED = (1.0, 0.0, 0.0, 0.0)
NO_TURN = 1e-6
"""Radians in four dimensions, below which two turns are as good as on a straight line."""


def compose(first: np.ndarray, then: np.ndarray) -> np.ndarray:
    """The turn R M of R = `first` and M = `then`, the latter in the axes of the former, (..., 4)."""
    w, x, y, z = (first[..., i] for i in range(4))
    a, b, c, d = (then[..., i] for i in range(4))
    return np.stack(
        (
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ),
        axis=-1,
    )


def conjugate(turn: np.ndarray) -> np.ndarray:
    """The turn back, (..., 4)."""
    return turn * (1.0, -1.0, -1.0, -1.0)


def normalised(turn: np.ndarray) -> np.ndarray:
    """The same at length 1, (..., 4); quaternions of next to no length become no turn."""
    length = norm(turn)[..., None]
    return np.where(length > LEAST_LENGTH, turn / np.maximum(length, LEAST_LENGTH), NOT_TURNED)


def rotations_about_up(angle: np.ndarray) -> np.ndarray:
    """Turns to the left by angles (...) in radians, (..., 4)."""
    sine, cosine = sin_and_cos(0.5 * np.asarray(angle))
    nothing = np.zeros_like(sine)
    return np.stack((cosine, nothing, nothing, sine), axis=-1)


def matrices(turn: np.ndarray) -> np.ndarray:
    """The same as matrices, (..., 3, 3), whose columns are the turned axes."""
    w, x, y, z = (turn[..., i] for i in range(4))
    rows = (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def rotated(turn: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) as they are once turned, (..., 3)."""
    return local(np.swapaxes(matrices(turn), -1, -2), vectors)


def between(first: np.ndarray, last: np.ndarray, share: ArrayLike) -> np.ndarray:
    """Turns at shares (...) of the way from some to others, (..., 4) each, the shorter way round and evenly."""
    share, cosine = np.asarray(share), dot(first, last)
    over = ~(cosine >= 0.0)
    last, cosine = np.where(over[..., None], -last, last), np.where(over, -cosine, cosine)
    angle = np.asarray(arccos(np.minimum(cosine, 1.0)))
    straight = angle < NO_TURN
    one = np.where(straight, 1.0 - share, sin((1.0 - share) * angle))
    other = np.where(straight, share, sin(share * angle))
    mixed = one[..., None] * first + other[..., None] * last
    return normalised(mixed / np.where(straight, 1.0, sin(angle))[..., None])


def of_frames(frames: np.ndarray) -> np.ndarray:
    """The turns of frames (..., 3, 3) as quaternions, (..., 4), of which the greatest component is not negative.

    Each component squared is found from the diagonal; the greatest one then gives the others without cancellation.
    """
    xx, yy, zz = (frames[..., i, i] for i in range(3))
    squares = np.stack((1.0 + xx + yy + zz, 1.0 + xx - yy - zz, 1.0 - xx + yy - zz, 1.0 - xx - yy + zz), axis=-1)
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = ([frames[..., i, j] for j in range(3)] for i in range(3))
    products = (
        (squares[..., 0], zy - yz, xz - zx, yx - xy),
        (zy - yz, squares[..., 1], xy + yx, xz + zx),
        (xz - zx, xy + yx, squares[..., 2], yz + zy),
        (yx - xy, xz + zx, yz + zy, squares[..., 3]),
    )
    table = np.stack([np.stack(row, axis=-1) for row in products], axis=-2)
    greatest = squares.argmax(axis=-1)
    return normalised(np.take_along_axis(table, greatest[..., None, None], axis=-2)[..., 0, :])


def nearby(turns: np.ndarray) -> np.ndarray:
    """The same turns in sequence, (n, ..., 4), each with the sign that is nearer to the one before."""
    signs = np.ones(turns.shape[:-1])
    signs[1:] = np.cumprod(np.where(dot(turns[1:], turns[:-1]) < 0.0, -1.0, 1.0), axis=0)
    return turns * signs[..., None]
