"""Labels of every scene: what a picture's labels call fish is what Cycles sees of fishes before all else."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake.order import CROWD, Order
from artfish.blender_artfish.bake.writer import bake_steps
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
from artfish.tests.blender.truth import SURFACES, is_solid, silhouette, wrong_depths

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
    assert wrong_depths(scene, raster, matrix, RAYS) <= 0.03
    truth = seen_by_cycles(scene, tmp_path / "fishes.png")
    # Rounding at edges: a pixel in a hundred of the outlines, which are most of the pixels of small fishes.
    assert (union != truth).sum() <= max(3, 0.02 * truth.sum())


def seen_by_cycles(scene, path):
    """Pixels in which Cycles sees a fish before all that is solid, which is cut out."""
    for obj in scene.objects:
        if obj.type in SURFACES and not obj.hide_render:
            fish = obj.get(FISH_ID) is not None or obj.modifiers.get("Crowd") is not None
            obj.is_holdout = not fish
            obj.hide_render = not fish and not is_solid(obj)
    return silhouette(scene, path)
