"""Sines, exponentials and their inverses that have the same bits on every machine.

NumPy and the C library each have several forms of these functions and take one by the processor, whose results differ
in the last bit. Here they are made of what IEEE 754 fixes, addition, subtraction, multiplication, division, square root
and comparison, element by element in the order in which it is written; so a result depends on nothing but its argument,
neither on the machine nor on the other elements or where they are in memory.

compiled/elementary.c does so; tests/plain/base/elementary.py says the same in NumPy.

Arguments are reduced by constants in several parts (Cody and Waite 1980); the polynomials are the minimax ones of
Sun's fdlibm (1993). Results are within 3.5 units in the last place, most within one, where nothing else is said.
Arguments are numbers or arrays and are taken as float64; what is not finite gives what it gives in NumPy, without
warnings.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled, reads, writes

LN2 = 0.6931471805599453
"""Natural logarithm of 2."""

SIN_AND_COS = compiled(
    "sin_and_cos", angles=reads("f8", "*count"), sines=writes("f8", "*count"), cosines=writes("f8", "*count")
)
EXP = compiled("exp", values=reads("f8", "*count"), found=writes("f8", "*count"))
LOG = compiled("log", values=reads("f8", "*count"), found=writes("f8", "*count"))
ARCTAN2 = compiled("arctan2", ys=reads("f8", "*count"), xs=reads("f8", "*count"), found=writes("f8", "*count"))


def sin(angle: ArrayLike) -> np.ndarray:
    """Sine of an angle in radians."""
    return sin_and_cos(angle)[0]


def cos(angle: ArrayLike) -> np.ndarray:
    """Cosine of an angle in radians; that of 0 is 1."""
    return sin_and_cos(angle)[1]


def sin_and_cos(angle: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Sine and cosine of an angle in radians, which cost hardly more together than one of them.

    Beyond 1.5 million radians whole turns are taken off first, each wrong by 2.4e-16.
    """
    x = np.asarray(angle, dtype=float, order="C")
    found = np.empty((2, *x.shape))
    SIN_AND_COS(angles=x, sines=found[0, ...], cosines=found[1, ...])
    return found[0], found[1]


def tan(angle: ArrayLike) -> np.ndarray:
    """Tangent of an angle in radians, within 3 units in the last place."""
    sine, cosine = sin_and_cos(angle)
    return sine / cosine


def exp(x: ArrayLike) -> np.ndarray:
    """The exponential function, e to the power of x."""
    if isinstance(x, float):
        return _exp_of_number(x)
    x = np.asarray(x, dtype=float, order="C")
    found = np.empty(x.shape)
    EXP(values=x, found=found)
    return found[()]


@lru_cache(maxsize=256)
def _exp_of_number(x: float) -> np.ndarray:
    """Of one number: a share of a step is the same frame after frame."""
    return exp(np.array(x))


def log(x: ArrayLike) -> np.ndarray:
    """Natural logarithm: minus infinity of 0, NaN of what is below."""
    x = np.asarray(x, dtype=float, order="C")
    found = np.empty(x.shape)
    LOG(values=x, found=found)
    return found[()]


def power(base: ArrayLike, exponent: ArrayLike) -> np.ndarray:
    """A base of 0 or more to a power, within 2 + |exponent log(base)| units in the last place."""
    return exp(exponent * log(base))


def cube_root(x: ArrayLike) -> np.ndarray:
    """Third root of numbers of 0 or more."""
    x = np.asarray(x, dtype=float)
    root = power(x, 1.0 / 3.0)
    square = np.maximum(root * root, 1e-300)
    return root - (root * square - x) / (3.0 * square)


def arctan2(y: ArrayLike, x: ArrayLike) -> np.ndarray:
    """Angle of the point (x, y) from the x axis in radians, within [-pi, pi], with the sign of y."""
    y, x = np.asarray(y, dtype=float, order="C"), np.asarray(x, dtype=float, order="C")
    if y.shape != x.shape:
        y, x = (np.array(of, order="C") for of in np.broadcast_arrays(y, x))
    found = np.empty(x.shape)
    ARCTAN2(ys=y, xs=x, found=found)
    return found[()]


def arcsin(x: ArrayLike) -> np.ndarray:
    """Angle in radians whose sine is x, within [-pi / 2, pi / 2]; NaN beyond 1."""
    x = np.asarray(x, dtype=float)
    return arctan2(x, _other_leg(x))


def arccos(x: ArrayLike) -> np.ndarray:
    """Angle in radians whose cosine is x, within [0, pi]; NaN beyond 1."""
    x = np.asarray(x, dtype=float)
    return arctan2(_other_leg(x), x)


def hypot(x: ArrayLike, y: ArrayLike) -> np.ndarray:
    """Length of the vector (x, y), for lengths between 1e-150 and 1e150."""
    x, y = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    return np.sqrt(x * x + y * y)


def _other_leg(x: np.ndarray) -> np.ndarray:
    """Of a right triangle with a leg x and a hypotenuse of 1."""
    leg = np.where(np.abs(x) <= 1.0, x, np.nan)
    return np.sqrt((1.0 - leg) * (1.0 + leg))


def smooth_step(x: ArrayLike) -> np.ndarray:
    """0 up to 0, 1 from 1 on, and between them a cubic that begins and ends level."""
    share = np.clip(x, 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def interpolated(at: ArrayLike, knots: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Between the values (k,) at rising knots (k,) in a straight line, beyond them the first or the last."""
    at = np.asarray(at, dtype=float)
    after = np.minimum(np.maximum(np.searchsorted(knots, at, side="right"), 1), len(knots) - 1)
    step = np.maximum(knots[after] - knots[after - 1], 1e-300)
    share = np.minimum(np.maximum((at - knots[after - 1]) / step, 0.0), 1.0)
    found = values[after - 1] + share * (values[after] - values[after - 1])
    return np.where(at >= knots[-1], values[-1], found)[()]
