"""Instructions and marks are kept in a Blender scene, and obstacles have the names of their objects."""

from __future__ import annotations

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import Scene, SceneError


@pytest.fixture
def scene():
    """The scene of an empty file with the add-on."""
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


def test_they_come_back_with_the_names_of_objects(scene):
    loaded = Scene.load("hide_and_seek")
    scene_writer.write(scene, loaded, (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = scene_reader.read(scene).scene
    assert found.instructions == loaded.instructions
    assert [one.name for one in found.obstacles] == [one.name for one in loaded.obstacles]
    scene.objects["rock 1"].name = "stone"
    assert [one.name for one in scene_reader.read(scene).scene.obstacles][0] is None


def test_a_scene_without_any_has_none_and_names_nothing(scene):
    scene_writer.write(scene, Scene.load("hide_and_seek"), (0.0, 0.0, 0.0))
    scene_writer.write(scene, Scene.load("preying"), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    found = scene_reader.read(scene).scene
    assert found.instructions == () and all(one.name is None for one in found.obstacles)


@pytest.mark.parametrize("text", ["{", '{"instructions": [{"fishes": 0, "do": "fly"}]}'])
def test_what_cannot_be_read_is_said(scene, text):
    scene_writer.write(scene, Scene.load("hide_and_seek"), (0.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    scene.artfish.instructions = text
    with pytest.raises(SceneError):
        scene_reader.read(scene)
