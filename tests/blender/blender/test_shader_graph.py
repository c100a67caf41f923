"""Node trees made by formulas: brought up to date by numbers alone where that is enough, else made once more."""

import bpy
import pytest

from artfish.blender_artfish.blender import shader_graph


@shader_graph.group("Test stain", amount=0.5)
def stain(graph, amount):
    """A share of white."""
    return {"Colour": graph.mix(amount, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))}


def painting(amount, rough=None):
    """A function that paints a stained surface, rough where that is given."""

    def paint(graph):
        inputs = {"Base Color": stain(graph, amount=amount)["Colour"]} | ({} if rough is None else {"Roughness": rough})
        if rough is not None:
            inputs["Roughness"] = graph.noise(graph.coordinates("Object")) * rough
        shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", inputs)["BSDF"])

    return paint


@pytest.fixture
def stained():
    """A material with a stain, half white."""
    material, graph = shader_graph.material("Stained")
    painting(0.5)(graph)
    return material


def stain_of(material):
    """The node of the stain."""
    return next(node for node in material.node_tree.nodes if node.bl_idname == "ShaderNodeGroup")


def test_numbers_are_set_in_the_nodes_that_are_there(stained):
    nodes = {node.name: node.as_pointer() for node in stained.node_tree.nodes}
    assert shader_graph.retouch(stained, painting(0.25))
    assert {node.name: node.as_pointer() for node in stained.node_tree.nodes} == nodes
    assert stain_of(stained).inputs["Amount"].default_value == pytest.approx(0.25)


def test_another_tree_is_made_once_more_and_nodes_of_the_animators_own_stay(stained):
    tree = stained.node_tree
    image = tree.nodes.new("ShaderNodeTexImage")
    tree.links.new(image.outputs["Color"], stain_of(stained).inputs["Amount"])
    assert not shader_graph.retouch(stained, painting(0.25, rough=0.5))
    assert stain_of(stained).inputs["Amount"].links[0].from_node == image
    assert sum(node.bl_idname == "ShaderNodeTexNoise" for node in tree.nodes) == 1
    assert all(link.is_valid for link in tree.links)


def test_a_group_is_made_once_in_a_file_and_goes_when_nothing_uses_it(stained):
    other, graph = shader_graph.material("Stained, too")
    painting(0.75)(graph)
    assert stain_of(other).node_tree == stain_of(stained).node_tree == bpy.data.node_groups["Test stain"]
    for material in (stained, other):
        bpy.data.materials.remove(material)
    shader_graph.drop_unused()
    assert "Test stain" not in bpy.data.node_groups


def test_a_group_for_modifiers_is_made_once_in_a_file():
    inputs = {"Wide": ("NodeSocketFloat", 2.0, "How wide"), "Of": ("NodeSocketObject", None, "Whose it is")}
    made = [shader_graph.modifier_group("Test hull", inputs, lambda graph, given: given["Geometry"]) for _ in range(2)]
    assert made[0] == made[1] and made[0].is_modifier
    assert shader_graph.new_modifier_group("Test hull", {}, lambda graph, given: given["Geometry"]) != made[0]
    sockets = [(item.name, item.in_out) for item in made[0].interface.items_tree]
    assert sorted(sockets) == [("Geometry", "INPUT"), ("Geometry", "OUTPUT"), ("Of", "INPUT"), ("Wide", "INPUT")]
    assert made[0].interface.items_tree["Wide"].default_value == 2.0
