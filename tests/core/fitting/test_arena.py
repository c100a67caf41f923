"""Arenas: found around places, walls as far as they are, tanks that hold what they should."""

import numpy as np
import pytest

from artfish.core import SceneError
from artfish.core.fitting.arena import Arena
from artfish.core.fitting.tuning import CIRCLE_SIDES


def test_a_circle_is_found_around_places_on_it():
    angle = np.linspace(0.0, 2.0 * np.pi, 200)
    places = np.array([3.0, -2.0]) + 5.0 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    arena = Arena.around(places[:, None], 0.5)
    assert arena.round
    assert arena.middle == pytest.approx([3.0, -2.0], abs=0.02)
    assert arena.size == pytest.approx((11.0, 11.0), abs=0.05)


def test_a_rectangle_is_found_around_places_that_fill_it():
    places = np.stack(np.meshgrid(np.linspace(0.0, 4.0, 20), np.linspace(1.0, 3.0, 20)), axis=-1)
    places[3, 4] = np.nan
    arena = Arena.around(places, 0.25)
    assert not arena.round
    assert arena.low == pytest.approx((-0.25, 0.75)) and arena.high == pytest.approx((4.25, 3.25))


def test_walls_are_as_far_as_they_are():
    places = np.array([[5.0, 5.0], [8.0, 9.0], [5.0, 11.0]])
    assert Arena.of((5.0, 5.0, 5.0)).wall_distance(places) == pytest.approx([5.0, 0.0, -1.0])
    assert Arena.of((0.0, 0.0, 20.0, 10.0)).wall_distance(places) == pytest.approx([5.0, 1.0, -1.0])


@pytest.mark.parametrize("numbers", [(5.0, 5.0, 5.0), (0.0, 0.0, 20.0, 10.0)])
def test_an_arena_grows_until_it_holds_all_places(numbers):
    arena = Arena.of(numbers)
    same, factor = arena.grown(np.array([[5.0, 5.0], [np.nan, np.nan]]))
    assert factor == 1.0 and same == arena
    larger, factor = arena.grown(np.array([[5.0, 12.0]]))
    assert factor == pytest.approx(1.4) and larger.middle == pytest.approx(arena.middle)
    assert larger.wall_distance(np.array([5.0, 12.0])) == pytest.approx(0.0, abs=1e-9)


def test_an_arena_of_a_picture_is_turned_upside_down_with_its_tracks():
    arena = Arena.of((0.0, 100.0, 300.0, 500.0)).seen(0.01, True)
    assert arena.low == pytest.approx((0.0, -5.0)) and arena.high == pytest.approx((3.0, -1.0))
    assert Arena.of((0.0, 100.0, 300.0, 500.0)).seen(0.01, False).high == pytest.approx((3.0, 5.0))


def test_a_round_tank_holds_what_its_circle_holds_and_no_corners():
    tank = Arena.of((2.0, 2.0, 1.5)).tank(0.2)
    assert tank.size == pytest.approx((3.0, 3.0, 0.6))
    inside = 1.5 * np.cos(np.pi / CIRCLE_SIDES) - 0.02
    for angle in np.linspace(0.0, 6.0, 7):
        assert tank.holds((1.5 + inside * np.cos(angle), 1.5 + inside * np.sin(angle), 0.3))
    assert not tank.holds((0.2, 0.2, 0.3))


def test_an_arena_is_the_same_as_plain_data():
    arena = Arena.of((1.0, 2.0, 3.0))
    assert Arena.from_dict(arena.to_dict()) == arena


@pytest.mark.parametrize("numbers", [(), (1.0, 2.0), (1.0, 2.0, 0.0), (1.0, 2.0, 1.0, 5.0), (1.0,) * 5])
def test_numbers_of_no_arena_are_refused_in_a_line(numbers):
    with pytest.raises(SceneError, match="--arena.*X,Y,RADIUS"):
        Arena.of(numbers)
