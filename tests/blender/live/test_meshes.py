"""Meshes of live fishes are painted as surfaces are, and follow the motion of the bodies."""

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.fish.surfaces import Workshop, in_order, place_points
from artfish.core import Species
from artfish.core.form.nurbs import evaluate
from artfish.core.form.surfaces import rest_surfaces
from artfish.tests.blender.live.tank import go, vertices


@pytest.mark.sampled
@pytest.mark.parametrize("part", ["body_left", "body_right", "dorsal", "caudal", "pectoral_left"])
def test_materials_find_their_places_as_on_a_surface(part):
    species = Species.load("blue_tang")
    patch = rest_surfaces(species)[part]
    with Workshop("Tang", {part: patch}) as workshop:
        surface = workshop.fish("Tang", bpy.context.scene.collection, 0.3, 0.01).surfaces[part]
    place_points(surface, in_order(patch.points))
    bpy.context.view_layer.update()
    mesh = bpy.data.meshes.new_from_object(surface.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    rows, columns = patch.points.shape[:2]
    for loop, place in zip(mesh.loops, mesh.uv_layers[0].uv, strict=True):
        u, v = place.vector
        at = [np.array([u * (rows - patch.degree_u)]), np.array([v * (columns - patch.degree_v)])]
        expected = evaluate(patch.points, patch.degree_u, patch.degree_v, *at)[0, 0]
        assert np.allclose(mesh.vertices[loop.vertex_index].co, expected, atol=2e-5)


def test_normals_and_bounds_follow(session):
    go(30)
    bpy.context.view_layer.update()
    root = session.fishes[0].root
    seen = root.evaluated_get(bpy.context.evaluated_depsgraph_get())
    fresh = root.data.copy()
    fresh.update()
    expected = np.array([normal.vector for normal in fresh.vertex_normals])
    assert np.allclose([normal.vector for normal in seen.data.vertex_normals], expected, atol=1e-5)
    assert np.allclose(np.min(seen.bound_box, axis=0), vertices(root).min(axis=0), atol=1e-6)
