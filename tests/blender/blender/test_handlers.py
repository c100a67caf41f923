"""Rooms hear of Blender's events in the order of their stages, and of none once the add-on is off."""

from types import ModuleType

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import handlers
from artfish.blender_artfish.blender.handlers import HandlerTurn

pytestmark = pytest.mark.versions

ORDER = {
    "load_pre": [
        *("live.listening", "scene.quick_look", "species.deletion", "scene.remarks"),
        *("adopt.operators", "mind.source", "mind.overlays", "fish_view.retinas"),
    ],
    "load_post": [
        "blender.glances",
        "preferences.page",
        "direction.markers",
        "scene.quick_look",
        "bake.cache_files",
        "bake.history",
    ],
    "save_pre": [
        "identity.roles",
        "direction.markers",
        "live.listening",
        "scene.quick_look",
        "identity.writers",
        "bake.history",
    ],
    "save_post": ["live.listening", "bake.cache_files"],
    "save_post_fail": ["live.listening"],
    "undo_pre": ["blender.jobs"],
    "redo_pre": ["blender.jobs"],
    "undo_post": ["blender.glances", "direction.markers", "live.listening", "scene.quick_look", "species.deletion"],
    "redo_post": ["blender.glances", "direction.markers", "live.listening", "scene.quick_look", "species.deletion"],
    "frame_change_pre": ["direction.markers", "live.listening"],
    "frame_change_post": ["blender.glances", "live.listening", "fish_view.retinas"],
    "depsgraph_update_post": ["blender.glances", "direction.markers", "live.listening", "scene.remarks"],
    "animation_playback_pre": ["live.pace"],
    "animation_playback_post": ["blender.glances", "live.listening"],
    "render_init": ["live.pace"],
    "render_complete": ["live.pace"],
    "render_cancel": ["live.pace"],
    handlers.NUMBER_CHANGED: [
        "blender.glances",
        "species.character",
        "direction.markers",
        "live.listening",
        "species.preview",
        "species.preview",
    ],
}


def called() -> dict[str, list]:
    """Functions of this package that Blender and `notify` call, by event."""
    kinds = [kind for kind in dir(bpy.app.handlers) if isinstance(getattr(bpy.app.handlers, kind), list)]
    lists = {kind: getattr(bpy.app.handlers, kind) for kind in kinds} | {handlers.NUMBER_CHANGED: handlers.listeners}
    own = {kind: [one for one in each if one.__module__.startswith("artfish")] for kind, each in lists.items()}
    return {kind: each for kind, each in own.items() if each}


@pytest.fixture
def room() -> ModuleType:
    """A module with functions that hear of an event, declared in another order than that of their stages."""
    made = ModuleType("artfish.made")
    code = """
@hears(HandlerTurn.DISPLAY, "load_pre")
def shows(*_): pass
@hears(HandlerTurn.PLAY, "load_pre", "load_post")
def plays(*_): pass
def silent(*_): pass
"""
    vars(made).update(HandlerTurn=HandlerTurn, hears=handlers.hears)
    exec(code, vars(made))
    return made


def test_rooms_hear_of_everything_in_the_stated_order_and_of_nothing_once_the_add_on_is_off():
    assert not called()
    blender_artfish.register()
    try:
        modules = {
            event: [one.__module__.removeprefix("artfish.blender_artfish.") for one in each]
            for event, each in called().items()
        }
        assert modules == ORDER
        assert handlers.table(blender_artfish.rooms()) == called()
        assert [one.__name__ for one in handlers.listeners[-2:]] == ["join_heads", "follow"]
    finally:
        blender_artfish.unregister()
    assert not called()


def test_whoever_is_of_an_earlier_stage_hears_first(room):
    names = {event: [one.__name__ for one in each] for event, each in handlers.table([room]).items()}
    assert names == {"load_pre": ["plays", "shows"], "load_post": ["plays"]}


def test_what_another_has_taken_out_already_is_no_matter(room):
    handlers.attach([room])
    assert called() == handlers.table([room])
    bpy.app.handlers.load_pre.remove(room.shows)
    handlers.detach([room])
    assert not called()


def test_what_is_set_together_is_heard_of_once(monkeypatch):
    heard = []
    monkeypatch.setattr(handlers, "listeners", [lambda context, group: heard.append(group)])
    with handlers.together("all", bpy.context):
        handlers.notify("first", bpy.context)
        with handlers.together("some", bpy.context):
            handlers.notify("second", bpy.context)
    assert heard == ["all"]
    handlers.notify("third", bpy.context)
    assert heard == ["all", "third"]
