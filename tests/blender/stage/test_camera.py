"""The camera sees the fishes, or stands as the scene says."""

from dataclasses import replace

import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.core.scene.scene import Scene


@pytest.fixture(autouse=True)
def hasty_view() -> None:
    """The camera searches as long as in a bake."""


def test_the_camera_sees_several_fishes_and_stands_in_no_pillar(reef, build_stage):
    scene = build_stage(reef)
    frame = scene.frame_current - scene.frame_start
    seen = [world_to_camera_view(scene, scene.camera, Vector(nodes.mean(axis=0))) for nodes in reef.nodes[frame]]
    assert sum(0 < x < 1 and 0 < y < 1 and z > 0 for x, y, z in seen) >= 3
    for pillar in reef.scene.obstacles:
        assert np.hypot(*(np.array(scene.camera.matrix_world.translation) - pillar.at)[:2]) > pillar.radius + 0.2


def test_the_camera_of_levels_is_the_one_that_films(reef, build_stage):
    keys = [{"time": 0.0, "at": [1.0, -2.0, 1.5], "look_at": [4.0, 4.0, 2.0], "lens": 50.0}]
    keys += [{"time": 1.0, "at": [3.0, -1.0, 1.0], "look_at": [4.0, 5.0, 1.0], "lens": 30.0}]
    scene = build_stage(replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | {"detail": {"camera": keys}})))
    for second, share in ((0.0, 0.0), (0.5, 0.5), (1.0, 1.0)):
        scene.frame_set(scene.frame_start + int(second * reef.fps))
        place, turn, _ = scene.camera.matrix_world.decompose()
        at, target, lens = (
            np.array(keys[0][name]) * (1 - share) + np.array(keys[1][name]) * share
            for name in ("at", "look_at", "lens")
        )
        assert tuple(place) == pytest.approx(at, abs=1e-5)
        assert (turn @ Vector((0, 0, -1))).dot(Vector(target - at).normalized()) == pytest.approx(1.0, abs=1e-5)
        assert scene.camera.data.lens == pytest.approx(lens)


def test_the_scene_may_place_the_camera(reef, build_stage):
    expected = {"at": [1.0, -2.0, 1.5], "look_at": [4.0, 4.0, 2.0], "lens": 50.0}
    scene = build_stage(replace(reef, scene=Scene.from_dict(reef.scene.to_dict() | {"camera": expected})))
    place, turn, _ = scene.camera.matrix_world.decompose()
    assert tuple(place) == pytest.approx(expected["at"])
    ahead = Vector(expected["look_at"]) - Vector(expected["at"])
    assert (turn @ Vector((0, 0, -1))).dot(ahead.normalized()) == pytest.approx(1.0, abs=1e-5)
    assert scene.camera.data.lens == 50.0
