"""Each test of the scene has the add-on, in a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import bpy
import pytest

from artfish import blender_artfish
from artfish.core import Scene


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def scene() -> bpy.types.Scene:
    return bpy.context.scene


def _without_meshes(scene: Scene) -> dict[str, Any]:
    """A scene as JSON; meshes apart, which may be scaled and turned otherwise, and keys, which come frame by frame."""
    data = scene.to_dict()
    for obstacle in data.get("obstacles", ()):
        for key in ("vertices", "faces", "scale", "up", "motion"):
            obstacle.pop(key, None)
    return data


@pytest.fixture
def without_meshes() -> Any:
    """Describes a scene as JSON; meshes apart, which may be scaled and turned otherwise."""
    return _without_meshes
