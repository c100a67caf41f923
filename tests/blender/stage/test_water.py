"""The sea moves with time."""

import bpy
import pytest

pytestmark = pytest.mark.versions


def test_light_flows_over_the_sand_as_time_goes(reef, build_stage):
    scene = build_stage(reef)
    clock = bpy.data.materials["Water"].node_tree.nodes["Seconds"].outputs[0]
    times = []
    for frame in (scene.frame_start, scene.frame_end):
        scene.frame_set(frame)
        times.append(clock.default_value)
    assert times == pytest.approx([0.0, (reef.frames - 1) / reef.fps], abs=1e-5)
