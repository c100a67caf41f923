"""An original is told from its copies by what is written on it, whatever it is called."""

import bpy
import pytest

from artfish.blender_artfish.identity import provenance
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def file():
    new_file()
    yield
    provenance.forget()
    new_file()


def made(name="Clownfish 02", role="fish clownfish 1", bake="key.1"):
    """An object of a bake, signed."""
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    obj[provenance.BAKE], obj[provenance.ROLE] = bake, role
    provenance.sign([obj])
    return obj


def copy(obj, name=None):
    """A copy as Shift D makes it."""
    other = obj.copy()
    other.name = name or other.name
    bpy.context.scene.collection.objects.link(other)
    return other


def opened():
    """Forgets what was known of the session, as when a file is opened."""
    provenance.recognise()


def test_a_renamed_object_is_the_same_in_this_session_and_the_next():
    fish = made()
    fish.name = "HERO"
    assert provenance.is_original(fish)
    opened()  # it was renamed where there was no add-on to sign it
    assert provenance.is_original(fish)


@pytest.mark.parametrize(
    ("original", "other", "first"),
    [
        ("Clownfish 02", "Clownfish 02.001", True),
        ("Clownfish 02", "HERO", True),
        ("HERO", "Clownfish 02.001", True),
        ("Zoe", "Anna", False),  # nothing tells them apart: the first
    ],
)
def test_of_two_one_is_the_original(original, other, first):
    fish = made()
    twin = copy(fish)
    fish.name, twin.name = original, other
    assert provenance.is_original(fish) and not provenance.is_original(twin)
    opened()
    assert provenance.is_original(fish) != provenance.is_original(twin)
    assert provenance.is_original(fish) == first


def test_a_copy_of_which_the_original_is_gone_stays_a_copy():
    fish = made()
    twin = copy(fish, "Mine")
    bpy.data.objects.remove(fish)
    assert not provenance.is_original(twin)
    provenance.disown()  # as before saving
    opened()
    assert not provenance.is_original(twin)


def test_fishes_of_two_bakes_are_both_originals():
    one, other = made(), made("Clownfish 03", bake="key.2")
    one.name, other.name = "A", "B"
    provenance.disown()
    opened()
    assert provenance.is_original(one) and provenance.is_original(other)


def test_what_has_no_role_in_a_bake_goes_by_its_name():
    """Live fishes and what stands in for them are made anew at every opening."""
    obj = bpy.data.objects.new("Empty", None)
    provenance.sign([obj])
    opened()
    assert provenance.is_original(obj)
    obj.name = "Other"
    opened()
    assert not provenance.is_original(obj)
