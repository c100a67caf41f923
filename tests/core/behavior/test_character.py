"""The character of each fish: that of its species, but where its group says otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.base.dice import Dice
from artfish.core.behavior.character import Characters
from artfish.core.scene.species import TYPES
from artfish.core.scene.temperament import Drives


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


def test_a_member_may_say_otherwise_than_its_group():
    members = [
        {"index": 1, "sex": "female", "habits": {"darkness": True, "schooling": False}, "mind": {"p0": 0.01}},
        {"index": 3, "type": "pacifist", "leader": True},
    ]
    school = {"species": "sardine", "count": 4, "sex": "male", "habits": {"warmth": True}, "mind": {"D0": 300.0}}
    found = characters({"species": "grouper"}, {**school, "members": members}, {"species": "sardine"})
    assert found.sexes[1:5].tolist() == [0, 1, 0, 0]
    assert found.light.tolist() == [0, 0, -1, 0, 0, 0]
    assert found.warmth.tolist() == [0, 1, 1, 1, 1, 0]
    assert found.schooling.tolist() == [False, True, False, True, True, True]
    assert found.leads.tolist() == [False] * 4 + [True, False]
    assert [TYPES[row] for row in found.types] == ["predator", "prey", "prey", "prey", "pacifist", "prey"]
    assert found.drives["p0"].tolist() == [Drives().p0, Drives().p0, 0.01, *[Drives().p0] * 3]
    assert found.drives["D0"].tolist() == [200.0, *[300.0] * 4, 200.0]


def test_a_member_without_a_word_of_its_own_changes_no_dice():
    groups = [{"species": "clownfish", "count": 20}], [{"species": "clownfish", "count": 20, "members": [{"index": 7}]}]
    first, second = (characters(*of) for of in groups)
    assert np.array_equal(first.sexes, second.sexes) and np.array_equal(first.drives, second.drives)


@pytest.mark.parametrize(
    ("members", "line"),
    [
        ([{"index": 5}], r"fishes\[0\].members\[0\].index: found 5, allowed 0 to 4, a fish of the group"),
        ([{"index": 1}, {"index": 1}], r"fishes\[0\].members\[1\].index: found 1 twice, allowed each fish once"),
        ([{"sex": "male"}], r"fishes\[0\].members\[0\].index: found nothing, allowed a whole number"),
        ([{"index": 1, "sex": "mixed"}], r"fishes\[0\].members\[0\].sex: found 'mixed', allowed one of male, female"),
        ([{"index": 1, "mind": {"f1": 0.2}}], r"fishes\[0\].members\[0\].mind.f1: found 0.2, allowed more than f0"),
    ],
)
def test_a_member_that_cannot_be_is_one_line(members, line):
    with pytest.raises(SceneError, match=line):
        World(Scene.from_dict({"fishes": [{"species": "sardine", "count": 5, "at": [5, 4, 2], "members": members}]}))


def test_members_stay_in_the_file(tmp_path):
    member = {"index": 2, "sex": "female", "leader": False, "habits": {"cold": True}, "mind": {"hunger": 0.9}}
    scene = Scene.from_dict({"fishes": [{"species": "sardine", "count": 5, "at": [5, 4, 2], "members": [member]}]})
    scene.save(tmp_path / "scene.json")
    assert Scene.load(tmp_path / "scene.json") == scene
    assert scene.to_dict()["fishes"][0]["members"] == [member]


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


def test_the_share_of_females_is_what_the_group_asks_for():
    fishes = 4000
    for share in (0.0, 0.2, 0.5, 1.0):
        group = {"species": "sardine", "count": fishes, "females": share}
        four_sigma = 4 * (share * (1 - share) / fishes) ** 0.5
        assert characters(group, seed=3).sexes.mean() == pytest.approx(share, abs=four_sigma)


def test_a_shoals_own_seed_changes_it_and_nobody_else():
    def starts(seed: int) -> np.ndarray:
        group = {"species": "sardine", "count": 5, "spread": 0.5}
        fishes = [{**group, "at": [2, 2, 2], "seed": seed}, {**group, "at": [8, 6, 2]}]
        return World(Scene.from_dict({"fishes": fishes}), seed=1).nodes

    one, other = starts(0), starts(7)
    assert (one[5:] == other[5:]).all()
    assert (one[:5] != other[:5]).any(axis=(1, 2)).all()
