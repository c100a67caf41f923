"""Fewest knots: the curve stays within its bound, and no fewer would do."""

from itertools import combinations

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from artfish.core.base.knots import fewest_knots


def waves(curves, moments, seed=3):
    """Values and slopes of waves of many lengths, at uneven times."""
    dice = np.random.default_rng(seed)
    times = np.cumsum(dice.uniform(0.3, 1.0, moments))
    pace, begin = dice.uniform(0.1, 2.0, (2, curves, 1))
    return np.sin(pace * times + begin), pace * np.cos(pace * times + begin), times


def off(values, slopes, times, chosen):
    """The most that a curve through some moments is off at any, and half way from each to the next."""
    every = np.sort(np.concatenate([times, (times[1:] + times[:-1]) / 2]))
    found = CubicHermiteSpline(times[chosen], values[chosen], slopes[chosen])(every)
    return np.abs(found - CubicHermiteSpline(times, values, slopes)(every)).max()


@pytest.mark.parametrize("bound", [1e-9, 1e-3, 0.05, 10.0])
def test_curves_stay_within_their_bounds(bound):
    values, slopes, times = waves(30, 90)
    bounds = bound * np.linspace(1.0, 3.0, 30)
    knotted = fewest_knots(values, slopes, times, bounds, 40)
    assert knotted[:, [0, -1]].all()
    for row, chosen in enumerate(knotted):
        assert off(values[row], slopes[row], times, chosen) <= bounds[row] * (1 + 1e-9) + 1e-15
        assert np.diff(np.flatnonzero(chosen)).max() <= 40


def test_no_fewer_would_do():
    values, slopes, times = waves(6, 11)
    bounds = np.array([0.003, 0.01, 0.03, 0.03, 0.1, 0.1])
    knotted = fewest_knots(values, slopes, times, bounds, 10)
    for row, chosen in enumerate(knotted):
        fewer = [[0, *inside, 10] for count in range(chosen.sum() - 2) for inside in combinations(range(1, 10), count)]
        assert all(off(values[row], slopes[row], times, some) > bounds[row] for some in fewer)
    assert len({int(chosen.sum()) for chosen in knotted}) > 2


def test_a_cubic_has_knots_at_its_ends_and_where_stretches_are_as_long_as_may_be():
    times = np.arange(20.0)
    values, slopes = (times**3 - 9 * times**2)[None], (3 * times**2 - 18 * times)[None]
    assert np.flatnonzero(fewest_knots(values, slopes, times, np.array([1e-6]), 30)[0]).tolist() == [0, 19]
    assert fewest_knots(values, slopes, times, np.array([1e-6]), 7).sum() == 4
    assert fewest_knots(values, slopes, times, np.array([1e-6]), 1).all()


def test_what_is_no_number_has_knots_about_it():
    times = np.arange(9.0)
    values, slopes = np.zeros((1, 9)), np.zeros((1, 9))
    values[0, 4] = np.nan
    assert fewest_knots(values, slopes, times, np.array([1.0]), 8)[0, [0, 3, 4, 5, 8]].all()


@pytest.mark.parametrize("moments", [0, 1, 2, 3, 60])
def test_knots_are_those_of_the_oracle(moments, alike):
    values, slopes, times = waves(7, moments)
    bounds = np.array([0.0, 1e-9, 1e-4, 1e-3, 0.01, 0.1, 5.0])
    for longest in (1, 5, 48):
        found = alike(
            lambda longest=longest: fewest_knots(values, slopes, times, bounds, longest),
            *(["knots"] if moments else []),
        )
        assert found.shape == (7, moments)
