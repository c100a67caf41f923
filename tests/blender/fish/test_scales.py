"""Scales and the lateral line are where a species has them, and nowhere else."""

from dataclasses import replace

import pytest

from artfish.blender_artfish.fish import materials
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


def groups(species):
    """The node groups in the skin's material of a species, by name, each with its inputs."""
    tree = materials.species_materials(species)["skin"].node_tree
    nodes = [node for node in tree.nodes if node.bl_idname == "ShaderNodeGroup"]
    return {node.node_tree.name: {each.name: each.default_value for each in node.inputs} for node in nodes}


@pytest.mark.parametrize("name", ["parrotfish", "blue_tang"])
def test_scales_are_as_large_and_as_even_as_the_species_says(name):
    species = Species.load(name)
    inputs = groups(species)["Artfish overlapping scales"]
    for key, value in {"Size": "scale_size", "Taper": "scale_taper", "Start": "scale_start"}.items():
        assert inputs[key] == pytest.approx(getattr(species.looks, value))


def test_a_fish_has_a_lateral_line_unless_its_species_has_none():
    sardine = Species.load("sardine")
    assert "Artfish lateral line" not in groups(sardine)  # herrings have none on the body
    lined = replace(sardine, name="lined", looks=replace(sardine.looks, lateral_line=0.5, lateral_up=0.6))
    assert groups(lined)["Artfish lateral line"]["Height"] == pytest.approx(0.6)
