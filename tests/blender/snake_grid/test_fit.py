"""A grid is fitted at one go: by a script directly, from the panel while Blender stays awake."""

from threading import current_thread, main_thread
from types import SimpleNamespace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.blender import background, jobs, runtime, status_bar
from artfish.blender_artfish.snake_grid import grids
from artfish.blender_artfish.snake_grid.fit import ARTFISH_OT_fit_grid
from artfish.core.photo.grid_form import folded
from artfish.core.photo.snake_grid import fit_grid
from artfish.core.scene.species import Species


class Modal(SimpleNamespace):
    """Stands in for the operator Fit and for the parts of Blender's window that its modal form uses."""

    modal, stop, show, left, finish, refuse, new_job, _fit, picture, too_much = (
        getattr(ARTFISH_OT_fit_grid, name)
        for name in ("modal", "stop", "show", "left", "finish", "refuse", "new_job", "_fit", "picture", "too_much")
    )
    bl_label, part, facing, anchors = "Fit", "body", "PANEL", ""

    def __init__(self, image: bpy.types.Image):
        super().__init__(image=image.name, reports=[], timers=[], said=[])
        manager = SimpleNamespace(
            event_timer_add=lambda pause, window: self.timers.append(pause) or pause,
            event_timer_remove=self.timers.remove,
            modal_handler_add=lambda operator: None,
            progress_begin=lambda low, high: None,
            progress_update=lambda done: None,
            progress_end=lambda: None,
        )
        self.context = SimpleNamespace(scene=bpy.context.scene, window=None, window_manager=manager)
        assert ARTFISH_OT_fit_grid.invoke(self, self.context, None) == {"RUNNING_MODAL"}

    @property
    def texts(self):
        """Texts of the status bar."""
        return [*runtime.of(status_bar.Speech).texts.values()]

    def report(self, kind, text):
        self.reports.append((kind, text))

    def send(self, kind):
        return self.modal(self.context, SimpleNamespace(type=kind))

    def end(self):
        """Ticks until it ends."""
        result = {"RUNNING_MODAL"}
        while result == {"RUNNING_MODAL"}:
            self.said += self.texts
            result = self.send("TIMER")
        assert not self.timers + self.texts
        return result


def test_the_direct_form_is_the_cores_grid_and_stays_on_the_image(drawn, image_of):
    image = image_of(drawn.image)
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}
    grid = grids.grid_of(image, "body")
    np.testing.assert_allclose(grid, fit_grid(grids.pixels(image), species=Species.load("thesis")), atol=1e-3)
    assert not folded(grid).any()
    assert np.hypot(*(grid[4, 0] - drawn.nose)) < 0.05 * np.hypot(*(drawn.nose - drawn.tail[0]))


def test_the_modal_form_makes_the_same_and_leaves_the_window_awake(drawn, image_of, guesses, monkeypatch):
    direct, image = image_of(drawn.image), image_of(drawn.image, "other")
    bpy.ops.artfish.fit_grid(image=direct.name, part="body")
    guesses.clear()  # the look that takes long is what its window must stay awake for
    threads, begin = [], grids.begin
    monkeypatch.setattr(grids, "begin", lambda *known: threads.append(current_thread()) or begin(*known))
    operator = Modal(image)
    with pytest.raises(RuntimeError, match="Something is at work"):
        bpy.ops.artfish.fit_grid(image=image.name, part="body")
    assert operator.end() == {"FINISHED"}
    # All that takes long is done beside the thread that Blender's window lives in.
    assert len(threads) == 1 and threads[0] is not main_thread()
    np.testing.assert_array_equal(grids.grid_of(image, "body"), grids.grid_of(direct, "body"))
    assert "came to rest" in operator.reports[0][1]
    assert any("Looking for the fish" in text and "Esc: give up" in text for text in operator.said)


@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_esc_leaves_the_picture_as_it_was(drawn, ticks, image_of, monkeypatch):
    monkeypatch.setattr(jobs, "WORK_SECONDS", (0.0, 0.0))  # so that a fast machine is not through with it
    monkeypatch.setattr(background, "LOOK_SECONDS", 1e-4)
    image = image_of(drawn.image)
    operator = Modal(image)
    for _ in range(ticks):
        assert operator.send("TIMER") == {"RUNNING_MODAL"}
    assert operator.send("ESC") == {"CANCELLED"}
    assert grids.grid_of(image, "body") is None and not image.use_fake_user
    assert operator.reports == [({"INFO"}, "Fit given up: everything is as it was")]
    assert not operator.timers + operator.texts


def test_a_picture_that_is_deleted_or_changed_while_it_is_fitted_is_said(drawn, image_of):
    for change, said in (
        (bpy.data.images.remove, "something it needs was deleted"),
        (lambda image: image.scale(50, 40), "the picture has changed"),
    ):
        operator = Modal(image := image_of(drawn.image))
        operator.send("TIMER")
        change(image)
        assert operator.end() == {"CANCELLED"}
        assert f"Fit given up: {said} meanwhile" in operator.reports[0][1]


def test_another_file_opened_while_it_is_fitted_gives_it_up(drawn, image_of):
    operator = Modal(image_of(drawn.image))
    operator.send("TIMER")
    ARTFISH_OT_fit_grid.cancel(operator, operator.context)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not operator.timers + operator.texts
    assert bpy.app.timers.is_registered(status_bar._tick)
    assert status_bar._tick() == status_bar.NEWS_SECONDS
    assert operator.texts == ["Fit given up: another file was opened, or its window closed"]
    assert status_bar._tick() is None and not operator.texts
    image = image_of(drawn.image)
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}


def test_the_modal_form_hears_what_is_wrong(drawn, image_of):
    operator = Modal(image_of(drawn.image))
    operator.part = "dorsal"
    assert operator.end() == {"CANCELLED"}
    ((kind, text),) = operator.reports
    assert kind == {"ERROR"} and "no grid of the body" in text


def test_anchors_hold_and_are_remembered(drawn, image_of):
    image = image_of(drawn.image)
    expected = drawn.nose + (6.0, -3.0)
    anchors = f"4 0 {expected[0]} {expected[1]}"
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body", anchors=anchors) == {"FINISHED"}
    assert np.hypot(*(grids.grid_of(image, "body")[4, 0] - expected)) < 1.0
    ((row, column, x, y),) = grids.anchors_of(image, "body")
    assert (row, column) == (4, 0)
    np.testing.assert_allclose((x, y), expected, rtol=1e-5)


def test_a_script_hears_what_is_wrong(drawn, image_of):
    image = image_of(drawn.image)
    for arguments, said in (
        ({"image": "nothing"}, "There is no image 'nothing'"),
        ({"image": image.name, "part": "dorsal"}, "no grid of the body"),
        ({"image": image.name, "part": "body", "anchors": "1 2 3"}, "allowed four numbers"),
        ({"image": image.name, "part": "body", "anchors": "9 2 3 4"}, "allowed rows 0 to 8"),
    ):
        with pytest.raises(RuntimeError, match=said):
            bpy.ops.artfish.fit_grid(**arguments)
    with pytest.raises(RuntimeError, match="found no grid"):
        bpy.ops.artfish.wear_picture(image=image.name)
    image.artfish.species = "unicorn"
    with pytest.raises(RuntimeError, match="unicorn"):
        bpy.ops.artfish.fit_grid(image=image.name, part="body")
