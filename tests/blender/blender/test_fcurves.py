"""F-curves: thinned ones stay within their tolerance, and play as foreseen."""

import bpy
import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from artfish.blender_artfish.blender.fcurves import (
    LONGEST_STRETCH,
    STEP_SHARE,
    spline_slopes,
    thin,
    write,
    write_switch,
)
from artfish.blender_artfish.blender.versions import channelbag, channelbags

pytestmark = pytest.mark.versions

FRAMES = 121


@pytest.fixture
def motions():
    """Curves of many tempers, (curves, frames) float32."""
    dice, frame = np.random.default_rng(3), np.arange(FRAMES)
    waves = np.sin(dice.uniform(0.01, 1.5, (40, 1)) * frame + dice.uniform(0, 6, (40, 1)))
    return np.concatenate(
        [
            waves * dice.uniform(0.001, 1.0, (40, 1)),
            0.02 * dice.normal(size=(5, FRAMES)).cumsum(axis=1),
            [np.full(FRAMES, 0.7), np.where(frame < 60, 0.0, 1.0), frame / 10],
        ]
    ).astype(np.float32)


def handles(key):
    """The key and its two handles."""
    return key.handle_left, key.co, key.handle_right


def curves_of(keys, first=1):
    """The F-curves of a new object whose custom property these keys move."""
    obj = bpy.data.objects.new("obj", None)
    obj["swing"] = [0.0] * len(keys.values)
    bag = channelbag(bpy.data.actions.new("motion"), obj)
    # One path a curve: a property of Blender takes few indices, and noobj here is evaluated but the curves.
    write(bag, [(f'["swing {row}"]', 0) for row in range(len(keys.values))], keys, first)
    return list(bag.fcurves)


@pytest.mark.parametrize("tolerance", [0.0, 1e-4, 0.01])
def test_played_motion_lies_within_the_tolerance(motions, tolerance):
    played = thin(motions, tolerance).played()
    assert np.abs(played - motions).max() <= tolerance + 1e-6


@pytest.mark.parametrize("first", [1, 1000])
def test_blender_plays_what_was_foreseen(motions, first):
    keys = thin(motions, 0.003)
    foreseen = keys.played()
    for curve, values in zip(curves_of(keys, first), foreseen, strict=True):
        played = [curve.evaluate(first + frame) for frame in range(FRAMES)]
        assert np.abs(played - values).max() < 2e-5


def test_every_frame_is_keyed_at_no_tolerance(motions):
    moving = np.ptp(motions, axis=1) > 0
    assert (thin(motions, 0.0).counts[moving] == FRAMES).all()


def test_tolerance_saves_keys(motions):
    counts = [thin(motions, tolerance).counts.sum() for tolerance in (0.0, 1e-4, 1e-3, 1e-2, 1e-1)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] / 3


def test_a_still_curve_has_one_key_in_the_middle_of_its_jitter():
    jitter = np.tile([0.5, 0.502], 20)[None]
    keys = thin(jitter, 0.0011)
    assert keys.counts.tolist() == [1]
    assert np.abs(keys.played() - 0.501).max() <= 0.5 * keys.step[0] <= 0.5 * STEP_SHARE * 0.0011


@pytest.mark.parametrize("tolerance", [0.0, 0.003])
def test_keys_and_handles_are_multiples_of_a_power_of_two_by_which_nothing_is_off(motions, tolerance):
    keys = thin(motions, tolerance)
    step = keys.step[0]
    assert step == (2.0**-12 if tolerance else 0.0)  # the greatest below an eighth of 0.003
    points = np.array([each[:] for curve in curves_of(keys) for key in curve.keyframe_points for each in handles(key)])
    rounded = np.rint(points[:, 1] / 2.0**-12) * 2.0**-12 == points[:, 1]
    assert rounded.all() == bool(tolerance)


def test_a_curve_that_stays_at_rest_has_no_key():
    wave = np.sin(np.arange(100) / 4)[None]
    rest, tolerance = np.array([0.0, 1.0, 0.0]), np.array([0.02, 0.02, 0.0])
    keys = thin(np.concatenate([0.01 * wave, 1.01 + 0.005 * wave, wave]), tolerance).resting(rest, tolerance)
    assert keys.counts[:2].tolist() == [0, 0] and keys.counts[2] == 100
    assert (keys.played()[:2] == rest[:2, None]).all()
    (left,) = curves_of(keys.of(np.flatnonzero(keys.counts)))
    assert len(left.keyframe_points) == 100


def test_tolerances_are_each_curve_s_own():
    wave = np.sin(np.arange(100) / 4)[None]
    keys = thin(np.concatenate([wave, wave, wave]), np.array([0.0, 0.01, 3.0]))
    exact, rough, still = keys.counts
    assert exact == 100 > rough > still == 1


@pytest.mark.parametrize("frames", [1, 2, 3, LONGEST_STRETCH, LONGEST_STRETCH + 1])
def test_short_recordings_bake(frames):
    values = np.arange(frames, dtype=float)[None] ** 2
    curve = curves_of(thin(values, 0.0))[0]
    assert [curve.evaluate(1 + frame) for frame in range(frames)] == pytest.approx(values[0], abs=1e-5)


def test_slopes_of_a_straight_line_are_its_own():
    assert spline_slopes(np.arange(9.0)[None] * 3, np.arange(9)) == pytest.approx(3.0)


def test_slopes_through_uneven_moments_are_those_of_the_natural_spline():
    dice = np.random.default_rng(3)
    times, values = np.cumsum(dice.uniform(0.1, 1.0, 20)), dice.normal(size=(2, 20))
    spline = CubicSpline(times, values, axis=1, bc_type="natural")
    assert spline_slopes(values, times) == pytest.approx(spline(times, 1))


@pytest.mark.parametrize("tolerance", [0.0, 0.003])
def test_moments_between_frames_play_within_the_tolerance(tolerance):
    times = np.sort(np.concatenate([np.arange(40.0), 11 + np.arange(40) / 4 + 0.125]))
    values = np.stack([np.sin(3.0 * times), np.sin(0.3 * times), 0.001 * times])
    keys = thin(values, tolerance, times=times)
    assert np.abs(keys.played() - values).max() <= tolerance + 1e-12
    assert tolerance == 0 or (keys.counts < len(times)).any()
    for curve, row in zip(curves_of(keys), values, strict=True):
        assert [curve.evaluate(1 + time) for time in times] == pytest.approx(row, abs=tolerance + 2e-5)


def test_motion_is_smooth_across_keys(motions):
    keys = thin(motions[:40], 0.003)
    for curve in curves_of(keys):
        for point in curve.keyframe_points:
            assert (point.interpolation, point.handle_left_type, point.handle_right_type) == (
                "BEZIER",
                "ALIGNED",
                "ALIGNED",
            )
        inner = [point.co[0] for point in curve.keyframe_points][1:-1]
        for frame in inner:
            before, here, after = (curve.evaluate(frame + shift) for shift in (-0.01, 0.0, 0.01))
            assert abs(before - 2 * here + after) < 1e-3


def test_a_switch_has_a_key_at_each_change():
    obj = bpy.data.objects.new("obj", None)
    bag = channelbag(bpy.data.actions.new("switch"), obj)
    states = np.array([False] * 4 + [True] * 3 + [False])
    write_switch(bag, ["hide_render", "hide_viewport"], states)
    for curve in bag.fcurves:
        assert [curve.evaluate(frame) for frame in range(1, 9)] == states.tolist()
        assert len(curve.keyframe_points) == 3


def test_one_action_moves_many_objs():
    action = bpy.data.actions.new("fish")
    objs = [bpy.data.objects.new(name, None) for name in ("a", "b")]
    for obj in objs:
        channelbag(action, obj).fcurves.new("location", index=0)
        channelbag(action, obj).fcurves.new("location", index=1)
    assert len(action.slots) == 2
    assert [[curve.array_index for curve in channelbags(obj)[0].fcurves] for obj in objs] == [[0, 1], [0, 1]]
    assert channelbags(bpy.data.objects.new("still", None)) == []
