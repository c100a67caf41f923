"""Sines, exponentials and their inverses that have the same bits on every machine.

NumPy and the C library each have several forms of these functions and take one by the processor, whose results differ
in the last bit. Here they are made of what IEEE 754 fixes, addition, subtraction, multiplication, division, square root
and comparison, element by element in the order in which it is written; so a result depends on nothing but its argument,
neither on the machine nor on the other elements or where they are in memory.

Where the kernel's library is loaded, they run compiled (compiled/elementary.c), with the same bits.

Arguments are reduced by constants in several parts (Cody and Waite 1980); the polynomials are the minimax ones of
Sun's fdlibm (1993). Results are within 3.5 units in the last place, most within one, where nothing else is said.
Arguments are numbers or arrays and are taken as float64; what is not finite gives what it gives in NumPy, without
warnings.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import compiled, reads, writes

_ROUNDER = 1.5 * 2.0**52
"""Added to a number below 2^51, it leaves the nearest whole number in the low bits of the sum."""

_FARTHEST_ANGLE = 2.0**20 * 1.5  # radians, to where multiples of the parts of pi / 2 are exact
_TURN = 6.283185307179586
_PER_QUARTER = 0.6366197723675814  # 2 / pi
_QUARTER_PARTS = 1.57079632673412561417, 6.07710050630396597660e-11, 2.02226624871116645580e-21  # of pi / 2, 33 bits
_SIN_AND_COS = np.array(
    [
        [-1.66666666666666324348e-01, 4.16666666666666019037e-02],
        [8.33333333332248946124e-03, -1.38888888888741095749e-03],
        [-1.98412698298579493134e-04, 2.48015872894767294178e-05],
        [2.75573137070700676789e-06, -2.75573143513906633035e-07],
        [-2.50507602534068634195e-08, 2.08757232129817482790e-09],
        [1.58969099521155010221e-10, -1.13596475577881948265e-11],
    ]
)[:, :, None]

LN2 = 0.6931471805599453
"""Natural logarithm of 2."""
_PER_LN2 = 1.4426950408889634
_LN2_PARTS = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_EXP = (
    *(1.66666666666666019037e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05),
    *(-1.65339022054652515390e-06, 4.13813679705723846039e-08),
)
_EXP_BOUNDS = -746.0, 710.0  # beyond these it is nothing, and infinite
_LOG = (
    *(6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01, 2.222219843214978396e-01),
    *(1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01),
)
_ROOT_OF_HALF = 0.7071067811865476

_EIGHTH_TANGENT = 0.41421356237309503  # of pi / 8
_EIGHTH, _EIGHTH_REST = 0.7853981633974483, 3.061616997868383e-17  # pi / 4 and what is left of it
_HALF, _HALF_REST = 3.141592653589793, 1.2246467991473532e-16  # pi and what is left of it
_ARCTAN = (
    *(3.33333333333329318027e-01, -1.99999999998764832476e-01, 1.42857142725034663711e-01),
    *(-1.11111104054623557880e-01, 9.09088713343650656196e-02, -7.69187620504482999495e-02),
    *(6.66107313738753120669e-02, -5.83357013379057348645e-02, 4.97687799461593236017e-02),
    *(-3.65315727442169155270e-02, 1.62858201153657823623e-02),
)

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
    """Sine and cosine of an angle in radians, which cost hardly more together than one of them."""
    x = np.asarray(angle, dtype=float, order="C")
    found = np.empty((2, *x.shape))
    if SIN_AND_COS(angles=x, sines=found[0, ...], cosines=found[1, ...]):
        return found[0], found[1]
    sine, cosine = np.reshape(_sin_and_cos(x.reshape(-1)), (2, *x.shape))
    return sine, cosine


def _sin_and_cos(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """See `sin_and_cos`, (n,)."""
    one, other, quarters = _within_quarter(x)
    return _turned(one, other, quarters), _turned(one, other, quarters + 1)


def _within_quarter(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sine and cosine of what is beyond the nearest quarter of a turn, and the number of that quarter, (n,) each.

    Beyond 1.5 million radians whole turns are taken off first, each wrong by 2.4e-16.
    """
    size = np.abs(x)
    if not size.max(initial=0.0) < _FARTHEST_ANGLE:
        far = ~(size < _FARTHEST_ANGLE)
        x = np.where(far, np.fmod(np.where(np.isinf(x), np.nan, x), _TURN), x)
    shifted = x * _PER_QUARTER + _ROUNDER
    quarters = shifted - _ROUNDER
    r = ((x - quarters * _QUARTER_PARTS[0]) - quarters * _QUARTER_PARTS[1]) - quarters * _QUARTER_PARTS[2]
    z = r * r
    both = z * _polynomial(z, _SIN_AND_COS)
    half = 0.5 * z
    near_one = 1.0 - half
    return r + r * both[0], near_one + (((1.0 - near_one) - half) + z * both[1]), shifted.view(np.int64)


def _turned(sine: np.ndarray, cosine: np.ndarray, quarters: np.ndarray) -> np.ndarray:
    """The sine of an angle, of which sine and cosine are given, by so many quarters of a turn farther."""
    found = np.where(quarters & 1, cosine, sine)
    bits = found.view(np.int64)
    bits ^= (quarters >> 1) << 63  # in every other half of a turn the sign turns over
    return found


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
    return found[()] if EXP(values=x, found=found) else _exp(x)


@lru_cache(maxsize=256)
def _exp_of_number(x: float) -> np.ndarray:
    """Of one number: a share of a step is the same frame after frame."""
    return _exp(np.array(x))


def _exp(x: np.ndarray) -> np.ndarray:
    """See `exp`."""
    x = np.minimum(np.maximum(x, _EXP_BOUNDS[0]), _EXP_BOUNDS[1])
    shifted = x * _PER_LN2 + _ROUNDER
    doublings = shifted - _ROUNDER
    high, low = x - doublings * _LN2_PARTS[0], doublings * _LN2_PARTS[1]
    r = high - low
    z = r * r
    c = r - z * _polynomial(z, _EXP)
    near_one = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    # Two steps, for a number below the least or above the greatest power of two has to be reached.
    first = (0.5 * doublings + _ROUNDER) - _ROUNDER
    with np.errstate(over="ignore"):
        return near_one * _power_of_two(first) * _power_of_two(doublings - first)


def log(x: ArrayLike) -> np.ndarray:
    """Natural logarithm: minus infinity of 0, NaN of what is below."""
    x = np.asarray(x, dtype=float, order="C")
    found = np.empty(x.shape)
    return found[()] if LOG(values=x, found=found) else _log(x)


def _log(x: np.ndarray) -> np.ndarray:
    """See `log`."""
    usual = (x > 0.0) & (x < np.inf)
    share, doublings = np.frexp(np.where(usual, x, 1.0))
    small = share < _ROOT_OF_HALF
    f = np.where(small, 2.0 * share, share) - 1.0
    doublings = doublings - small.astype(float)
    s = f / (2.0 + f)
    z = s * s
    half = 0.5 * f * f
    low = s * (half + z * _polynomial(z, _LOG)) + doublings * _LN2_PARTS[1]
    found = doublings * _LN2_PARTS[0] - ((half - low) - f)
    beyond = np.where(x == 0.0, -np.inf, np.where(x < 0.0, np.nan, x))
    return np.where(usual, found, beyond)[()]


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
    return found[()] if ARCTAN2(ys=y, xs=x, found=found) else _arctan2(y, x)


def _arctan2(y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """See `arctan2`, of arguments of one shape."""
    up, along = np.abs(y), np.abs(x)
    steep = up > along
    low, high = np.minimum(up, along), np.maximum(up, along)
    # Both are infinite, or both nothing: as far as one is from the other, and right ahead.
    alike = (low == high) & ((low == 0.0) | np.isinf(low))
    low, high = np.where(alike, np.sign(low), low), np.where(alike, 1.0, high)
    wide = low > _EIGHTH_TANGENT * high
    # Beyond pi / 8 the angle from pi / 4 is taken.
    t = np.where(wide, low - high, low) / np.where(wide, low + high, high)
    z = t * t
    angle = t - t * (z * _polynomial(z, _ARCTAN))
    # The angle is that, or its complement, or the supplement of either: one sum of a multiple of pi / 4.
    behind = np.signbit(x)
    angle = np.where(steep != behind, -angle, angle)
    eighths = np.where(steep, 2.0, np.where(behind, 4.0, 0.0)) + np.where(steep != behind, -1.0, 1.0) * wide
    angle = eighths * _EIGHTH + (eighths * _EIGHTH_REST + angle)
    return np.copysign(angle, y)[()]


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


def _polynomial(z: np.ndarray, coefficients: Sequence[float] | np.ndarray) -> np.ndarray:
    """The polynomial a + z (b + z (c + ...)), by Horner's rule from the last on."""
    value = coefficients[-2] + z * coefficients[-1]
    for coefficient in coefficients[-3::-1]:
        value = coefficient + z * value
    return value


def _power_of_two(exponent: np.ndarray) -> np.ndarray:
    """2 to a whole number between -1022 and 1023: its exponent, moved to where the exponent of a number is."""
    bits = np.asarray(exponent + (_ROUNDER + 1023.0)).view(np.int64)
    return (bits << 52).view(np.float64)


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
