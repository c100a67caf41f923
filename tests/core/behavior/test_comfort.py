"""Fishes that like it bright, dark, cold or warm: when they are content, and where it is better (§7.3, §7.5)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, Species
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Characters
from artfish.core.behavior.comfort import Comfort
from artfish.core.behavior.tuning import (
    HAVEN_STEPS,
    LIGHT_EASE_SHARE,
    LIGHT_STEP_SHARE,
    WARMTH_EASE_DEGREES,
    WARMTH_STEP_DEGREES,
)
from artfish.core.habitat.ambient import Ambient
from artfish.core.habitat.obstacles import Obstacles

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
