"""Who each fish is: what its species says, and what its group says otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.behavior.character import Characters
from artfish.core.dice import Dice
from artfish.core.species import TYPES, Drives


def characters(*groups: dict, seed: int = 0) -> Characters:
    scene = Scene.from_dict({"fishes": [{"at": [5, 4, 2], **group} for group in groups]})
    models = {group["species"]: Species.load(group["species"]) for group in groups}
    return Characters.from_scene(scene, models, Dice(seed, np.arange(scene.count)))


def test_a_group_may_say_otherwise_than_its_species():
    found = characters(
        {"species": "grouper"},
        {"species": "grouper", "type": "pacifist", "mind": {"p0": 0.005, "D0": 500.0}},
        {"species": "clownfish", "count": 2},
    )
    assert [TYPES[row] for row in found.types] == ["predator", "pacifist", "prey", "prey"]
    assert found.drives["p0"].tolist() == [Drives().p0, 0.005, Drives().p0, Drives().p0]
    assert found.drives["D0"].tolist() == [200.0, 500.0, 200.0, 200.0]
    assert found.drives["q1_h"].tolist() == [0.05] * 4  # the rest stays


def test_habit_of_schooling_is_the_species_or_the_groups():
    found = characters(
        {"species": "sardine"},
        {"species": "sardine", "habits": {"schooling": False}},
        {"species": "clownfish"},
        {"species": "clownfish", "habits": {"schooling": True}},
    )
    assert found.schooling.tolist() == [True, False, False, True]
    assert (found.temperament["schooling"] > 0).tolist() == found.schooling.tolist()


def test_sexes_are_as_asked_and_mixed_by_chance():
    found = characters(
        {"species": "clownfish", "count": 30, "sex": "male"},
        {"species": "clownfish", "count": 30, "sex": "female"},
        {"species": "clownfish", "count": 200},
    )
    assert (found.sexes[:30] == 0).all() and (found.sexes[30:60] == 1).all()
    assert 60 < found.sexes[60:].sum() < 140  # 100 expected, standard deviation 7
    assert not np.array_equal(found.sexes, characters({"species": "clownfish", "count": 260}, seed=1).sexes)


def test_what_group_and_species_together_may_not_say_is_one_clear_line():
    scene = Scene.from_dict({"fishes": [{"species": "clownfish", "at": [5, 4, 2], "mind": {"f1": 0.2}}]})
    with pytest.raises(SceneError, match=r"fishes\[0\]\.mind\.f1: found 0\.2, allowed more than f0"):
        World(scene)


def test_a_species_refuses_thresholds_in_the_wrong_order():
    for mind in ({"f0": 0.5, "f1": 0.5}, {"q1_h": 0.2}, {"q2_l": 0.01}):
        with pytest.raises(SceneError, match="allowed more than"):
            Species.from_dict({"mind": mind})


def test_both_or_neither_of_an_opposed_pair_means_that_it_does_not_care():
    groups = [{"brightness": True}, {"darkness": True}, {"brightness": True, "darkness": True}, {}, {"cold": False}]
    groups += [{"warmth": True}, {"cold": True}, {"cold": True, "warmth": True}]
    found = characters(*({"species": "clownfish", "habits": habits} for habits in groups))
    assert found.light.tolist() == [1, -1, 0, 0, 0, 0, 0, 0]
    assert found.warmth.tolist() == [0, 0, 0, 0, 0, 1, -1, 0]
