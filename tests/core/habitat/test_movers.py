"""Obstacles that move by keys, or as somebody moves them."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.base.attitude import rotations_about_up
from artfish.core.geometry.pillar import Pillar
from artfish.core.habitat.movers import Movers, ObstacleKeys
from artfish.core.habitat.obstacles import Obstacles


def scene(motion, **more) -> Scene:
    pillar = {"kind": "cylinder", "at": [1, 1, 0], "radius": 0.2, "motion": motion, **more}
    return Scene.from_dict({"tank": {"size": [6, 4, 2]}, "obstacles": [pillar]})


def test_it_goes_evenly_from_key_to_key_and_stays_at_the_last():
    quarter = rotations_about_up(np.array(np.pi / 2)).tolist()
    keys = [{"time": 1}, {"time": 3, "at": [3, 2, 0.5], "turn": quarter}]
    track = ObstacleKeys(scene(keys).obstacles[0])
    assert track.pose(-5.0) == pytest.approx((1, 1, 0, 1, 0, 0, 0))
    third = rotations_about_up(np.array(np.pi / 8))
    assert track.pose(1.5) == pytest.approx((1.5, 1.25, 0.125, *third), abs=1e-12)
    assert track.pose(99.0) == pytest.approx((3, 2, 0.5, *quarter))


def test_a_turn_goes_the_shorter_way_round():
    keys = [{"time": 0}, {"time": 1, "turn": (-rotations_about_up(np.array(1.0))).tolist()}]
    turn = ObstacleKeys(scene(keys).obstacles[0]).pose(0.5)[3:]
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


CUBE = [[x, y, z] for x in (0.0, 0.4) for y in (0.0, 0.4) for z in (0.0, 0.4)]
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def crowd(seed: int, count: int) -> Obstacles:
    """Pillars and meshes that are under way, some of them turned, some still."""
    dice, obstacles = np.random.default_rng(seed), []
    for row in range(count):
        places, turns = dice.uniform(0.0, 4.0, (3, 3)), dice.uniform(-1.0, 1.0, (3, 4))
        keys = [
            {"time": time, "at": at.tolist(), "turn": turn.tolist()}
            for time, at, turn in zip((0, 1, 3), places, turns, strict=True)
        ]
        form = {"kind": "mesh", "vertices": CUBE, "faces": SIDES} if row % 7 == 3 else {"kind": "cylinder"}
        obstacles.append({**form, "at": [1, 1, 0], "motion": keys if row % 5 else keys[:1]})
    made = Obstacles.from_scene(Scene.from_dict({"tank": {"size": [4, 4, 4]}, "obstacles": obstacles}))
    for t in (0.4, 0.5):
        made.movers.advance(t)
    return made


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_many_are_as_near_as_each_of_them_to_the_bit(seed):
    obstacles, dice = crowd(seed, 30), np.random.default_rng(seed)
    points, reach = dice.uniform(0.0, 4.0, (25, 3)), dice.uniform(0.0, 2.0, 25)
    distance, way, motion = np.full(25, np.inf), np.zeros((25, 3)), np.zeros((25, 3))
    for solid in obstacles.movers.solids:
        other, direction = solid.distance(points)
        nearer = other < distance
        distance, way = np.where(nearer, other, distance), np.where(nearer[:, None], direction, way)
    for solid in obstacles.movers.solids:
        near = np.flatnonzero(solid.distance(points)[0] <= distance)
        motion[near] = solid.velocity(points[near])
    found, direction = obstacles.distance(points)
    assert found.tobytes() == distance.tobytes() and direction.tobytes() == way.tobytes()
    assert obstacles.velocity(points).tobytes() == motion.tobytes()
    but = obstacles.movers.solids[int(dice.integers(30))]
    rest = [solid.distance(points)[0] for solid in obstacles.movers.solids if solid is not but]
    assert obstacles.distance(points, but)[0].tobytes() == np.min(rest, axis=0).tobytes()
    near = {id(solid): rows.tolist() for solid, rows in obstacles.movers.near(points, reach)}
    each = {id(solid): solid.near(points, reach).tolist() for solid in obstacles.movers.solids}
    assert near == {solid: rows for solid, rows in each.items() if rows}


def test_only_those_that_are_near_are_asked(monkeypatch):
    """Two hundred pillars took 172 ms a frame of five fishes."""
    asked, ask = [], Pillar.distance
    monkeypatch.setattr(Pillar, "distance", lambda self, points: asked.append(1) or ask(self, points))
    feet = [[0.2 + 2 * (k % 20), 0.2 + 2 * (k // 20), 0] for k in range(200)]
    pillars = [{"kind": "cylinder", "at": foot, "radius": 0.1, "motion": []} for foot in feet]
    obstacles = Obstacles.from_scene(Scene.from_dict({"tank": {"size": [40, 40, 2]}, "obstacles": pillars}))
    obstacles.distance(np.array([[20.3, 10.2, 0.5], [21.0, 10.0, 1.0]]))
    assert 0 < len(asked) < 20
