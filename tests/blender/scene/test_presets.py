"""Presets come to stand clear of other objects, say whose time counts, and give back all that they took."""

from __future__ import annotations

import bpy
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import tank as tank_module
from artfish.blender_artfish.scene.presets import usual_timing
from artfish.core import Scene
from artfish.tests.blender import files


@pytest.fixture
def new_file():
    """The file that Blender begins with: a cube, a light and a camera."""
    files.new_file(empty=False)
    return bpy.context.scene


def water(scene):
    bpy.context.view_layer.update()
    return tank_module.size_of(scene)


def load(name, **options):
    assert bpy.ops.artfish.load_preset(preset=name, **options) == {"FINISHED"}


@pytest.mark.usefixtures("scene")
def test_a_scene_has_its_camera_again_once_a_preset_is_replaced(new_file):
    before = new_file.camera
    load("cousto")
    assert new_file.camera != before
    load("go_fish")
    load("grotto")  # has none of its own
    assert new_file.camera == before
    load("cousto")
    assert bpy.ops.artfish.clear_water() == {"FINISHED"}
    assert new_file.camera == before and not roles.objects_of(new_file)
    load("cousto")
    bpy.data.objects.remove(before)
    load("grotto")
    assert new_file.camera is None


@pytest.mark.usefixtures("scene")
def test_a_preset_stands_behind_what_is_seen_and_says_the_same(new_file, same, without_meshes):
    new_file.camera = None  # a camera that sees nothing of that would lead it elsewhere
    load("grotto")
    low, _ = water(new_file)
    assert low.y > 1.0 and low.x == pytest.approx(-3.25) and low.z == 0.0
    assert same(without_meshes(Scene.load("grotto")), without_meshes(scene_reader.read(new_file).scene)) == []
    bpy.data.objects["Cube"].hide_set(True)
    load("grotto")
    assert tuple(water(new_file)[0]) == pytest.approx((-3.25, -2.5, 0.0))


def test_what_is_instanced_stands_in_the_way_too(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    brick = bpy.context.object
    pile = bpy.data.collections.new("Pile")
    pile.objects.link(brick)
    scene.collection.objects.unlink(brick)
    bearer = bpy.data.objects.new("Pile", None)
    bearer.instance_type, bearer.instance_collection, bearer.location = "COLLECTION", pile, (0.0, 3.0, 0.0)
    scene.collection.objects.link(bearer)
    load("feeding")
    assert water(scene)[0].y < 3.5  # 2 m deep to each side: clear already
    bearer.location.y = 1.0
    load("feeding")
    assert water(scene)[0].y >= 1.5


def test_the_cursor_says_where_and_the_corner_may_be_the_origin(scene):
    scene.cursor.location = (10.0, 20.0, 1.0)
    load("feeding")
    assert tuple(water(scene)[0]) == pytest.approx((7.5, 18.0, 1.0))
    bpy.ops.mesh.primitive_cube_add(location=(10.0, 20.0, 1.0))
    load("feeding", place="CURSOR")
    assert tuple(water(scene)[0]) == pytest.approx((7.5, 18.0, 1.0))
    load("feeding", place="ORIGIN")
    assert tuple(water(scene)[0]) == (0.0, 0.0, 0.0)


def test_centimetres_are_no_matter_to_the_place(scene):
    scene.unit_settings.scale_length = 0.01
    scene.cursor.location = (100.0, 0.0, 0.0)
    bpy.ops.mesh.primitive_cube_add(size=200.0, location=(100.0, 0.0, 0.0))
    load("feeding")
    low, size = water(scene)
    assert low.x == pytest.approx(1.0 - 2.5) and low.y == pytest.approx(1.2) and size.x == pytest.approx(5.0)


def test_frame_rate_and_frames_are_kept_or_taken_and_said(scene, capfd):
    scene.render.fps, scene.frame_end = 30, 90
    load("feeding", timing="KEEP")
    assert (scene.render.fps, scene.frame_end) == (30, 90)
    assert "kept 30 fps, frames 1 to 90 (it is made for 24 fps and 480 frames)" in capfd.readouterr().out
    load("feeding")
    assert (scene.render.fps, scene.frame_end) == (24, 480)
    assert "24 fps, frames 1 to 480 (before: 30 fps, frames 1 to 90)" in capfd.readouterr().out


def test_where_something_is_keyed_the_time_of_the_file_counts_unless_it_is_said(scene):
    load("directed")  # keys of our own are no matter
    assert usual_timing(scene) == "TAKE"
    bpy.ops.mesh.primitive_cube_add(location=(0.0, -9.0, 0.0))
    bpy.context.object.keyframe_insert("location", frame=1)
    assert usual_timing(scene) == "KEEP"


def test_keys_of_a_kept_time_fall_on_the_same_seconds(scene):
    scene.render.fps = 30
    load("directed", timing="KEEP")
    bpy.context.view_layer.update()
    written, read = (each.to_dict()["wants"] for each in (Scene.load("directed"), scene_reader.read(scene).scene))
    seconds = [[key[0] for want in wants for key in want["keys"]] for wants in (written, read)]
    assert scene.render.fps == 30 and len(seconds[0]) > 1
    assert seconds[1] == pytest.approx(seconds[0], abs=0.02)


def test_another_scene_comes_in_beside_what_is_there(scene, capfd):
    bpy.ops.artfish.add_shoal(species="blue_tang", count=3)
    shoal = bpy.context.object
    place = tuple(shoal.location)
    scene.frame_end = 77
    load("go_fish", mode="ADD")
    low, size = water(scene)
    assert tuple(size) == pytest.approx((9.0, 4.0, 2.5)) and low.x == pytest.approx(-2.0)
    assert tuple(shoal.location) == place and scene.frame_end == 77
    assert scene.camera is not None  # there was none
    read = scene_reader.read(scene).scene
    assert read.count == 3 + Scene.load("go_fish").count and read.hook is not None
    said = capfd.readouterr().out
    assert "added; the water is 9 × 4 × 2.5 m now; kept 24 fps, frames 1 to 77" in said
    load("go_fish", mode="ADD")
    assert "without its plankton, hook and camera" in capfd.readouterr().out
    bpy.context.view_layer.update()
    assert scene_reader.read(scene).scene.count == 3 + 2 * Scene.load("go_fish").count
    leaders = [obj.artfish.direction.fishes for obj in roles.objects_of(scene, "DIRECTION")]
    assert len(set(leaders)) == len(leaders) or not leaders


def test_what_leads_the_fishes_of_an_added_scene_leads_those(scene):
    bpy.ops.artfish.add_shoal(species="blue_tang", count=3)
    first = bpy.context.object
    load("directed", mode="ADD")
    led = {obj.artfish.direction.fishes for obj in roles.objects_of(scene, "DIRECTION")}
    assert led and first not in led


def test_water_that_cannot_grow_takes_what_fits_and_refuses_the_rest(scene):
    bpy.ops.mesh.primitive_cube_add(size=6.0, location=(0.0, 0.0, 3.0))
    tank = bpy.context.object
    bpy.ops.artfish.mark(kind="TANK")
    load("feeding", mode="ADD")
    assert water(scene)[1].x == pytest.approx(6.0) and scene_reader.read(scene).scene.count == 11
    with pytest.raises(RuntimeError, match=r"Cube: found water of 6 × 6 × 6 m, allowed 9 × 6 × 3 m for .*Replace"):
        load("cousto", mode="ADD")
    assert scene_reader.read(scene).scene.count == 11
    load("cousto")
    assert tank.artfish.kind == "NONE" and tank.name in scene.objects


def test_what_hangs_on_something_that_goes_stays_where_it_is(scene):
    load("feeding")
    bpy.ops.mesh.primitive_cube_add(location=(1.0, 2.0, 3.0))
    mine = bpy.context.object
    mine.parent = roles.objects_of(scene, "TANK")[0]
    bpy.context.view_layer.update()
    place = tuple(mine.matrix_world.translation)
    load("mating")
    bpy.context.view_layer.update()
    assert tuple(mine.matrix_world.translation) == pytest.approx(place)
