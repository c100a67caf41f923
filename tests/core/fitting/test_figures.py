"""Figures of motions that are known in closed form."""

import numpy as np
import pytest

from artfish.core.fitting.arena import Arena
from artfish.core.fitting.figures import FIGURES, all_quartiles, measured, quartiles, resampled
from artfish.core.fitting.tuning import LOOK_RATE, SMOOTH_SECONDS, WINDOW_SECONDS

RATE = 100.0
ROUND = Arena.of((0.0, 0.0, 10.0))


def times(seconds=12.0, rate=RATE):
    return np.arange(0.0, seconds, 1.0 / rate)


def figures(places, rate=RATE, arena=ROUND):
    return {key: quartiles(samples) for key, samples in measured(places, rate, arena).items()}


def circling(t, radius, speed, phase=0.0):
    angle = speed / radius * t + phase
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def test_a_fish_on_a_circle_turns_by_its_speed_over_the_radius():
    found = figures(circling(times(), 4.0, 2.0)[:, None])
    assert found["speed"] == pytest.approx(2.0, rel=1e-3)  # chords over arcs: (v dt / r)²/6
    assert found["turning"] == pytest.approx(0.5, rel=1e-3)
    assert found["wall"] == pytest.approx(6.0)
    assert found["variation"] == pytest.approx(0.0, abs=1e-3)
    assert np.isnan(found["nearest"]).all() and np.isnan(found["polarisation"]).all()


def test_figures_do_not_depend_on_the_sense_of_turning():
    places = circling(times(), 4.0, 2.0)[:, None]
    assert figures(places)["turning"] == pytest.approx(figures(places * [1.0, -1.0])["turning"])


def test_fishes_that_swim_side_by_side_are_polarised_and_see_each_other_beside_them():
    t = times()
    places = np.stack([np.stack([t - 6.0, np.full_like(t, y)], axis=1) for y in (0.0, 0.5, 1.5)], axis=1)
    found = figures(places)
    assert found["polarisation"] == pytest.approx(1.0)
    assert found["polarisation_change"] == pytest.approx(0.0, abs=1e-9)
    assert found["nearest"] == pytest.approx([0.5, 0.5, 1.0])
    assert found["bearing"] == pytest.approx(90.0)


def test_one_behind_the_other_are_ahead_and_behind():
    t = times()
    places = np.stack([np.stack([t - 6.0 + x, 0.0 * t], axis=1) for x in (0.0, 2.0)], axis=1)
    samples = measured(places, RATE, ROUND)["bearing"]
    assert samples[5] == pytest.approx([0.0, 180.0])


def test_fishes_across_a_circle_head_against_each_other():
    places = np.stack([circling(times(), 3.0, 2.0, phase) for phase in (0.0, np.pi)], axis=1)
    found = figures(places)
    assert found["polarisation"] == pytest.approx(0.0, abs=1e-9)
    assert found["nearest"] == pytest.approx(6.0)


def test_polarisation_changes_as_one_of_two_turns_about():
    t = times(3.0)
    angle = 0.4 * t
    places = np.stack(
        [np.stack([t, 0.0 * t], axis=1), np.stack([np.sin(angle), 1.0 - np.cos(angle)], axis=1) / 0.4], axis=1
    )
    samples = measured(places, RATE, ROUND)
    assert samples["polarisation"][100, 0] == pytest.approx(np.cos(0.2), abs=1e-3)
    assert samples["polarisation_change"][100, 0] == pytest.approx(np.cos(0.2) - np.cos(0.4), abs=1e-3)


def test_bursts_are_counted_measured_and_glided_between():
    t, period = times(20.0), 0.8
    speed = 2.0 + np.cos(2.0 * np.pi * t / period)
    way = 2.0 * t + period / (2.0 * np.pi) * np.sin(2.0 * np.pi * t / period)
    found = figures(np.stack([way, 0.0 * t], axis=1)[:, None])
    assert found["burst_gap"] == pytest.approx(period, abs=1.5 / RATE)
    assert found["burst"] == pytest.approx(2.0, rel=0.01)
    assert found["glide"] == pytest.approx(0.5, abs=0.25 * period / WINDOW_SECONDS)  # a window is 6.25 periods
    whole = speed[: round(5 * period * RATE)]
    assert found["variation"] == pytest.approx(whole.std() / whole.mean(), rel=0.05)


def test_a_sharp_burst_and_a_long_glide_are_a_share_of_gliding():
    t, period, rise = times(20.0), 1.0, 0.25
    phase = t % period
    speed = np.where(phase < rise, 1.0 + phase / rise, 2.0 - (phase - rise) / (period - rise))
    way = np.cumsum(speed) / RATE
    found = figures(np.stack([way, 0.0 * t], axis=1)[:, None])
    assert found["glide"] == pytest.approx(1.0 - rise / period, abs=0.03)


def test_small_ripples_of_speed_are_no_bursts():
    t = times()
    way = 2.0 * t + 0.05 / (2.0 * np.pi) * np.sin(2.0 * np.pi * t)
    assert np.isnan(figures(np.stack([way, 0.0 * t], axis=1)[:, None])["burst"]).all()


def test_a_fish_that_hardly_moves_has_no_course():
    t = times()
    still = figures(np.stack([0.1 * t, 0.0 * t], axis=1)[:, None])
    assert np.isnan(still["turning"]).all() and still["speed"] == pytest.approx(0.1)


def test_a_fish_that_is_not_there_counts_for_nothing():
    t = times()
    places = np.stack([np.stack([t - 6.0, np.full_like(t, y)], axis=1) for y in (0.0, 1.0, 3.0)], axis=1)
    places[600:, 1] = np.nan
    samples = measured(places, RATE, ROUND)
    assert samples["nearest"][100] == pytest.approx([1.0, 1.0, 2.0])
    assert samples["nearest"][900, [0, 2]] == pytest.approx(3.0) and np.isnan(samples["nearest"][900, 1])


def test_tracks_shorter_than_a_window_have_no_variation_but_the_rest():
    found = figures(circling(times(WINDOW_SECONDS - 1.0), 4.0, 2.0)[:, None])
    assert np.isnan(found["variation"]).all() and np.isfinite(found["speed"]).all()


def test_every_figure_is_declared_once_and_has_a_row():
    keys = [figure.key for figure in FIGURES]
    assert len(set(keys)) == len(keys) and all(figure.help for figure in FIGURES)
    assert all_quartiles(measured(circling(times(), 4.0, 2.0)[:, None], RATE, ROUND)).shape == (len(FIGURES), 3)


@pytest.mark.parametrize("fps", [25.0, 32.0, 60.0])
def test_tracks_of_any_rate_are_looked_at_alike(fps):
    t = times(10.0, fps)
    made = resampled(circling(t, 4.0, 2.0)[:, None], fps)
    assert len(made) == pytest.approx(10.0 * LOOK_RATE, abs=1)
    found = figures(made, LOOK_RATE)
    assert found["turning"] == pytest.approx(0.5, rel=0.02)  # straight lines between places bend at these
    assert found["speed"] == pytest.approx(2.0, rel=0.01)


def test_smoothing_takes_a_pixels_noise_and_leaves_the_way():
    dice, t = np.random.default_rng(3), times(20.0, 30.0)
    noisy = np.stack([t, 0.0 * t], axis=1) + 0.01 * dice.standard_normal((len(t), 2))
    made = resampled(noisy[:, None], 30.0)
    share = 1.0 / np.sqrt(2.0 * np.sqrt(np.pi) * SMOOTH_SECONDS * 30.0)  # of white noise that a bell lets through
    assert made[:, 0, 1].std() < 1.1 * 0.01 * share


def test_what_was_not_tracked_stays_unknown():
    places = circling(times(4.0, 32.0), 4.0, 2.0)[:, None]
    places[:64] = np.nan
    made = resampled(places, 32.0)
    assert np.isnan(made[:31]).all() and np.isfinite(made[33:]).all()
