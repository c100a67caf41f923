"""Curves over traits: lines through points, lengths and beats by size, and short numbers."""

import numpy as np
import pytest

from artfish.core.scene.character.curves import along, beat, burst, doubled, metres, row, short, within


def test_a_curve_goes_through_its_points_and_straight_between():
    points = row((0.0, 1.0, 0.5, 3.0, 1.0, 2.0))
    assert [along(at, points) for at in (-1.0, 0.0, 0.25, 0.5, 0.75, 1.0, 2.0)] == [1.0, 1.0, 2.0, 3.0, 2.5, 2.0, 2.0]


def test_sizes_are_from_three_centimetres_to_three_metres_and_of_two_digits():
    assert [metres(size) for size in (0.0, 0.5, 1.0)] == [0.03, 0.3, 3.0]
    assert all(float(f"{metres(size):.2g}") == metres(size) for size in np.linspace(0, 1, 57).tolist())


def test_small_and_quick_fishes_beat_faster():
    assert beat(0.2, 0.5) > beat(0.5, 0.5) > beat(0.8, 0.5)
    assert beat(0.5, 0.8) > beat(0.5, 0.5) > beat(0.5, 0.2)
    assert beat(0.5, 0.5 + 1.0 / 1.4) == pytest.approx(2.0 * beat(0.5, 0.5))
    assert burst(0.2, 0.5) > burst(0.5, 0.5) and burst(0.5, 0.9) > burst(0.5, 0.5)


def test_short_numbers_have_six_digits_at_any_depth():
    assert short(np.array([[1.0 / 3.0, 2.0]])) == [[0.333333, 2.0]]
    assert short(1e-5 / 3.0) == 3.33333e-06 and short((1, 2)) == [1.0, 2.0]


def test_doubling_and_bounds():
    assert doubled(3.0) == pytest.approx(8.0) and doubled(-1.0) == pytest.approx(0.5)
    assert [within(value, 0.0, 1.0) for value in (-1.0, 0.4, 2.0)] == [0.0, 0.4, 1.0]
