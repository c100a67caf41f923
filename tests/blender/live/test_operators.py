"""Play, feed, frighten, steer and end, as scripts have them."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.live import puppets
from artfish.blender_artfish.live.runtime import session_of
from artfish.tests.blender.live.tank import fishes, go, ours, shoal


def test_no_fishes_is_a_clear_word(scene):
    bpy.data.objects.remove(shoal())
    with pytest.raises(RuntimeError, match="Add fishes first"):
        bpy.ops.artfish.live_play()
    with pytest.raises(RuntimeError, match="Press Play first"):
        bpy.ops.artfish.feed()


def test_feed_and_frighten(scene, session):
    go(5)
    bpy.ops.artfish.feed(location=session.fishes[0].root.location, count=7)
    assert session.rehearsal[4]["plankton_alive"].sum() == 7
    assert any(obj.get(puppets.PART_PROPERTY) == "Plankton" for obj in ours())
    go(10)
    fear = session.rehearsal[9]["fear"].max()
    bpy.ops.artfish.frighten(location=session.fishes[0].root.location)
    assert session.rehearsal[9]["fear"].max() > fear
    assert session.rehearsal[9]["fear"].max() > 0.5


def test_steering_a_fish(scene, session):
    bpy.ops.artfish.live_restart()
    bpy.ops.artfish.steer(row=1, swim=1.0, turn=1.0)
    go(30)
    assert session.world.steered.tolist() == [1]
    nodes = session.recording().nodes
    way = nodes[-1, 1, 0] - nodes[-1, 1, 9:13].mean(axis=0), nodes[0, 1, 0] - nodes[0, 1, 9:13].mean(axis=0)
    turned = np.arctan2(way[0][1], way[0][0]) - np.arctan2(way[1][1], way[1][0])
    # Left, by more than the half radian that a fish may stray in a second by itself.
    assert (turned + np.pi) % (2 * np.pi) - np.pi > 0.5
    bpy.ops.artfish.steer(row=1, free=True)
    assert not len(session.world.steered)
    assert bpy.ops.artfish.steer(row=99) == {"CANCELLED"}


def test_ends_without_a_trace(scene):
    before = {obj.name for obj in bpy.data.objects}, {obj.name for obj in bpy.data.meshes}
    lock = scene.render.use_lock_interface
    bpy.ops.artfish.live_play()
    go(3)
    bpy.ops.artfish.live_end()
    assert before == ({obj.name for obj in bpy.data.objects}, {obj.name for obj in bpy.data.meshes})
    assert scene.render.use_lock_interface == lock
    with pytest.raises(RuntimeError, match="No fishes play live"):
        bpy.ops.artfish.live_end()


def test_food_right_after_undo_falls_into_the_water_as_it_was_before(scene, session):
    bpy.ops.ed.undo_push(message="Played")
    go(5)
    bpy.ops.artfish.feed(location=session.fishes[0].root.location, count=7)
    bpy.ops.ed.undo_push(message="Fed")
    bpy.ops.ed.undo()
    bpy.ops.artfish.feed(location=(0.0, 0.0, 1.0), count=5)
    assert session.rehearsal[session.shown]["plankton_alive"].sum() == 5
    (food,) = (obj for obj in ours() if obj.get(puppets.PART_PROPERTY) == "Plankton")
    assert food.users_collection[0].name in bpy.data.collections


@pytest.mark.parametrize("name", ["feed", "steer", "live_end"])
def test_what_is_done_to_fishes_right_after_undo_of_play_says_that_they_are_gone(scene, name):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play()
    bpy.ops.ed.undo_push(message="Played")
    bpy.ops.ed.undo()
    try:
        getattr(bpy.ops.artfish, name)()
    except RuntimeError as error:
        assert "Traceback" not in str(error)
    assert not ours()


def test_play_right_after_undo_of_play_begins_anew(scene):
    bpy.ops.ed.undo_push(message="Before")
    bpy.ops.artfish.live_play()
    bpy.ops.ed.undo_push(message="Played")
    bpy.ops.ed.undo()
    bpy.ops.artfish.live_play()
    assert session_of(bpy.context.scene) is not None
    assert [fish.root for fish in session_of(bpy.context.scene).fishes] == fishes()
