"""Without a window `frame_set` drives live play, and nothing waits for a timer."""

from threading import Event, Thread, current_thread
from weakref import WeakValueDictionary

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.live import pace
from artfish.blender_artfish.live.runtime import live_play, session_of
from artfish.blender_artfish.live.session import Session
from artfish.blender_artfish.scene import meshes
from artfish.core.geometry import triangles
from artfish.core.geometry.mesh_field import MeshField
from artfish.core.studio.rehearsal import Rehearsal
from artfish.tests.blender.live.tank import FISHES, counts


@pytest.fixture(autouse=True)
def scene():
    """A tank with some clownfishes that play live, and no handler left afterwards."""
    before = counts()
    blender_artfish.register()
    bpy.ops.artfish.add_shoal(species="clownfish", count=FISHES)
    yield bpy.context.scene
    blender_artfish.unregister()
    assert counts() == before
    assert not live_play().sessions


@pytest.fixture
def session(scene) -> Session:
    bpy.ops.artfish.live_play()
    return session_of(scene)


@pytest.fixture
def at_window(monkeypatch) -> None:
    """Has somebody wait at the window."""
    monkeypatch.setattr(pace, "unhurried", lambda: False)
    monkeypatch.setattr(pace, "SETTLED_SECONDS", 0.0)
    monkeypatch.setattr(meshes, "_shapes", WeakValueDictionary())  # others may have sampled the same mesh


@pytest.fixture
def gate(monkeypatch, at_window):
    """An event before which no mesh is sampled."""
    gate, sample = Event(), MeshField.__init__

    def wait(*given, **named) -> None:
        assert gate.wait(60.0)
        sample(*given, **named)

    monkeypatch.setattr(MeshField, "__init__", wait)
    yield gate
    gate.set()


@pytest.fixture
def counted(monkeypatch) -> dict[str, int]:
    """Counts of meshes that were checked, and of meshes that were sampled."""
    counts, check, sample = {"checked": 0, "sampled": 0}, triangles.surface, MeshField.__init__

    def count(name, do):
        def counting(*given, **named):
            counts[name] += 1
            return do(*given, **named)

        return counting

    monkeypatch.setattr(meshes, "_shapes", WeakValueDictionary())
    monkeypatch.setattr(triangles, "surface", count("checked", check))
    monkeypatch.setattr(MeshField, "__init__", count("sampled", sample))
    return counts


@pytest.fixture
def threads(monkeypatch) -> list[Thread]:
    """The threads in which meshes were checked and sampled, and tanks filled."""
    found: list[Thread] = []

    def note(do):
        def noting(*given, **named):
            found.append(current_thread())
            return do(*given, **named)

        return noting

    monkeypatch.setattr(triangles, "surface", note(triangles.surface))
    for kind in (MeshField, Rehearsal):
        monkeypatch.setattr(kind, "__init__", note(kind.__init__))
    return found
