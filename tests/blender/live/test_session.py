"""A session shows its world frame by frame, goes back, and takes up changes."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.identity.film_time import film
from artfish.blender_artfish.live import puppets
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.states import FilmState
from artfish.blender_artfish.live.texts import moved_text, notice_text
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core import Scene, World
from artfish.tests.blender.live.tank import FISHES, fishes, go, shape, shoal


def test_shows_what_a_world_does(scene, session):
    expected = World(scene_reader.read(scene).scene, seed=0).simulate(30)
    for frame in (1, 2, 30):
        go(frame)
        assert session.shown == session.frame_of(frame) == frame - 1
    recording = session.recording()
    assert np.array_equal(recording.nodes, expected.nodes)
    root = session.fishes[1].root
    there = shape(session, 1)
    nose = expected.nodes[29, 1, 0] + np.array(session.origin)
    # The snout's first vertices stand 0.01 lengths from the nose's node; single precision, some metres from the origin.
    assert np.linalg.norm(there - nose, axis=1).min() < 0.01 * recording.body_length[1] + 1e-6
    assert root[puppets.ROW] == 1


def test_going_back_shows_what_was_simulated(session):
    go(20)
    there = shape(session, 0).copy()
    go(40)
    assert not np.array_equal(shape(session, 0), there)
    go(20)
    assert np.array_equal(shape(session, 0), there)
    assert session.rehearsal.frames == 40


def test_frames_before_the_first_show_the_first(scene, session):
    go(-5)
    assert session.shown == 0
    scene.frame_start = 100  # of an animator who looks at a later part meanwhile
    go(101)
    assert session.shown == 100


def test_a_first_frame_that_was_changed_holds_from_begin_anew_on_and_that_is_said(scene, session):
    assert moved_text(session.first, film(scene)[0]) == ""
    scene.frame_start = 100
    go(101)
    assert (
        moved_text(session.first, film(scene)[0])
        == "The film begins at frame 100 now; it plays from frame 1 until Begin Anew"
    )
    bpy.ops.artfish.live_restart()
    assert moved_text(session.first, film(scene)[0]) == "" and (scene.frame_current, session.first, session.shown) == (
        100,
        100,
        0,
    )


def test_a_change_of_mind_takes_effect_at_the_frame_shown(scene, session):
    plain = World(scene_reader.read(scene).scene, seed=0).simulate(40)
    go(40)
    go(20)
    shoal().artfish.mind.use_p1 = True
    shoal().artfish.mind.p1 = 0.02
    go(40)
    assert session.world.scene.fishes[0].mind.p1 == 0.02
    assert notice_text(session.notice) == "Changed from frame 20 on"
    recording = session.recording()
    assert np.array_equal(recording.nodes[:20], plain.nodes[:20])
    assert not np.array_equal(recording.libido[20:], plain.libido[20:])


def test_water_may_thicken_while_they_swim(scene, session):
    go(10)
    scene.artfish.water.fluid_viscosity = 0.2
    go(11)
    assert session.world.scene.fluid_viscosity == pytest.approx(0.2)
    assert session.rehearsal.frames == 11 and session.first + session.rehearsal.frames - 1 == 11


@pytest.mark.parametrize("kind", ["target", "food"])
def test_direction_is_taken_up_while_they_swim(scene, session, kind):
    go(10)
    before = session.rehearsal
    data = {"direction": [{"kind": "target", "at": [1, 1, 1], "fishes": 0}]}
    if kind == "food":
        data = {"events": [{"kind": "food", "time": 1.0, "at": [1, 1, 1], "count": 5}]}
    from artfish.blender_artfish.direction import writer as direction_writer

    directed = Scene.from_dict(session.world.scene.to_dict() | data, "led")
    direction_writer.write(scene, directed, session.origin, roles.objects_of(scene, "SHOAL"))
    bpy.context.view_layer.update()
    go(30)
    assert session.rehearsal is before and notice_text(session.notice) == "Changed from frame 10 on"
    assert bool(session.world.scene.direction) == (kind == "target")
    assert session.rehearsal[29]["plankton_alive"].sum() <= 5
    assert bool(session.rehearsal[29]["plankton_alive"].any()) == (kind == "food")


@pytest.mark.parametrize("change", ["moved", "more", "seed", "pillar"])
def test_what_a_running_world_cannot_take_up_begins_anew(scene, session, change):
    go(12)
    before = session.rehearsal
    if change == "moved":
        shoal().location.x += 0.3
        bpy.context.view_layer.update()
    elif change == "more":
        shoal().artfish.shoal.count = FISHES + 2
    elif change == "seed":
        scene.artfish.seed = 9
    else:
        bpy.ops.artfish.add_pillar()
    bpy.context.view_layer.update()
    go(13)
    assert session.rehearsal is not before
    assert notice_text(session.notice).startswith("Began anew with ")
    assert session.shown == 12 and session.rehearsal.frames == 13
    count = FISHES + 2 * (change == "more")
    assert len(session.fishes) == count and len(fishes()) == count


def test_a_scene_that_cannot_be_goes_on_as_it_was_with_a_word(scene, session):
    go(5)
    shoal().location.x += 50.0
    bpy.context.view_layer.update()
    go(6)
    assert (
        session.shown == 5
        and notice_text(session.notice).startswith("Scene: ")
        and shoal().name in notice_text(session.notice)
    )
    shoal().location.x -= 50.0
    bpy.context.view_layer.update()
    go(7)
    assert session.notice is None and session.shown == 6


def test_prerolled_fishes_are_alive_at_the_first_frame(scene):
    scene.artfish.water.preroll = 0.5
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    expected = World(scene_reader.read(scene).scene, seed=0).simulate(1)
    assert np.array_equal(session.recording().nodes, expected.nodes)


def test_scene_files_of_other_frame_rates(scene):
    scene.render.fps = 30
    bpy.ops.artfish.live_play()
    assert session_of(scene).recording().fps == 30
    assert isinstance(session_of(scene).world.scene, Scene)


def test_a_tank_that_loses_its_last_shoal_is_empty(scene, session):
    bpy.data.objects.remove(shoal())
    bpy.context.view_layer.update()
    go(3)
    assert notice_text(session.notice) == "Began anew with the shoals as they are now" and not session.world.species


def test_the_film_that_is_played_begins_where_the_one_that_is_baked_does(scene):
    scene.artfish.bake.own_range, scene.artfish.bake.first, scene.artfish.bake.last = True, 11, 20
    bpy.ops.artfish.add_direction(kind="food")
    bpy.context.object.artfish.food.time = 5 / scene.render.fps
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(11)
    assert (session.first, session.shown) == (11, 0)
    go(20)
    recording = session.recording()
    assert len(recording.nodes) == 10
    expected = World(scene_reader.read(scene).scene, seed=0).simulate(10)
    assert np.array_equal(recording.nodes, expected.nodes)
    assert scene_reader.read(scene).scene.duration == pytest.approx(10 / scene.render.fps)
    bpy.ops.artfish.live_restart()
    assert scene.frame_current == 11
    scene.artfish.bake.last = 5  # before it begins, which Bake refuses and play does not mind
    assert scene_reader.read(scene).scene.duration == pytest.approx(1 / scene.render.fps)


def test_numbers_that_break_down_are_a_clear_word_and_the_film_stands_until_they_change(scene, session, monkeypatch):
    go(5)
    step = World.step

    def break_down(world, *given):
        step(world, *given)
        if world.frame == 8:
            raise ValueError("cannot convert float NaN to integer")

    monkeypatch.setattr(World, "step", break_down)
    go(20)
    assert session.film_track.state is FilmState.BROKEN
    assert session.shown == 7
    assert notice_text(session.notice).startswith("Fishes cannot swim on after frame 8: ")
    go(3)
    assert session.shown == 2
    monkeypatch.undo()
    go(20)
    assert session.film_track.state is FilmState.PLAYING
    assert session.shown == 19


@pytest.mark.film
def test_what_is_moved_by_hand_glides_there_and_nobody_begins_anew(scene):
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    pillar.artfish.movement.moves, pillar.artfish.movement.presence = "HAND", "PREDATOR"
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    go(5)
    before, movers = session.rehearsal, session.world.parts.water.obstacles.movers
    there = movers.pose[0, :3].copy()
    pillar.location.x += 0.5
    bpy.context.view_layer.update()
    go(6)
    assert session.rehearsal is before and notice_text(session.notice) == "Changed from frame 5 on"
    go(7)
    way = session.world.parts.water.obstacles.movers.pose[0, :3] - there
    assert 0.0 < way[0] < 0.5 and way[1:] == pytest.approx((0.0, 0.0))
    go(20)
    assert session.world.parts.water.obstacles.movers.pose[0, :3] == pytest.approx(there + (0.5, 0.0, 0.0), abs=1e-5)
    assert len(session.world.parts.water.obstacles.presences) == 1


@pytest.mark.film
def test_what_is_keyed_moves_as_it_plays_live(scene):
    bpy.ops.artfish.add_pillar()
    pillar = bpy.context.object
    for frame, x in ((1, -1.0), (21, 1.0)):
        pillar.location.x = x
        pillar.keyframe_insert("location", frame=frame)
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    places = []
    for frame in (1, 11, 21):
        go(frame)
        places.append(session.world.parts.water.obstacles.movers.pose[0, 0] + session.origin.x)
    assert places == pytest.approx([-1.0, 0.0, 1.0], abs=1e-4)
