"""The sights that panels show are found once after each change, and anew after any that it may depend on."""

from __future__ import annotations

from types import SimpleNamespace

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import glances
from artfish.blender_artfish.blender.glances import glance


@pytest.fixture(autouse=True)
def registered(fresh_file):
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def count():
    """Counts how often a scene was looked through, and has a function that looks."""
    looks = []

    def names(scene):
        looks.append(scene)
        return sorted(obj.name for obj in scene.objects)

    def look():
        return glance(names, bpy.context.scene), len(looks)

    return look


def test_nothing_is_looked_for_twice_without_a_change(count):
    assert count() == ([], 1) and count() == ([], 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda obj: bpy.data.objects.remove(obj),
        lambda obj: bpy.context.scene.collection.objects.link(bpy.data.objects.new("Another", None)),
        lambda obj: bpy.context.scene.frame_set(7),
        lambda obj: setattr(obj, "location", (1.0, 0.0, 0.0)),
        lambda obj: setattr(obj.artfish, "kind", "SHOAL"),
        lambda obj: setattr(bpy.context.scene.artfish, "seed", 12),
        lambda obj: obj.modifiers.new("Array", "ARRAY"),
        lambda obj: setattr(bpy.context.scene, "frame_end", 77),
        lambda obj: obj.select_set(not obj.select_get()),
        lambda obj: bpy.data.collections.new("Unused"),
    ],
)
def test_any_change_has_it_looked_for_anew(count, change):
    mesh = bpy.data.meshes.new("Rock")
    obj = bpy.data.objects.new("Rock", mesh)
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.update()
    count()
    change(obj)
    bpy.context.view_layer.update()
    names, looks = count()
    assert looks == 2 and names == sorted(obj.name for obj in bpy.context.scene.objects)


def test_a_setting_that_tells_nobody_is_named(count):
    looks = []
    for setting in (1.0, 1.0, 2.0):
        glance(looks.append, bpy.context.scene, setting)
    assert len(looks) == 2


def test_what_plays_is_no_change_but_what_one_moves_meanwhile_is(count, monkeypatch):
    monkeypatch.setattr(glances, "_plays", lambda: True)
    live, rock = (bpy.data.objects.new(name, None) for name in ("Live", "Rock"))
    live[glances.LIVE_MARK] = True

    def evaluated(*blocks):
        updates = [SimpleNamespace(id=SimpleNamespace(original=block)) for block in blocks]
        glances._evaluated(bpy.context.scene, SimpleNamespace(updates=updates))
        return count()[1]

    assert evaluated(live, bpy.context.scene) == 1
    bpy.context.scene.frame_set(9)
    assert count()[1] == 1
    assert evaluated(live, rock) == 2
    glances.forget()  # as when the animation stops
    assert count()[1] == 3


def test_the_mark_of_what_plays_is_that_of_live_fishes():
    from artfish.blender_artfish.identity.references import MARK

    assert glances.LIVE_MARK == MARK
