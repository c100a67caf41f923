"""Shafts of light hang before the camera that films, and before no other."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender.fcurves import write_switch
from artfish.blender_artfish.blender.versions import channelbag
from artfish.blender_artfish.filming.lights import OWN, SHAFTS, hang, hang_light, light
from artfish.blender_artfish.identity import provenance


@pytest.fixture
def scene() -> bpy.types.Scene:
    bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 30
    return bpy.context.scene


def put(name: str, data=None) -> bpy.types.Object:
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def camera_of(name: str) -> bpy.types.Object:
    return put(name, bpy.data.cameras.new(name))


def sheet_before(camera: bpy.types.Object) -> bpy.types.Object:
    sheet = put(f"{SHAFTS} of {camera.name}", bpy.data.meshes.new("sheet"))
    hang(sheet, camera, 5.0)
    return sheet


def shown(sheet: bpy.types.Object, frames=(1, 9, 10, 19, 20, 30)) -> list[bool]:
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        assert sheet.hide_render == sheet.hide_viewport
        found.append(not sheet.hide_render)
    return found


def cut(frame: int, camera: bpy.types.Object | None) -> None:
    bpy.context.scene.timeline_markers.new(f"{frame}", frame=frame).camera = camera


def test_a_sheet_fills_the_picture_of_its_camera(scene):
    camera = camera_of("one")
    camera.data.sensor_width, camera.data.lens = 36.0, 18.0
    sheet = sheet_before(camera)
    assert sheet.parent == camera and sheet.location[:] == (0.0, 0.0, -5.0)
    assert sheet.scale[:] == pytest.approx((10.0,) * 3)


def test_a_camera_gets_a_sheet_like_that_of_the_stage(scene):
    camera = camera_of("one")
    hang_light(scene, camera, 5.0)
    assert not camera.children  # there is none to go by
    foreign, model = (put(name, bpy.data.meshes.new(name)) for name in (f"{SHAFTS} of mine", SHAFTS))
    model[provenance.BAKE], model["other"] = "1", 2
    model.hide_viewport = model.hide_render = True
    write_switch(channelbag(bpy.data.actions.new("there"), model), ["hide_render"], np.array([True, False]))
    hang_light(scene, camera, 5.0)
    (sheet,) = camera.children
    assert sheet.data == model.data and sheet.data != foreign.data and [*sheet.keys()] == [OWN] and sheet[OWN]
    assert not (sheet.hide_viewport or sheet.hide_render) and sheet.animation_data is None
    assert model.animation_data.action is not None and sheet.name in scene.objects


def test_each_sheet_is_there_while_its_camera_films(scene):
    one, two = (camera_of(name) for name in ("one", "two"))
    sheets = [sheet_before(camera) for camera in (one, two)]
    alone = put(f"{SHAFTS} of the stage", bpy.data.meshes.new("sheet"))
    for frame, camera in ((20, one), (10, two), (5, one), (15, None)):  # in no order, and one that is no cut
        cut(frame, camera)
    light(scene)
    assert shown(sheets[0]) == [True, True, False, False, True, True]  # the first camera films before its marker, too
    assert shown(sheets[1]) == [False, False, True, True, False, False]
    assert alone.animation_data is None


def test_without_markers_all_are_there_and_nothing_is_keyed(scene):
    camera = camera_of("one")
    sheet = sheet_before(camera)
    cut(1, camera_of("two"))
    light(scene)
    actions = len(bpy.data.actions)
    assert shown(sheet) == [False] * 6
    scene.timeline_markers.clear()
    light(scene)
    assert shown(sheet) == [True] * 6 and sheet.animation_data is None and len(bpy.data.actions) == actions - 1


def test_what_an_animator_has_keyed_on_a_sheet_stays(scene):
    camera = camera_of("one")
    sheet = sheet_before(camera)
    sheet.keyframe_insert("location", frame=3)
    cut(1, camera)
    light(scene)
    light(scene)  # once more changes nothing
    paths = sorted(curve.data_path for curve in channelbag(sheet.animation_data.action, sheet).fcurves)
    assert paths == ["hide_render", "hide_viewport", *["location"] * 3]
    scene.timeline_markers.clear()
    light(scene)
    assert {curve.data_path for curve in channelbag(sheet.animation_data.action, sheet).fcurves} == {"location"}
    sheet.hide_render = True
    light(scene)  # nor does it show what somebody hid by hand
    assert sheet.hide_render
