"""A scene file becomes objects of a Blender scene that say the same."""

from __future__ import annotations

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import Scene
from artfish.core.habitat.movers import ObstacleKeys
from artfish.core.scene.obstacles import MeshObstacle
from artfish.core.scene.water import Water

ROUNDING = 2e-5  # of a float32 in a world matrix, over the size of what it places


@pytest.mark.parametrize("name", Scene.names())
@pytest.mark.parametrize("origin", [(0.0, 0.0, 0.0), (-5.0, 2.5, 1.0)])
def test_a_scene_file_becomes_objects_that_say_the_same(scene, name, origin, same, without_meshes):
    loaded = Scene.load(name)
    scene_writer.write(scene, loaded, origin)
    bpy.context.view_layer.update()
    reading = scene_reader.read(scene)
    assert same(without_meshes(loaded), without_meshes(reading.scene)) == []
    for one, other in zip(loaded.obstacles, reading.scene.obstacles, strict=True):
        if isinstance(one, MeshObstacle):
            assert isinstance(other, MeshObstacle)
            assert other.placed[0] == pytest.approx(one.placed[0], abs=ROUNDING)
            assert (other.placed[1] == one.placed[1]).all()
            for t in np.arange(0.0, (loaded.frames - 1) / loaded.fps, 0.5):
                poses = [ObstacleKeys(each).pose(t) for each in (one, other)]
                assert poses[0][:3] == pytest.approx(poses[1][:3], abs=1e-3)
                assert abs(poses[0][3:] @ poses[1][3:]) == pytest.approx(1.0, abs=1e-6)
    assert tuple(reading.origin) == pytest.approx(origin, abs=ROUNDING)
    assert len(reading.shoals) == len(loaded.fishes)
    assert set(reading.models) == {group.species for group in loaded.fishes}


def test_one_slider_goes_through_the_types_of_water(scene):
    murky = Scene.from_dict({"water": {"type": "III", "turbidity": 0.25}})
    scene_writer.write(scene, murky, (0.0, 0.0, 0.0))
    sea = scene.artfish.sea
    assert sea.on and sea.murk == pytest.approx(4.25)
    for place, kind, turbidity in ((0.0, "I", 0.0), (3.0, "II", 0.0), (5.5, "1", 0.5), (9.0, "9", 0.0)):
        sea.murk = place
        assert (sea.type, sea.turbidity) == (kind, pytest.approx(turbidity, abs=1e-6))
        assert scene_reader.read(scene).scene.water == Water(kind, turbidity)
    scene_writer.write(scene, Scene.from_dict({}), (0.0, 0.0, 0.0))
    assert not sea.on and scene_reader.read(scene).scene.water is None
