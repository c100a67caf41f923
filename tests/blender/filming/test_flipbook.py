"""A flipbook shows the shape of each frame at that frame."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.filming.flipbook import leaf_through, lines_of

pytestmark = pytest.mark.versions


def test_lines_are_where_their_points_are_at_each_frame():
    material = bpy.data.materials.new("Paint")
    shapes = np.random.default_rng(1).normal(size=(4, 5, 3))
    curve = lines_of("Lines", [shapes[0, :2], shapes[0, 2:]], 0.01, material)
    obj = bpy.data.objects.new("Lines", curve)
    bpy.context.scene.collection.objects.link(obj)
    leaf_through(obj, shapes, 11, np.full((4, 5), 2.0))
    for frame, points in enumerate(shapes):
        bpy.context.scene.frame_set(11 + frame)
        graph = bpy.context.evaluated_depsgraph_get()
        made = bpy.data.meshes.new_from_object(obj.evaluated_get(graph), depsgraph=graph)
        places = np.array([vertex.co for vertex in made.vertices])
        away = np.linalg.norm(places[:, None] - points, axis=-1)
        assert away.min(axis=0) == pytest.approx(0.02, abs=0.01)  # about as far as the rods are thick
    assert list(curve.materials) == [material] and [len(spline.points) for spline in curve.splines] == [2, 3]


def test_a_shape_of_one_frame_stays():
    mesh = bpy.data.meshes.new("Point")
    mesh.from_pydata([(0.0, 0.0, 0.0)], [], [])
    obj = bpy.data.objects.new("Point", mesh)
    bpy.context.scene.collection.objects.link(obj)
    leaf_through(obj, np.array([[[1.0, 2.0, 3.0]]]), 1)
    bpy.context.scene.frame_set(5)
    seen = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).data
    assert seen.vertices[0].co[:] == pytest.approx((1.0, 2.0, 3.0))
