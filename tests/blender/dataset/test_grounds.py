"""Grounds take the stage's place: labels and pictures show fishes before them."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.dataset.grounds import stand_before
from artfish.blender_artfish.dataset.pictures import aim, read_pixels
from artfish.blender_artfish.dataset.seen import fill
from artfish.blender_artfish.stage.render import render_picture
from artfish.core.dataset.raster import SCENERY, Raster
from artfish.tests.blender.dataset.conftest import BEFORE, SIZE

pytestmark = pytest.mark.film
FRAME = 5


def seen(opened):
    opened.scene.frame_set(FRAME)
    camera = opened.camera({**BEFORE, "at": [1.5, 0.05, 0.8]})
    optics, matrix = camera.optics(SIZE), camera.matrix(FRAME - 1)
    raster = Raster(optics)
    rows = fill(raster, matrix, bpy.context.evaluated_depsgraph_get())
    return raster, rows, matrix


def test_before_white_there_are_fishes_alone(opened, tmp_path):
    before, rows, _ = seen(opened)
    stand_before(opened.scene, opened.recording, "white")
    after, still, matrix = seen(opened)
    assert still.tolist() == rows.tolist()
    assert (before.marks == SCENERY).any() and not (after.marks == SCENERY).any()
    aim(opened.scene, matrix, after.optics)
    render_picture(opened.scene, FRAME, tmp_path / "white.png")
    pixels = read_pixels(tmp_path / "white.png")
    ground = pixels[after.marks == 0]
    assert np.quantile(ground.min(axis=1), 0.1) > 0.85
    assert pixels[after.marks > 0].mean() < ground.mean()


@pytest.mark.parametrize("ground", ["tank", "net_cage"])
def test_walls_and_nets_stand_around_the_water(opened, ground):
    stand_before(opened.scene, opened.recording, ground)
    raster, rows, matrix = seen(opened)
    assert len(rows) >= 6
    share = (raster.marks == SCENERY).mean()
    assert share > 0.5 if ground == "tank" else 0.02 < share < 0.5
    # The wall behind is 3 m away from the tank's near side, and a little more.
    far = raster.depths[raster.marks == SCENERY].max()
    assert 2.9 < far < 3.1


def test_the_scene_itself_stays(opened):
    before = {obj.name: obj.hide_render for obj in opened.scene.objects}
    stand_before(opened.scene, opened.recording, "scene")
    assert {obj.name: obj.hide_render for obj in opened.scene.objects} == before
