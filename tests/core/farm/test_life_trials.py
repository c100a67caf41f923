"""Trials of lives: what leads to food is the nose, what decides a chase the start, and predators cost lives."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from artfish.core import SceneError
from artfish.core.farm.life_trials import LifeTrial
from artfish.core.scene.scene import Scene
from artfish.core.scene.species import Species

GROUPER = Species.load("grouper")


def chased(behind: float, **others) -> LifeTrial:
    return LifeTrial("escape", predator=GROUPER, behind=behind, **others)


@pytest.mark.film
def test_a_fish_finds_bait_by_its_nose_alone():
    tuna = Species.load("tuna")
    without = replace(tuna, mind=replace(tuna.mind, scent=0.0))
    assert LifeTrial("smell").score(tuna, [0, 1]) > 0.4
    assert LifeTrial("smell").score(without, [0, 1]) == 0.0


@pytest.mark.film
def test_who_has_a_start_escapes_and_who_has_none_does_not():
    sardine = Species.load("sardine")
    near, far = (chased(behind).score(sardine, range(5)) for behind in (1.0, 8.0))
    assert near < 0.6 < 0.9 < far


@pytest.mark.film
def test_who_cannot_swim_does_not_escape():
    sardine = Species.load("sardine")
    rhythm = replace(sardine.rhythm, anterior=0.0, posterior=0.0, shoulder=0.0, peduncle=0.0, start=0.0)
    lame = replace(sardine, rhythm=rhythm)
    assert chased(3.0, seconds=6.0).score(lame, range(4)) < chased(3.0, seconds=6.0).score(sardine, range(4))


@pytest.mark.film
def test_a_stronger_predator_costs_lives():
    sardine, limp = Species.load("sardine"), replace(GROUPER.rhythm, anterior=0.1, posterior=0.1, start=0.0)
    weak = replace(GROUPER, rhythm=limp)
    strong, mild = (LifeTrial("survival", seconds=15.0, predator=one).score(sardine, [1, 2]) for one in (GROUPER, weak))
    assert 0.0 < strong < mild <= 1.0


@pytest.mark.film
def test_food_counts_where_nobody_hunts():
    fish = {"species": "sardine", "count": 4, "at": [2, 2, 1], "spread": 0.4, "mind": {"hunger": 1.0}}
    water = {"tank": {"size": [4, 4, 2]}, "duration": 10, "fishes": [fish]}
    scenes = (Scene.from_dict({**water, "plankton": {"count": many}}) for many in (0, 80))
    empty, rich = (LifeTrial("survival", scene=one).life(Species.load("sardine"), 1) for one in scenes)
    assert empty == pytest.approx(0.75) and 0.75 < rich <= 1.0


def test_a_trial_is_the_same_again_from_plain_data():
    scene = Scene.from_dict({"fishes": [{"species": "sardine", "at": [2, 2, 1]}]})
    for one in (chased(3.0), LifeTrial("survival", scene=scene)):
        again = LifeTrial.from_dict(json.loads(json.dumps(one.to_dict())))
        assert again.to_dict() == json.loads(json.dumps(one.to_dict())) and again.predator == one.predator


@pytest.mark.parametrize(
    ("trial", "key"),
    [
        (LifeTrial("smell"), "species: found sardine, which follows no smell"),
        (LifeTrial("escape", predator=Species.load("sardine")), "predator: found sardine as its own predator"),
        (LifeTrial("survival", scene=Scene.load("mating")), "scene: found .* without sardine"),
    ],
)
def test_a_species_that_cannot_be_tried_is_refused_in_a_line(trial, key):
    with pytest.raises(SceneError, match=key):
        trial.refuse(Species.load("sardine"))
