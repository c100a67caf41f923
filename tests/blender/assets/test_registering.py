"""The asset library among Blender's own: shown by a click, gone by the next, and never another's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.assets import operators
from artfish.blender_artfish.assets.catalogs import write_catalogs
from artfish.blender_artfish.assets.registering import LIBRARY, entry, is_library, show_only
from artfish.blender_artfish.preferences import page

pytestmark = pytest.mark.versions


def libraries() -> dict[str, str]:
    """Names and folders of Blender's asset libraries."""
    return {each.name: each.path.rstrip("/") for each in bpy.context.preferences.filepaths.asset_libraries}


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder that has a library."""
    write_catalogs(tmp_path)
    (tmp_path / "rocks.blend").write_bytes(b"BLENDER")
    return tmp_path


@pytest.fixture
def own(monkeypatch, folder) -> SimpleNamespace:
    """Preferences in which that folder was chosen."""
    found = SimpleNamespace(asset_folder=str(folder), shows_assets=False, language="BLENDER")
    monkeypatch.setattr(operators, "own_preferences", lambda: found)
    monkeypatch.setattr(page, "own_preferences", lambda: found)
    return found


def test_a_click_shows_it_and_the_next_does_not(own, folder):
    before = libraries()
    assert bpy.ops.artfish.show_assets() == {"FINISHED"}
    assert libraries() == before | {LIBRARY: str(folder)} and own.shows_assets
    assert bpy.ops.artfish.show_assets() == {"FINISHED"}
    assert libraries() == before and not own.shows_assets
    assert is_library(folder), "its files stay"


def test_where_there_is_none_it_cannot_be_shown(own, folder):
    (folder / "rocks.blend").unlink()
    assert not bpy.ops.artfish.show_assets.poll()
    assert not show_only(folder) and entry(folder) is None


def test_it_goes_with_the_add_on_and_comes_again_with_it(own, folder):
    before = libraries()
    bpy.ops.artfish.show_assets()
    blender_artfish.unregister()
    try:
        assert libraries() == before
        assert own.shows_assets, "what was chosen is known"
    finally:
        own.threads = 0
        blender_artfish.register()
    assert libraries() == before | {LIBRARY: str(folder)}


def test_what_the_animator_entered_is_not_entered_twice(own, folder):
    mine = bpy.context.preferences.filepaths.asset_libraries.new(name="Mine", directory=str(folder))
    try:
        assert show_only(folder)
        assert [path for path in libraries().values() if path == str(folder)] == [str(folder)]
    finally:
        bpy.context.preferences.filepaths.asset_libraries.remove(mine)


def test_another_folder_takes_the_place_of_the_last(own, folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    bpy.ops.artfish.show_assets()
    own.asset_folder = str(other)
    page._move_assets(own, bpy.context)
    assert LIBRARY not in libraries() and not own.shows_assets, "there is none in it"
    write_catalogs(other)
    (other / "fishes.blend").write_bytes(b"BLENDER")
    own.shows_assets = True
    page._move_assets(own, bpy.context)
    assert libraries()[LIBRARY] == str(other)


def test_without_a_window_none_is_made(own):
    assert not bpy.ops.artfish.make_assets.poll()
