"""The page in Blender's preferences: threads, times, and the files that come again when they are needed."""

from __future__ import annotations

import os
from types import SimpleNamespace

import bpy
import pytest

from artfish.blender_artfish.bake import history
from artfish.blender_artfish.blender.repertoires import REPERTOIRE_CACHE
from artfish.blender_artfish.identity import provenance
from artfish.blender_artfish.preferences import page
from artfish.core.base.threads import THREADS_CHOICE, available


@pytest.fixture
def folders(tmp_path, monkeypatch):
    """Folders as those of an installed extension, with a recording of this file, one of another, and a repertoire."""
    bakes, captured = tmp_path / "bakes", tmp_path / "repertoires"
    for folder in (bakes, captured):
        folder.mkdir()
    (bakes / "mine.npz").write_bytes(b"0" * 1000)
    (bakes / "other.npz").write_bytes(b"0" * 2_500_000)
    (captured / "sardine-0.npz").write_bytes(b"0" * 10)
    monkeypatch.setattr(history, "folder", lambda: bakes)
    monkeypatch.setenv(REPERTOIRE_CACHE, str(captured))
    bpy.data.objects.new("Fish", None)[provenance.BAKE] = "mine.1"
    return tmp_path


def test_what_is_cleared_are_recordings_of_other_files_and_captured_motion(folders, capfd):
    assert page.sized(folders / "bakes") == "2 files, 2.5 MB"
    assert bpy.ops.artfish.clear_cache() == {"FINISHED"}
    assert "Deleted 2 files, 2.5 MB" in capfd.readouterr().out
    assert [path.name for path in folders.rglob("*.npz")] == ["mine.npz"]
    assert not bpy.ops.artfish.clear_cache.poll()


def test_motion_captured_elsewhere_is_left_alone(folders, monkeypatch, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "repertoires"
    elsewhere.mkdir()
    (elsewhere / "sardine-0.npz").write_bytes(b"0")
    monkeypatch.setenv(REPERTOIRE_CACHE, str(elsewhere))
    assert [path.name for path in page.clearable()] == ["other.npz"]


def test_threads_are_taken_over_and_given_back(monkeypatch):
    assert page.THREADS_VARIABLE == THREADS_CHOICE
    monkeypatch.delenv(THREADS_CHOICE, raising=False)
    every = available()
    page._set_threads(SimpleNamespace(threads=1), bpy.context)
    assert available() == 1
    page._set_threads(SimpleNamespace(threads=0), bpy.context)
    assert available() == every and THREADS_CHOICE not in os.environ
    page._set_threads(SimpleNamespace(threads=1), bpy.context)
    page.unregister()
    assert THREADS_CHOICE not in os.environ


def test_what_is_said_outside_of_blender_counts(monkeypatch):
    monkeypatch.setenv(THREADS_CHOICE, "1")
    page._set_threads(SimpleNamespace(threads=2), bpy.context)
    page.unregister()
    assert os.environ[THREADS_CHOICE] == "1"


def test_times_are_shown_in_one_unit():
    for unit, seconds in ((page.SECONDS, True), (page.FRAMES, False)):
        page._set_time(SimpleNamespace(time=unit), bpy.context)
        assert bpy.context.scene.artfish.show_seconds == seconds


def test_a_new_file_has_the_unit_and_a_saved_one_its_own(monkeypatch, tmp_path):
    monkeypatch.setattr(page, "own_preferences", lambda: SimpleNamespace(time=page.SECONDS))
    page._in_a_new_file()
    assert bpy.context.scene.artfish.show_seconds
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mine.blend"))
    bpy.context.scene.artfish.show_seconds = False
    page._in_a_new_file()
    assert not bpy.context.scene.artfish.show_seconds
