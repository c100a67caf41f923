"""Fins are as clear and as ragged as a species has them."""

from dataclasses import replace

import numpy as np
import pytest

from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.fish.fin import HEIGHT_LENGTHS
from artfish.core.form.fin_relief import FIN_GRID, pictured_fin
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


def test_pectoral_fins_have_a_clarity_of_their_own():
    species = Species.load("butterflyfish")
    made = materials.species_materials(species)
    for part, clarity in (("dorsal", species.looks.fin_clarity), ("pectoral", species.looks.pectoral_clarity)):
        fin = next(node for node in made[part].node_tree.nodes if "Fray" in node.inputs)
        assert fin.inputs["Clarity"].default_value == pytest.approx(clarity)
        assert fin.inputs["Fray"].default_value == pytest.approx(species.looks.fin_fray)


def picture_of(material):
    return next(node.image for node in material.node_tree.nodes if node.bl_idname == "ShaderNodeTexImage")


def test_spines_and_rays_are_the_relief_of_the_fin():
    species = Species.load("grouper")
    made = materials.species_materials(species)
    image = picture_of(made["dorsal"])
    assert tuple(image.size) == FIN_GRID and image.packed_file.size < 60_000
    pixels = np.empty(4 * FIN_GRID[0] * FIN_GRID[1], np.float32)
    image.pixels.foreach_get(pixels)
    shown = pixels.reshape(FIN_GRID[1], FIN_GRID[0], 4).swapaxes(0, 1)
    field = pictured_fin(species, "dorsal")
    assert np.abs(shown[..., 0] * HEIGHT_LENGTHS - field.height).max() < 1e-5
    assert np.abs(shown[..., 1] - field.ray).max() < 1e-3 and np.abs(shown[..., 2] - field.beyond).max() < 1e-3
    assert len({picture_of(made[part]) for part in materials.FIN_MATERIALS}) == 4


def test_other_spines_have_a_picture_of_their_own():
    species = Species.load("grouper")
    made = materials.species_materials(species)
    first = picture_of(made["dorsal"])
    materials.retouch(replace(species, relief=replace(species.relief, dorsal_spines=5)))
    assert picture_of(made["dorsal"]) != first
