"""Marine snow is before the camera, wherever that is, and goes with the water."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.stage.objects import Span, add
from artfish.blender_artfish.stage.snow import SNOW_AHEAD_METRES, SNOW_CUBE_METRES, drift, let_it_snow
from artfish.core.scene.scene import Scene

pytestmark = pytest.mark.versions
SPAN = Span(1, 49, 2.0)


def flakes() -> np.ndarray:
    """Places, (n, 3), and sizes of flakes, in metres."""
    graph = bpy.context.evaluated_depsgraph_get()
    matrices = [each.matrix_world.copy() for each in graph.object_instances if each.is_instance]
    return np.array([[*matrix.translation, max(matrix.to_scale())] for matrix in matrices])


@pytest.fixture
def camera():
    """A camera that looks along y."""
    scene = bpy.context.scene
    scene.camera = add(scene.collection, "Eye", bpy.data.cameras.new("Eye"), (5.0, 1.0, 2.0))
    scene.camera.rotation_euler = (np.pi / 2, 0.0, 0.0)
    return scene.camera


def test_flakes_are_about_what_is_before_the_camera(camera):
    scene = Scene.from_dict({"stage": {"snow": 4.0}})
    let_it_snow(bpy.context.scene.collection, SPAN, scene)
    for place in ((5.0, 1.0, 2.0), (-40.0, 7.0, 3.0)):
        camera.location = place
        bpy.context.view_layer.update()
        found = flakes()
        assert len(found) == round(4.0 * SNOW_CUBE_METRES**3)
        away = found[:, :3] - (camera.location + camera.matrix_world.to_3x3().col[2] * -SNOW_AHEAD_METRES)
        assert np.abs(away).max() <= 0.5 * SNOW_CUBE_METRES + 1e-4
        assert np.abs(away.mean(axis=0)).max() < 0.4 and 0.0 < found[:, 3].max() < 0.004
        edge = np.abs(away).max(axis=1) > 0.49 * SNOW_CUBE_METRES
        assert not edge.any() or found[edge, 3].max() < 2e-4


def test_flakes_go_with_the_current_and_sink(camera):
    flow = {"kind": "uniform", "direction": [1, 0, 0], "strength": 0.1}
    scene = Scene.from_dict({"current": [flow], "stage": {"snow": 2.0}})
    assert drift(scene, SPAN)[-1] == pytest.approx((0.2, 0.0, -0.0024), abs=1e-4)
    later = drift(scene, Span(25, 49, 1.0, begins=1.0))
    assert later == pytest.approx(drift(scene, SPAN)[24:])  # in a part of a film they go on
    let_it_snow(bpy.context.scene.collection, SPAN, scene)
    seen = []
    for frame in (1, 49):
        bpy.context.scene.frame_set(frame)
        seen.append(flakes()[:, :3])
    step = seen[1] - seen[0]
    step -= SNOW_CUBE_METRES * np.round(step / SNOW_CUBE_METRES)  # who left came in on the other side
    assert step == pytest.approx(np.tile((0.2, 0.0, -0.0024), (len(step), 1)), abs=3e-3)


def test_it_does_not_snow_where_nobody_asks_for_it_and_goes_by_seed():
    assert let_it_snow(bpy.context.scene.collection, SPAN, Scene.from_dict({"stage": {"snow": 0.0}})) is None
    places = []
    for seed in (1, 1, 2):
        scene = Scene.from_dict({"stage": {"seed": seed, "snow": 1.0}})
        snow = let_it_snow(bpy.context.scene.collection, SPAN, scene)
        places.append([vertex.co[:] for vertex in snow.data.vertices])
    assert places[0] == places[1] != places[2]
