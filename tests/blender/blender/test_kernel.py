"""The compiled library as an animator meets it: a line where it is missing, and no thread left behind."""

import sys
import threading

import bpy
import pytest

from artfish import blender_artfish
from artfish.core.base import threads
from artfish.core.compiled.library import use


@pytest.fixture
def add_on():
    """The add-on, enabled."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.mark.parametrize("begin", ["bake", "live_play"])
def test_without_the_library_nothing_begins_and_a_line_says_why(add_on, monkeypatch, begin):
    monkeypatch.setattr(use, "loaded", None)
    monkeypatch.setattr(use, "reason", "artfish_kernel.so is damaged")
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    before = set(bpy.data.objects)
    with pytest.raises(
        RuntimeError, match=r"without which no fish swims \(artfish_kernel.so is damaged\), allowed a whole"
    ):
        getattr(bpy.ops.artfish, begin)()
    assert set(bpy.data.objects) == before


def workers() -> list[threading.Thread]:
    """The core's threads."""
    return [thread for thread in threading.enumerate() if thread.name.startswith("artfish")]


def test_disabling_the_add_on_ends_the_threads_of_the_core(monkeypatch):
    threads.close()
    blender_artfish.register()
    monkeypatch.setattr(threads, "available", lambda: 2)
    threads.share(lambda low, high: None, 64, 1, 1)
    assert workers()
    blender_artfish.unregister()
    assert not workers()


def test_disabling_loads_nothing_of_the_core(monkeypatch):
    blender_artfish.register()
    monkeypatch.delitem(sys.modules, "artfish.core.base.threads")
    blender_artfish.unregister()
    assert "artfish.core.base.threads" not in sys.modules
