"""Operator storms end without a fault, or report one with its steps."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.species import library
from artfish.studies import storm

STEPS = 150


@pytest.fixture(autouse=True)
def registered(tmp_path, monkeypatch):
    """The add-on is enabled, and species are saved in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path / "species")
    blender_artfish.register()
    yield
    bpy.ops.wm.read_factory_settings(use_empty=True)
    blender_artfish.unregister()


@pytest.mark.long
@pytest.mark.film
@pytest.mark.parametrize("seed", [3, *(pytest.param(seed, marks=pytest.mark.large) for seed in range(4, 8))])
def test_nothing_raises_in_a_storm(tmp_path, seed):
    assert storm.rage(seed, storm.SECONDS, tmp_path, STEPS) == ""


def test_what_raises_is_kept_with_the_steps_that_led_there(tmp_path, monkeypatch):
    def fail(*_: object) -> None:
        raise ZeroDivisionError("division by nothing")

    def play(weather: storm.Weather) -> None:
        bpy.app.handlers.frame_change_pre.append(fail)
        weather.write("scene.frame_set(2)")
        bpy.context.scene.frame_set(2)

    monkeypatch.setattr(storm.Weather, "step", play)
    assert storm.rage(0, storm.SECONDS, tmp_path, STEPS) == "ZeroDivisionError: division by nothing"
    assert "> scene.frame_set(2)" in (tmp_path / "0.txt").read_text()
    assert (tmp_path / "0.blend").exists()


def test_without_bpy_a_line_says_that_nothing_was_tried(monkeypatch):
    monkeypatch.setattr(storm, "find_spec", lambda name: None)
    (finding,) = storm.findings(range(3))
    assert (finding.successes, finding.trials) == (0, 0)
    assert "bpy is not installed" in finding.note
