"""Dynamic fishes: the busy, then the largest in the picture, within a budget, and none to and fro."""

import numpy as np
import pytest

from artfish.core.replicas.levels import DYNAMIC, FRAME_ONLY, REPLICA, CameraView, Levels, seen, shot_at
from artfish.core.scene.detail import Shot

AHEAD = CameraView((0.0, 0.0, 0.0), (10.0, 0.0, 0.0), 36.0)
"""A picture as wide as its distance."""
HERE = np.ones(4, dtype=bool)


def test_a_fish_at_twice_the_distance_is_half_as_large():
    size = seen(AHEAD, np.array([[2.0, 0, 0], [4.0, 0, 0]]), np.array([0.2, 0.2]))
    assert size[0] == pytest.approx(0.2 / (2.0 * 9 / 16)) and size[1] == pytest.approx(0.5 * size[0])


def test_who_is_out_of_the_picture_is_not_seen():
    places = np.array([[4.0, 1.9, 0], [4.0, 2.3, 0], [4.0, 0, 1.0], [4.0, 0, 1.5], [-1.0, 0, 0], [4.0, -2.15, 0]])
    assert (seen(AHEAD, places, np.full(6, 0.2)) > 0).tolist() == [True, False, True, False, False, True]


def test_a_longer_lens_sees_less_and_larger():
    place, length, tele = (
        np.array([[4.0, 1.0, 0], [4.0, 0, 0]]),
        np.full(2, 0.2),
        CameraView(AHEAD.at, AHEAD.look_at, 144.0),
    )
    wide, narrow = seen(AHEAD, place, length), seen(tele, place, length)
    assert wide[0] > 0.0 == narrow[0] and narrow[1] == pytest.approx(4.0 * wide[1])


def test_a_camera_that_looks_straight_down_sees_what_is_below():
    down = CameraView((1.0, 1.0, 5.0), (1.0, 1.0, 0.0), 35.0)
    assert (seen(down, np.array([[1.0, 1.0, 2.0], [1.0, 1.0, 6.0]]), np.full(2, 0.3)) > 0).tolist() == [True, False]


def test_a_keyed_camera_moves_between_its_keys():
    keys = [
        Shot(time=0.0, **AHEAD._asdict()),
        Shot(time=2.0, at=(4.0, 0.0, 0.0), look_at=(10.0, 8.0, 0.0), lens=72.0),
    ]
    middle = shot_at(keys, 1.0)
    assert middle.at == (2.0, 0.0, 0.0) and middle.look_at == (10.0, 4.0, 0.0) and middle.lens == 54.0
    assert shot_at(keys, 9.0).lens == 72.0 and shot_at(keys[:1], 9.0).at == AHEAD.at


def chosen(levels, size, busy=(), seconds=10.0, there=HERE):
    levels.choose(np.array(size), np.isin(np.arange(4), busy), there, seconds)
    return levels.level.tolist()


def test_the_largest_are_dynamic_as_far_as_the_budget_goes():
    levels = Levels(4, 2, 0.1)
    assert chosen(levels, [0.2, 0.3, 0.05, 0.15]) == [DYNAMIC, DYNAMIC, REPLICA, REPLICA]
    assert chosen(Levels(4, 3, 0.1), [0.2, 0.0, 0.05, 0.15]) == [DYNAMIC, FRAME_ONLY, REPLICA, DYNAMIC]


def test_the_busy_come_first_even_unseen():
    assert chosen(Levels(4, 2, 0.1), [0.9, 0.3, 0.0, 0.8], busy=[2]) == [DYNAMIC, REPLICA, DYNAMIC, REPLICA]


def test_a_budget_of_nobody_leaves_replicas():
    assert chosen(Levels(4, 0, 0.1), [0.9, 0.3, 0.0, 0.8], busy=[2]) == [REPLICA, REPLICA, FRAME_ONLY, REPLICA]


def test_the_dead_take_no_place():
    there = np.array([False, True, True, True])
    assert chosen(Levels(4, 1, 0.1), [0.9, 0.3, 0.0, 0.2], there=there)[1] == DYNAMIC


def test_nobody_changes_to_and_fro():
    """At the edge of the budget a little more or less in the picture changes nobody."""
    levels, changes = Levels(4, 1, 0.1), 0
    random = np.random.default_rng(3)
    for _ in range(100):
        size = np.array([0.2, 0.2, 0.0, 0.0]) * random.uniform(0.95, 1.05, 4)
        changes += int(levels.choose(size, np.zeros(4, dtype=bool), HERE, 1 / 24).sum())
    assert changes == 1


def test_a_change_lasts_for_a_while():
    levels = Levels(4, 4, 0.1)
    assert chosen(levels, [0.2, 0, 0, 0])[0] == DYNAMIC
    assert chosen(levels, [0.05, 0, 0, 0], seconds=1 / 24)[0] == DYNAMIC
    assert chosen(levels, [0.05, 0, 0, 0])[0] == REPLICA
    assert chosen(levels, [0.3, 0, 0, 0], seconds=1 / 24)[0] == REPLICA
    assert chosen(levels, [0.3, 0, 0, 0])[0] == DYNAMIC
