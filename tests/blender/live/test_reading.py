"""A scene is read beside Blender, and no more of it than has changed."""

from threading import Event, main_thread

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.live import reading, timer
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.texts import notice_text, status_text
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core import World
from artfish.tests.blender.live.tank import FISHES, add_rock, go, shoal, tick_on


def test_meshes_that_stay_as_they_are_are_neither_checked_nor_sampled_again(scene, counted):
    rock = add_rock((1.0, 0.5, 1.0))
    for row in range(5):
        add_rock((-1.9 + 0.7 * row, -1.2, 1.0)).scale = (0.1, 0.1, 0.1)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=8, location=(0, 0, 0.1))
    bpy.context.object.artfish.kind = "BED"
    bpy.context.view_layer.update()
    bpy.ops.artfish.live_play()
    session = session_of(scene)
    assert counted == {"checked": 6, "sampled": 6}
    bed = session.world.parts.water.obstacles.solids[-1]
    go(5)
    shoal().artfish.mind.use_p1, shoal().artfish.mind.p1 = True, 0.02
    go(6)
    scene.artfish.water.fluid_viscosity = 0.5
    go(7)
    shoal().artfish.shoal.size = 0.9
    go(8)
    assert session.world.scene.fishes[0].size == pytest.approx(0.9)
    assert counted == {"checked": 6, "sampled": 6}
    assert session.world.parts.water.obstacles.solids[-1] is bed
    rock.location.x -= 0.3
    bpy.context.view_layer.update()
    go(9)
    assert notice_text(session.notice) == "Began anew with an obstacle as it is now"
    assert counted == {"checked": 7, "sampled": 7}


def test_the_window_stays_awake_while_a_rock_is_sampled(scene, gate, threads):
    """Nothing slow is done in Blender's own thread, and nobody waits for it there."""
    rock = add_rock((1.0, 0.5, 1.0), faces=1280)
    bpy.ops.artfish.live_play()  # comes back though no rock can be sampled yet
    session = session_of(scene)
    assert session.reading and status_text(session.status()) == "Filling the tank…" and session.rehearsal.frames == 0
    assert timer.tick() is not None and session.reading
    gate.set()
    tick_on()
    assert session.shown == 0 and len(session.fishes) == FISHES
    assert status_text(session.status()) == "Simulated up to frame 1"
    filled, before = len(threads), session.rehearsal
    shoal().artfish.mind.use_p1, shoal().artfish.mind.p1 = True, 0.02
    tick_on()
    assert len(threads) == filled and session.rehearsal is before
    assert notice_text(session.notice) == "Changed from frame 1 on"
    rock.location.x -= 0.3
    bpy.context.view_layer.update()
    tick_on()
    assert len(threads) > filled and session.rehearsal is not before
    assert notice_text(session.notice) == "Began anew with an obstacle as it is now"
    assert main_thread() not in threads


def test_a_tank_that_is_filled_by_and_by_makes_the_same_film(scene, at_window):
    add_rock((1.0, 0.5, 1.0), faces=5120)
    bpy.ops.artfish.live_play()
    tick_on()
    session = session_of(scene)
    session.rehearsal.advance(20)
    expected = World(scene_reader.read(scene).scene, seed=0).simulate(21)
    assert np.array_equal(session.recording().nodes, expected.nodes)


def test_undo_while_a_scene_is_read_does_not_stop_the_reading(scene, gate, monkeypatch):
    begun, fill = Event(), reading._filled

    def noting(*given):
        begun.set()
        return fill(*given)

    monkeypatch.setattr(reading, "_filled", noting)
    add_rock((1.0, 0.5, 1.0))
    bpy.ops.ed.undo_push(message="A rock")
    bpy.ops.artfish.add_pillar("EXEC_DEFAULT", True)
    steps = reading.read(scene.session_uid, 1, None, lambda: False)
    while not begun.is_set():
        next(steps)
    bpy.ops.ed.undo()
    gate.set()
    with pytest.raises(StopIteration) as end:
        while True:
            next(steps)
    assert end.value.value.rehearsal is not None
