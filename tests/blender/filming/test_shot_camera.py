"""A shot's camera goes along its path, looks at its target, and is sharp at its focus."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.blender import shader_graph
from artfish.blender_artfish.filming.shot_camera import add_shot_camera, turns
from artfish.core.studio.camera_work import CameraPath

pytestmark = pytest.mark.versions
FRAMES = 40


@pytest.fixture
def path():
    """A swing about a place, past straight behind, where angles leap."""
    turn = np.linspace(2.5, 4.5, FRAMES)
    look = np.array([1.0, 2.0, 0.5]) + np.zeros((FRAMES, 3))
    at = look + 2.0 * np.stack((np.cos(turn), np.sin(turn), 0.1 * turn), axis=1)
    return CameraPath(np.arange(FRAMES, dtype=float), at, look, 50.0, np.linspace(2.0, 3.0, FRAMES), (0,))


@pytest.mark.parametrize("unit", [1.0, 0.01])
def test_it_goes_and_looks_as_its_path_says(path, unit):
    scene = bpy.context.scene
    camera = add_shot_camera(scene.collection, "Shot", path, 0.0025, 11, unit)
    for frame in range(0, FRAMES, 7):
        scene.frame_set(11 + frame)
        world = camera.matrix_world
        assert (unit * world.translation - Vector(path.at[frame])).length < 1e-3
        ahead = world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
        assert ahead.angle(Vector(path.look_at[frame] - path.at[frame])) < 1e-3
        assert (world.to_quaternion() @ Vector((1.0, 0.0, 0.0))).z == pytest.approx(0.0, abs=1e-3)  # upright
        assert unit * camera.data.dof.focus_distance == pytest.approx(path.focus[frame], abs=3e-3)


def test_angles_do_not_leap(path):
    assert np.abs(np.diff(turns(path.look_at - path.at), axis=1)).max() < 0.2


def test_without_blur_all_is_sharp(path):
    camera = add_shot_camera(bpy.context.scene.collection, "Shot", path, 0.0, 1)
    assert not camera.data.dof.use_dof and camera.data.animation_data is None


def test_a_fisheye_sees_its_angle_over_the_width_of_the_picture(path, tmp_path):
    scene = bpy.context.scene
    still = replace(path, at=path.at[:1] * 0.0, look_at=path.at[:1] * 0.0 + (0.0, 1.0, 0.0), focus=path.focus[:1])
    scene.camera = add_shot_camera(scene.collection, "Shot", still, 0.0025, 1, fisheye=180.0)
    material = bpy.data.materials.new("Lamp")
    shader_graph.retouch(material, _shine)
    for angle in (-60.0, 0.0, 30.0):  # to the right
        away = np.radians(angle)
        bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(5 * np.sin(away), 5 * np.cos(away), 0.0))
        bpy.context.object.data.materials.append(material)
    scene.render.engine, scene.render.resolution_x, scene.render.resolution_y = "CYCLES", 90, 30
    scene.cycles.samples, scene.cycles.use_denoising = 4, False
    scene.render.filepath = str(tmp_path / "round.png")
    bpy.ops.render.render(write_still=True)
    row = np.array(bpy.data.images.load(scene.render.filepath).pixels[:]).reshape(30, 90, 4)[14:16, :, 0].max(axis=0)
    lit = np.flatnonzero(row > 0.3)
    assert [any(abs(lit - (45 + angle / 2)) < 1.6) for angle in (-60.0, 0.0, 30.0)] == [True] * 3
    assert not scene.camera.data.dof.use_dof


def _shine(graph):
    glow = graph.node("ShaderNodeEmission", {"Color": (1.0, 1.0, 1.0), "Strength": 5.0})["Emission"]
    shader_graph.output(graph, Surface=glow)
