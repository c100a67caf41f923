"""The species at hand."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender import declarations
from artfish.core import Species


@pytest.fixture(autouse=True)
def registered(fresh_file: None) -> Iterator[None]:
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture
def scene() -> bpy.types.Scene:
    return bpy.context.scene


@pytest.mark.parametrize("name", Species.names())
def test_declared_groups_hold_every_species(scene, name, same):
    data = Species.load(name).to_dict()
    held = scene.artfish.species.add()
    for part in ("body", "rhythm", "steering", "pectoral", "form", "looks", "temperament", "mind"):
        declarations.fill(getattr(held, part), data[part])
        assert same(data[part], declarations.json_of(getattr(held, part))) == []
    declarations.fill(held.about, data)
    assert same({key: data[key] for key in declarations.json_of(held.about)}, declarations.json_of(held.about)) == []
