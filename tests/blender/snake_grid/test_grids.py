"""Blender images as the snake grid sees them, and the species that they are laid for."""

import bpy
import numpy as np

from artfish.blender_artfish.snake_grid import grids


def test_pixels_come_with_the_first_row_on_top(image_of):
    array = np.linspace(0, 1, 12 * 10 * 3).reshape(12, 10, 3).astype(np.float32)
    np.testing.assert_allclose(grids.pixels(image_of(array))[..., :3], array, atol=0.5 / 255 + 1e-6)


def test_linear_light_comes_as_it_is_shown(image_of):
    """A float image's 0.2140 is the 0.5 that a byte image holds."""
    array = np.full((9, 9, 3), 0.21404114, dtype=np.float32)
    np.testing.assert_allclose(grids.pixels(image_of(array, float_buffer=True))[..., :3], 0.5, atol=1e-5)


def test_the_species_is_as_the_scene_has_it(drawn, image_of):
    """Grids are laid for the species as edited in this file, its own names among them, and outlines saved with it."""
    image, scene = image_of(drawn.image), bpy.context.scene
    bpy.ops.artfish.species_pick(name="clownfish")
    scene.artfish.species[0].about.common_name = "Edited"
    image.artfish.species = "clownfish"
    assert grids.species_of(image, scene).common_name == "Edited"
    scene.artfish.species[0].name = "nemo"
    image.artfish.species = "nemo"
    assert grids.species_of(image, scene).name == "nemo"
    assert bpy.ops.artfish.fit_grid(image=image.name, part="body") == {"FINISHED"}
