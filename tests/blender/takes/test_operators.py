"""Wishes come and go, takes are used, and what cannot be done is said."""

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
