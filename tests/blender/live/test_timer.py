"""The timer goes on with long work, and ends work that fails."""

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import status_bar
from artfish.blender_artfish.live import pace, timer
from artfish.blender_artfish.live.runtime import live_play, session_of
from artfish.blender_artfish.live.texts import notice_text, status_text
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core.geometry import triangles
from artfish.tests.blender.live.tank import FISHES, add_board, add_rock, fishes, go, ours, shape, shoal, tick_on


def test_a_slow_world_is_left_to_the_timer(scene, session, monkeypatch):
    monkeypatch.setattr(pace, "unhurried", lambda: False)
    monkeypatch.setattr(pace, "FRAME_SECONDS", 0.0)
    monkeypatch.setattr(pace, "TICK_SECONDS", 0.0)
    go(12)
    # One frame for which it was patient; the rest at one a tick.
    assert session.goal == 11 and session.rehearsal.frames == 2
    assert status_text(session.status()) == "Simulating to frame 12…"
    ticks = 0
    while session.goal is not None:
        assert timer.tick() is not None or session.goal is None
        ticks += 1
    assert ticks == 12 - 2
    assert session.shown == 11 and session.goal is None
    assert status_text(session.status()) == "Simulated up to frame 12"


def test_fishes_swim_on_as_before_until_the_new_tank_is_filled(scene, gate):
    bpy.ops.artfish.live_play()
    tick_on()
    session, before = session_of(scene), session_of(scene).rehearsal
    rock = add_rock((1.0, 0.5, 1.0))
    tick_on(lambda: session.reading)
    go(4)
    assert session.rehearsal is before and session.shown == 3 and status_text(session.status()) == "Filling the tank…"
    there = shape(session, 0).copy()
    rock.location.x -= 0.5  # a second change; the newest state is what counts
    bpy.context.view_layer.update()
    timer.tick()
    assert session.rehearsal is before and np.array_equal(shape(session, 0), there)
    gate.set()
    tick_on()
    assert session.rehearsal is not before and session.shown == 3
    assert session.world.scene == scene_reader.read(scene).scene
    assert len(fishes()) == FISHES


@pytest.mark.parametrize("how", ["end", "undo", "file", "scene", "off"])
def test_what_ends_while_a_tank_is_filled_leaves_nothing(scene, gate, how):
    add_rock((1.0, 0.5, 1.0))
    before, lock = {obj.name for obj in bpy.data.objects}, scene.render.use_lock_interface
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    assert session_of(bpy.context.scene).reading and not ours()
    timer.tick()
    if how == "end":
        bpy.ops.artfish.live_end()
    elif how == "undo":
        bpy.ops.ed.undo()
        timer.tick()
    elif how == "file":
        bpy.ops.wm.read_factory_settings(use_empty=True)
    elif how == "scene":
        bpy.data.scenes.new("Other")
        bpy.data.scenes.remove(bpy.context.scene)
        timer.tick()
    else:
        blender_artfish.unregister()
    assert not live_play().sessions
    gate.set()
    if how == "off":
        blender_artfish.register()
    assert timer.tick() is None and not live_play().sessions and not ours()
    if how in ("end", "undo", "off"):
        assert before == {obj.name for obj in bpy.data.objects}
        assert bpy.context.scene.render.use_lock_interface == lock


def test_what_is_wrong_with_a_scene_is_said_even_when_it_is_found_late(scene, gate):
    bpy.ops.artfish.live_play()
    tick_on()
    session, before = session_of(scene), session_of(scene).rehearsal
    add_rock((1.0, 0.5, 1.0))
    add_board()
    tick_on(lambda: session.reading)
    gate.set()
    tick_on()
    assert notice_text(session.notice).startswith("Scene: Board: found no face") and session.rehearsal is before
    bpy.data.objects.remove(bpy.data.objects["Board"])
    bpy.context.view_layer.update()
    tick_on()
    assert session.rehearsal is not before and notice_text(session.notice) == "Began anew with an obstacle as it is now"


def test_live_play_that_proves_impossible_late_is_given_up_and_says_why(scene, gate, monkeypatch):
    said, stopped, lock = [], [], scene.render.use_lock_interface
    check = triangles.surface
    monkeypatch.setattr(triangles, "surface", lambda *given: gate.wait(60.0) and check(*given))
    monkeypatch.setattr(status_bar, "tell", said.append)
    monkeypatch.setattr(pace, "stop", lambda _: stopped.append(True))
    add_board()
    bpy.ops.artfish.live_play()
    assert session_of(scene).reading and not said
    gate.set()
    tick_on()
    assert session_of(scene) is None and stopped and not scene.artfish_live.on and not ours()
    assert len(said) == 1 and said[0].startswith("Live play given up: Board: found no face")
    assert scene.render.use_lock_interface == lock
    bpy.data.objects.remove(bpy.data.objects["Board"])
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    tick_on()
    assert session_of(scene).shown == 0 and scene.artfish_live.on


def test_why_live_play_does_not_begin_is_said_until_something_else_is(scene, monkeypatch):
    said = []
    monkeypatch.setattr(timer, "say", said.append)
    shoal().location.x += 50.0
    live_play().waiting.add(scene.session_uid)
    assert timer.tick() is None and not live_play().sessions
    assert said[-1].startswith("Live play is off: Clownfish, place: found")
