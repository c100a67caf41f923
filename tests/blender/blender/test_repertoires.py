"""Repertoires are kept in a folder of the installed extension, unless somebody names another."""

from __future__ import annotations

import bpy
import pytest

from artfish.blender_artfish.blender import repertoires
from artfish.core.replicas import capture


@pytest.fixture
def installed(monkeypatch):
    """The add-on as an installed extension, with a folder of its own."""
    monkeypatch.setattr(repertoires, "EXTENSION", "bl_ext.user_default.artfish")
    monkeypatch.setattr(bpy.utils, "extension_path_user", lambda package, path="", create=False: f"/own/{path}")
    monkeypatch.setenv(repertoires.REPERTOIRE_CACHE, "")
    monkeypatch.delenv(repertoires.REPERTOIRE_CACHE)


def test_it_is_the_folder_that_worlds_look_into(installed, monkeypatch):
    assert repertoires.REPERTOIRE_CACHE == capture.REPERTOIRE_CACHE
    repertoires.register()
    assert repertoires.os.environ[capture.REPERTOIRE_CACHE] == "/own/repertoires"


def test_a_folder_that_somebody_has_named_is_left(installed, monkeypatch):
    monkeypatch.setenv(repertoires.REPERTOIRE_CACHE, "/theirs")
    repertoires.register()
    assert repertoires.os.environ[repertoires.REPERTOIRE_CACHE] == "/theirs"


def test_without_an_extension_there_is_none(installed, monkeypatch):
    monkeypatch.setattr(repertoires, "EXTENSION", "artfish")
    repertoires.register()
    assert repertoires.REPERTOIRE_CACHE not in repertoires.os.environ
