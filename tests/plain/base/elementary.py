"""Sines, exponentials and their inverses, made of what IEEE 754 fixes, in the order in which it is written.

Arguments are reduced by constants in several parts (Cody and Waite 1980); the polynomials are the minimax ones of
Sun's fdlibm (1993).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

Array = np.ndarray
_ROUNDER = 1.5 * 2.0**52
"""Added to a number below 2^51, it leaves the nearest whole number in the low bits of the sum."""

_FARTHEST_LEG = 1e300
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


def sin_and_cos(*, angles: Array, sines: Array, cosines: Array) -> None:
    """Sines and cosines of angles in radians."""
    one, other, quarters = _within_quarter(angles)
    sines[:], cosines[:] = _turned(one, other, quarters), _turned(one, other, quarters + 1)


def exp(*, values: Array, found: Array) -> None:
    """The exponential function."""
    x = np.minimum(np.maximum(values, _EXP_BOUNDS[0]), _EXP_BOUNDS[1])
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
        found[:] = near_one * _power_of_two(first) * _power_of_two(doublings - first)


def log(*, values: Array, found: Array) -> None:
    """Natural logarithm: minus infinity of 0, not a number of what is below."""
    x = values
    usual = (x > 0.0) & (x < np.inf)
    share, doublings = np.frexp(np.where(usual, x, 1.0))
    small = share < _ROOT_OF_HALF
    f = np.where(small, 2.0 * share, share) - 1.0
    doublings = doublings - small.astype(float)
    s = f / (2.0 + f)
    z = s * s
    half = 0.5 * f * f
    low = s * (half + z * _polynomial(z, _LOG)) + doublings * _LN2_PARTS[1]
    usually = doublings * _LN2_PARTS[0] - ((half - low) - f)
    beyond = np.where(x == 0.0, -np.inf, np.where(x < 0.0, np.nan, x))
    found[:] = np.where(usual, usually, beyond)


def arctan2(*, ys: Array, xs: Array, found: Array) -> None:
    """Angle of the point (x, y) from the x axis, within [-pi, pi], with the sign of y."""
    far = ((np.abs(ys) >= _FARTHEST_LEG) | (np.abs(xs) >= _FARTHEST_LEG)) & np.isfinite(ys) & np.isfinite(xs)
    y, x = (np.where(far, of * 2.0**-600, of) for of in (ys, xs))  # so that their sum is finite
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
    found[:] = np.copysign(angle, y)


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
