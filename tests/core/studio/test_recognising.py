"""Files that somebody hands over are known by what they say and hold."""

import json

import pytest

from artfish.core import Scene, SceneError, Species, World
from artfish.core.base.files import preset_folder
from artfish.core.studio.recognising import KnownFile, recognised

SCENE = {"name": "two kinds", "tank": {"size": [4, 3, 2.5]}}
SCENE["fishes"] = [
    {"species": name, "count": count, "at": [2, 1.5, 1]} for name, count in (("clownfish", 3), ("sardine", 1))
]


def write(path, data):
    path.write_text(json.dumps(data))
    return path


def test_a_scene_by_hand_is_known_by_its_keys(tmp_path):
    found = recognised(write(tmp_path / "mine.json", SCENE))
    assert found == KnownFile("scene", "the scene two kinds, 4 fishes of 2 species in 4 x 3 x 2.5 m of water")


def test_a_saved_scene_is_known_by_its_format(tmp_path):
    Scene.load("hunt").save(tmp_path / "saved.json")
    assert recognised(tmp_path / "saved.json").kind == "scene"


def test_a_species_is_known(tmp_path):
    Species.load("clownfish").save(tmp_path / "clownfish.json")
    assert recognised(tmp_path / "clownfish.json").kind == "species"
    assert recognised(preset_folder("species") / "tuna.json").kind == "species"


def test_a_recording_says_what_it_is_of(tmp_path):
    scene = Scene.from_dict(SCENE | {"fishes": SCENE["fishes"][1:], "name": "alone", "fps": 24})
    World(scene).simulate(frames=12).save(tmp_path / "alone.npz")
    assert recognised(tmp_path / "alone.npz") == KnownFile("recording", "a recording of alone, 0.5 s with 1 fish")


def test_a_table_of_tracks_says_how_many_and_how_long(tmp_path):
    lines = [f"{frame},{fish},0.5,1" for frame in range(3, 9) for fish in "ab"]
    (tmp_path / "tank.csv").write_text("frame,id,x,y\n" + "\n".join(lines) + "\n")
    assert recognised(tmp_path / "tank.csv") == KnownFile("tracks", "tracks of 2 fishes over 6 frames")


def test_a_model_is_not_opened(tmp_path):
    assert recognised(tmp_path / "salmon.GLB") == KnownFile("model", "the model salmon")


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a.txt", "", "a file '.txt'"),
        ("a", "", "a file without an ending"),
        ("a.json", '{"colour": 3}', "neither fishes nor a body in it"),
        ("a.json", '{"format": "artfish ride 2"}', "an Artfish ride"),
        ("a.json", '{"format": "artfish "}', "neither fishes nor a body in it"),
        ("a.json", '{"fishes": [{"species": "whale", "at": [1, 1, 1]}]}', "whale"),
        ("a.npz", "no archive", "a.npz"),
    ],
)
def test_others_are_refused_in_a_line(tmp_path, name, text, found):
    (tmp_path / name).write_text(text)
    with pytest.raises(SceneError, match=found) as refused:
        recognised(tmp_path / name)
    assert "\n" not in str(refused.value)
