"""Obstacles that move by keys, or as somebody moves them."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.base.attitude import rotations_about_up
from artfish.core.habitat.movers import Movers, Track
from artfish.core.habitat.obstacles import Obstacles


def scene(motion, **more) -> Scene:
    pillar = {"kind": "cylinder", "at": [1, 1, 0], "radius": 0.2, "motion": motion, **more}
    return Scene.from_dict({"tank": {"size": [6, 4, 2]}, "obstacles": [pillar]})


def test_it_goes_evenly_from_key_to_key_and_stays_at_the_last():
    quarter = rotations_about_up(np.array(np.pi / 2)).tolist()
    keys = [{"time": 1}, {"time": 3, "at": [3, 2, 0.5], "turn": quarter}]
    track = Track(scene(keys).obstacles[0])
    assert track.pose(-5.0) == pytest.approx((1, 1, 0, 1, 0, 0, 0))
    third = rotations_about_up(np.array(np.pi / 8))
    assert track.pose(1.5) == pytest.approx((1.5, 1.25, 0.125, *third), abs=1e-12)
    assert track.pose(99.0) == pytest.approx((3, 2, 0.5, *quarter))


def test_a_turn_goes_the_shorter_way_round():
    keys = [{"time": 0}, {"time": 1, "turn": (-rotations_about_up(np.array(1.0))).tolist()}]
    turn = Track(scene(keys).obstacles[0]).pose(0.5)[3:]
    assert np.abs(turn) == pytest.approx(np.abs(rotations_about_up(np.array(0.5))), abs=1e-12)


def test_what_has_no_key_stays_until_it_is_moved_and_goes_back_to_its_keys():
    movers = Movers(scene([]).obstacles, period=0.5)
    movers.lead(0, np.array((2.0, 1.0, 0.0)), np.array((2.0, 0.0, 0.0, 0.0)))
    assert movers.pose[0, 0] == 1.0  # until the next frame
    movers.advance(0.5)
    points = np.array([[2.5, 1.0, 0.5]])
    assert movers.solids[0].distance(points)[0] == pytest.approx(0.3)
    assert movers.solids[0].velocity(points)[0] == pytest.approx((2.0, 0.0, 0.0))
    movers.advance(1.0)
    assert movers.solids[0].velocity(points)[0] == pytest.approx((0.0, 0.0, 0.0))
    state = movers.state()
    movers.release(0)
    movers.advance(1.5)
    assert movers.pose[0, 0] == 1.0
    movers.restore(state)
    assert movers.solids[0].distance(points)[0] == pytest.approx(0.3)


def test_what_moves_is_among_all_and_not_among_what_stands():
    obstacles = Obstacles.from_scene(scene([{"time": 0}, {"time": 1, "at": [3, 1, 0]}]))
    assert len(obstacles) == 1 and not len(obstacles.radius) and not obstacles.standing
    obstacles.movers.advance(1.0)
    points = np.array([[3.5, 1.0, 0.5], [0.0, 3.0, 1.0]])
    assert obstacles.distance(points)[0][0] == pytest.approx(0.3)
    assert obstacles.velocity(points)[0] == pytest.approx((48.0, 0.0, 0.0))
    assert Obstacles().velocity(points) == pytest.approx(0.0)
