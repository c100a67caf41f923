"""The kernel as an animator meets it: one word where it is missing, and no thread left behind."""

import sys
import threading
from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import kernel
from artfish.core.base import threads

KERNEL = "artfish.core.body.kernel"


@pytest.fixture
def add_on():
    """The add-on, enabled."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def slow(add_on, monkeypatch):
    """The add-on in an installation whose library is missing."""
    import artfish.core.body.kernel as loaded

    monkeypatch.setattr(loaded, "missing", True)


def said(capfd) -> int:
    """How often Blender has reported it, to the console, since it was last looked."""
    return capfd.readouterr().out.count(kernel.SLOW)


def bake() -> None:
    """A short bake, of what is not baked already."""
    settings = bpy.context.scene.artfish
    settings.preset, settings.bake.own_range, settings.bake.last = "go_fish", True, 2
    settings.seed += 1
    assert bpy.ops.artfish.bake() == {"FINISHED"}


def test_the_first_bake_says_that_it_is_slow_and_none_after_it(slow, capfd):
    bake()
    assert said(capfd) == 1
    bake()
    assert said(capfd) == 0


def test_play_says_it_and_then_no_bake_does(slow, capfd):
    bpy.ops.artfish.add_shoal(species="clownfish", count=1)
    assert bpy.ops.artfish.live_play() == {"FINISHED"}
    assert said(capfd) == 1
    bpy.ops.artfish.live_end()
    bpy.ops.artfish.live_play()
    bake()
    assert said(capfd) == 0


def test_nothing_is_said_where_the_kernel_is_in_use_or_there_is_none_for_the_machine(add_on, monkeypatch):
    monkeypatch.setitem(sys.modules, KERNEL, SimpleNamespace(missing=False, available=False))
    assert kernel.slowness() == ""
    monkeypatch.delitem(sys.modules, KERNEL)
    assert kernel.slowness() == "" and KERNEL not in sys.modules
    monkeypatch.setitem(sys.modules, KERNEL, SimpleNamespace(missing=True))
    assert [kernel.slowness(), kernel.slowness()] == [kernel.SLOW, ""]


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
