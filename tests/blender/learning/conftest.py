"""Fixture of the tests of learning: the add-on, registered."""

from collections.abc import Iterator

import bpy
import pytest

from artfish import blender_artfish


@pytest.fixture(autouse=True)
def scene(fresh_file: None) -> Iterator[bpy.types.Scene]:
    """The open scene, with the add-on."""
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()
