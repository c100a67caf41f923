"""A path that is nudged goes by another place at a frame, smoothly, and is as baked before and after."""

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.bake import bake, editing, edits
from artfish.blender_artfish.bake.nudging import Nudge
from artfish.blender_artfish.bake.retiming import hold, nudge, retime
from artfish.core.base.codec import SceneError
from artfish.tests.blender.bake.test_handling import every_form, fish
from artfish.tests.blender.bake.test_holding import bends, middle
from artfish.tests.blender.bake.test_retiming import bits

pytestmark = [pytest.mark.versions, pytest.mark.film]
MOVE = (0.1, -0.05, 0.2)


@pytest.fixture
def swum(swimming):
    """Two fishes for 60 frames."""
    return swimming("clownfish", "clownfish", frames=60)


@every_form
def test_it_is_moved_as_far_as_said_and_less_before_and_after(swum, form, drive):
    bake(swum, form=form, drive=drive, stage=False)
    before = {frame: middle(1, frame) for frame in range(1, 61)}
    bent, other = bends(1, (10, 30, 50)), bits(fish(2))
    nudge(fish(1), 30, MOVE, 12)
    share = Nudge(30, 12, (1, 1, 1)).share(np.arange(1.0, 61.0))
    for frame, place in before.items():
        assert middle(1, frame) == pytest.approx(place + share[frame - 1] * np.array(MOVE), abs=3e-4)
    assert share[[17, 29, 41]].tolist() == [0.0, 1.0, 0.0] and share[23] == pytest.approx(0.5)
    assert bends(1, (10, 30, 50)) == pytest.approx(bent, abs=1e-6) and bits(fish(2)) == other


@every_form
def test_switched_off_it_is_as_baked_to_the_bit(swum, form, drive):
    bake(swum, form=form, drive=drive, stage=False)
    baked, scene = bits(fish(1)), bpy.context.scene
    nudge(fish(1), 30, MOVE, 12)
    hold(fish(1), 30, 10)
    nudge(fish(1), 60, MOVE, 5)
    every = bits(fish(1))
    for place in range(3):
        editing.switch(fish(1), scene, place, False)
    assert bits(fish(1)) == baked != every
    for place in (2, 0, 1):
        editing.switch(fish(1), scene, place, True)
    assert bits(fish(1)) == every


def test_the_axes_are_the_scenes_however_its_offset_is_turned(swum):
    for form in ("compact", "mesh"):
        bake(swum, form=form, stage=False)
        name = bpy.context.scene.objects[-1].name
        whole = fish(1)
        whole.offset.rotation_euler.z, whole.offset.scale = 1.2, (2.0, 2.0, 2.0)
        bpy.context.view_layer.update()
        place = middle(1, 30)
        nudge(whole, 30, MOVE, 8)
        assert middle(1, 30) == pytest.approx(place + np.array(MOVE), abs=1e-5), (form, name)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def test_it_stays_at_its_moment_when_the_fish_is_retimed_or_stopped(swum):
    bake(swum, form="compact", stage=False)
    place = middle(1, 30)
    nudge(fish(1), 30, MOVE, 8)
    retime(fish(1), 5, 0.5)
    hold(fish(1), 30, 7)
    words = edits.EDIT_KINDS["nudged"].words(edits.of(fish(1).root)[0].values, editing.course_of(fish(1)))
    assert words == "Path moved 0.229 m at frame 71, over 16 frames"
    assert middle(1, 71) == pytest.approx(place + np.array(MOVE), abs=1e-5)
    assert Vector(MOVE).length == pytest.approx(0.229, abs=1e-3)


def test_a_key_that_was_changed_by_hand_stays_so(swum):
    bake(swum, form="compact", stage=False)
    nudge(fish(1), 30, MOVE, 8)
    curve = next(curve for curve in fish(1).action.layers[0].strips[0].channelbags[0].fcurves)
    curve.keyframe_points[0].co.y += 0.25
    high = curve.keyframe_points[0].co.y
    editing.remove(fish(1), bpy.context.scene, 0)
    assert curve.keyframe_points[0].co.y == high


def test_what_cannot_be_nudged_is_said(swum):
    bake(swum, form="compact", stage=False)
    with pytest.raises(SceneError, match="frame 0, allowed 1 to 60, in which Clownfish 01 moves"):
        nudge(fish(1), 0, MOVE, 5)
    with pytest.raises(SceneError, match="Clownfish 01 with no distance"):
        nudge(fish(1), 20, (0, 0, 0), 5)
    with pytest.raises(SceneError, match="Clownfish 01 with a falloff of 0 frames"):
        nudge(fish(1), 20, MOVE, 0)
