"""The dive as scripts have it: by a list of orders, among fishes that play live, into an ordinary keyed camera."""

import json

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.blender.versions import channelbags
from artfish.blender_artfish.dive.logbook import Logbook, berth, ride_from
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.scene.reader import read
from artfish.core import Scene, World
from artfish.core.base.vectors import vector
from artfish.core.scene.ride import Ride
from artfish.tests.blender.live.tank import go


def dive(**given) -> bpy.types.Object:
    assert bpy.ops.artfish.dive(**given) == {"FINISHED"}
    return bpy.context.scene.camera


def test_nobody_dives_where_nothing_plays(scene):
    with pytest.raises(RuntimeError, match="Press Play first"):
        bpy.ops.artfish.dive()


def test_orders_become_an_ordinary_keyed_camera(scene, session, orders):
    go(6)
    camera = dive(orders=orders, frames=30, location=(0.0, 0.0, 1.0), heading=0.3)
    assert scene.frame_current == 36 and session.world.submarine is not None
    poses = session.recording().submarine
    for frame in (6, 20, 36):
        scene.frame_set(frame)
        pose = poses[frame - session.first]
        bow = Vector(pose[:3] + 0.5 * scene.artfish_dive.length * vector(pose[3], pose[4])) + session.origin
        assert (camera.matrix_world.translation - bow).length < 1e-3
        ahead = camera.matrix_world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
        assert ahead.dot(Vector(vector(pose[3], pose[4]))) > 1.0 - 1e-5
    assert poses[5, 3] == pytest.approx(0.3, abs=1e-6) and poses[35, 3] > 0.35
    (bag,) = channelbags(camera)
    assert len(bag.fcurves) == 6 and not camera.constraints
    (begin, *_, end) = bag.fcurves[0].keyframe_points
    assert (begin.co.x, end.co.x) == (6, 36)
    camera.location.x += 1.0
    assert camera.keyframe_insert("location", frame=20)  # it can be edited


def test_a_bake_lives_through_the_same_ride(scene, session, orders):
    go(4)
    dive(orders=orders, frames=20)
    ride = read(scene).scene.ride
    assert [order.order for order in ride.orders] == ["accelerate", "left"] and ride.start == 3 / 24
    lived = session.recording()
    again = World(read(scene).scene, seed=scene.artfish.seed).simulate(lived.frames)
    there = slice(3, None)  # before, a recording that had no ride yet has no submarine
    assert np.array_equal(again.submarine[there], lived.submarine[there])
    assert np.array_equal(again.nodes, lived.nodes)


def test_a_dive_is_one_step_of_undo(scene, session, orders):
    go(5)
    bpy.ops.ed.undo_push(message="Played")
    cameras, film = set(bpy.data.cameras.keys()), scene.camera
    dive(orders=orders, frames=10)
    bpy.ops.ed.undo_push(message="Dived")
    assert len(bpy.data.cameras) == len(cameras) + 1
    acts = session.rehearsal.acts
    bpy.ops.ed.undo()
    scene = bpy.context.scene
    assert set(bpy.data.cameras.keys()) == cameras and scene.camera == film and not scene.artfish_dive.ride
    session_of(scene).change()
    go(12)
    assert session_of(scene).world.submarine is None and not session.rehearsal.acts
    bpy.ops.ed.redo()
    session_of(bpy.context.scene).change()
    go(14)
    assert acts and session.rehearsal.acts == acts  # the scene is as those acts left it: nothing new is read of it


def test_a_second_dive_takes_the_place_of_the_first(scene, session, orders):
    go(3)
    first = dive(orders=orders, frames=8)
    go(20)
    second = dive(orders="[]", frames=4)
    assert second != first and [obj for obj in (first, second) if "artfish_ride" in obj] == [second]
    assert read(scene).scene.ride.orders == ()


def test_a_ride_can_come_from_a_file(scene, session, tmp_path):
    size = session.world.scene.tank.size
    ride = {"at": [0.5 * x for x in size], "orders": [{"time": 0, "order": "reverse"}], "camera": {"stereo": True}}
    (tmp_path / "ride.json").write_text(json.dumps(ride))
    go(1)
    camera = dive(file=str(tmp_path / "ride.json"), frames=12)
    assert scene.render.use_multiview and camera.data.stereo.interocular_distance > 0
    assert session.recording().submarine[-1, 0] < 0.5 * size[0]


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"orders": "left"}, "orders"),
        ({"orders": '[{"time": 0, "order": "jump"}]'}, "jump"),
        ({"orders": '[{"time": 0}]'}, "order"),
        ({"file": "/no/such/ride.json"}, "ride.json"),
    ],
)
def test_what_is_wrong_with_a_ride_is_said_in_a_line(scene, session, given, complaint):
    go(2)
    with pytest.raises(RuntimeError, match=complaint) as error:
        bpy.ops.artfish.dive(**given, frames=4)
    assert "Traceback" not in str(error.value) and len(str(error.value).strip().splitlines()) == 1
    assert not scene.artfish_dive.ride and session.world.submarine is None


def test_a_ride_is_forgotten_and_its_camera_stays(scene, session, orders):
    with pytest.raises(RuntimeError, match="no ride"):
        bpy.ops.artfish.dive_forget()
    go(2)
    camera = dive(orders=orders, frames=6)
    bpy.ops.artfish.dive_forget()
    go(14)
    assert read(scene).scene.ride is None and session.world.submarine is None
    assert camera.name in bpy.data.objects


def test_the_ride_of_a_scene_file_comes_and_goes_with_it(scene, tmp_path):
    ride = {"at": [2.0, 2.0, 1.0], "orders": [{"time": 1.0, "order": "rise"}], "camera": {"picture": "cylindrical"}}
    data = {"tank": {"size": [6, 4, 2]}, "fishes": [{"species": "sardine", "at": [3, 2, 1]}], "ride": ride}
    Scene.from_dict(data).save(tmp_path / "scene.json")
    bpy.ops.artfish.load_scene(filepath=str(tmp_path / "scene.json"))
    assert read(scene).scene.ride == Ride(**Scene.from_dict(data).ride.__dict__)
    data.pop("ride")
    Scene.from_dict(data).save(tmp_path / "scene.json")
    bpy.ops.artfish.load_scene(filepath=str(tmp_path / "scene.json"))
    assert read(scene).scene.ride is None


def test_a_dive_goes_on_when_the_scene_is_read_again_meanwhile(scene, session):
    go(4)
    settings = scene.artfish_dive
    ride = ride_from(settings, berth(session, settings.length))
    session.change()
    book = Logbook(scene, session, ride)
    book.order(scene, session, "accelerate", 1.0)
    go(10)
    scene.artfish.water.fluid_viscosity = 0.9
    go(16)
    assert session.world.scene.fluid_viscosity == pytest.approx(0.9)
    assert session.world.submarine.place[0] > ride.at[0] and session.world.submarine.controls[0] == 1.0
    assert not settings.ride  # it is kept when it is over
    book.drop(session)
    go(20)
    assert session.world.submarine is None
