"""A figure names the measurement, the number of cases, and whether the result is as it should be."""

import numpy as np
import pytest

from artfish.studies.life.figure import Figure, interval, table


def test_the_median_of_a_normal_sample_lies_in_its_interval_which_is_as_wide_as_it_should_be():
    sample = np.random.default_rng(5).normal(3.0, 1.0, 400)
    low, high = interval(sample)
    assert low < np.median(sample) < high
    # The median of n normal values has a deviation of 1.25 over the root of n; an estimate of it is good to a third.
    assert high - low == pytest.approx(2 * 1.96 * 1.2533 / 20, rel=0.35)
    assert interval(sample) == (low, high)


@pytest.mark.parametrize(("share", "holds"), [(0.5, True), (0.75, True), (0.9, False)])
def test_enough_trials_of_each_must_be_within(share, holds):
    figure = Figure(1, "speed", {"a": [1.0, 2.0, 3.0, 4.0], "b": [2.5, 3.0]}, low=2.0, share=share)
    assert figure.holds() is holds
    assert (figure.count().successes, figure.count().trials) == (5, 6)


def test_what_was_never_come_to_is_not_as_it_should_be():
    figure = Figure(1, "time", {"a": [np.nan, 0.5], "b": [np.nan]}, high=1.0)
    assert figure.holds() is False
    assert "a 0.5 (never: 1 of 2), b never" in figure.line()
    assert Figure(1, "time", {"a": []}, high=1.0).holds() is False


def test_yes_and_no_are_counted():
    figure = Figure(3, "flees", {"a": np.array([True, True, False])}, right=True, share=0.9)
    assert figure.holds() is False and "**2** yes of 3" in figure.line() and "90% yes" in figure.line()
    assert Figure(3, "flees", {"a": np.array([False])}, right=False, share=0.9).holds() is True


def test_what_nobody_asks_for_is_only_reported():
    lines = table([Figure(2, "stride", {"a": [0.5]}, real="0.6", source="somebody", tracked={"b": [0.7]})]).splitlines()
    assert lines[2] == "| 2 | stride | 0.6 (somebody) | b 0.7 | **0.5** (0.5 to 0.5) |  |  |  |  |"
