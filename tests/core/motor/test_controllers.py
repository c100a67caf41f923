"""Motor controllers and the steering map (Tu 1999, §4.6): what a command becomes before the body answers."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Species
from artfish.core.motor import controllers

every_species = pytest.mark.parametrize("name", Species.names())
KNOTS = np.radians([30.0, 45.0, 60.0, 90.0])


def steering(name: str, fishes: int) -> dict[str, np.ndarray]:
    """The steering map of a species, once for each fish."""
    own = Species.load(name).steering
    return {key: np.tile(getattr(own, key), (fishes, 1)) for key in ("front", "middle", "rate")}


def swim(name: str, speed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own, ones = Species.load(name).rhythm, np.ones(len(speed))
    return controllers.swim(speed, own.tail_beat * ones, own.slow_beat * ones, own.slow_amplitude * ones)


# Steering map


@every_species
def test_steering_map_gives_its_four_sets_at_their_angles(name):
    sets = steering(name, 4)
    contraction, rate = controllers.left_turn(KNOTS, sets)
    assert contraction[0] == pytest.approx(sets["front"][0])
    assert contraction[1] == pytest.approx(sets["middle"][0])
    assert rate == pytest.approx(sets["rate"][0])


@every_species
def test_steering_map_goes_straight_from_set_to_set(name):
    sets = steering(name, 3)
    before, after = (controllers.left_turn(knots, sets) for knots in (KNOTS[:-1], KNOTS[1:]))
    for share in (0.25, 0.5, 0.9):
        between = controllers.left_turn((1 - share) * KNOTS[:-1] + share * KNOTS[1:], sets)
        for value, low, high in zip(between, before, after, strict=True):
            assert value == pytest.approx((1 - share) * low + share * high)


@every_species
def test_a_small_turn_bends_little_and_none_not_at_all(name):
    sets = steering(name, 3)
    contraction, rate = controllers.left_turn(np.array([0.0, KNOTS[0] / 2, KNOTS[0]]), sets)
    assert (contraction[:, 0] == 0).all()
    assert contraction[:, 1] == pytest.approx(0.5 * contraction[:, 2])
    assert (rate > 0).all()  # whatever bend is left must go away


@every_species
def test_a_larger_turn_bends_no_less_and_a_right_angle_is_the_most(name):
    angles = np.radians(np.arange(0.0, 181.0, 3.0))
    contraction, rate = controllers.left_turn(angles, steering(name, len(angles)))
    assert (np.diff(contraction, axis=1) >= -1e-15).all()
    assert (np.diff(rate) >= -1e-15).all()
    assert ((contraction >= 0) & (contraction <= 1)).all()
    beyond = angles >= KNOTS[-1]
    assert np.ptp(contraction[:, beyond], axis=1) == pytest.approx(0.0)  # chained: the last set, for longer


def test_a_right_turn_mirrors_a_left_one():
    angles = np.radians(np.linspace(0.0, 180.0, 19))
    left, left_rate = controllers.left_turn(angles, steering("thesis", 19))
    right, right_rate = controllers.right_turn(angles, steering("thesis", 19))
    assert np.array_equal(right, -left)
    assert np.array_equal(right_rate, left_rate)


def test_each_fish_steers_by_its_own_map():
    maps = {key: np.array([[1.0, 1.0, 1.0, 1.0], [0.1, 0.2, 0.3, 0.4]]) for key in ("front", "middle", "rate")}
    contraction, _ = controllers.left_turn(np.full(2, KNOTS[2]), maps)
    assert contraction[0] == pytest.approx([1.0, 0.3])


# Swimming and gliding


@every_species
def test_full_speed_is_the_species_own_beat_and_less_is_slower_and_smaller(name):
    speeds = np.linspace(0.0, 1.0, 21)
    frequency, amplitude = swim(name, speeds)
    assert frequency[-1] == pytest.approx(Species.load(name).rhythm.tail_beat)
    assert amplitude[-1] == pytest.approx(1.0)
    assert (np.diff(frequency) >= 0).all()
    assert (np.diff(amplitude) >= 0).all()
    assert (np.diff(frequency * amplitude) > 0).all()  # the book: speed goes with both
    assert amplitude[0] == 0.0


def test_a_glide_asks_nothing_of_the_muscles():
    assert controllers.glide(3).tolist() == [0.0, 0.0, 0.0]
    assert swim("thesis", controllers.glide(3))[1].tolist() == [0.0, 0.0, 0.0]


# Fins


def test_ascent_and_descent_take_the_books_angles():
    angles = np.linspace(0.0, np.pi / 2, 7)
    assert controllers.ascend(angles)[[0, -1]] == pytest.approx([np.pi / 2, 3 * np.pi / 4])
    assert controllers.descend(angles)[[0, -1]] == pytest.approx([np.pi / 2, np.pi / 4])
    assert (np.diff(controllers.ascend(angles)) > 0).all()
    assert (np.diff(controllers.descend(angles)) < 0).all()
    steep = np.array([-3.0, 5.0])
    assert controllers.ascend(steep) == pytest.approx([np.pi / 2, 3 * np.pi / 4])
    assert controllers.descend(steep) == pytest.approx([np.pi / 2, np.pi / 4])


def test_balance_parts_the_fins_around_where_they_were_and_keeps_them_in_range():
    gamma = np.array([1.4, 1.57, 1.7])
    assert (controllers.balance(np.zeros(3), gamma) == gamma).all()
    left, right = controllers.balance(np.full(3, 0.3), gamma)
    assert (left < gamma).all() and (right > gamma).all()  # the raised left side is to sink
    assert left + right == pytest.approx(2 * gamma)
    assert np.array_equal(controllers.balance(np.full(3, -0.3), gamma), [right, left])
    far = controllers.balance(np.linspace(-9.0, 9.0, 50), np.full(50, np.pi / 2))
    assert far.min() == pytest.approx(np.pi / 4)
    assert far.max() == pytest.approx(3 * np.pi / 4)


def test_brake_and_retreat_set_the_fins_broadside():
    assert (controllers.brake(3) == np.pi).all()
    gamma, row = controllers.backward(np.array([0.0, 0.5, 1.0]), np.full(3, 0.8))
    assert gamma.shape == (2, 3)
    assert (gamma == np.pi).all()
    assert row == pytest.approx([0.0, 0.4, 0.8])
