"""Scenery grows where the sea bed is painted."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.scene.painting import GROUP_NAME, painted_bed
from artfish.blender_artfish.scene.reader import read
from artfish.blender_artfish.scene.writer import write
from artfish.core.scene.scene import Scene


def test_a_stage_comes_back_from_the_panel_as_it_was_written():
    stage = {"scenery": "kelp", "seed": 4, "growth": 0.5, "painted": [[0.0, 1.0], [0.5, 0.25]], "ripples": 2.0}
    write(bpy.context.scene, Scene.from_dict({"stage": stage}))
    assert read(bpy.context.scene).scene.stage == Scene.from_dict({"stage": stage}).stage
    write(bpy.context.scene, Scene.from_dict({}))
    assert read(bpy.context.scene).scene.stage == Scene().stage


def test_weights_of_the_sea_bed_are_the_paint():
    write(bpy.context.scene, Scene.from_dict({"tank": {"size": [4, 2, 2]}, "terrain": {"heights": [[0.1] * 9] * 5}}))
    bpy.context.view_layer.update()
    bed = next(obj for obj in bpy.context.scene.objects if obj.artfish.kind == "BED")
    assert painted_bed(bpy.context.scene) is None
    group = bed.vertex_groups.new(name=GROUP_NAME)
    right = [vertex.index for vertex in bed.data.vertices if vertex.co.x > 2.0]
    group.add(right, 0.5, "REPLACE")
    painted = np.array(read(bpy.context.scene).scene.stage.painted)
    assert painted_bed(bpy.context.scene) == bed
    columns = painted.shape[1]
    assert painted[:, : columns // 3] == pytest.approx(0.0) and painted[:, 2 * columns // 3 :] == pytest.approx(0.5)
