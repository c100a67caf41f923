"""Numbers of shoals: each keeps its own, and no two of a species have the same."""

import bpy
import pytest

from artfish.blender_artfish.identity import shoals
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def empty():
    new_file()
    yield
    new_file()


def made(*marks):
    """Objects with these marks; None for none."""
    found = []
    for mark in marks:
        obj = bpy.data.objects.new("Shoal", None)
        if mark is not None:
            obj[shoals.SHOAL_MARK] = mark
        found.append(obj)
    return found


@pytest.mark.parametrize(
    ("marks", "species", "taken", "numbers"),
    [
        ([None] * 4, "abaa", {}, (1, 1, 2, 3)),
        (["a 2", None, "a 1"], "aaa", {}, (2, 3, 1)),
        (["a 1", "a 1"], "aa", {}, (1, 2)),  # a copy
        (["a 1", "a 1", "a 2"], "aaa", {}, (1, 3, 2)),
        ([None], "a", {"a": {1, 2}}, (3,)),  # those of the last bake that have gone
        (["a 2"], "a", {"a": {1, 2}}, (2,)),
        (["b 1", "a 1"], "aa", {}, (2, 1)),  # another species than before
        (["a x", 7, "a -1", "a", "a 0", f"a {10**9}"], "aaaaaa", {}, (1, 2, 3, 4, 5, 6)),
    ],
)
def test_each_keeps_its_number_and_others_get_new_ones(marks, species, taken, numbers):
    objects = made(*marks)
    assert shoals.numbers_of(objects, species, taken) == numbers
    for obj, name, number in zip(objects, species, numbers, strict=True):
        shoals.write(obj, name, number)
    assert shoals.numbers_of(objects, species, {name: range(99) for name in species}) == numbers


def test_shoals_that_cannot_be_written_on_are_numbered_in_their_order(tmp_path):
    objects = made(None, None, None)
    path = str(tmp_path / "shoals.blend")
    bpy.data.libraries.write(path, set(objects[:2]))
    bpy.data.batch_remove(objects[:2])
    with bpy.data.libraries.load(path, link=True) as (source, into):
        into.objects = source.objects
    every = [*into.objects, objects[2]]
    expected = (shoals.LINKED_FROM + 1, shoals.LINKED_FROM + 2, 1)
    assert shoals.numbers_of(every, "aaa", {}) == expected
    shoals.write(every[0], "a", 5)
    assert shoals.numbers_of(every, "aaa", {}) == expected
