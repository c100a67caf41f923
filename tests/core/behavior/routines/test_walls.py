"""Following walls: a pull to the distance that a fish likes, nothing off the wall there, and never into it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.behavior.character import table
from artfish.core.behavior.routines.tuning import WALL_PULL, WALL_REACH_LENGTHS
from artfish.core.behavior.routines.walls import WallFollowing
from artfish.core.fitting.arena import Arena
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.scene.temperament import Temperament

LENGTH, NEAR = 0.1, 1.5
LIKINGS = 0.0, 0.5, 1.0


def bent(gap: float, wish, free: bool = True) -> np.ndarray:
    """Wishes of three fishes that like walls more and more, so many lengths from one along y, on x = 0."""
    traits = table([Temperament(wall_following=one, wall_distance=NEAR) for one in LIKINGS], Temperament)
    following = WallFollowing(traits, np.full(3, LENGTH), WaterBox([10.0, 10.0, 1.0]), Obstacles())
    place, wishes = np.tile([gap * LENGTH, 5.0, 0.5], (3, 1)), np.tile(np.array(wish, dtype=float), (3, 1))
    return following.along(np.arange(3), place, wishes, np.full(3, free))


def test_at_the_distance_that_it_likes_it_gives_up_what_leads_off_and_keeps_all_else():
    assert bent(NEAR, [0.6, 0.8, 0.1]) == pytest.approx(np.array([[0.6 - 0.6 * one, 0.8, 0.1] for one in LIKINGS]))
    assert bent(NEAR, [-0.6, 0.8, 0.1]) == pytest.approx(np.tile([-0.6, 0.8, 0.1], (3, 1)))


@pytest.mark.parametrize("share", [0.25, 0.5, 1.0, 1.25, 1.5, 2.0, 3.0])
def test_it_is_drawn_to_that_distance_from_either_side(share):
    drawn = bent(share * NEAR, [0.0, 0.0, 0.0])
    expected = WALL_PULL * np.clip(share - 1.0, -1.0, 1.0) * np.array(LIKINGS)
    assert drawn[:, 0] == pytest.approx(-expected) and not drawn[:, 1:].any()


def test_farther_walls_draw_less_and_those_beyond_reach_nobody():
    pulls = [-bent(share * WALL_REACH_LENGTHS, [0.0, 0.0, 0.0])[2, 0] for share in (0.5, 0.75, 1.0, 1.5)]
    assert pulls == pytest.approx([WALL_PULL, 0.5 * WALL_PULL, 0.0, 0.0])


def test_who_is_about_something_else_or_asleep_does_not_follow():
    wish = [0.6, 0.8, 0.0]
    assert bent(NEAR, wish, free=False) == pytest.approx(np.tile(wish, (3, 1)))


def middles_from_walls(liking: float, schooling: float, round_tank: bool) -> tuple[np.ndarray, float]:
    """Quartiles of the distance of eight sardines from the walls of a tank in lengths, and the least of any node."""
    kind = Species.load("sardine")
    manner = replace(kind.temperament, wall_following=liking, wall_distance=0.8, schooling=schooling, alignment=0.4)
    kind = replace(kind, temperament=manner)
    wide = 16.0 * kind.length
    tank = Arena((0.0, 0.0), (wide, wide), round_tank).tank(kind.length)
    group = {"species": kind.name, "count": 8, "at": [0.5 * wide, 0.5 * wide, 1.5 * kind.length], "spread": 0.4}
    scene = Scene.from_dict({"duration": 20, "fishes": [{**group, "mind": {"hunger": 0.0}}]})
    recording = World(replace(scene, tank=tank), seed=3, species={kind.name: kind}).simulate()
    arena = Arena((0.0, 0.0), (wide, wide), round_tank)
    off = arena.wall_distance(recording.nodes[96:, ..., :2].astype(float)) / kind.length
    return np.quantile(off.mean(axis=2), (0.25, 0.5, 0.75)), float(off.min())


@pytest.mark.film
@pytest.mark.sampled
@pytest.mark.parametrize("round_tank", [False, True])
@pytest.mark.parametrize("schooling", [0.0, 1.0])
def test_who_follows_walls_swims_along_them_alone_and_in_company_and_never_into_them(schooling, round_tank):
    """They come no nearer than their sight lets them, in a round tank the less; its circle lies outside its sides."""
    likes, least = middles_from_walls(1.0, schooling, round_tank)
    shuns, _ = middles_from_walls(0.0, schooling, round_tank)
    assert (likes < shuns).all() and likes[1] < 0.75 * shuns[1]
    assert least > 0.0
