"""Learned controllers as data: what is written is read back, and nothing else is."""

from __future__ import annotations

import json

import pytest

from artfish.core import Scene, SceneError, World
from artfish.core.base.codec import encode
from artfish.core.scene.controller import Controller

from ..learned_kinds import controller


@pytest.fixture(scope="module")
def made() -> Controller:
    return controller()


def test_a_controller_is_read_back_as_it_was_written(made, tmp_path):
    made.save(tmp_path / "sardine.json")
    assert Controller.load(tmp_path / "sardine.json") == made


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "artfish controller 2"}, "format: found a controller made by a newer Artfish, this is 1"),
        ({"format": "artfish scene 1"}, "format: found an Artfish scene, allowed an Artfish controller"),
        ({"format": 1}, "format: found 1, allowed 'artfish controller 1'"),
        ({"harmonics": [2.0, 2.0]}, r"harmonics: found \[2.0, 2.0\], allowed 1 to 4 numbers, each once"),
        ({"swims": []}, "swims: found no drill"),
        ({"right": []}, "right: found turns to the left only, allowed turns to both sides, or to none"),
        ({"left": "swims"}, "left: found drills out of order"),
        ({"swims": "backwards"}, "swims: found drills out of order, allowed the slowest first"),
        ({"mean": [0.1] * 3}, r"swims\[0\].mean: found 3 muscles, allowed 16, as the body has"),
        ({"phase": [[0.1] * 16] * 2}, r"swims\[0\].phase: found 2 rows of 16, allowed 1 of 16"),
        ({"amplitude": [["a"] * 16]}, r"swims\[0\].amplitude\[0\]\[0\]: found 'a', allowed a number from 0 to 0.5"),
        ({"speed": 1e9}, r"swims\[0\].speed: found 1000000000.0, allowed a number from 0 to 20"),
        ({"hidden": 1}, "hidden: found an unknown key"),
    ],
)
def test_what_is_not_as_declared_is_refused_in_one_line(made, tmp_path, change, says):
    data = encode(made)
    for key, value in change.items():
        if key in ("mean", "phase", "amplitude", "speed"):
            data["swims"][0][key] = value
        elif isinstance(value, str) and key in ("left", "swims"):
            data[key] = data["swims"][::-1] if key == "swims" else data["swims"]
        else:
            data[key] = value
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SceneError, match=f"wrong.json: {says}") as found:
        Controller.load(path)
    assert "\n" not in str(found.value)


def scene(folder, **group):
    data = {"tank": {"size": [4, 4, 3]}, "fishes": [{"species": "sardine", "at": [2, 2, 1.5], **group}]}
    return Scene.from_dict(data, "swim.json", folder=folder)


def test_a_group_names_the_file_of_its_controller_and_a_scene_carries_what_it_holds(made, tmp_path):
    made.save(tmp_path / "taught.json")
    read = scene(tmp_path, controller="taught.json")
    assert read.fishes[0].controller == made
    assert Scene.from_dict(read.to_dict(), folder=None) == read


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("none.json", "none.json: found no such file, allowed a JSON file"),
        ("../taught.json", r"fishes\[0\].controller: found a file elsewhere, allowed a file beside the scene"),
        (3, r"fishes\[0\].controller: found 3, allowed the path of a file that artfish learn wrote"),
        ({"species": "sardine"}, r"fishes\[0\].controller.time_scale: found nothing, allowed a number"),
    ],
)
def test_a_controller_that_is_none_is_refused(tmp_path, named, says):
    with pytest.raises(SceneError, match=says):
        scene(tmp_path, controller=named)


def test_a_controller_of_another_body_is_refused_and_the_line_says_how_they_differ(made):
    read = scene("", controller=made, species="tuna")
    with pytest.raises(SceneError) as found:
        World(read, seed=1)
    assert found.value.key == "fishes[0].controller" and found.value.file == "swim.json"
    assert "that sardine learned with another body (half_heights 0.0512 for 0.085)" in str(found.value)
    assert "artfish learn tuna" in str(found.value)
