"""Blender's cameras see places where their optics say: any sensor, shift, and pixels that are not square."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.dataset.lenses import optics_of, picture_size, refuse_lens
from artfish.core.base.codec import SceneError

PLACES = np.array([[0.1, 0.2, 2.0], [-0.3, 0.05, 1.0], [0.02, -0.4, 3.0]])
"""In the camera's axes: right, down, ahead."""


@pytest.fixture
def camera():
    """The camera of the open scene, at the origin, which looks down."""
    found = bpy.data.objects.new("Eye", bpy.data.cameras.new("Eye"))
    bpy.context.scene.collection.objects.link(found)
    bpy.context.scene.camera = found
    bpy.context.view_layer.update()
    return found


@pytest.mark.parametrize("fit", ["AUTO", "HORIZONTAL", "VERTICAL"])
@pytest.mark.parametrize("size", [(160, 90), (90, 160), (100, 100)])
@pytest.mark.parametrize("pixel", [(1.0, 1.0), (1.0, 2.0), (1.5, 1.0)])
def test_blender_sees_places_where_the_optics_say(camera, fit, size, pixel):
    from bpy_extras.object_utils import world_to_camera_view

    scene, lens = bpy.context.scene, camera.data
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.pixel_aspect_x, scene.render.pixel_aspect_y = pixel
    lens.sensor_fit, lens.sensor_width, lens.sensor_height, lens.lens = fit, 30.0, 20.0, 40.0
    lens.shift_x, lens.shift_y = 0.15, -0.25
    optics = optics_of(camera, scene)
    for place, pixel_of in zip(PLACES, optics.pixels(PLACES), strict=True):
        x, y, _ = world_to_camera_view(scene, camera, Vector((place[0], -place[1], -place[2])))
        assert np.allclose(pixel_of, [x * size[0], (1.0 - y) * size[1]], atol=1e-3)


def test_a_picture_has_the_size_of_the_render():
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y, render.resolution_percentage = 1921, 1081, 50
    assert picture_size(bpy.context.scene) == (960, 540)


@pytest.mark.parametrize(("kind", "word"), [("ORTHO", "orthographic"), ("PANO", "panoramic")])
def test_other_lenses_are_refused(camera, kind, word):
    camera.data.type = kind
    with pytest.raises(SceneError, match=word):
        refuse_lens(camera)
