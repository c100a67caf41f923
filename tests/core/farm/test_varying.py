"""The grammar of many runs: seeds, and numbers of a scene that vary."""

import json

import numpy as np
import pytest

from artfish.core import Scene, SceneError
from artfish.core.farm.varying import Variation, read_seeds, read_variations, variations, varied
from artfish.tests.core.farm.scenes import POND

SCENE = Scene.from_dict(POND)


def test_seeds_are_a_span_or_one():
    assert read_seeds("0-99") == range(100) and read_seeds("7") == range(7, 8)
    for word in ("", "9-3", "-3", "1-", "a", "1.5", "0-99999999999", "0-99 "):
        with pytest.raises(SceneError, match="--seeds: found .* allowed A-B"):
            read_seeds(word)


def test_ranges_and_choices_come_by_keys(tmp_path):
    data = {
        "fishes[0].mind.hunger": {"range": [0.2, 1]},
        "fishes[1].at[2]": {"range": [1, 2]},
        "plankton.count": {"range": [10, 20]},
        "stage.scenery": {"choices": ["reef", "kelp"]},
    }
    (tmp_path / "vary.json").write_text(json.dumps(data))
    found = read_variations(tmp_path / "vary.json", SCENE)
    assert [one.key for one in found] == list(data)
    assert [one.searchable for one in found] == [True, True, False, False]
    dice = np.random.default_rng(1)
    drawn = [{one.key: one.drawn(dice) for one in found} for _ in range(200)]
    assert {type(one["plankton.count"]) for one in drawn} == {int}
    assert {one["plankton.count"] for one in drawn} == set(range(10, 21))
    assert {one["stage.scenery"] for one in drawn} == {"reef", "kelp"}
    for one in drawn:
        scene = Scene.from_dict(varied(SCENE.to_dict(), one))
        assert scene.fishes[0].mind.hunger == one["fishes[0].mind.hunger"] and 0.2 <= scene.fishes[0].mind.hunger <= 1
        assert scene.fishes[1].at == (4, 2, one["fishes[1].at[2]"])
        assert scene.plankton.count == one["plankton.count"] and scene.stage.scenery == one["stage.scenery"]
    assert SCENE == Scene.from_dict(POND)  # what varies is a copy


def test_a_number_may_stand_at_several_places():
    one = Variation("fishes[0].size", low=0.5, high=1.0, also=("fishes[1].size",))
    assert one.placed(0.75) == {"fishes[0].size": 0.75, "fishes[1].size": 0.75}
    scene = Scene.from_dict(varied(SCENE.to_dict(), one.placed(0.75)))
    assert [group.size for group in scene.fishes] == [0.75, 0.75]


def test_a_range_is_gone_through_back_and_forth():
    one = Variation("x", low=2.0, high=4.0)
    shares = [-0.5, 0.0, 0.25, 1.0, 1.5, 2.0, 2.25]
    assert [one.at(share) for share in shares] == [3.0, 2.0, 2.5, 4.0, 3.0, 2.0, 2.5]
    assert one.at(1 / 3) == 2.66667  # as it is written


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({}, "found an empty object, allowed keys of the scene"),
        ({"fish[0]": {"range": [0, 1]}}, "found the unknown key 'fish', allowed name, fps"),
        ({"fishes[9].size": {"range": [1, 2]}}, r"fishes\[9\].size: found \[9\], allowed one of the 2"),
        ({"fishes[0].at[3]": {"range": [1, 2]}}, r"found \[3\], allowed \[0\] to \[2\]"),
        ({"fishes[0].species": {"range": [1, 2]}}, "found a range of what is no number, allowed choices"),
        ({"fishes": {"range": [1, 2]}}, "found a range of what is no number, allowed choices"),
        ({"plankton.count": {"range": [1.5, 2]}}, r"found \[1.5, 2\], allowed two whole numbers from 0 to"),
        ({"fishes[0].mind.hunger": {"range": [0.5, 2]}}, r"found \[0.5, 2\], allowed two numbers from 0 to 1"),
        ({"fishes[0].mind.hunger": {"range": [0.5, 0.2]}}, "the lesser first"),
        ({"fishes[0].mind.hunger": [0, 1]}, 'allowed an object with "range" or "choices"'),
        ({"fishes[0].species": {"choices": []}}, "allowed a list of one value or more"),
        ({"fishes[0]..x": {"choices": [1]}}, "found no key of a scene"),
    ],
)
def test_what_cannot_vary_is_refused_by_a_line(data, line):
    with pytest.raises(SceneError, match=line) as caught:
        variations(data, SCENE, "vary.json")
    assert str(caught.value).startswith("vary.json: ") and "\n" not in str(caught.value)
