"""Every scene has a session of its own."""

import bpy
import pytest

from artfish.blender_artfish.live import pace, timer
from artfish.blender_artfish.live.texts import elsewhere_text
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


@pytest.fixture
def played(scene, monkeypatch) -> bpy.types.Scene:
    """Another scene, whose animation plays in another window."""
    other = bpy.data.scenes.new("Other")
    playing = [True]
    monkeypatch.setattr(pace, "playing", lambda: playing[0])
    monkeypatch.setattr(pace, "press_play", lambda: playing.append(not playing.pop()))
    for handler in bpy.app.handlers.animation_playback_pre:
        handler(other, None)
    yield other
    bpy.data.scenes.remove(other)


def test_the_animation_of_another_window_is_not_that_of_this_scene(scene, session, played):
    assert pace.played() == played
    assert pace.plays(played) and not pace.plays(scene)
    assert not timer.plays_by_itself(scene)
    assert elsewhere_text(played.name).startswith("Other plays in another window")


def test_play_in_a_second_window_stops_the_first_and_goes_on_in_the_second(scene, played):
    assert pace.start(scene) == played
    assert pace.playing()
    bpy.app.handlers.animation_playback_pre[-1](scene, None)
    assert pace.start(scene) is None
    assert not pace.playing()
