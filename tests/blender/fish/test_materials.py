"""What fishes wear: materials for all parts of all species, and colours where nature puts them."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.fish import materials, surfaces
from artfish.core.form.surfaces import rest_surfaces
from artfish.core.scene.species import Species


@pytest.mark.parametrize("name", Species.names())
def test_every_part_has_a_material_that_shades(name):
    made = materials.species_materials(Species.load(name))
    assert made.keys() == set(materials.PARTS.values())
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


def test_fishes_of_a_species_share_materials_and_differ_by_their_seeds():
    species = Species.load("clownfish")
    one, two, like_one = (fish(species) for _ in range(3))
    for some, seed in ((one, 1), (two, 2), (like_one, 1)):
        materials.dress(some.parts, materials.species_materials(species), seed)
    assert set(one.parts) == set(materials.PARTS)
    for part, thing in one.parts.items():
        assert thing.material_slots[0].material == two.parts[part].material_slots[0].material
        assert thing[materials.INDIVIDUAL] == like_one.parts[part][materials.INDIVIDUAL]
        assert thing[materials.INDIVIDUAL] != two.parts[part][materials.INDIVIDUAL]


def test_a_clownfish_has_three_white_bands():
    row = flank("clownfish")[16:20].mean(axis=0)
    white = (row[:, 2] > 0.5 * row[:, 0]) & (row.sum(axis=1) > 0.6)
    assert np.sum(white[1:] & ~white[:-1]) == 3


@pytest.mark.parametrize("name", ["reef_shark", "sardine"])
def test_fishes_of_open_water_are_dark_above_and_light_below(name):
    middle = flank(name)[:, 35:45].sum(axis=(1, 2))
    skin = np.flatnonzero(middle > 0)
    quarter = len(skin) // 4
    assert middle[skin[:quarter]].mean() > 1.2 * middle[skin[-quarter:]].mean()


def fish(species):
    """The objects of a fish at rest."""
    patches = rest_surfaces(species)
    with surfaces.Workshop(species.common_name, patches) as workshop:
        made = workshop.fish(species.common_name, bpy.context.scene.collection, species.length, 0.03 * species.length)
    for part, patch in patches.items():
        surfaces.place_points(made.surfaces[part], species.length * surfaces.in_order(patch.points).ravel())
    return made


def flank(name):
    """A picture of a species' left flank in even light, (36, 72, 3), the first row lowest, black where it ends."""
    species, scene = Species.load(name), bpy.context.scene
    shown = fish(species)
    materials.dress(shown.parts, materials.species_materials(species), seed=3)
    for part, thing in shown.parts.items():
        thing.hide_render = not part.startswith("body")
    scene.world = bpy.data.worlds.new("even")
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale, camera.data.clip_start = "ORTHO", 1.05 * species.length, 0.001
    middle = species.length * (species.body.stations[1] - 0.5)
    camera.matrix_world = Matrix.Translation((middle, species.length, 0)) @ Matrix.Rotation(np.pi, 4, "Z")
    camera.matrix_world @= Matrix.Rotation(np.pi / 2, 4, "X")
    light = bpy.data.objects.new("light", bpy.data.lights.new("light", "SUN"))
    light.matrix_world, light.data.energy = camera.matrix_world, 3.0
    for thing in (camera, light):
        scene.collection.objects.link(thing)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = 8, False, 0
    scene.render.resolution_x, scene.render.resolution_y, scene.render.film_transparent = 72, 36, True
    scene.view_settings.view_transform = "Raw"
    bpy.ops.render.render()
    return rendered(scene)


def rendered(scene):
    """The last render, (height, width, 3)."""
    path = bpy.app.tempdir + "flank.png"
    scene.render.image_settings.file_format = "PNG"
    bpy.data.images["Render Result"].save_render(path, scene=scene)
    image = bpy.data.images.load(path)
    pixels = np.array(image.pixels).reshape(image.size[1], image.size[0], -1)
    return pixels[..., :3] * pixels[..., 3:]
