"""The view of a camera, as a world knows it: a picture as wide as its sensor, with all that the camera sees."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.live import pace, views


@pytest.fixture
def camera():
    """One that looks along -y from the height of a metre."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    found = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(found)
    found.location, found.rotation_euler = (0.0, 0.0, 1.0), (0.5 * np.pi, 0.0, np.pi)
    return found


def view():
    bpy.context.view_layer.update()
    return views.view_of(bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def test_without_a_camera_there_is_no_view(camera):
    assert view() is None


@pytest.mark.parametrize("size", [(1920, 1080), (1000, 1000), (1080, 1920), (3000, 1000)])
def test_a_world_has_all_of_a_cameras_picture(camera, size):
    scene = bpy.context.scene
    scene.camera, (scene.render.resolution_x, scene.render.resolution_y) = camera, size
    camera.data.lens = 40.0
    seen = view()
    assert seen.at[:] == pytest.approx((0.0, 0.0, 1.0), abs=1e-6)
    assert seen.ahead[:] == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)
    half = np.array(size) / max(size) * 18.0 / 40.0
    assert 18.0 / seen.lens == pytest.approx(max(half[0], half[1] * 16 / 9), rel=1e-5)


def test_without_perspective_it_is_seen_from_far_off(camera):
    bpy.context.scene.camera = camera
    camera.data.type, camera.data.ortho_scale = "ORTHO", 4.0
    seen = view()
    assert seen.lens == views.LONGEST_MM and seen.at.z == pytest.approx(1.0, abs=1e-4)
    assert seen.at.y * 18.0 / seen.lens == pytest.approx(2.0, rel=1e-4)  # where the camera stands, 4 m wide


@pytest.mark.parametrize("flat", [False, True])
def test_in_a_window_it_is_that_of_the_largest_3d_view(camera, monkeypatch, flat):
    reach = Matrix.Diagonal((1.5, 2.0, 1.0, 1.0))
    sight = SimpleNamespace(
        view_perspective="ORTHO" if flat else "PERSP",
        is_perspective=not flat,
        window_matrix=reach,
        view_matrix=Matrix.Translation((0.0, 0.0, 5.0)).inverted(),
        view_rotation=Matrix.Identity(3).to_quaternion(),
        view_location=Matrix.Identity(4).translation,
    )
    monkeypatch.setattr(pace, "unhurried", lambda: False)
    monkeypatch.setattr(views, "_largest", lambda scene: (SimpleNamespace(camera=camera), sight))
    seen = view()
    assert seen.ahead[:] == pytest.approx((0.0, 0.0, -1.0))
    wide = max(1 / 1.5, 16 / 9 / 2.0)
    if flat:
        assert seen.at.z * 18.0 / seen.lens == pytest.approx(wide)
    else:
        assert seen.at.z == pytest.approx(5.0) and 18.0 / seen.lens == pytest.approx(wide)
    sight.view_perspective = "CAMERA"
    assert view().ahead[:] == pytest.approx((0.0, -1.0, 0.0), abs=1e-6)
