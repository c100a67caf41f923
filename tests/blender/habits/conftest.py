"""Fixtures of the tests of habits: a shoal of five, and its fishes as the simulation reads them."""

from collections.abc import Callable, Iterator

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.core.scene.scene import Scene


@pytest.fixture(autouse=True)
def shoal(fresh_file: None) -> Iterator[bpy.types.Object]:
    """A shoal of five clownfishes, active."""
    blender_artfish.register()
    bpy.ops.artfish.add_shoal(species="clownfish", count=5)
    yield bpy.context.object
    blender_artfish.unregister()


@pytest.fixture
def read_scene() -> Callable[[], Scene]:
    """Reads the open scene."""
    return lambda: scene_reader.read(bpy.context.scene).scene
