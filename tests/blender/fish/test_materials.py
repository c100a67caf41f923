"""Materials of fishes, for all parts of all species."""

from dataclasses import fields, replace

import bpy
import pytest

from artfish.blender_artfish.fish import individuality, materials
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


@pytest.mark.parametrize("name", Species.names())
def test_every_part_has_a_material_that_shades(name):
    made = materials.species_materials(Species.load(name))
    assert made.keys() == set(materials.PART_MATERIALS.values())
    for material in made.values():
        tree = material.node_tree
        assert tree.get_output_node("CYCLES").inputs["Surface"].is_linked
        assert all(link.is_valid for link in tree.links)


def test_species_share_the_steps_of_painting():
    materials.species_materials(Species.load("parrotfish"))
    groups = set(bpy.data.node_groups)
    assert materials.species_materials(Species.load("blue_tang")).keys()
    assert {group.name for group in bpy.data.node_groups} >= {group.name for group in groups}
    assert all("." not in group.name for group in bpy.data.node_groups)


def test_fishes_of_a_species_share_materials_and_differ_by_their_seeds(resting):
    species = Species.load("clownfish")
    one, two, like_one = (resting(species) for _ in range(3))
    for some, seed in ((one, 1), (two, 2), (like_one, 1)):
        materials.dress(some.parts, materials.species_materials(species), seed)
    assert set(one.parts) == set(materials.PART_MATERIALS)
    for part, obj in one.parts.items():
        assert obj.material_slots[0].material == two.parts[part].material_slots[0].material
        assert obj[individuality.INDIVIDUAL] == like_one.parts[part][materials.INDIVIDUAL]
        assert obj[individuality.INDIVIDUAL] != two.parts[part][materials.INDIVIDUAL]


def constants(made):
    """Values of the inputs of all nodes of materials, and names of their pictures."""
    nodes = [node for material in made.values() for node in material.node_tree.nodes]
    sockets = [socket for node in nodes for socket in node.inputs if hasattr(socket, "default_value")]
    pictures = [node.image.name for node in nodes if getattr(node, "image", None)]
    return [tuple(v) if hasattr(v := socket.default_value, "__len__") else v for socket in sockets] + pictures


def test_every_number_of_the_looks_is_seen_in_some_material():
    everything = {"face_reach": 0.1, "rear_reach": 0.2, "bands": ((0.3, 0.1, 0, 0),), "band_edge": 0.01}
    everything |= {"patches": ((0.6, 0.5, 0.1, 0.1, 0, 1),), "patch_edge": 0.1, "fin_pattern": 0.5, "freckles": 0.3}
    thesis = Species.load("thesis")
    species = replace(thesis, looks=replace(thesis.looks, **everything))
    made = materials.species_materials(species)
    unseen = []
    for field in fields(species.looks):
        value, before = getattr(species.looks, field.name), constants(made)
        if isinstance(value, str) or field.name in ("bands", "patches"):
            continue
        other = tuple(0.9 * v + 0.03 for v in value) if isinstance(value, tuple) else 0.9 * value + 0.01
        materials.retouch(replace(species, looks=replace(species.looks, **{field.name: other})))
        if constants(made) == before:
            unseen.append(field.name)
    assert unseen == []
