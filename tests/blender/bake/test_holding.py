"""A fish that is held stops where it is, its tail beating on, and goes on as baked by so many frames later."""

from dataclasses import replace

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.bake import bake, editing, edits
from artfish.blender_artfish.bake.holding import beat_of
from artfish.blender_artfish.bake.key_table import KeyTable, curves_of
from artfish.blender_artfish.bake.retiming import hold, retime
from artfish.core.base.codec import SceneError
from artfish.tests.blender.bake.test_handling import corners, every_form, fish
from artfish.tests.blender.bake.test_retiming import bits

pytestmark = [pytest.mark.versions, pytest.mark.film]
AT, LONG, EASE = 25, 16, 6


def ride(number: int, frame: int) -> np.ndarray:
    """Place and heading of a fish at a frame, (4, 4)."""
    bpy.context.scene.frame_set(frame)
    root = fish(number).root
    own = root.pose.bones["root"].matrix if root.type == "ARMATURE" else Matrix()
    return np.array(root.matrix_world @ own)


def middle(number: int, frame: int) -> np.ndarray:
    """Where a fish is at a frame."""
    return ride(number, frame)[:3, 3]


def bends(number: int, frames) -> np.ndarray:
    """Numbers that bend a fish at frames, (frames, n): of its shapes, of turns of its bones, or of its points."""
    found = []
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        now: list[float] = []
        for obj in fish(number).body:
            if obj.type == "ARMATURE":
                bones = (bone for bone in obj.pose.bones if bone.name != "root")
                now += [part for bone in bones for part in bone.rotation_quaternion]
            elif getattr(obj.data, "shape_keys", None):
                now += [block.value for block in obj.data.shape_keys.key_blocks]
            elif obj.type == "SURFACE":
                now += [part for point in obj.data.splines[0].points for part in point.co]
        found.append(now)
    return np.array(found)


@pytest.fixture
def swum(swimming):
    """Two fishes that beat 2.5 times a second for 60 frames."""
    return swimming("clownfish", "clownfish", frames=60)


@every_form
def test_it_stops_and_goes_on_as_baked_that_much_later(swum, form, drive):
    bake(swum, form=form, drive=drive, stage=False)
    before = {frame: corners(fish(1), frame) for frame in (1, 10, 20, 29, 40, 55)}
    way = np.linalg.norm(middle(1, AT + 3) - middle(1, AT - 3)) / 6
    other = bits(fish(2))
    stopped = ride(1, AT)
    hold(fish(1), AT, LONG)
    for frame in (1, 10, 20):
        assert corners(fish(1), frame) == pytest.approx(before[frame], abs=2e-5)
    for frame in (29, 40, 55):
        assert corners(fish(1), frame + LONG) == pytest.approx(before[frame], abs=2e-5)
    for frame in range(AT + EASE // 2, AT + LONG - EASE // 2 + 1):
        assert ride(1, frame) == pytest.approx(stopped, abs=2e-5)
    for frame in (AT, AT + LONG):  # it slows down, and gets going, about these
        assert np.linalg.norm(middle(1, frame) - stopped[:3, 3]) == pytest.approx(EASE / 8 * way, rel=0.1)
    assert bits(fish(2)) == other


@every_form
def test_its_tail_beats_meanwhile_more_gently_and_nothing_jumps(swum, form, drive):
    bake(swum, form=form, drive=drive, stage=False)
    baked = bends(1, range(10, 40))
    hold(fish(1), AT, LONG)
    shown = bends(1, range(10, 40 + LONG))
    steps, before = (np.abs(np.diff(each, axis=0)).max(axis=0) for each in (shown, baked))
    lively = np.ptp(baked, axis=0) > 0.3 * np.ptp(baked, axis=0).max()
    assert lively.any() and (steps[lively] < 1.6 * before[lively]).all()
    within = np.ptp(shown[AT + EASE - 10 : AT + LONG - EASE - 9], axis=0) / np.maximum(np.ptp(baked, axis=0), 1e-9)
    assert 0.2 < np.median(within[lively]) < 0.9


def test_its_beat_is_found():
    times = np.arange(1.0, 61.0)
    turn = 2 * np.pi / 9.6
    table = _table(times, np.sin(turn * times), turn * np.cos(turn * times))
    start, long = beat_of(table, 30.0)
    assert (start, long) == (30.0 - long, pytest.approx(9.6, abs=0.5))
    assert beat_of(table, 2.0) == (2.0, pytest.approx(9.6, abs=0.5))
    few = _table(times[:3], times[:3], times[:3])
    assert beat_of(few, 2.0) is None


def _table(times, values, slopes) -> KeyTable:
    """One smooth curve."""
    third = 1 / 3
    points = [[times + shift, values + shift * slopes] for shift in (0.0, -third, third)]
    points = np.moveaxis(np.array(points), -1, 0).astype(np.float32)
    return KeyTable(((1, "x", 0),), np.array([len(times)]), points, np.full((len(times), 3), 2, np.uint8), times)


@every_form
def test_switched_off_it_is_as_baked_to_the_bit_and_on_as_it_was(swum, form, drive):
    bake(swum, form=form, drive=drive, stage=False)
    baked, actions = bits(fish(1)), len(bpy.data.actions)
    scene = bpy.context.scene
    hold(fish(1), 20, 8)
    once = bits(fish(1))
    hold(fish(1), 50, 5)
    both = bits(fish(1))
    editing.switch(fish(1), scene, 1, False)
    assert bits(fish(1)) == once
    editing.switch(fish(1), scene, 0, False)
    assert bits(fish(1)) == baked and len(bpy.data.actions) == actions
    for place in (1, 0):
        editing.switch(fish(1), scene, place, True)
    assert bits(fish(1)) == both
    for _ in range(2):
        editing.remove(fish(1), scene, 0)
    assert bits(fish(1)) == baked and not edits.of(fish(1).root)


def test_it_holds_at_the_frame_that_was_meant_however_it_is_timed(swum):
    bake(swum, form="compact", stage=False)
    retime(fish(1), 10, 0.5)
    place, later = middle(1, 61), middle(1, 80)
    hold(fish(1), 61, 12)
    assert middle(1, 67) == pytest.approx(place, abs=0.003) and middle(1, 92) == pytest.approx(later, abs=1e-4)
    one = edits.of(fish(1).root)[-1]
    assert edits.EDIT_KINDS["held"].words(one.values, editing.course_of(fish(1))) == "Held at frame 61 for 12 frames"
    retime(fish(1))
    assert middle(1, 32) == pytest.approx(place, abs=0.003)
    assert edits.EDIT_KINDS["held"].words(one.values, editing.course_of(fish(1))) == "Held at frame 26 for 12 frames"


def test_it_may_stop_at_its_first_frame_and_at_its_last(swum):
    bake(swum, form="compact", stage=False)
    before = {frame: middle(1, frame) for frame in (1, 20, 60)}
    hold(fish(1), 1, 10)
    hold(fish(1), 70, 10)
    assert tuple(fish(1).action.curve_frame_range) == (1.0, 82.5)
    for frame, shown in ((1, 1), (1, 7), (20, 30), (60, 74), (60, 80)):
        assert middle(1, shown) == pytest.approx(before[frame], abs=2e-3), shown


def test_two_holds_go_together_and_one_again_at_the_same_frame_is_longer(swum):
    bake(swum, form="compact", stage=False)
    before = {frame: corners(fish(1), frame) for frame in (5, 30, 50)}
    hold(fish(1), 40, 10)
    hold(fish(1), 20, 6)  # the first stays at its moment, which is at frame 46 now
    for frame, late in ((5, 0), (30, 6), (50, 16)):
        assert corners(fish(1), frame + late) == pytest.approx(before[frame], abs=2e-5)
    hold(fish(1), 20, 6)
    assert corners(fish(1), 30 + 12) == pytest.approx(before[30], abs=2e-5)


def test_it_feels_and_is_there_when_its_keys_say(swimming):
    recording = swimming("clownfish", frames=40)
    alive = recording.alive.copy()
    alive[35:] = False
    recording = replace(recording, alive=alive)
    bake(recording, form="mesh", stage=False)
    hold(fish(1), 20, 10)
    for frame, gone in ((35, False), (45, False), (46, True)):
        bpy.context.scene.frame_set(frame)
        assert {obj.hide_render for obj in fish(1).body} == {gone}
    bpy.context.scene.frame_set(25)
    assert float(fish(1).body[-1]["speed"]) == pytest.approx(0.0, abs=1e-4)
    bpy.context.scene.frame_set(15)
    assert float(fish(1).body[-1]["speed"]) > 0.5


def test_keys_that_were_changed_by_hand_stay_so(swum):
    bake(swum, form="compact", stage=False)
    hold(fish(1), 25, 10)
    action = fish(1).action
    name, curve = next(pair for pair in curves_of(action).items() if pair[0][1] == "location" and pair[0][2] == 2)
    assert name in curves_of(action)
    last = curve.keyframe_points[-1]
    last.co.y += 0.5
    high, when = last.co.y, last.co.x
    editing.switch(fish(1), bpy.context.scene, 0, False)
    again = curves_of(fish(1).action)[name].keyframe_points[-1]
    assert again.co.y == high and again.co.x == when - 10


def test_a_hold_that_cannot_be_is_refused(swum):
    bake(swum, form="compact", stage=False)
    with pytest.raises(SceneError, match="frame 80, allowed 1 to 60, in which Clownfish 01 moves"):
        hold(fish(1), 80, 5)
    with pytest.raises(SceneError, match="Clownfish 01 held for 0 frames"):
        hold(fish(1), 20, 0)
    assert not edits.of(fish(1).root)
