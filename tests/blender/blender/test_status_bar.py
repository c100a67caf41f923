"""The status bar names the work under way in any workspace, and is as it was afterwards in all of them."""

import bpy
import pytest

from artfish.blender_artfish.blender import runtime, status_bar
from artfish.tests.blender.files import new_file

Bar = dict[str, str | None]


@pytest.fixture
def bar(monkeypatch) -> Bar:
    """Texts by workspace, as Blender has them: one is set in the workspace of the context, through any of them."""
    texts: Bar = {}

    def put(self, text):
        texts[bpy.context.workspace.name] = text

    monkeypatch.setattr(bpy.types.WorkSpace, "status_text_set", put)
    runtime.drop(status_bar.Speech)
    return texts


@pytest.fixture(autouse=True)
def workspaces() -> None:
    """Layout, Modeling and more."""
    new_file(empty=False)
    assert bpy.context.workspace.name == "Layout"


def test_no_text_stays_in_a_workspace_that_is_shown_no_more(bar):
    status_bar.say("bake", "Simulating")
    assert bar == {"Layout": "Simulating"}
    bar["Modeling"] = "Simulating"  # as if that had been shown meanwhile
    assert status_bar.say("bake", None)
    assert set(bar) == set(bpy.data.workspaces.keys()) and not any(bar.values())


def test_who_ends_leaves_the_words_of_others(bar):
    status_bar.say("play", "Simulating to frame 9")
    status_bar.say("bake", "Baking")
    assert bar["Layout"] == "Baking"
    status_bar.say("play", "Simulating to frame 10")
    assert bar["Layout"] == "Baking"
    status_bar.say("bake", None)
    assert bar["Layout"] == "Simulating to frame 10"
    status_bar.say("play", None)
    assert bar["Layout"] is None


def test_news_are_shown_one_after_the_other_and_end_with_the_add_on(bar):
    status_bar.tell("Bake given up")
    status_bar.tell("Fit given up")
    assert bpy.app.timers.is_registered(status_bar._tick) and not bar
    for words in ("Bake given up", "Fit given up"):
        assert status_bar._tick() == status_bar.NEWS_SECONDS and bar["Layout"] == words
    assert status_bar._tick() is None and bar["Layout"] is None
    status_bar.tell("Bake given up")
    status_bar._tick()
    status_bar.unregister()
    assert not bpy.app.timers.is_registered(status_bar._tick) and bar["Layout"] is None
    assert not runtime.of(status_bar.Speech).news


def test_who_has_said_nothing_clears_nothing(bar):
    assert not status_bar.say("play", None)
    assert not bar
