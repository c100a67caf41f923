"""Named places: where they are, how large, and how far from there."""

from __future__ import annotations

import numpy as np

from artfish.core import Scene
from artfish.core.behavior.spots import Spots
from artfish.core.habitat.obstacles import Obstacles

SCENE = Scene.from_dict(
    {
        "tank": {"size": [10, 8, 3]},
        "marks": [{"name": "home", "at": [1, 1, 1], "radius": 0.5}],
        "obstacles": [
            {"kind": "cylinder", "name": "rock 1", "at": [4, 4, 0], "radius": 0.6, "height": 2},
            {
                "kind": "cylinder",
                "name": "rock 2",
                "at": [7, 4, 0],
                "motion": [{"time": 0}, {"time": 4, "at": [7, 6, 0]}],
            },
        ],
    }
)


def test_marks_come_before_obstacles_and_names_stand_for_several():
    spots = Spots(SCENE, Obstacles.from_scene(SCENE))
    assert spots.rows(("rock", "home", "rock 1")).tolist() == [1, 2, 0]
    assert spots.count == 3 and spots.marks == 1


def test_gaps_are_to_the_borders_of_circles_and_bodies():
    spots = Spots(SCENE, Obstacles.from_scene(SCENE))
    gaps = spots.gap(np.array([0, 1]), np.array([[1.0, 3.0, 1.0], [4.0, 2.0, 1.0]]))
    assert np.allclose(gaps[0], [1.5, np.hypot(3, 1) - 0.6]) and np.isclose(gaps[1, 1], 1.4)


def test_what_moves_is_where_it_is_now():
    obstacles = Obstacles.from_scene(SCENE)
    spots = Spots(SCENE, obstacles)
    before = spots.middle[2].copy()
    obstacles.movers.advance(4.0)
    assert np.allclose(spots.middle[2] - before, [0, 2, 0])
    low, high = spots.heights
    assert np.isclose(low[0], 0.0) and np.isclose(high[0], 2.0)
