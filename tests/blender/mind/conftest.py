"""The add-on, a recording, and objects in place of its fishes."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.identity import provenance
from artfish.core import Recording, Scene, World
from artfish.tests.blender.mind.school import SCENE


@pytest.fixture(autouse=True)
def addon():
    """The add-on, registered."""
    blender_artfish.register()
    yield
    blender_artfish.unregister()


@pytest.fixture(scope="session")
def recording() -> Recording:
    return World(Scene.from_dict(SCENE), seed=3).simulate(frames=48)


@pytest.fixture
def roots(recording):
    """Empties with marks of a bake, in place of whole fishes."""
    made = {}
    for row, species in enumerate(recording.species):
        root = made[row] = bpy.data.objects.new(f"{species} {row}", None)
        root[provenance.ROW], root[provenance.BAKE] = row, "the bake"
        bpy.context.scene.collection.objects.link(root)
    return made
