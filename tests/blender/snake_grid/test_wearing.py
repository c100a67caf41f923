"""Materials wear pictures, and the file needs nothing else for it."""

import bpy
import numpy as np

import artfish.blender_artfish as addon
from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.snake_grid import grids
from artfish.blender_artfish.snake_grid.wearing import PHOTOGRAPH_LABEL
from artfish.core.scene.species import Species


def test_a_species_wears_the_picture_and_takes_it_off(drawn, image_of):
    image = image_of(drawn.image)
    image.artfish.species = "clownfish"
    for part in ("body", "dorsal", "caudal"):
        bpy.ops.artfish.fit_grid(image=image.name, part=part)
    species = Species.load("clownfish")
    before = len(materials.species_materials(species)["skin"].node_tree.nodes)
    for _ in range(2):  # the second takes the first one's place
        assert bpy.ops.artfish.wear_picture(image=image.name) == {"FINISHED"}
        made = {part: photographs(f"clownfish {part}") for part in ("skin", "dorsal", "caudal", "ventral")}
        assert [len(found) for found in made.values()] == [1, 1, 1, 0]
    texture = made["skin"][0].image
    assert texture.packed_file is not None
    # On the texture is the fish: its middle has the colours that the picture has at the grid's middle.
    painted = np.array(texture.pixels).reshape(texture.size[1], texture.size[0], 4)[::-1]
    x, y = np.round(grids.grid_of(image, "body")[4, 10]).astype(int)
    near = drawn.image[y - 2 : y + 3, x - 2 : x + 3].reshape(-1, 3)
    seen = painted[texture.size[1] // 3, texture.size[0] // 2, :3]
    assert np.abs(near - seen).max(axis=1).min() < 0.15
    assert bpy.ops.artfish.take_off_picture(image=image.name) == {"FINISHED"}
    assert not photographs("clownfish skin")
    tree = bpy.data.materials["clownfish skin"].node_tree
    assert len(tree.nodes) == before
    tint = next(node for node in tree.nodes if node.type == "GROUP" and "tint" in node.node_tree.name)
    assert tint.inputs["Colour"].is_linked


def test_a_file_needs_neither_the_add_on_nor_the_photograph(drawn, tmp_path, image_of):
    image = image_of(drawn.image)
    image.pack()
    bpy.ops.artfish.fit_grid(image=image.name, part="body")
    bpy.ops.artfish.wear_picture(image=image.name)
    grid = grids.grid_of(image, "body")
    bpy.data.materials["thesis skin"].use_fake_user = True
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "worn.blend"))
    addon.unregister()
    try:
        bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "worn.blend"))
        (photograph,) = photographs("thesis skin")
        assert photograph.image.packed_file is not None
        assert np.array(photograph.image.pixels).std() > 0.01
        assert not any(obj.library for obj in bpy.data.images)
        np.testing.assert_array_equal(grids.grid_of(bpy.data.images["fish"], "body"), grid)
    finally:
        addon.register()


def photographs(material: str) -> list[bpy.types.Node]:
    """The nodes of a material that read a photograph, and not the picture of its relief."""
    nodes = bpy.data.materials[material].node_tree.nodes
    return [node for node in nodes if node.type == "TEX_IMAGE" and node.label == PHOTOGRAPH_LABEL]
