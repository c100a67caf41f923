"""Paces, turns, starts and stops are measured as they are: on motion whose answers are known in closed form."""

import numpy as np
import pytest

from artfish.studies.life import motion

FPS = 24.0


def circle(degrees: float, radius: float, seconds: float = 10.0) -> np.ndarray:
    """A fish that goes round at so many degrees a second, (frames, 1, 3)."""
    angle = np.radians(degrees) * np.arange(round(seconds * FPS)) / FPS
    return radius * np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)[:, None]


@pytest.mark.parametrize("degrees", [20.0, 60.0, -90.0])
def test_the_turning_of_a_circle_is_its_rate_whatever_the_filter(degrees):
    # A filtered circle is a smaller one, and differences of a circle point along it: exact but for the ends.
    rate = motion.turning(circle(degrees, 3.0), FPS, 1.0)
    ends = round(4 * motion.PATH_SECONDS * FPS) + 2
    assert rate[ends:-ends] == pytest.approx(abs(degrees), rel=1e-3)  # the filter's window ends at four sigma


def test_tracks_in_pixels_and_recordings_in_metres_are_measured_alike():
    path = circle(50.0, 2.0)
    flat = 57.0 * path[..., :2]
    for measure in (motion.turning, motion.speeds):
        assert np.allclose(measure(flat, FPS, 57.0), measure(path, FPS, np.array([1.0])), rtol=1e-9)


def test_a_fish_that_hardly_moves_turns_nowhere():
    assert np.isnan(motion.turning(circle(60.0, 0.2), FPS, 1.0)).all()  # 0.21 lengths a second


def test_the_pace_of_a_wave_varies_by_its_size_over_the_root_of_two():
    size, beat, t = 0.5, 0.4, np.arange(round(30 * FPS)) / FPS
    x = t - size / (2 * np.pi * beat) * np.cos(2 * np.pi * beat * t)  # speed 1 + size sin
    path = np.stack([x, 0 * x], axis=1)[:, None]
    lost = np.exp(-0.5 * (2 * np.pi * beat * motion.PATH_SECONDS) ** 2)  # a Gaussian's answer to a wave
    found = motion.variation(motion.speeds(path, FPS, 1.0), FPS)
    assert found == pytest.approx(size * lost / np.sqrt(2), rel=0.01)  # differences over two frames lose 0.2 %


def test_a_steady_pace_does_not_vary_and_is_never_slow():
    path = np.linspace(0.0, 30.0, 720)[:, None, None] * np.array([1.0, 0.0, 0.0])
    speed = motion.speeds(path, FPS, 1.0)
    assert motion.variation(speed, FPS) == pytest.approx(0.0, abs=0.1)  # the ends of a filtered path are short
    assert motion.share_of_time(speed[10:-10] < 0.9) == 0.0


def test_time_that_does_not_count_has_no_share():
    slow = np.array([[True, True], [False, True], [True, False]])
    counts = np.array([[True, False], [True, False], [False, False]])
    assert np.array_equal(motion.share_of_time(slow, counts), [0.5, np.nan], equal_nan=True)


def test_gaps_are_bridged_by_straight_lines_and_nothing_else_changes():
    path = np.arange(12.0).reshape(6, 1, 2)
    holes = path.copy()
    holes[2:4] = np.nan
    assert np.allclose(motion.filled(holes), path)
    assert np.isnan(holes[2:4]).all()


def test_an_exponential_start_takes_the_logarithm_of_ten():
    t = np.arange(0.0, 20.0, 1 / FPS)
    speed = np.stack([1 - np.exp(-t), 2 * (1 - np.exp(-t / 0.5))], axis=1)
    assert motion.rise_seconds(speed, FPS) == pytest.approx(np.log(10) * np.array([1.0, 0.5]), abs=1 / FPS)


def test_a_glide_against_drag_that_grows_with_the_square_halves_in_its_time():
    t = np.arange(0.0, 20.0, 1 / FPS)
    assert motion.fall_seconds((1.7 / (1 + t / 3.0))[:, None], FPS) == pytest.approx(3.0, abs=1 / FPS)
    assert np.isnan(motion.fall_seconds(np.ones((10, 1)), FPS)).all()


@pytest.mark.parametrize("damping", [0.2, 0.5, 0.7])
@pytest.mark.parametrize("step", [10.0, -20.0])
def test_an_oscillator_overshoots_as_its_damping_says(damping, step):
    t, swing = np.arange(0.0, 60.0, 1 / FPS), np.sqrt(1 - damping**2)
    value = step * (1 - np.exp(-damping * t) * (np.cos(swing * t) + damping / swing * np.sin(swing * t)))
    # At its peak the response is flat: a frame beside it has lost half of a frame's square.
    expected = np.exp(-np.pi * damping / swing)
    assert motion.overshoot(value[:, None]) == pytest.approx(expected, abs=0.5 / FPS**2 + 1e-4)


def test_a_quarter_turn_at_a_known_rate_takes_its_time():
    angle = np.radians(180.0) * np.arange(48) / FPS
    heading = np.stack([np.cos(angle), np.sin(angle), 0 * angle], axis=1)[:, None]
    assert motion.turn_seconds(heading, FPS) == pytest.approx(0.5, abs=1.01 / FPS)
    assert motion.rotation(heading, FPS) == pytest.approx(180.0)


@pytest.mark.parametrize("beat", [0.8, 3.37, 11.0])
def test_the_beat_of_a_wave_is_found_beside_a_drift(beat):
    t = np.arange(480) / 120.0
    signal = np.stack([0.1 * np.sin(2 * np.pi * beat * t + phase) + 0.02 * t for phase in (0.0, 1.0)], axis=1)
    assert motion.frequencies(signal, 120.0) == pytest.approx(beat, rel=0.01)  # half a probe off is 0.4 %
    assert np.isnan(motion.frequencies(np.ones((480, 1)), 120.0))


def test_who_parts_from_its_twin_does_so_when_it_is_farther_than_the_threshold():
    twin = np.zeros((20, 3, 2, 3))
    moved = twin.copy()
    moved[5:, 0, 1, 0] = 0.01 * np.arange(15)  # beyond 0.025 from its fourth frame on
    moved[7:, 1] = 1.0
    assert np.array_equal(motion.departures(moved, twin, 0.025), [8.0, 7.0, np.nan], equal_nan=True)


def test_rises_of_speed_are_counted_and_timed_from_a_tenth_to_nine_tenths():
    t = np.arange(1200) / FPS
    found = motion.gains(1.0 + 0.4 * np.sin(2 * np.pi * 0.5 * t), FPS)
    # A sine rises from a tenth to nine tenths of its gain, from asin(-0.8) to asin(0.8), in 0.295 of its period.
    assert found.seconds[1:-1] == pytest.approx(np.arcsin(0.8) / np.pi * 2.0, abs=0.02)
    assert found.minute == pytest.approx(30.0, abs=6.0)
    assert len(motion.gains(1.0 + 0.1 * np.sin(t), FPS).seconds) == 0


def test_a_path_in_a_sheet_is_flat_and_one_on_a_slope_is_as_steep_as_that():
    along = np.linspace(0.0, 10.0, 100)
    paths = np.stack([np.stack([along, 0 * along, k * along], axis=1) for k in (0.0, 0.5)], axis=1)
    assert motion.flatness(paths) == pytest.approx([0.0, 0.5])
