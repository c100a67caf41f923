"""The tank is fitted to meshes, to what is selected and to what a camera sees, and new water is in its picture."""

from __future__ import annotations

from math import radians

import bpy
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import tank as tank_module


def water(scene):
    bpy.context.view_layer.update()
    low, size = tank_module.size_of(scene)
    return low, low + size


def cube(size=1.0, **more):
    bpy.ops.mesh.primitive_cube_add(size=size, **more)
    return bpy.context.object


def camera_at(place, look_at, **more):
    data = bpy.data.cameras.new("Camera")
    for name, value in more.items():
        setattr(data, name, value)
    obj = bpy.data.objects.new("Camera", data)
    obj.location = place
    obj.rotation_euler = (Vector(look_at) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.scene.camera = obj
    bpy.context.view_layer.update()
    return obj


def fit(to):
    return bpy.ops.artfish.fit_tank(to=to)


def in_picture(scene, place):
    u, v, depth = world_to_camera_view(scene, scene.camera, place)
    return 0.0 < u < 1.0 and 0.0 < v < 1.0 and depth > 0.0


def test_the_tank_is_round_the_scene_and_stands_where_that_stands(scene):
    cube(2.0, location=(10.0, 0.0, 1.0))
    cube(2.0, location=(14.0, 0.0, 3.0))
    cube(100.0, location=(0.0, 0.0, -50.0))  # the ground
    assert fit("SCENE") == {"FINISHED"}
    low, high = water(scene)
    assert tuple(low) == pytest.approx((9.0 - 1.5, -1.0 - 1.5, 0.0))
    assert tuple(high) == pytest.approx((15.0 + 1.5, 1.0 + 1.5, 4.0 + 1.5))


def test_only_what_is_selected_counts_and_again_it_is_the_same(scene):
    cube(1.0, location=(-5.0, 0.0, 0.5))
    chosen = cube(0.2, location=(3.0, 4.0, 0.1))
    assert bpy.context.selected_objects == [chosen]
    for _ in range(2):
        assert fit("SELECTION") == {"FINISHED"}
        low, high = water(scene)
        assert tuple(low) == pytest.approx((2.4, 3.4, 0.0)) and tuple(high) == pytest.approx((3.6, 4.6, 0.7))
        roles.choose(bpy.context, chosen)
    assert len(roles.objects_of(scene, "TANK")) == 1


def test_nothing_of_ours_is_fitted_to(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    before = water(scene)
    with pytest.raises(RuntimeError, match="no mesh to fit the tank to"):
        fit("SCENE")
    bpy.ops.object.select_all(action="DESELECT")
    with pytest.raises(RuntimeError, match="Nothing is selected"):
        fit("SELECTION")
    with pytest.raises(RuntimeError, match="no camera"):
        fit("CAMERA")
    assert water(scene) == before


def test_fishes_come_along_to_the_same_place_in_the_water(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    shoal = bpy.context.object
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    cube(2.0, location=(30.0, 0.0, 1.0))
    fit("SELECTION")
    low, high = water(scene)
    assert tuple(shoal.location) == pytest.approx(tuple(0.5 * (low + high)), abs=1e-5)
    assert pillar.location.z == pytest.approx(low.z, abs=1e-5) and low.x < pillar.location.x < high.x
    assert pillar.location.x == pytest.approx(low.x + 0.7 * (high.x - low.x), abs=1e-4)


def test_a_camera_has_the_water_that_it_sees(scene):
    cube(4.0, location=(0.0, 10.0, 0.0))
    camera = camera_at((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), sensor_width=36.0, lens=18.0)
    assert fit("CAMERA") == {"FINISHED"}
    low, high = water(scene)
    assert low.y == pytest.approx(0.1, abs=1e-4) and high.y == pytest.approx(8.0, abs=1e-4)
    assert high.x == pytest.approx(8.0, rel=1e-3) and low.x == pytest.approx(-8.0, rel=1e-3)  # 45 degrees to each side
    camera.data.dof.use_dof, camera.data.dof.focus_distance = True, 2.0
    fit("CAMERA")
    assert water(scene)[1].y == pytest.approx(3.0, abs=1e-4)
    bpy.data.objects.remove(bpy.data.objects["Cube"])
    camera.data.dof.use_dof = False
    fit("CAMERA")
    assert water(scene)[1].y == pytest.approx(6.0, abs=1e-4)


def test_the_water_of_a_camera_ends_at_the_ground(scene):
    cube(100.0, location=(0.0, 0.0, -50.0))
    camera_at((0.0, 0.0, 2.0), (0.0, 8.0, 0.0))
    fit("CAMERA")
    assert water(scene)[0].z == pytest.approx(0.0, abs=1e-3)


def test_a_camera_that_draws_parallels_and_centimetres(scene):
    scene.unit_settings.scale_length = 0.01
    cube(400.0, location=(0.0, 600.0, 0.0))
    camera_at((0.0, 0.0, 0.0), (0.0, 1.0, 0.0), type="ORTHO", ortho_scale=300.0)
    fit("CAMERA")
    low, high = water(scene)
    assert high.x - low.x == pytest.approx(3.0, rel=1e-3) and high.y == pytest.approx(4.0, rel=1e-3)


def test_a_tank_of_ones_own_form_is_left_alone(scene):
    own = cube(3.0)
    bpy.ops.artfish.mark(kind="TANK")
    cube(1.0, location=(5.0, 0.0, 0.0))
    with pytest.raises(RuntimeError, match=f"{own.name} is a mesh of its own"):
        fit("SCENE")


@pytest.mark.parametrize(
    ("place", "look_at"), [((20, 20, 5), (30, 30, 0)), ((0, -60, 2), (0, -80, 2)), ((0, 0, 30), (60, 0, 30))]
)
def test_water_is_made_where_the_camera_looks(scene, place, look_at):
    cube(2.0)
    camera = camera_at(place, look_at)
    bpy.ops.artfish.load_preset(preset="grotto")
    low, high = water(scene)
    assert in_picture(scene, 0.5 * (low + high))
    assert scene.camera == camera
    bpy.ops.artfish.clear_water()
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    assert in_picture(scene, bpy.context.object.location)


def test_water_stands_on_the_ground_that_the_camera_looks_at_and_is_hidden_by_nothing(scene):
    cube(200.0, location=(0.0, 0.0, -103.0))
    cube(10.0, location=(0.0, 0.0, 2.0))  # the house
    camera_at((0.0, -30.0, 3.0), (0.0, -20.0, -1.0), lens=35.0)
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    low, high = water(scene)
    assert low.z == pytest.approx(-3.0, abs=1e-3)
    assert in_picture(scene, 0.5 * (low + high)) and high.y < -5.0  # before the house


def test_a_camera_of_a_preset_does_not_lead_the_next(scene):
    bpy.ops.artfish.load_preset(preset="cousto")
    scene.camera.location, scene.camera.rotation_euler = (500.0, 0.0, 0.0), (radians(90.0), 0.0, 0.0)
    bpy.ops.artfish.load_preset(preset="grotto")
    assert abs(water(scene)[0].x) < 10.0
