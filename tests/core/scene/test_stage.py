"""Stages that a scene may have."""

import pytest

from artfish.core.base.codec import SceneError
from artfish.core.scene.scene import Scene
from artfish.core.scene.stage import Stage


def test_a_scene_that_says_nothing_of_its_stage_has_a_reef():
    assert Scene.from_dict({}).stage == Stage() and Stage().scenery == "reef" and Stage().painted is None


def test_a_stage_comes_back_as_it_was_written():
    data = {"stage": {"scenery": "kelp", "seed": 3, "painted": [[0.0, 1.0, 0.5], [0.25, 0.0, 1.0]]}}
    written = Scene.from_dict(data).to_dict()["stage"]
    assert written.items() >= data["stage"].items() and Scene.from_dict({"stage": written}) == Scene.from_dict(data)


@pytest.mark.parametrize(
    ("stage", "key", "found"),
    [
        ({"scenery": "moon"}, "stage.scenery", "moon"),
        ({"growth": 9}, "stage.growth", "9"),
        ({"painted": [[1.0, 0.0], [1.0]]}, "stage.painted", "2 rows of 1, 2"),
        ({"painted": [[1.0, 0.0]]}, "stage.painted", "1 rows"),
        ({"painted": [[1.0, 2.0], [1.0, 0.0]]}, "stage.painted", "2"),
    ],
)
def test_a_stage_that_is_not_as_declared_is_refused_by_its_key(stage, key, found):
    with pytest.raises(SceneError) as error:
        Scene.from_dict({"stage": stage})
    assert key in str(error.value) and found in str(error.value)
