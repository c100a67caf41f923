"""Wishes as a file holds them, and the lines where one is none."""

import json

import pytest

from artfish.core import Scene, SceneError
from artfish.core.farm.wishes import WishedEvent, read_wishes, wishes_of
from artfish.tests.core.farm.scenes import CAMERA, POND

SCENE = Scene.from_dict(POND)


def test_a_file_is_a_list_of_wishes_and_cameras(tmp_path):
    path = tmp_path / "wishes.json"
    path.write_text(json.dumps([{"event": "ate", "time": [0.5, 1], "weight": 2}, CAMERA]))
    found = read_wishes(path, SCENE)
    assert found.scored == (WishedEvent(event="ate", time=(0.5, 1.0), weight=2.0),)
    assert found.camera("A", SCENE).at == (3.0, -3.0, 1.5)
    path.write_text("{")
    with pytest.raises(SceneError, match="no JSON"):
        read_wishes(path, SCENE)


def test_the_scenes_own_camera_is_one(tmp_path):
    scene = Scene.from_dict({**POND, "camera": {"at": [0, 0, 1], "look_at": [3, 2, 1], "lens": 50}})
    found = wishes_of([{"kind": "picture", "camera": "scene", "fishes": 0}], scene)
    assert found.camera("scene", scene).lens == 50


def test_nothing_is_simulated_beyond_what_any_wish_looks_at():
    scene = Scene.from_dict({**POND, "duration": 60})
    assert wishes_of([{"event": "ate", "time": [4, 12]}], scene).until(scene) == 14
    assert wishes_of([{"event": "ate", "time": [4, 12]}, {"kind": "untouched"}], scene).until(scene) == 60
    assert wishes_of([{"event": "ate", "time": [4, 60]}], scene).until(scene) == 60


@pytest.mark.parametrize(
    ("data", "line"),
    [
        ({}, "found an object of keys and values, allowed a list of 1 to 100 wishes"),
        ([], "found a list of 0|found \\[\\], allowed a list of 1 to 100 wishes"),
        ([CAMERA], "found cameras alone, allowed one wish or more"),
        ([{"event": "ate", "weight": 0}], "found weights that are all 0"),
        ([{"event": "eat"}], r"wishes\[0\].event: found 'eat', allowed one of ate, courtship"),
        ([{"kind": "dance"}], r"wishes\[0\].kind: found 'dance', allowed one of event, picture"),
        ([{"event": "ate", "time": [2, 1]}], r"wishes\[0\].time: found \[2.0, 1.0\], allowed two times in order"),
        ([{"event": "ate", "time": [5, 9]}], r"wishes\[0\].time: .* allowed times before 2 s, the film's end"),
        ([{"event": "ate", "fishes": 2}], r"wishes\[0\].fishes: found 2, allowed 0 to 1"),
        ([{"event": "ate", "whom": 0, "whom_member": 2}], r"wishes\[0\].whom_member: found 2, allowed 0 to 1"),
        ([{"event": "ate", "member": 0}], r"wishes\[0\].member: found member without fishes"),
        (
            [{"event": "ate", "camera": "B"}, CAMERA],
            r"wishes\[0\].camera: found 'B', allowed the name of a camera: 'A'",
        ),
        ([{"event": "ate", "camera": "B"}], "none is there: add one to the wishes, of the kind camera"),
        ([{"event": "ate"}, CAMERA, CAMERA], "found two cameras named 'A', allowed a name for each"),
        ([{"kind": "arrival"}], r"wishes\[0\]: found an arrival, allowed a scene whose direction has one"),
        ([{"kind": "shape", "fishes": 0}], "found no bounds, allowed one or more of polarisation"),
        ([{"kind": "shape", "fishes": 0, "extent": [2, 1]}], r"extent: found \[2.0, 1.0\]"),
        ([{**CAMERA, "look_at": CAMERA["at"]}, {"event": "ate"}], "allowed another place than at"),
    ],
)
def test_what_is_no_wish_is_refused_by_a_line(data, line):
    with pytest.raises(SceneError, match=line) as caught:
        wishes_of(data, SCENE, "wishes.json")
    assert str(caught.value).startswith("wishes.json: ") and "\n" not in str(caught.value)


def test_goals_are_those_of_the_scene():
    arrival = {"kind": "arrival", "fishes": 0, "at": [4, 2, 1], "time": 1.5, "name": "Mark"}
    scene = Scene.from_dict({**POND, "direction": [arrival]})
    assert wishes_of([{"kind": "arrival", "goal": "Mark"}], scene).scored[0].goal == "Mark"
    with pytest.raises(SceneError, match=r"wishes\[0\].goal: found 'Goal', allowed one of 'Mark'"):
        wishes_of([{"kind": "arrival", "goal": "Goal"}], scene)
