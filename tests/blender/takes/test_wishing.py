"""Wishes of the panel are those of a wish file."""

import bpy
import pytest

from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.takes.wishing import wishes_data
from artfish.core.base.codec import SceneError
from artfish.core.farm.wishes import WishedEvent, wishes_of


def test_an_event_with_who_whom_and_when(scene):
    first = bpy.context.object
    bpy.ops.artfish.add_shoal(species="grouper", count=1)
    wish = scene.artfish_takes.wishes[0]
    wish.kind, wish.fishes, wish.whom = "event", bpy.context.object, first
    wish.event.event, wish.weight = "ate", 3.0
    wish.use_time, wish.begin, wish.end = True, 7, 13
    (one,) = wishes_of(wishes_data(scene), read(scene).scene).scored
    assert one == WishedEvent(event="ate", fishes=1, whom=0, weight=3.0, time=(0.25, 0.5))


def test_frames_out_of_order_are_named(scene):
    wish = scene.artfish_takes.wishes[0]
    wish.use_time, wish.begin, wish.end = True, 20, 10
    with pytest.raises(SceneError, match="wish 1.*frames 20 to 10"):
        wishes_data(scene)
