"""Levels of detail as an animator writes them: what is taken, and what is refused in a line."""

import pytest

from artfish.core import Scene, SceneError

CAMERA = {"at": [5, -3, 2], "look_at": [5, 4, 2]}


def scene(detail, **more):
    return Scene.from_dict({"fishes": [{"species": "sardine", "at": [5, 4, 2]}], "detail": detail, **more})


def test_a_scene_without_it_says_nothing_of_it():
    plain = Scene.from_dict({"fishes": []})
    assert plain.detail is None and "detail" not in plain.to_dict() and plain.shots == ()


def test_it_goes_by_the_scenes_own_camera():
    found = scene({}, camera={**CAMERA, "lens": 50})
    assert found.detail.camera is None and not found.detail.follow_camera
    (shot,) = found.shots
    assert (shot.time, shot.at, shot.look_at, shot.lens) == (0.0, (5, -3, 2), (5, 4, 2), 50)
    assert scene({"camera": None}, camera=CAMERA) == scene({}, camera=CAMERA)


def test_it_goes_by_keys_of_its_own():
    keys = [{"time": -1, **CAMERA}, {"time": 2.5, "at": [0, 0, 2], "look_at": [5, 4, 2], "lens": 70}]
    found = scene({"dynamic": 5, "near": 0.2, "camera": keys, "follow_camera": True})
    assert [shot.time for shot in found.shots] == [-1, 2.5] and found.shots[1].lens == 70
    assert Scene.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    ("detail", "line"),
    [
        ({}, "detail.camera: found no camera, allowed keys of one here, the scene's own camera, or a ride"),
        ({"camera": []}, "detail.camera: found [], allowed keys of time, at, look_at and lens, one or more, or null"),
        ({"camera": 5}, "detail.camera: found 5, allowed a list of objects"),
        ({"camera": [CAMERA]}, "detail.camera[0].time: found nothing"),
        ({"camera": [{"time": 0, "at": [0, 0, 0], "look_at": [0, 0, 0]}]}, "detail.camera[0].look_at: found"),
        (
            {"camera": [{"time": 1, **CAMERA}, {"time": 1, **CAMERA}]},
            "detail.camera: found [1.0, 1.0], allowed keys whose times rise",
        ),
        ({"dynamic": -1}, "detail.dynamic: found -1, allowed"),
        ({"dynamic": 2.5}, "detail.dynamic: found 2.5, allowed"),
        ({"near": float("nan")}, "detail.near: found NaN, allowed"),
        ({"budget": 3}, "detail.budget: found an unknown key"),
    ],
)
def test_what_is_not_as_declared_is_refused_in_a_line(detail, line):
    with pytest.raises(SceneError) as refused:
        scene(detail)
    assert line in str(refused.value) and "\n" not in str(refused.value)
