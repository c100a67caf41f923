"""The exported fishes: chosen by selected objects, their parents, and collections."""

import bpy
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.export.choosing import crowds, fishes, missing

pytestmark = pytest.mark.versions


@pytest.fixture
def scene(swimming):
    bake(swimming("clownfish", "blue_tang", "clownfish", frames=2), form="mesh", stage=False)
    return bpy.context.scene


def test_all_of_a_scene(scene):
    assert len(fishes(scene)) == 3 and crowds(scene) == []


def test_those_of_a_collection_or_a_name(scene):
    tang = next(obj for obj in scene.objects if obj.name.startswith("Blue tang 01"))
    assert len(fishes(scene, "Clownfish")) == 2
    assert len(fishes(scene, tang.name)) == 1
    assert fishes(scene, "Herring") == []


def test_those_of_which_anything_is_selected(scene):
    for obj in scene.objects:
        obj.select_set(False)
    assert fishes(scene, "selected") == [] and "selected" in str(missing(scene, "selected"))
    body = fishes(scene, "Blue tang")[0]
    body.parent.select_set(True)
    assert fishes(scene, "selected") == [body]
    body.parent.select_set(False)
    shoal = bpy.data.objects.new("My shoal", None)
    scene.collection.objects.link(shoal)
    for each in fishes(scene, "Clownfish"):
        each.parent.parent = shoal
    assert fishes(scene, "My shoal") == fishes(scene, "Clownfish")


def test_a_crowd_is_known_by_what_it_plays_by(swimming):
    bake(swimming("clownfish", "clownfish", frames=2), form="crowd", stage=False)
    scene, both = bpy.context.scene, ["Clownfish crowd 01", "Clownfish crowd 02"]
    assert [obj.name for obj in crowds(scene)] == [obj.name for obj in crowds(scene, "Clownfish")] == both
    assert [obj.name for obj in crowds(scene, both[1])] == both[1:]
    assert not crowds(scene, "Blue tang") and not fishes(scene)
