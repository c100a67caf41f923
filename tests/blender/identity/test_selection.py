"""The selection, the active object and eyes are kept while objects come and go."""

import bpy
import pytest

from artfish.blender_artfish.identity.selection import Selection
from artfish.tests.blender.files import new_file


@pytest.fixture
def four():
    """Four objects; the first is selected, the second active, the third hidden."""
    new_file()
    objects = [bpy.data.objects.new(name, None) for name in "abcd"]
    for obj in objects:
        bpy.context.scene.collection.objects.link(obj)
    objects[0].select_set(True)
    bpy.context.view_layer.objects.active = objects[1]
    objects[2].hide_set(True)
    return objects


def state():
    layer = bpy.context.view_layer
    return (
        [obj.name for obj in layer.objects if obj.select_get()],
        layer.objects.active and layer.objects.active.name,
        [obj.name for obj in layer.objects if obj.hide_get()],
    )


def test_it_is_restored(four):
    before, kept = state(), Selection.of(bpy.context.scene)
    four[0].select_set(False)
    four[3].select_set(True)
    bpy.context.view_layer.objects.active = four[3]
    four[2].hide_set(False)
    four[1].hide_set(True)
    kept.restore({})
    assert state() == before == (["a"], "b", ["c"])


def test_an_heir_has_what_the_object_before_it_had(four):
    kept = Selection.of(bpy.context.scene)
    heirs = {}
    for obj in four[:3]:
        heirs[obj.session_uid] = bpy.data.objects.new(f"{obj.name} anew", None)
        bpy.context.scene.collection.objects.link(heirs[obj.session_uid])
    bpy.data.batch_remove(four[:3])
    kept.restore(heirs)
    assert state() == (["a anew"], "b anew", ["c anew"])


def test_of_who_is_gone_nothing_is_left(four):
    kept = Selection.of(bpy.context.scene)
    bpy.data.batch_remove(four[:2])
    bpy.context.view_layer.objects.active = four[3]
    kept.restore({})
    assert state() == ([], None, ["c"])


def test_each_view_layer_has_its_own(four):
    other = bpy.context.scene.view_layers.new("Other")
    four[3].select_set(True, view_layer=other)
    four[0].select_set(False, view_layer=other)
    kept = Selection.of(bpy.context.scene)
    for obj in four:
        obj.select_set(obj == four[1], view_layer=other)
    kept.restore({})
    assert [obj.name for obj in other.objects if obj.select_get(view_layer=other)] == ["d"] and state()[0] == ["a"]
