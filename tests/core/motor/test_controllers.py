"""Motor controllers and the steering map (Tu 1999, §4.6): what a command becomes before the body answers."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Species
from artfish.core.motor import controllers
from artfish.core.motor.center import Drive, MotorCenter

every_species = pytest.mark.parametrize("name", Species.names())
KNOTS = np.radians([30.0, 45.0, 60.0, 90.0])


def driven(name: str, fishes: int, speed: float = 9.0, roll: float = 0.0, **commands) -> Drive:
    """Fishes of a species that lie level, or rolled to the right, and move at so many lengths a second, in an instant.

    As fast as they move, nobody beats quicker to gather speed.
    """
    species = Species.load(name)
    told, center = Commands.still(fishes), MotorCenter([species], np.zeros(fishes, dtype=int))
    for command, value in commands.items():
        getattr(told, command)[:] = value
    c, s = np.cos(roll), np.sin(roll)
    frames = np.tile(np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]), (fishes, 1, 1))
    velocity = speed * species.length * frames[:, :, 0]
    return center.drive(told, frames, velocity, np.full(fishes, species.length), 1e-9)


def left_turn(name: str, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Contractions of both turning segments and their rate, over that of the beat, by angles to be turned."""
    drive = driven(name, len(angle), turn=angle)
    return drive.bend, drive.rate / np.maximum(drive.frequency, Species.load(name).rhythm.tail_beat)


# Steering map


@every_species
def test_steering_map_gives_its_four_sets_at_their_angles(name):
    sets = Species.load(name).steering
    contraction, rate = left_turn(name, KNOTS)
    assert contraction == pytest.approx(np.array([sets.front, sets.middle]), abs=1e-6)
    assert rate == pytest.approx(np.array(sets.rate), abs=1e-6)


@every_species
def test_steering_map_goes_straight_from_set_to_set(name):
    before, after = (left_turn(name, knots) for knots in (KNOTS[:-1], KNOTS[1:]))
    for share in (0.25, 0.5, 0.9):
        between = left_turn(name, (1 - share) * KNOTS[:-1] + share * KNOTS[1:])
        for value, low, high in zip(between, before, after, strict=True):
            assert value == pytest.approx((1 - share) * low + share * high, abs=1e-6)


@every_species
def test_a_small_turn_bends_little_and_none_not_at_all(name):
    contraction, rate = left_turn(name, np.array([0.0, KNOTS[0] / 2, KNOTS[0]]))
    assert (contraction[:, 0] == 0).all()
    assert contraction[:, 1] == pytest.approx(0.5 * contraction[:, 2], abs=1e-6)
    assert (rate > 0).all()  # whatever bend is left must go away


@every_species
def test_a_larger_turn_bends_no_less_and_a_right_angle_is_the_most(name):
    angles = np.radians(np.arange(0.0, 181.0, 3.0))
    contraction, rate = left_turn(name, angles)
    assert (np.diff(contraction, axis=1) >= -1e-15).all()
    assert (np.diff(rate) >= -1e-15).all()
    assert ((contraction >= 0) & (contraction <= 1)).all()
    beyond = angles > KNOTS[-1]
    assert np.ptp(contraction[:, beyond], axis=1) == pytest.approx(0.0)  # chained: the last set, for longer


def test_a_right_turn_mirrors_a_left_one():
    angles = np.radians(np.linspace(0.0, 180.0, 19))
    (left, left_rate), (right, right_rate) = left_turn("thesis", angles), left_turn("thesis", -angles)
    assert np.array_equal(right, -left)
    assert np.array_equal(right_rate, left_rate)


# Swimming and gliding


@every_species
def test_full_speed_is_the_species_own_beat_and_less_is_slower_and_smaller(name):
    drive = driven(name, 21, swim=np.linspace(0.0, 1.0, 21))
    assert drive.frequency[-1] == pytest.approx(Species.load(name).rhythm.tail_beat)
    assert (np.diff(drive.frequency) >= 0).all()
    if not Species.load(name).pectoral.stroke:  # of who rows, the tail only helps
        assert drive.amplitude[-1] == pytest.approx(1.0)
        assert (np.diff(drive.amplitude) >= 0).all()
        assert (np.diff(drive.frequency * drive.amplitude) > 0).all()  # the book: speed goes with both
    assert drive.amplitude[0] == 0.0  # a glide asks nothing of the muscles


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
    level, left_up, right_up = (driven("thesis", 1, 1.0, roll).gamma[:, 0] for roll in (0.0, 0.1, -0.1))
    assert level.tolist() == [np.pi / 2, np.pi / 2]
    assert left_up[0] < level[0] and left_up[1] > level[1]  # the raised left side is to sink
    assert left_up.sum() == pytest.approx(2 * level[0])
    assert right_up == pytest.approx(left_up[::-1])
    assert driven("thesis", 1, 1.0, 2.0).gamma[:, 0] == pytest.approx([np.pi / 4, 3 * np.pi / 4])


def test_brake_and_retreat_set_the_fins_broadside():
    assert (controllers.brake(3) == np.pi).all()
    assert driven("thesis", 3, brake=True).gamma == pytest.approx(np.full((2, 3), np.pi))
    drive = driven("clownfish", 3, back=np.array([0.25, 0.5, 1.0]))
    assert drive.gamma == pytest.approx(np.full((2, 3), np.pi))
    row = Species.load("clownfish").pectoral.row
    assert drive.row == pytest.approx(np.tile([0.25 * row, 0.5 * row, row], (2, 1)))
