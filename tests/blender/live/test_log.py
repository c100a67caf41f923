"""Undo and redo go through the log of acts."""

import bpy
import numpy as np

from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.live.texts import notice_text
from artfish.tests.blender.live.tank import FISHES, fishes, go, ours, shoal


def test_undo_takes_an_act_back_and_redo_does_it_again(scene, session):
    bpy.ops.ed.undo_push(message="Before")
    go(20)
    plain = session.recording().nodes.copy()
    go(10)
    bpy.ops.artfish.frighten("EXEC_DEFAULT", True, location=session.fishes[0].root.location)
    go(20)
    done = session.recording().nodes.copy()
    assert not np.array_equal(done, plain)
    bpy.ops.ed.undo()
    go(20)
    assert np.array_equal(session.recording().nodes, plain)
    assert session.fishes[0].root.name == "Clownfish 01"
    bpy.ops.ed.redo()
    go(20)
    assert np.array_equal(session.recording().nodes, done)


def test_undo_takes_back_one_act_of_two(scene, session):
    bpy.ops.ed.undo_push(message="Before")
    go(10)
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=session.fishes[0].root.location, count=7)
    bpy.ops.artfish.frighten("EXEC_DEFAULT", True, location=session.fishes[0].root.location)
    bpy.ops.ed.undo()
    go(10)
    assert session.rehearsal[9]["plankton_alive"].sum() == 7
    assert session.rehearsal[9]["fear"].max() < 0.5
    bpy.ops.ed.undo()
    go(10)
    assert session.rehearsal[9]["plankton_alive"].sum() == 0


def test_undo_of_food_keeps_what_is_chosen(scene, session):
    """The dropped grains are gone, and so are the objects that showed them: all are made anew."""
    go(10)
    chosen = session.fishes[1].root
    shoal().select_set(False)
    bpy.context.view_layer.objects.active = chosen
    chosen.select_set(True)
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=chosen.location, count=7)
    bpy.ops.ed.undo()
    go(10)
    layer = bpy.context.view_layer
    assert layer.objects.active == session.fishes[1].root and layer.objects.selected[:] == [session.fishes[1].root]


def test_undo_takes_play_back(scene):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play("EXEC_DEFAULT", True)
    go(5)
    assert len(fishes()) == FISHES
    bpy.ops.ed.undo()
    go(6)
    assert session_of(bpy.context.scene) is None and not ours()


def test_fishes_that_undo_took_away_are_made_again(scene, session):
    bpy.ops.ed.undo_push(message="Before")
    shoal().artfish.shoal.count = FISHES + 2
    go(5)
    assert len(session.fishes) == FISHES + 2
    bpy.ops.ed.undo_push(message="After")
    bpy.ops.ed.undo()
    go(6)
    assert session.shown == 5
    assert len([fish.root.name for fish in session.fishes]) == FISHES == len(fishes())


def test_an_act_is_undone_though_the_tank_was_filled_anew_before_it(scene, session):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.add_pillar("EXEC_DEFAULT", True)
    go(10)
    assert notice_text(session.notice).startswith("Began anew")
    bpy.ops.artfish.feed("EXEC_DEFAULT", True, location=session.fishes[0].root.location, count=7)
    go(10)
    assert session.rehearsal[9]["plankton_alive"].sum() == 7
    bpy.ops.ed.undo()
    go(10)
    assert session.rehearsal[9]["plankton_alive"].sum() == 0
