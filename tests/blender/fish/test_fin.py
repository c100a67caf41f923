"""Fins are as clear and as ragged as a species has them."""

import pytest

from artfish.blender_artfish.fish import materials
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


def test_pectoral_fins_have_a_clarity_of_their_own():
    species = Species.load("butterflyfish")
    made = materials.species_materials(species)
    for part, clarity in (("dorsal", species.looks.fin_clarity), ("pectoral", species.looks.pectoral_clarity)):
        fin = next(node for node in made[part].node_tree.nodes if "Fray" in node.inputs)
        assert fin.inputs["Clarity"].default_value == pytest.approx(clarity)
        assert fin.inputs["Fray"].default_value == pytest.approx(species.looks.fin_fray)
