"""Fishes that like it bright, dark, cold or warm: when they are content, and that they end up there (§7.3, §7.5)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Characters
from artfish.core.behavior.comfort import Comfort
from artfish.core.behavior.intention import LEAVE
from artfish.core.behavior.routines.leave import Leave
from artfish.core.behavior.routines.tuning import STEEPEST_LEAVING
from artfish.core.behavior.tuning import (
    HAVEN_STEPS,
    LIGHT_EASE_SHARE,
    LIGHT_STEP_SHARE,
    WARMTH_EASE_DEGREES,
    WARMTH_STEP_DEGREES,
)
from artfish.core.habitat.ambient import Ambient
from artfish.core.habitat.obstacles import Obstacles
from artfish.studies.comfort import LIKED, TANKS, middles, shares

ONE = np.array([0])
LAYERS = {"surface": 26, "bottom": 14, "depth": 1.0, "thickness": 0.6}
MURK = {"attenuation": 1.0}


def comfort(habits, species="clownfish", light=MURK, temperature=LAYERS, **group) -> Comfort:
    """That of one fish in a tank 4 m deep; nobody in it swims."""
    group |= {"species": species, "habits": habits, "at": [1, 1, 1]}
    scene = Scene.from_dict({"fishes": [group], "light": light, "temperature": temperature})
    models = {species: Species.load(species)}
    characters = Characters.from_scene(scene, models, Dice(0, ONE))
    return Comfort(characters, Ambient.from_scene(scene, Obstacles()), np.array([0.1]))


def at(height: float) -> np.ndarray:
    return np.array([[5.0, 4.0, height]])


HIGH, LOW = at(3.9), at(0.5)  # bright and warm; dark and cold

# Habits, and whether it is content high and low.
TABLE = [
    ({}, True, True),
    ({"brightness": True}, True, False),
    ({"darkness": True}, False, True),
    ({"warmth": True}, True, False),
    ({"cold": True}, False, True),
    ({"brightness": True, "darkness": True}, True, True),
    ({"cold": True, "warmth": True}, True, True),
    ({"cold": False, "darkness": False}, True, True),
    ({"darkness": True, "cold": True}, False, True),
    ({"brightness": True, "cold": True}, False, False),
    ({"brightness": True, "darkness": True, "cold": True}, False, True),
]


@pytest.mark.parametrize(("habits", "high", "low"), TABLE)
def test_who_is_content_where(habits, high, low):
    for place, wanted in ((HIGH, high), (LOW, low)):
        assert comfort(habits).judge(ONE, place)[0] == wanted


def test_predators_cruise_whatever_it_is_like():
    for type, content in (("predator", True), ("prey", False), ("pacifist", False)):
        assert comfort({"cold": True}, type=type).judge(ONE, HIGH)[0] == content


def test_a_group_may_say_what_is_cold_to_it():
    cold = {"cold": True}
    assert comfort(cold, mind={"cold": 27.0}).judge(ONE, HIGH)[0]
    assert not comfort(cold, mind={"cold": 13.0}).judge(ONE, LOW)[0]
    assert not comfort({"darkness": True}, mind={"dark": 0.01}).judge(ONE, LOW)[0]


def test_it_stays_uneasy_until_it_is_somewhat_better_than_it_must_be():
    scene = Scene.from_dict({"light": MURK, "temperature": LAYERS})
    water = Ambient.from_scene(scene, Obstacles())
    for habits, field, bound, ease in (
        ({"cold": True}, "temperature", 18.0, WARMTH_EASE_DEGREES),
        ({"darkness": True}, "brightness", 0.3, 0.3 * LIGHT_EASE_SHARE),
    ):
        fish = comfort(habits)
        heights = np.linspace(3.9, 0.1, 400)
        values = getattr(water, field)(np.concatenate([at(height) for height in heights]))
        down = [fish.judge(ONE, at(height))[0] for height in heights]
        up = [fish.judge(ONE, at(height))[0] for height in heights[::-1]][::-1]
        assert down == (values <= bound - ease).tolist()
        assert up == (values <= bound).tolist()


def test_it_feels_where_it_gets_better_and_by_how_much():
    z = 3.0  # the middle of the thermocline: 2 * 12 K / 2 / 0.6 m
    assert comfort({"cold": True}).better(ONE, at(z))[0] == pytest.approx(
        [0, 0, -20 * 0.1 / WARMTH_STEP_DEGREES], rel=0.02
    )
    assert comfort({"warmth": True}).better(ONE, at(z))[0] == pytest.approx(
        [0, 0, 20 * 0.1 / WARMTH_STEP_DEGREES], rel=0.02
    )
    dim = 2 * np.sinh(0.5 * 0.1 * MURK["attenuation"]) / LIGHT_STEP_SHARE
    assert comfort({"darkness": True}).better(ONE, at(z))[0] == pytest.approx([0, 0, -dim], rel=1e-9)


def test_it_feels_nothing_too_faint_and_nothing_that_suits_it():
    assert not comfort({"cold": True}).better(ONE, at(0.2)).any()  # an even layer, and cold
    assert not comfort({"cold": True}, temperature={}).better(ONE, at(3.0)).any()
    both = comfort({"cold": True, "brightness": True}, temperature={"bottom": 10, "surface": 10})
    assert both.better(ONE, LOW)[0, 2] > 0  # only brightness is wanting


def test_it_remembers_where_it_was_at_ease():
    fish = comfort({"cold": True})
    assert np.isnan(fish.haven).all()
    fish.judge(ONE, LOW)
    fish.judge(ONE, at(3.95))
    assert fish.haven[0].tolist() == LOW[0].tolist()
    back = fish.better(ONE, np.array([[8.0, 4.0, 0.5]]))[0]  # where it feels nothing
    assert back == pytest.approx([-HAVEN_STEPS, 0, 0])


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


def test_leaving_is_seen_in_the_recording_and_only_of_those_that_mind():
    group = {"species": "clownfish", "count": 3, "at": [2, 1.5, 1.6], "spread": 0.5}
    groups = [{**group, "habits": {"cold": True}}, group, {**group, "habits": {"warmth": True}}]
    recording = World(Scene.from_dict({**TANKS["warmth"], "fishes": groups}), seed=0).simulate(10 * 24)
    leaves = recording.intention == LEAVE
    assert leaves[24:, :3].mean() > 0.7
    assert not leaves[:, 3:].any()
    sunk = middles(recording)[[0, -1], :, 2]
    assert (sunk[1, :3] < sunk[0, :3] - 0.1).all()


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


@pytest.mark.parametrize("tank", TANKS)
def test_who_likes_it_one_way_spends_more_time_there_than_who_does_not_care(tank):
    """One seed and a short film; studies/comfort.py asks for how much and of how many."""
    found = shares(tank, seed=0, seconds=36)
    for like in LIKED[tank][:2]:
        assert found[like, like] > 0.5
        assert found[like, like] > found[None, like]
