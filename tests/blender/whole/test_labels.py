"""Labels of every scene: what a picture's labels call fish is what Cycles sees of fishes before all else."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.order import CROWD, Order
from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.blender.console import silenced
from artfish.blender_artfish.dataset.making import set_up
from artfish.blender_artfish.dataset.pictures import aim, view_of
from artfish.blender_artfish.dataset.seen import fill
from artfish.blender_artfish.fish.individuality import FISH_ID
from artfish.blender_artfish.stage.render import open_to_render
from artfish.core.dataset.cameras import DEFAULT_CAMERAS, placed
from artfish.core.dataset.conditions import PictureConditions
from artfish.core.dataset.facts import FilmFacts
from artfish.core.dataset.labelling import labelled
from artfish.core.dataset.plan import CROWDED
from artfish.core.dataset.raster import Raster
from artfish.core.dataset.rle import decoded
from artfish.core.scene.scene import Scene
from artfish.core.world.world import World

SIZE, FRAME, RAYS = (256, 144), 4, 150


@pytest.mark.film
@pytest.mark.sampled
@pytest.mark.parametrize("name", ["schooling", *(name for name in Scene.names() if name != "schooling")])
def test_labels_are_true_in_every_scene(name, tmp_path):
    recording = World(Scene.load(name), seed=9).simulate(FRAME)
    blend = tmp_path / "film.blend"
    for _ in bake_steps(recording, blend, Order(form=CROWD if len(recording.species) >= CROWDED else "points")):
        pass
    scene = open_to_render(blend, 1, SIZE)
    own = scene.camera
    set_up(scene, recording, PictureConditions())
    scene.frame_set(FRAME)
    (camera,) = placed(DEFAULT_CAMERAS, recording, view_of(own))
    optics, matrix = camera.optics(SIZE), camera.matrix(FRAME - 1)
    aim(scene, matrix, optics)
    raster = Raster(optics)
    rows = fill(raster, matrix, bpy.context.evaluated_depsgraph_get())
    labels = labelled(FilmFacts(recording), FRAME - 1, raster, matrix, rows, {})
    union = np.zeros((SIZE[1], SIZE[0]), dtype=bool)
    for fish in labels["fishes"]:
        if fish["seen"] is not None:
            mask = decoded(fish["seen"]["rle"]["counts"], fish["seen"]["rle"]["size"])
            left, top, width, height = fish["seen"]["box"]
            assert mask[top : top + height, left : left + width].sum() == mask.sum() == fish["seen"]["pixels"]
            assert not (union & mask).any()
            union |= mask
        left, top, width, height = fish["whole"]["box"]
        assert fish["whole"]["pixels"] <= (width + 2) * (height + 2)
    there = int(recording.alive[FRAME - 1].sum())
    assert len(labels["fishes"]) <= there
    truth = seen_by_cycles(scene, tmp_path / "fishes.png")
    # Rounding at edges: a pixel in a hundred of the outlines, which are most of the pixels of small fishes.
    assert (union != truth).sum() <= max(3, 0.02 * truth.sum())
    refuse_wrong_depths(scene, raster, matrix)


def seen_by_cycles(scene, path):
    """Pixels in which Cycles sees a fish before all that is solid: all else is cut out of a white picture."""
    for obj in scene.objects:
        if obj.type not in ("MESH", "SURFACE", "CURVE") or obj.hide_render:
            continue
        fish = obj.get(FISH_ID) is not None or obj.modifiers.get("Crowd") is not None
        if not fish and not (obj.visible_shadow and obj.visible_camera and obj.display_type == "TEXTURED"):
            obj.hide_render = True
        obj.is_holdout = not fish
    white = bpy.data.materials.new("white")
    white.use_nodes = True
    nodes = white.node_tree.nodes
    nodes.clear()
    light, end = nodes.new("ShaderNodeEmission"), nodes.new("ShaderNodeOutputMaterial")
    white.node_tree.links.new(light.outputs[0], end.inputs["Surface"])
    scene.view_layers[0].material_override = white
    scene.render.film_transparent, scene.cycles.use_denoising = True, False
    scene.cycles.samples, scene.cycles.use_adaptive_sampling = 1, False
    scene.cycles.pixel_filter_type, scene.cycles.filter_width = "BOX", 0.01
    scene.render.image_settings.color_mode = "RGBA"
    scene.render.filepath = str(path)
    with silenced():
        bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(path))
    pixels = np.empty(SIZE[0] * SIZE[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    return pixels.reshape(SIZE[1], SIZE[0], 4)[::-1, :, 3] > 0.5


def refuse_wrong_depths(scene, raster, matrix):
    """Depths are those of rays that Blender casts, within a hundredth, but at edges."""
    depsgraph = bpy.context.evaluated_depsgraph_get()
    axes, origin = matrix[:, :3], -matrix[:, :3].T @ matrix[:, 3]
    dice, right, wrong = np.random.default_rng(1), 0, 0
    for row, column in zip(dice.integers(0, SIZE[1], RAYS), dice.integers(0, SIZE[0], RAYS), strict=True):
        way = axes.T @ np.append(raster.optics.rays(np.array([column + 0.5, row + 0.5])), 1.0)
        start, depth = origin, np.inf
        for _ in range(40):
            hit, place, _, _, obj, _ = scene.ray_cast(depsgraph, start.tolist(), way.tolist())
            if not hit:
                break
            if obj.visible_shadow and obj.visible_camera and obj.display_type == "TEXTURED" and not obj.hide_render:
                depth = float((matrix @ [*place, 1.0])[2])
                break
            start = np.array(place) + 1e-4 * way
        found = float(raster.depths[row, column])
        same = found == depth or abs(found / depth - 1.0) < 0.01
        right, wrong = right + same, wrong + (not same)
    assert wrong <= 0.03 * (right + wrong)
