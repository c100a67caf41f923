"""A fish that is retimed does all that it does later or faster, and nothing is lost by it."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake, handling
from artfish.blender_artfish.bake.key_edits import timing_of
from artfish.blender_artfish.bake.key_table import KeyTable, curves_of
from artfish.blender_artfish.bake.retiming import retime
from artfish.blender_artfish.bake.whole_fish import WholeFish, fishes_of
from artfish.tests.blender.bake.test_handling import corners, every_form, fish

pytestmark = [pytest.mark.versions, pytest.mark.film]


def bits(whole: WholeFish) -> dict:
    """All keys of a fish, to the bit."""
    return {name: KeyTable.read({name: curve}).points.tobytes() for name, curve in curves_of(whole.action).items()}


@pytest.fixture
def eaten(swimming):
    """Two fishes, of which one is eaten at frame 9."""
    recording = swimming("clownfish", "clownfish", frames=12)
    alive = recording.alive.copy()
    alive[8:, 0] = False
    return replace(recording, alive=alive, fear=np.linspace(0, 1, 24).reshape(12, 2))


@every_form
def test_all_of_it_goes_together(eaten, form, drive):
    bake(eaten, form=form, drive=drive, stage=False)
    other = bits(fish(2))
    film = {frame: (corners(fish(1), frame), fish(1).body[-1].hide_render) for frame in (1, 2, 5, 7)}
    fear = {frame: _fear(fish(1), frame) for frame in (1, 3, 5)}
    retime(fish(1), 20, 0.5)
    for frame, (was, hidden) in film.items():
        assert corners(fish(1), 21 + 2 * (frame - 1)) == pytest.approx(was, abs=2e-6)
        assert fish(1).body[-1].hide_render == hidden
    for frame, was in fear.items():
        assert _fear(fish(1), 21 + 2 * (frame - 1)) == pytest.approx(was, abs=1e-5)
    bpy.context.scene.frame_set(21 + 2 * 8)
    assert all(obj.hide_render and obj.hide_viewport for obj in fish(1).body)
    bpy.context.scene.frame_set(20 + 2 * 8)
    assert not any(obj.hide_render or obj.hide_viewport for obj in fish(1).body)
    assert bits(fish(2)) == other


def _fear(whole: WholeFish, frame: int) -> float:
    bpy.context.scene.frame_set(frame)
    return float(whole.body[-1].get("fear", 0.0))


@every_form
def test_set_back_it_is_as_baked_to_the_bit(eaten, form, drive):
    bake(eaten, form=form, drive=drive, stage=False)
    baked, actions = bits(fish(1)), len(bpy.data.actions)
    retime(fish(1), 3.3, 1.7)
    once = bits(fish(1))
    retime(fish(1), -100.7, 0.3)
    assert (timing_of(fish(1).action).frames, timing_of(fish(1).action).speed) == (-100.7, 0.3)
    retime(fish(1), 3.3, 1.7)
    assert bits(fish(1)) == once != baked
    retime(fish(1))
    assert bits(fish(1)) == baked
    assert len(bpy.data.actions) == actions and timing_of(fish(1).action).as_baked


def test_what_is_saved_comes_back(tmp_path, eaten):
    bake(eaten, form="compact", stage=False)
    baked = bits(fish(1))
    retime(fish(1), 7.7, 0.7)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "film.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "film.blend"))
    assert timing_of(fish(1).action).speed == 0.7
    retime(fish(1))
    assert bits(fish(1)) == baked


def test_keys_that_were_changed_by_hand_stay_so(eaten):
    bake(eaten, form="compact", stage=False)
    retime(fish(1), 10, 2.0)
    curve = next(curve for curve in curves_of(fish(1).action).values() if curve.data_path == "location")
    curve.keyframe_points[0].co.y += 0.5
    high = curve.keyframe_points[0].co.y
    curve.keyframe_points.insert(30.0, 9.0)
    retime(fish(1))
    assert curve.keyframe_points[0].co.y == high
    assert any(point.co.x == pytest.approx(39.0) and point.co.y == 9.0 for point in curve.keyframe_points)


@every_form
def test_one_that_shares_its_keys_has_its_own_then(eaten, form, drive):
    bake(eaten, form=form, drive=drive, stage=False)
    copy, before = handling.duplicate(fish(1), shared=True), bits(fish(1))
    retime(copy, 5)
    assert bits(fish(1)) == before and copy.action != fish(1).action
    assert corners(copy, 8) == pytest.approx(corners(fish(1), 3), abs=2e-6)
    handling.delete([copy])
    assert {action.name for action in bpy.data.actions} == {"Clownfish 01", "Clownfish 02"}


def test_a_copy_by_shift_d_whose_parts_have_an_action_each_goes_as_one(eaten):
    bake(eaten, form="compact", stage=False)
    one = fish(1)
    for obj in one.objects:
        obj.select_set(True)
    bpy.ops.object.duplicate()
    copy = next(each for each in fishes_of(bpy.context.scene, bpy.context.selected_objects) if each.root != one.root)
    assert len(copy.body) == len(one.body) and len(copy.animated) > 1
    was, before = corners(one, 3), bits(one)
    retime(copy, 4, 0.5)
    assert corners(copy, 5 + 2 * 2) == pytest.approx(was, abs=2e-6) and bits(one) == before
    retime(copy)
    assert corners(copy, 3) == pytest.approx(was, abs=2e-6)


def test_a_fish_that_is_twice_as_fast_says_so(eaten):
    bake(eaten, form="mesh", stage=False)
    was, before = {frame: _speed(fish(1), frame) for frame in (1, 3, 5)}, bits(fish(1))
    retime(fish(1), 4, 2.0)
    for frame, speed in was.items():
        assert _speed(fish(1), 5 + (frame - 1) / 2) == pytest.approx(2.0 * speed, rel=1e-5)
    retime(fish(1), 0, 0.5)
    assert _speed(fish(1), 5) == pytest.approx(0.5 * was[3], rel=1e-5)
    retime(fish(1))
    assert bits(fish(1)) == before and max(was.values()) > 0.0


def _speed(whole: WholeFish, frame: float) -> float:
    bpy.context.scene.frame_set(int(frame), subframe=frame % 1)
    return float(whole.body[-1]["speed"])
