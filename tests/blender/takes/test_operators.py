"""Wishes come and go, takes are used, and what cannot be done is said."""

from types import SimpleNamespace

import bpy
import pytest

from artfish.blender_artfish.takes import operators


def test_wishes_come_and_go(scene):
    settings = scene.artfish_takes
    bpy.ops.artfish.wish_add()
    assert len(settings.wishes) == 2 and settings.active == 1 and settings.wishes[1].event.event == "ate"
    bpy.ops.artfish.wish_remove()
    assert [wish.kind for wish in settings.wishes] == ["untouched"] and settings.active == 0
    bpy.ops.artfish.wish_remove()
    assert not bpy.ops.artfish.run_takes.poll() and not bpy.ops.artfish.wish_remove.poll()


def test_a_take_of_another_scene_is_warned_of(scene, capfd):
    scene.artfish_takes.count = 2
    bpy.ops.artfish.run_takes()
    for row in (1, 0):
        bpy.ops.artfish.use_take(row=row)
    assert operators.STALE not in capfd.readouterr().out  # its own seed makes no scene another
    bpy.context.object.artfish.shoal.count = 4
    bpy.ops.artfish.use_take(row=0)
    assert operators.STALE in capfd.readouterr().out


def test_a_wish_for_an_arrival_needs_one(scene):
    scene.artfish_takes.wishes[0].kind = "arrival"
    with pytest.raises(RuntimeError, match="arrival"):
        bpy.ops.artfish.run_takes()
    assert len(scene.artfish_takes.found) == 0


def test_no_takes_without_takes(scene):
    assert not bpy.ops.artfish.use_take.poll()


def test_letting_go_of_esc_is_no_second_press():
    """Blender tells of a key when it is pressed and when it is let go; a second press would give the takes up."""
    work = SimpleNamespace(job=SimpleNamespace(made=2, enough=False))
    for value, enough in (("RELEASE", False), ("PRESS", True), ("RELEASE", True)):
        event = SimpleNamespace(type="ESC", value=value)
        assert operators.ARTFISH_OT_run_takes.modal(work, None, event) == {"RUNNING_MODAL"}
        assert work.job.enough == enough
