"""Fixtures of the tests of breeding: the add-on with an empty folder of one's own, and nine children."""

from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.species import library


@pytest.fixture(autouse=True)
def scene(fresh_file: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[bpy.types.Scene]:
    """The open scene with the add-on, whose own species lie in a folder of the test's."""
    monkeypatch.setattr(library, "folder", lambda: tmp_path)
    blender_artfish.register()
    yield bpy.context.scene
    blender_artfish.unregister()


@pytest.fixture
def brood(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    """The shoals of nine children of a blue tang and a clownfish."""
    scene.artfish_breeding.mother, scene.artfish_breeding.father = "blue_tang", "clownfish"
    assert bpy.ops.artfish.breed() == {"FINISHED"}
    return [child.shoal for child in scene.artfish_breeding.brood]
