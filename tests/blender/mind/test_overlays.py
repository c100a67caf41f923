"""Overlays are made anew only where something changes, and leave nothing behind."""

from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import runtime
from artfish.blender_artfish.mind import overlays, source, swatches
from artfish.tests.blender.mind.school import changed, observed_of


def test_the_drawing_is_made_anew_only_when_something_changes(recording):
    one = overlays.drawing(observed_of(recording, 0, 3), ("field",))
    assert overlays.drawing(observed_of(recording, 0, 3), ("field",)) is one
    for observed, names in (
        (observed_of(recording, 0, 4), ("field",)),
        (observed_of(recording, 1, 3), ("field",)),
        (observed_of(recording, 0, 3), ("field", "seen")),
        (observed_of(recording, 0, 3, (1, 0, 0)), ("field",)),
        (observed_of(changed(recording, 3, 0, target=2), 0, 3), ("field",)),
    ):
        other = overlays.drawing(observed, names)
        assert other is not one
        one = other


def test_nothing_is_left_behind(recording):
    handles = list(runtime.of(overlays.DrawHandlers).handles)
    assert len(handles) == 2
    assert overlays.drawing(observed_of(recording, 0, 3), ("field",)) is runtime.of(overlays.DrawnOverlay).drawing
    assert runtime.of(source.Memory).insight is not None
    swatches.picture("chart", np.zeros((8, 8, 4), np.float32))
    assert swatches.icon("eat") == swatches.icon("eat")
    bpy.ops.wm.read_homefile(use_empty=True)
    assert runtime.of(overlays.DrawnOverlay).drawing is None  # nothing of the former file is kept
    assert runtime.of(source.Memory).insight is None
    blender_artfish.unregister()
    assert not runtime.of(overlays.DrawHandlers).handles and runtime.of(swatches.Icons).previews is None
    runtime.drop()
    for handle in handles:
        with pytest.raises(ValueError):
            bpy.types.SpaceView3D.draw_handler_remove(handle, "WINDOW")
    assert not hasattr(bpy.types.Scene, "artfish_overlays")
    for name in ("load_pre", "load_post", "frame_change_post"):
        left = [f for f in getattr(bpy.app.handlers, name) if "artfish" in f.__module__]
        assert not left, name
    blender_artfish.register()


@pytest.fixture
def words_drawn(monkeypatch):
    """A function that lists the screen's drawings for a fish of this row and these overlays."""
    done = []
    for name in ("_write_words", "_draw_chart", "_draw_legend"):
        monkeypatch.setattr(overlays, name, lambda *_, name=name: done.append(name))

    def draw(row, *names, shown=True, space="VIEW_3D", remembers=()):
        done.clear()
        settings = SimpleNamespace(**{name: name in names for name in (*overlays.SPACE_OVERLAYS, "words", "chart")})
        view = SimpleNamespace(type=space, overlay=SimpleNamespace(show_overlays=shown))
        context = SimpleNamespace(space_data=view, scene=SimpleNamespace(artfish_overlays=settings))
        observed = SimpleNamespace(row=row, recording=SimpleNamespace(memory_fish=np.array(remembers, dtype=int)))
        with monkeypatch.context() as patch:
            patch.setattr(overlays, "bpy", SimpleNamespace(context=context))
            patch.setattr(overlays, "observe", lambda _: observed)
            overlays.draw_words()
        return list(done)

    return draw


def test_the_first_fish_has_its_chart_and_no_fish_has_none(words_drawn):
    assert words_drawn(0, "chart") == words_drawn(1, "chart") == ["_draw_chart"]
    assert words_drawn(-1, "chart", "words") == ["_write_words"]


def test_only_what_is_switched_on_is_drawn_and_only_in_a_view_that_shows_overlays(words_drawn):
    assert words_drawn(0) == []
    assert words_drawn(0, "words") == ["_write_words"]
    assert words_drawn(0, "words", "chart", shown=False) == words_drawn(0, "words", space="IMAGE_EDITOR") == []


def test_ages_of_memories_have_a_legend_where_the_fish_remembers(words_drawn):
    assert words_drawn(2, "memory", remembers=(2, 4)) == ["_draw_legend"]
    assert words_drawn(3, "memory", remembers=(2, 4)) == []
