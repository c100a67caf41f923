"""Leaving: fishes end up where they like it, and are seen to go there (§7.3, §7.5, §7.8)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.intention import LEAVE
from artfish.core.behavior.routines.leave import Leave
from artfish.core.behavior.routines.tuning import STEEPEST_LEAVING
from artfish.studies.comfort import LIKED, TANKS, middles, shares

ONE = np.array([0])
LAYERS = {"surface": 26, "bottom": 14, "depth": 1.0, "thickness": 0.6}
MURK = {"attenuation": 1.0}


def leaving(better, azimuth=0.0, times=1) -> np.ndarray:
    leave = Leave(Dice(0, ONE))
    better = np.array([better], dtype=float)
    return np.concatenate([leave.wish(ONE, better, np.array([azimuth]), np.array([0.5])) for _ in range(times)])


def test_who_leaves_goes_where_it_gets_better():
    for better in ([30, 0, 0], [0, -30, 0], [-20, 20, 5]):
        wish = leaving(better)[0]
        assert np.linalg.norm(wish) == pytest.approx(1.0)
        assert wish @ better / np.linalg.norm(better) > 0.9
    down = leaving([0, 0, -100])[0]
    assert np.arcsin(down[2]) == pytest.approx(-STEEPEST_LEAVING, abs=0.02)  # it dives on a slant


def test_who_feels_nothing_turns_at_random():
    wishes = leaving([0, 0, 0], times=200)
    courses = np.unique(np.arctan2(wishes[:, 1], wishes[:, 0]).round(9))
    assert 30 < len(courses) < 100  # one in 1 to 3 seconds, over 100 seconds
    assert courses.min() < -0.6 and courses.max() > 0.6


# Whole tanks


@pytest.mark.film
def test_leaving_is_seen_in_the_recording_and_only_of_those_that_mind():
    """With composure they go on avoiding each other for a while, and leave all the same."""
    group = {"species": "clownfish", "count": 3, "at": [2, 1.5, 1.6], "spread": 0.5, "mind": {"composure": 0.0}}
    groups = [{**group, "habits": {"cold": True}}, group, {**group, "habits": {"warmth": True}}]
    recording = World(Scene.from_dict({**TANKS["warmth"], "fishes": groups}), seed=0).simulate(10 * 24)
    leaves = recording.intention == LEAVE
    assert leaves[24:, :3].mean() > 0.7
    assert not leaves[:, 3:].any()
    sunk = middles(recording)[[0, -1], :, 2]
    assert (sunk[1, :3] < sunk[0, :3] - 0.1).all()


@pytest.mark.film
def test_who_leaves_goes_on_after_being_saved(tmp_path):
    group = {"species": "clownfish", "count": 4, "at": [2.5, 0.5, 0.7], "spread": 0.4, "habits": {"darkness": True}}
    world = World(Scene.from_dict({**TANKS["light"], "fishes": [group]}), seed=2)
    world.simulate(5 * 24)
    world.save(tmp_path / "world.npz")
    ahead, again = world.simulate(48), World.load(tmp_path / "world.npz").simulate(48)
    assert (ahead.intention == LEAVE).any()
    assert np.array_equal(ahead.nodes, again.nodes) and np.array_equal(ahead.intention, again.intention)


def test_who_begins_in_a_good_place_or_does_not_care_never_leaves_it_in_mind():
    scene = Scene.from_dict({"fishes": [{"species": "clownfish", "count": 3, "at": [5, 4, 2], "spread": 1.0}]})
    plain = World(scene, seed=0).simulate(48)
    liked = scene.to_dict()
    liked["fishes"][0]["habits"] = {"cold": True, "warmth": True, "darkness": True, "brightness": True}
    assert np.array_equal(World(Scene.from_dict(liked), seed=0).simulate(48).nodes, plain.nodes)


@pytest.mark.film
@pytest.mark.parametrize("tank", ["warmth", pytest.param("light", marks=pytest.mark.large)])
def test_who_likes_it_one_way_spends_more_time_there_than_who_does_not_care(tank):
    """One seed and a short film; studies/comfort.py asks for how much and of how many."""
    found = shares(tank, seed=0, seconds=36)
    for like in LIKED[tank][:2]:
        assert found[like, like] > 0.5
        assert found[like, like] > found[None, like]
