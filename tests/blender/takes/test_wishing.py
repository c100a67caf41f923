"""Wishes of the panel are those of a wish file."""

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.tank import size_of
from artfish.blender_artfish.takes.wishing import wishes_data
from artfish.core.base.codec import SceneError
from artfish.core.farm.views import camera_path
from artfish.core.farm.wishes import WishedEvent, WishedPicture, WishedShape, WishedView, wishes_of


def filming(scene, name="Close", **data):
    """A camera that looks at the fishes, a little downwards and from a side."""
    camera = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    for key, value in data.items():
        setattr(camera.data, key, value)
    scene.collection.objects.link(camera)
    camera.location = bpy.context.object.location + Vector((1.5, -3.0, 0.5)) / scene.unit_settings.scale_length
    camera.rotation_euler = (bpy.context.object.location - camera.location).to_track_quat("-Z", "Y").to_euler()
    bpy.context.view_layer.update()
    return camera


def only_wish(scene):
    return wishes_of(wishes_data(scene), read(scene).scene)


def test_an_event_with_who_whom_and_when(scene):
    first = bpy.context.object
    bpy.ops.artfish.add_shoal(species="grouper", count=1)
    wish = scene.artfish_takes.wishes[0]
    wish.kind, wish.fishes, wish.whom = "event", bpy.context.object, first
    wish.event.event, wish.weight = "ate", 3.0
    wish.use_time, wish.begin, wish.end = True, 7, 13
    (one,) = wishes_of(wishes_data(scene), read(scene).scene).scored
    assert one == WishedEvent(event="ate", fishes=1, whom=0, weight=3.0, time=(0.25, 0.5))


def test_frames_out_of_order_are_named(scene):
    wish = scene.artfish_takes.wishes[0]
    wish.use_time, wish.begin, wish.end = True, 20, 10
    with pytest.raises(SceneError, match="wish 1.*frames 20 to 10"):
        wishes_data(scene)


@pytest.mark.parametrize("unit", [1.0, 0.5])
@pytest.mark.parametrize(("size", "sensor"), [((1920, 1080), "AUTO"), ((800, 1200), "AUTO"), ((1200, 800), "VERTICAL")])
def test_a_camera_sees_places_where_blender_sees_them(scene, unit, size, sensor):
    scene.unit_settings.scale_length = unit
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.artfish_takes.wishes[0].kind = "picture"
    camera = scene.artfish_takes.wishes[0].camera = filming(scene, lens=40.0, sensor_width=24.0, sensor_fit=sensor)
    (seen,) = (one for one in only_wish(scene).wishes if one.kind == "camera")
    assert seen.ratio == pytest.approx(size[0] / size[1], rel=1e-5)
    low = np.array(size_of(scene)[0])
    places = np.array(bpy.context.object.location) * unit + np.array([[0, 0, 0], [0.3, 0.1, 0.2], [-0.4, 0.5, -0.3]])
    x, y, _ = camera_path(seen, np.zeros(1, int)).picture((places - low)[None])
    for right, up, place in zip(x[0], y[0] * seen.ratio, places, strict=True):
        there = world_to_camera_view(scene, camera, Vector(place / unit))
        assert (0.5 + right, 0.5 + up) == pytest.approx(there[:2], abs=1e-4)


def test_what_a_camera_is_to_see(scene):
    settings, shoal = scene.artfish_takes, bpy.context.object
    camera = filming(scene)
    for kind in ("unhidden", "event"):
        bpy.ops.artfish.wish_add()
        settings.wishes[-1].kind = kind
    settings.wishes[0].kind = "picture"
    for wish in settings.wishes:
        wish.camera, wish.fishes = camera, shoal
    settings.wishes[0].picture.share, settings.wishes[0].picture.clear = 0.75, True
    event = settings.wishes[2]
    event.event.event, event.size, event.place, event.radius = "fed", 0.25, camera, 2.0
    found = only_wish(scene)
    picture, view, happens = found.scored
    assert picture == WishedPicture(kind="picture", fishes=0, camera="camera Close", share=0.75, clear=True)
    assert view == WishedView(kind="unhidden", fishes=0, camera="camera Close")
    (seen,) = (one for one in found.wishes if one.kind == "camera")  # one, whoever names it
    assert (happens.camera, happens.size, happens.at, happens.radius) == ("camera Close", 0.25, seen.at, 2.0)
    assert found.first_camera(read(scene).scene) == seen


def test_a_shape_within_bounds(scene):
    wish = scene.artfish_takes.wishes[0]
    wish.kind, wish.fishes = "shape", bpy.context.object
    wish.shape.use_polarisation, wish.shape.polarisation = True, (0.5, 1.0)
    assert only_wish(scene).scored == (WishedShape(kind="shape", fishes=0, polarisation=(0.5, 1.0)),)


@pytest.mark.parametrize("kind", ["picture", "unhidden", "shape"])
def test_what_is_missing_is_named(scene, kind):
    scene.artfish_takes.wishes[0].kind = kind
    with pytest.raises(SceneError, match="wish 1: found no " + ("shoal" if kind == "shape" else "camera")):
        wishes_data(scene)


def test_a_camera_without_perspective_is_named(scene):
    wish = scene.artfish_takes.wishes[0]
    wish.kind, wish.camera = "picture", filming(scene, type="ORTHO")
    with pytest.raises(SceneError, match="Close, a camera without perspective"):
        wishes_data(scene)


def test_a_camera_that_was_deleted_is_none(scene):
    wish = scene.artfish_takes.wishes[0]
    wish.kind, wish.camera = "picture", filming(scene)
    scene.collection.objects.unlink(wish.camera)
    with pytest.raises(SceneError, match="Close, which is not in this scene"):
        wishes_data(scene)
