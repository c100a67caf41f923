"""Growth on rock: as much as is said, where a fish gets at it, bitten off and grown again."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene
from artfish.core.geometry.scatter import pillar_area
from artfish.core.habitat.growth import ReefGrowth
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import GROWTH_GAP_METRES, GROWTH_SECONDS, MOST_TUFTS


def grown(seed: int = 1, **pillar) -> tuple[ReefGrowth, Scene, Obstacles]:
    stands = {"kind": "cylinder", "at": [2, 2, 0], "radius": 0.4, "height": 1.0, "growth": 50, **pillar}
    scene = Scene.from_dict({"tank": {"size": [4, 4, 2]}, "obstacles": [stands]})
    obstacles = Obstacles.from_scene(scene)
    return ReefGrowth.from_scene(scene, WaterBox.from_scene(scene), obstacles, seed), scene, obstacles


def test_as_much_grows_as_is_said_and_close_to_what_it_grows_on():
    growth, scene, obstacles = grown()
    assert obstacles.distance(growth.place)[0] == pytest.approx(GROWTH_GAP_METRES, abs=1e-9)
    whole = 50 * pillar_area(scene.obstacles[0].solid)
    assert 0.85 * whole < len(growth) <= np.ceil(whole)  # less what is too near the ground


def test_none_grows_where_there_is_no_room_for_a_fish():
    growth, _, obstacles = grown(at=[0.45, 2, 0])  # a hand's breadth off the wall
    assert len(growth) and growth.place[:, 0].min() > 0.06
    bare, *_ = grown(growth=0)
    assert len(bare) == 0


def test_the_same_seed_grows_the_same_and_another_does_not():
    assert np.array_equal(grown(3)[0].place, grown(3)[0].place)
    assert not np.array_equal(grown(3)[0].place[:9], grown(4)[0].place[:9])


def test_a_vast_rock_is_no_more_than_sparsely_grown():
    growth, *_ = grown(growth=400, radius=1.5, height=1.9)
    assert 0.5 * MOST_TUFTS < len(growth) <= MOST_TUFTS


def test_what_moves_is_bare():
    growth, *_ = grown(motion=[{"time": 0, "at": [1, 1, 0]}, {"time": 5, "at": [3, 3, 0]}])
    assert len(growth) == 0


def test_what_is_bitten_is_bare_until_it_has_grown_again():
    growth, *_ = grown()
    growth.bitten(np.array([3, 5]))
    assert np.flatnonzero(~growth.there).tolist() == [3, 5]
    growth.advance(GROWTH_SECONDS - 0.01)
    assert not growth.there[3]
    growth.advance(0.02)
    assert growth.there.all()
