"""Fixtures of tests of adopting: models in the scene, and in files."""

from collections.abc import Callable
from pathlib import Path

import bpy
import pytest
from mathutils import Matrix

from artfish.blender_artfish.blender.blocks import passing
from artfish.tests.blender.models import EXPORTERS, put_model


@pytest.fixture
def modelled(tmp_path: Path) -> Callable[..., list[bpy.types.Object]]:
    """Puts a model into the scene."""

    def put(turn: Matrix | None = None, bones: bool = False) -> list[bpy.types.Object]:
        return put_model(tmp_path, turn, bones)

    return put


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """Writes the scene as a file with this ending."""

    def write(suffix: str) -> Path:
        path = tmp_path / f"model{suffix}"
        with passing():
            EXPORTERS[suffix](str(path))
        return path

    return write
