"""Fixture of the tests of a fish's objects: fishes at rest."""

from collections.abc import Callable

import bpy
import pytest

from artfish.blender_artfish.fish import surfaces
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.scene.species import Species


@pytest.fixture
def resting() -> Callable[[Species], surfaces.FishObjects]:
    """Makes the objects of a fish at rest."""

    def make(species: Species) -> surfaces.FishObjects:
        patches = rest_surfaces(species)
        with surfaces.Workshop(species.common_name, patches) as workshop:
            made = workshop.fish(
                species.common_name, bpy.context.scene.collection, species.length, 0.03 * species.length
            )
        for part, patch in patches.items():
            surfaces.place_points(made.surfaces[part], species.length * surfaces.in_order(patch.points).ravel())
        return made

    return make
