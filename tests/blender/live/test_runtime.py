"""Every scene has a session of its own."""

import bpy

from artfish.blender_artfish.live import timer
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.tests.blender.live.tank import go


def test_two_scenes_play_by_themselves(scene, session):
    other = bpy.data.scenes.new("Other")
    other.collection.children.link(scene_objects.collection_of(scene))
    second = timer.begin(other)
    other.frame_set(7)
    assert (second.shown, session.shown) == (6, 0)
    bpy.data.scenes.remove(other)
    go(2)
    assert session.shown == 1
