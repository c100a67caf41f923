"""The relief of a skin in Blender: a packed picture of heights that every form's material carries."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.fish.pose_meshes import fish_mesh
from artfish.blender_artfish.fish.relief import CARVED, HEIGHT_RANGE_LENGTHS, INWARD
from artfish.blender_artfish.fish.surfaces import Workshop
from artfish.core import Species
from artfish.core.form.mesh import ControlNet, FishMesh
from artfish.core.form.relief import GRID, pictured
from artfish.core.form.surfaces import rest_surfaces


@pytest.fixture(scope="module")
def grouper():
    return Species.load("grouper")


@pytest.fixture
def wear(grouper):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    return materials.species_materials(grouper)


def picture_of(material: bpy.types.Material) -> bpy.types.Image:
    return next(node.image for node in material.node_tree.nodes if node.bl_idname == "ShaderNodeTexImage")


def test_the_picture_shows_the_heights(wear, grouper):
    image = picture_of(wear["skin"])
    assert image.packed_file and image.packed_file.size < 150_000 and tuple(image.size) == GRID
    pixels = np.empty(4 * GRID[0] * GRID[1], np.float32)
    image.pixels.foreach_get(pixels)
    shown = pixels.reshape(GRID[1], GRID[0], 4).swapaxes(0, 1)
    field = pictured(grouper)
    assert np.abs((shown[..., 0] - 0.5) * HEIGHT_RANGE_LENGTHS - field.height).max() < 3e-6
    assert np.abs(shown[..., 1] - field.mouth).max() < 1e-4 and np.abs(shown[..., 2] - field.crease).max() < 1e-4


def test_skin_is_displaced_and_shaded(wear):
    skin = wear["skin"]
    assert skin.displacement_method == "BOTH"
    output = next(node for node in skin.node_tree.nodes if node.bl_idname == "ShaderNodeOutputMaterial")
    assert output.inputs["Displacement"].is_linked and output.inputs["Surface"].is_linked


def test_other_numbers_have_a_picture_of_their_own(wear, grouper):
    first = picture_of(wear["skin"])
    assert picture_of(materials.species_materials(grouper)["skin"]) == first
    other = replace(grouper, relief=replace(grouper.relief, lips=0.009))
    materials.retouch(other)
    assert picture_of(wear["skin"]) != first
    materials.retouch(grouper)
    assert picture_of(wear["skin"]) == first


def test_a_body_of_another_shape_has_its_relief_and_its_eyes_elsewhere(wear, grouper):
    first = picture_of(wear["skin"])
    socket = next(node for node in wear["skin"].node_tree.nodes if "Middle along" in node.inputs)
    before = socket.inputs["Middle along"].default_value
    longer = grouper.body.stations[0] + 0.03, *grouper.body.stations[1:]
    materials.retouch(replace(grouper, body=replace(grouper.body, stations=longer)))
    socket = next(node for node in wear["skin"].node_tree.nodes if "Middle along" in node.inputs)
    assert socket.inputs["Middle along"].default_value != before
    assert picture_of(wear["skin"]) != first


def test_every_form_says_how_it_carries_the_relief(wear, grouper):
    net = ControlNet(grouper)
    mesh = fish_mesh("fish", FishMesh(net, 1), wear | {materials.EYE_IN_MESH: materials.eye_in_mesh(grouper)})
    values = np.empty(len(mesh.vertices), np.float32)
    mesh.attributes[CARVED].data.foreach_get("value", values)
    assert (values == 1.0).all()
    with Workshop("fish", rest_surfaces(grouper)) as workshop:
        fish = workshop.fish("fish", bpy.context.scene.collection, 1.0, 0.02)
    materials.dress(fish.parts, wear, 1)
    assert {name for name, obj in fish.parts.items() if obj.get(INWARD)} == {"body_left"}
