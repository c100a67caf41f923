"""Each fish has marks of its own."""

from dataclasses import replace

import pytest

from artfish.blender_artfish.fish import materials
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


@pytest.mark.parametrize(("field", "group"), [("freckles", "Artfish freckles"), ("scars", "Artfish scars")])
def test_a_species_without_marks_of_a_kind_has_no_nodes_for_them(field, group):
    grouper = Species.load("grouper")
    for name, share in (("marked", 0.7), ("plain", 0.0)):
        species = replace(grouper, name=name, looks=replace(grouper.looks, **{field: share}))
        tree = materials.species_materials(species)["skin"].node_tree
        found = [node for node in tree.nodes if node.bl_idname == "ShaderNodeGroup" and node.node_tree.name == group]
        assert len(found) == (share > 0)
        assert all(node.inputs[field.capitalize()].default_value == pytest.approx(share) for node in found)
