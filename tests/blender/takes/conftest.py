"""Fixtures of the tests of takes: a scene with a few fishes, and a wish."""

from collections.abc import Iterator

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.bake import history


@pytest.fixture(autouse=True)
def scene(fresh_file: None) -> Iterator[bpy.types.Scene]:
    """The open scene with the add-on, three clownfishes, and a wish that they keep off each other."""
    blender_artfish.register()
    found = bpy.context.scene
    found.frame_start, found.frame_end = 1, 24
    bpy.ops.artfish.add_shoal(species="clownfish", count=3)
    bpy.ops.artfish.wish_add()
    found.artfish_takes.wishes[0].kind = "untouched"
    found.artfish_takes.wishes[0].touched = "fishes"
    found.artfish_takes.wishes[0].gap = 0.25
    found.artfish_takes.count, found.artfish_takes.seed, found.artfish_takes.best = 4, 3, 2
    yield found
    blender_artfish.unregister()
    history.clear()
