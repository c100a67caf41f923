"""Bootstrap intervals cover what is true of a process whose memory is known, about as often as they say."""

import numpy as np

from artfish.core.fitting.figures import FIGURES
from artfish.core.fitting.intervals import interval, intervals

RATE, QUARTILE = 16.0, 0.6745
"""Looks a second, and the third quartile of a normal distribution."""


def process(dice, frames, seconds):
    """A stationary normal process that forgets within so many seconds, (frame, 1)."""
    kept = np.exp(-1.0 / (RATE * seconds))
    values = np.empty(frames)
    values[0] = dice.standard_normal()
    for frame, step in enumerate(np.sqrt(1.0 - kept * kept) * dice.standard_normal(frames - 1), 1):
        values[frame] = kept * values[frame - 1] + step
    return values[:, None]


def test_intervals_cover_the_truth_of_a_process_with_memory():
    dice, truth, runs = np.random.default_rng(5), np.array([-QUARTILE, 0.0, QUARTILE]), 80
    covered = np.zeros(3)
    for seed in range(runs):
        ends = interval(process(dice, 640, 0.3), RATE, seed)
        covered += (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    # 95 %, less the little that blocks of six memories lose, and three deviations of a share of 80.
    assert (covered / runs > 0.95 - 0.04 - 3.0 * np.sqrt(0.95 * 0.05 / runs)).all()


def test_intervals_of_single_moments_would_be_far_too_narrow():
    dice, runs = np.random.default_rng(6), 10
    long, none = (
        np.mean([np.diff(interval(process(dice, 640, memory), RATE, seed)[1])[0] for seed in range(runs)])
        for memory in (0.6, 0.001)
    )
    assert long > 2.5 * none  # sqrt(2 * 0.6 s * 16 /s) = 4.4 for the mean of a process


def test_intervals_narrow_by_the_root_of_time():
    dice, runs = np.random.default_rng(7), 10
    short, long = (
        np.mean([np.diff(interval(process(dice, frames, 0.1), RATE, seed)[1])[0] for seed in range(runs)])
        for frames in (400, 1600)
    )
    assert 1.6 < short / long < 2.5


def test_intervals_are_the_same_for_a_seed_and_unknown_without_samples():
    samples = {figure.key: np.full((50, 2), np.nan) for figure in FIGURES}
    samples["speed"] = np.random.default_rng(1).random((50, 2))
    first, second = (intervals(samples, RATE, 3) for _ in range(2))
    assert np.array_equal(first, second, equal_nan=True)
    assert np.isfinite(first[0]).all() and np.isnan(first[1:]).all()
    assert (first[0, :, 0] <= first[0, :, 1]).all()
