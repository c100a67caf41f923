"""Obstacles that only Blender's evaluation places move among live fishes, and levels of detail follow the view."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.texts import notice_text
from artfish.core.world.world import World
from artfish.tests.blender.live.tank import add_rock, go

LAST = 12


def carrier() -> bpy.types.Object:
    """An empty that keys carry evenly along x, 0.02 m a frame, and turn."""
    found = bpy.data.objects.new("Carrier", None)
    bpy.context.scene.collection.objects.link(found)
    for frame, x in ((1, 0.0), (101, 2.0)):
        found.location = (x, 0.0, 0.0)
        found.rotation_euler = (0.0, 0.0, 0.5 * x)
        found.keyframe_insert("location", frame=frame)
        found.keyframe_insert("rotation_euler", frame=frame)
    for curve in found.animation_data.action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"
    return found


def constrained() -> bpy.types.Object:
    """A rock that a constraint has go along with the carrier."""
    rock = add_rock((0.6, 0.6, 0.6))
    rock.constraints.new("CHILD_OF").target = carrier()
    bpy.context.view_layer.update()
    return rock


def pose(session) -> np.ndarray:
    """The world's place of the only obstacle that moves, in metres from Blender's origin."""
    place = session.world.parts.water.obstacles.movers.pose[0, :3]
    return place + np.array(session.origin)


def test_a_constrained_obstacle_is_where_blender_has_it_and_as_fast(scene):
    rock = constrained()
    bpy.ops.artfish.live_play()
    session, places = session_of(scene), []
    for frame in range(2, LAST + 1):
        go(frame)
        places.append(rock.matrix_world.translation.copy())
        if frame > 3:  # from the second frame on it is known how it goes
            assert pose(session) == pytest.approx(np.array(rock.matrix_world.translation), abs=2e-3)
    movers = session.world.parts.water.obstacles.movers
    assert np.linalg.norm(movers.pose[0, :3] - movers.before[0, :3]) == pytest.approx(
        (places[-1] - places[-2]).length, rel=0.02
    )
    assert notice_text(session.notice) == "" and not session.dirty


def test_what_simulation_moves_is_followed_and_is_no_change_of_the_scene(scene):
    rock = add_rock((0.6, 0.6, 1.2))
    bpy.ops.rigidbody.object_add(type="ACTIVE")
    assert rock.rigid_body is not None
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    high = rock.matrix_world.translation.z
    for frame in range(2, LAST + 1):
        go(frame)
        assert not session.dirty
    assert rock.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation.z < high - 0.1
    assert pose(session)[2] == pytest.approx(rock.matrix_world.translation.z, abs=0.02)  # it gathers speed
    assert session.rehearsal.frames == LAST


def test_a_deforming_obstacle_keeps_its_form_and_moves_as_a_whole(scene):
    rock = constrained()
    rock.modifiers.new("Wave", "WAVE")
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    for frame in range(2, LAST + 1):
        go(frame)
    assert pose(session) == pytest.approx(np.array(rock.matrix_world.translation), abs=2e-3)
    assert session.world.scene.obstacles[0].motion[0].vertices is None


def test_after_going_back_it_moves_again_as_it_did(scene):
    constrained()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    for frame in range(2, LAST + 1):
        go(frame)
    before = session.recording().nodes.copy()
    where = pose(session)
    session.rehearsal.act(4, lambda world: None)  # all after it is simulated again, at once
    session.rehearsal.advance(LAST - 1)
    assert np.array_equal(pose(session), where) and np.array_equal(session.recording().nodes, before)


def test_an_obstacle_that_jumps_over_frames_has_no_speed(scene):
    rock = constrained()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(2)
    go(60)  # in between nobody has seen where it was
    go(61)
    movers = session.world.parts.water.obstacles.movers
    assert np.linalg.norm(movers.pose - movers.before) < 0.05
    assert pose(session) == pytest.approx(np.array(rock.matrix_world.translation), abs=0.05)


@pytest.mark.parametrize("follows", [False, True])
def test_levels_of_detail_follow_the_view_where_the_scene_says_so(scene, monkeypatch, follows):
    views = []
    look_from = World.look_from

    def note(world, *view) -> None:
        views.append(view)
        look_from(world, *view)

    monkeypatch.setattr(World, "look_from", note)
    scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(scene.camera)
    scene.camera.data.lens = 20.0
    scene.camera.location = (2.0, -6.0, 1.0)
    scene.camera.rotation_euler = (np.pi / 2, 0.0, 0.0)
    detail = scene.artfish.detail
    detail.on, detail.follow_camera, detail.near = True, follows, 0.0
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(3)
    assert (session.world.level == 0).all()
    scene.camera.rotation_euler.z = np.pi  # it turns its back on them
    bpy.context.view_layer.update()
    for frame in range(4, 40):
        go(frame)
    assert bool(views) == follows == bool((session.world.level > 0).any())
    if follows:
        at, look_at, lens = views[-1]
        assert np.array(at) == pytest.approx(np.array([2.0, -6.0, 1.0]) - np.array(session.origin), abs=1e-5)
        assert np.array(look_at) - np.array(at) == pytest.approx([0.0, -1.0, 0.0], abs=1e-5)
        assert lens == pytest.approx(scene.camera.data.lens, rel=0.01)
