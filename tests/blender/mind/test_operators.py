"""Buttons that go through the film from one intention of a fish to the next."""

from dataclasses import replace

import bpy
import numpy as np

from artfish.blender_artfish.mind import source
from artfish.tests.blender.mind.school import offered


def test_goes_to_the_next_time_and_round_to_the_first(recording, roots):
    intention = np.full_like(recording.intention, 6)
    intention[10:14, 1] = intention[30:33, 1] = 3
    mine = replace(recording, intention=intention)
    source.offer(offered(mine, roots, first=5))
    assert not bpy.ops.artfish.next_intention.poll()
    bpy.context.view_layer.objects.active = roots[1]
    scene = bpy.context.scene
    scene.frame_set(5)
    shown = []
    for _ in range(3):
        assert bpy.ops.artfish.next_intention(intention="eat") == {"FINISHED"}
        shown.append(scene.frame_current)
    assert shown == [15, 35, 15]
    assert bpy.ops.artfish.next_intention(intention="mate") == {"CANCELLED"}
    assert scene.frame_current == 15
