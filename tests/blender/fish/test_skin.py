"""The skin of fishes has its colours where nature puts them."""

import bpy
import numpy as np
import pytest
from mathutils import Matrix

from artfish.blender_artfish.fish import materials
from artfish.blender_artfish.fish.skin import eye_on_skin
from artfish.core.form.surfaces import eyes, on_body, rest_surfaces
from artfish.core.form.tuning import EYE_SKIN_RADII
from artfish.core.scene.species import Species

pytestmark = pytest.mark.versions


def test_a_clownfish_has_three_white_bands(resting):
    row = flank("clownfish", resting)[16:20].mean(axis=0)
    white = (row[:, 2] > 0.5 * row[:, 0]) & (row.sum(axis=1) > 0.6)
    assert np.sum(white[1:] & ~white[:-1]) == 3


@pytest.mark.parametrize("name", ["reef_shark", "sardine"])
def test_fishes_of_open_water_are_dark_above_and_light_below(name, resting):
    middle = flank(name, resting)[:, 35:45].sum(axis=(1, 2))
    skin = np.flatnonzero(middle > 0)
    quarter = len(skin) // 4
    assert middle[skin[:quarter]].mean() > 1.2 * middle[skin[-quarter:]].mean()


def test_fishes_of_a_species_have_marks_of_their_own_and_keep_them(resting):
    one, again, other = (flank("grouper", resting, seed) for seed in (3, 3, 4))
    skin = one.sum(axis=-1) > 0
    assert np.array_equal(one, again)
    assert 0.005 < np.abs(one - other)[skin].mean() < 0.1  # they differ, but are of one kind


@pytest.mark.parametrize("name", ["clownfish", "reef_shark"])
def test_the_ring_of_skin_is_about_the_eye(name):
    species = Species.load(name)
    (along, up), (lengthwise, upright) = eye_on_skin(species)
    left = rest_surfaces(species)["body_left"].points
    around = np.array([(along, up), (along + lengthwise, up), (along, up + upright)])
    middle, *edge = on_body(left, np.column_stack([6.0 * (1.0 - around[:, 1]), 18.0 * around[:, 0]]))
    centre, radius = eyes(species)[0][0], species.form.eye_radius
    assert np.linalg.norm(middle - centre) == pytest.approx(0.67 * radius, rel=0.05)
    for place in edge:
        assert np.linalg.norm(place - middle) == pytest.approx(EYE_SKIN_RADII * radius, rel=0.25)


def flank(name, resting, seed=3):
    """A picture of a species' left flank in even light, (36, 72, 3), the first row lowest, black where it ends."""
    species, scene = Species.load(name), bpy.context.scene
    shown = resting(species)
    materials.dress(shown.parts, materials.species_materials(species), seed)
    for part, obj in shown.parts.items():
        obj.hide_render = not part.startswith("body")
    scene.world = bpy.data.worlds.new("even")
    camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
    camera.data.type, camera.data.ortho_scale, camera.data.clip_start = "ORTHO", 1.05 * species.length, 0.001
    middle = species.length * (species.body.stations[1] - 0.5)
    camera.matrix_world = Matrix.Translation((middle, species.length, 0)) @ Matrix.Rotation(np.pi, 4, "Z")
    camera.matrix_world @= Matrix.Rotation(np.pi / 2, 4, "X")
    light = bpy.data.objects.new("light", bpy.data.lights.new("light", "SUN"))
    light.matrix_world, light.data.energy = camera.matrix_world, 3.0
    for obj in (camera, light):
        scene.collection.objects.link(obj)
    scene.camera, scene.render.engine = camera, "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = 8, False, 0
    scene.render.resolution_x, scene.render.resolution_y, scene.render.film_transparent = 72, 36, True
    scene.view_settings.view_transform = "Raw"
    bpy.ops.render.render()
    picture = rendered(scene)
    bpy.data.batch_remove([*shown.parts.values(), shown.root, camera, light])
    return picture


def rendered(scene):
    """The last render, (height, width, 3)."""
    path = bpy.app.tempdir + "flank.png"
    scene.render.image_settings.file_format = "PNG"
    bpy.data.images["Render Result"].save_render(path, scene=scene)
    image = bpy.data.images.load(path)
    pixels = np.array(image.pixels).reshape(image.size[1], image.size[0], -1)
    return pixels[..., :3] * pixels[..., 3:]
