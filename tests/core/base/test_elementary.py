"""Own sines and exponentials: near the truth, the same bits whatever they stand beside, and the same compiled."""

import warnings
from decimal import Decimal, localcontext

import numpy as np
import pytest

from artfish.core.base import elementary

RNG = np.random.default_rng(1)
SMALL = 10.0 ** RNG.uniform(-300.0, 0.0, 300)
ANGLES = np.concatenate((RNG.uniform(-10.0, 10.0, 5000), RNG.uniform(-1e6, 1e6, 5000), SMALL))
ALL_SHARES = np.concatenate((RNG.uniform(-1.0, 1.0, 5000), 1.0 - SMALL, SMALL))
POSITIVE = np.concatenate((RNG.uniform(0.5, 2.0, 5000), 10.0 ** RNG.uniform(-300.0, 300.0, 5000)))
EXPONENTS = np.concatenate((RNG.uniform(-1.0, 1.0, 5000), RNG.uniform(-708.0, 709.0, 5000), SMALL))
WAYS = RNG.normal(size=(2, 5000)) * 10.0 ** RNG.uniform(-5.0, 5.0, (2, 5000))
ENDS = np.array(
    [0.0, -0.0, 1.0, -1.0, 5e-324, 1e-320, 1e307, -1e307, 1.7e308, np.inf, -np.inf, np.nan, -800.0, 800.0, -740.0]
)

WITHIN = {
    "sin": ((ANGLES,), 2.5),
    "cos": ((ANGLES,), 2.5),
    "tan": ((ANGLES,), 4.0),
    "exp": ((EXPONENTS,), 1.0),
    "log": ((POSITIVE,), 1.0),
    "arcsin": ((ALL_SHARES,), 3.0),
    "arccos": ((ALL_SHARES,), 3.0),
    "arctan2": (tuple(WAYS), 2.5),
    "hypot": (tuple(WAYS), 1.5),
}
"""By name, arguments, and how many units in the last place the worst result may be off, (...)."""

longdouble = pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="no wider floats here to compare with")


def units_off(found, truth):
    """Greatest error of results against wider ones, in units in their last place."""
    return float(np.max(np.abs(found.astype(np.longdouble) - truth) / np.spacing(np.abs(truth.astype(float)))))


@longdouble
@pytest.mark.parametrize("name", WITHIN)
def test_a_result_is_near_the_truth(name):
    arguments, most = WITHIN[name]
    truth = getattr(np, name)(*(values.astype(np.longdouble) for values in arguments))
    assert units_off(getattr(elementary, name)(*arguments), truth) <= most


def test_the_exponential_is_near_the_truth_in_fifty_digits():
    with localcontext() as context:
        context.prec = 50
        truth = [Decimal(x).exp() for x in EXPONENTS[::50].tolist()]
        found = [Decimal(float(y)) for y in elementary.exp(EXPONENTS[::50])]
        worst = max(abs(y - of) / Decimal(float(np.spacing(float(of)))) for y, of in zip(found, truth, strict=True))
    assert worst <= 1


@longdouble
def test_powers_and_roots_are_near_the_truth():
    assert units_off(elementary.cube_root(POSITIVE), np.cbrt(POSITIVE.astype(np.longdouble))) <= 1.5
    base = RNG.uniform(1e-3, 1e3, 2000)
    for exponent in (-0.8, -1.25, 0.3):
        truth = base.astype(np.longdouble) ** np.longdouble(exponent)
        off = np.abs(elementary.power(base, exponent) - truth) / np.spacing(truth.astype(float))
        assert (off <= 2.0 + 2.0 * np.abs(exponent * np.log(base))).all()


@pytest.mark.parametrize("name", ["sin", "cos", "exp", "log", "arcsin", "arccos"])
def test_ends_are_those_of_numpy_and_warn_nobody(name):
    ends = ENDS if name not in ("sin", "cos") else ENDS[np.abs(np.nan_to_num(ENDS, posinf=0.0, neginf=0.0)) < 1e300]
    with np.errstate(all="ignore"):
        expected = getattr(np, name)(ends)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(elementary, name)(ends)
    assert found == pytest.approx(expected, rel=1e-15, abs=1e-323, nan_ok=True)


def test_the_angle_of_every_end_is_that_of_numpy():
    y, x = np.meshgrid(ENDS, ENDS)
    found, expected = elementary.arctan2(y, x), np.arctan2(y, x)
    assert found == pytest.approx(expected, rel=1e-15, nan_ok=True)
    known = ~np.isnan(expected)
    assert np.array_equal(np.signbit(found[known]), np.signbit(expected[known]))


def test_what_ought_to_be_exact_is():
    assert elementary.cos(0.0) == 1.0 and elementary.sin(0.0) == 0.0 and elementary.exp(0.0) == 1.0
    assert elementary.arctan2(0.0, 1.0) == 0.0 and elementary.arccos(1.0) == 0.0 and elementary.log(1.0) == 0.0
    assert elementary.arctan2(0.0, -1.0) == np.pi and elementary.arctan2(1.0, 0.0) == np.pi / 2
    assert (np.abs(elementary.sin(ANGLES)) <= 1.0).all() and (np.abs(elementary.cos(ANGLES)) <= 1.0).all()


def test_far_angles_stay_within_one():
    far = np.array([1e7, -1e12, 1e300])
    for of in (elementary.sin, elementary.cos):
        assert (np.abs(of(far)) <= 1.0).all()
    assert elementary.sin(1e7) == pytest.approx(np.sin(1e7), abs=1e-8)


@pytest.mark.parametrize("name", [*WITHIN, "cube_root"])
def test_bits_do_not_depend_on_what_a_number_stands_beside(name):
    function = getattr(elementary, name)
    arguments = [np.concatenate((values[:60], values[-7:])) for values in WITHIN.get(name, ((POSITIVE,), 0))[0]]
    first = function(*arguments)
    assert [float(function(*one)) for one in zip(*(of.tolist() for of in arguments), strict=True)] == first.tolist()
    for length in range(1, 68):
        assert np.array_equal(function(*(of[:length] for of in arguments)), first[:length])
        assert np.array_equal(function(*(of[-length:] for of in arguments)), first[-length:])
    assert np.array_equal(function(*(of[::-1] for of in arguments)), first[::-1])
    assert np.array_equal(function(*(np.repeat(of, 3)[::3] for of in arguments)), first)
    assert np.array_equal(function(*(np.tile(of, (3, 1)).T for of in arguments))[:, 1], first)


def test_sine_and_cosine_together_are_the_two_apart():
    sine, cosine = elementary.sin_and_cos(ANGLES)
    assert np.array_equal(sine, elementary.sin(ANGLES)) and np.array_equal(cosine, elementary.cos(ANGLES))


def test_between_knots_it_is_straight_and_beyond_them_even():
    knots, values = np.array([0.0, 1.0, 1.0, 3.0]), np.array([1.0, 2.0, 5.0, 4.0])
    at = np.array([-1.0, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0])
    assert elementary.interpolated(at, knots, values).tolist() == np.interp(at, knots, values).tolist()


NUMBERS = np.concatenate(
    (
        RNG.uniform(-10.0, 10.0, 20_000),
        RNG.uniform(-800.0, 800.0, 20_000),
        RNG.choice((-1.0, 1.0), 20_000) * 10.0 ** RNG.uniform(-320.0, 308.0, 20_000),
        np.arange(-64.0, 64.0) * np.pi / 8.0,
        (0.0, -0.0, 5e-324, np.inf, -np.inf, np.nan),
    )
)
SETS = {
    "sin_and_cos": NUMBERS[np.abs(NUMBERS) < 1.5e6],
    "exp": NUMBERS,
    "log": NUMBERS[NUMBERS > 1e-300][:-1],
    "arctan2": NUMBERS[np.abs(NUMBERS) < 1e299],
}
"""By function, the numbers that are done without a branch where no others are among them."""


@pytest.mark.parametrize("name", SETS)
def test_it_has_the_bits_of_the_oracle(name, plain):
    function = getattr(elementary, name)
    for numbers in (NUMBERS, SETS[name]):
        arguments = (numbers, RNG.permutation(numbers)) if name == "arctan2" else (numbers,)
        found = np.array(function(*arguments))
        with plain(name), np.errstate(all="ignore"):
            wanted = np.array(function(*arguments))
        assert np.array_equal(found, wanted, equal_nan=True)
        known = ~np.isnan(found)
        assert np.array_equal(np.signbit(found[known]), np.signbit(wanted[known]))


def test_a_smooth_step_rises_between_nothing_and_one_and_begins_and_ends_level():
    step = elementary.smooth_step(np.linspace(-1.0, 2.0, 3001))
    assert (step[:1001] == 0.0).all() and (step[2000:] == 1.0).all() and step[1500] == pytest.approx(0.5)
    rise = np.diff(step[1000:2001]) * 1000.0
    assert (rise > 0.0).all() and max(rise[0], rise[-1]) < 0.01 and rise.max() == pytest.approx(1.5, abs=1e-3)
