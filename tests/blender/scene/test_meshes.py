"""Meshes are read to the bit as Blender places them, and sampled once."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix, Vector

from artfish.blender_artfish.identity import precision
from artfish.blender_artfish.scene import meshes
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import reader as scene_reader


def test_a_mesh_that_stays_as_it_is_makes_the_same_obstacle_again(scene):
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=0.4, location=(1, 1, 1))
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    bpy.context.view_layer.update()
    before = scene_reader.read(scene).scene
    scene.artfish.water.fluid_viscosity = 0.5
    assert scene_reader.read(scene).scene.obstacles[0] is before.obstacles[0]
    rock.data.vertices[0].co.z += 0.01
    rock.data.update()
    bpy.context.view_layer.update()
    after = scene_reader.read(scene).scene
    assert after.obstacles[0] != before.obstacles[0]
    rock.location.x += 0.5
    bpy.context.view_layer.update()
    assert scene_reader.read(scene).scene.obstacles[0].at == pytest.approx(np.add(after.obstacles[0].at, (0.5, 0, 0)))


def test_many_places_are_moved_and_rounded_to_the_bit_as_one_is():
    dice = np.random.default_rng(4)
    places = (dice.normal(size=(3000, 3)) * 10.0 ** dice.integers(-7, 5, (3000, 3))).astype(np.float32)
    places[:4] = [(0.0, -0.0, 1e-6), (-1e-6, 9.999995, 99999.95), (0.5, 0.0001, 10.0), (0.0000125, 1.000005, 0.1)]
    matrix = Matrix.LocRotScale(Vector((3.0, -70.0, 0.2)), Euler((0.3, 1.0, -2.0)), Vector((1.0, 2.5, 0.01)))
    expected = [matrix @ Vector(place) for place in places.tolist()]
    assert np.array_equal(meshes._moved(places, matrix), np.array([at[:] for at in expected], dtype=np.float32))
    origin = Vector((0.1, 0.2, 0.3))
    rounded = [[precision.short(x) for x in Vector(place) - origin] for place in places.tolist()]
    assert meshes.all_rounded(places, origin) == rounded
    none = [[precision.short(x) for x in place] for place in places.tolist()]
    assert meshes.all_rounded(places, Vector()) == none


def test_faces_are_cut_as_blender_cuts_them(scene):
    """An n-gon that is concave, and a quad that is bent: fishes feel the faces that are drawn."""
    outline = [(0, 0), (0, 2), (3, 2), (3, 0), (2.5, 0), (2.5, 1.5), (0.5, 1.5), (0.5, 0)]
    corners = [(x - 1.5, y, z + 0.5) for y in (0.0, 0.5) for x, z in outline]
    sides = [(i, (i + 1) % 8, 8 + (i + 1) % 8, 8 + i) for i in range(8)]
    mesh = bpy.data.meshes.new("Arch")
    mesh.from_pydata(corners, [], [tuple(range(7, -1, -1)), tuple(range(8, 16)), *sides])
    arch = scene_objects.add(scene, "OBSTACLE", (0, 0, 0), mesh)
    (solid,) = scene_reader.read(scene).scene.obstacles
    here = np.array(scene_reader.read(scene).origin[:])
    assert not solid.holds(tuple((0, 0.25, 1.0) - here)) and solid.holds(tuple((1.25, 0.25, 1.0) - here))
    bent = (0, 0, 1), (1, 0, 0.5), (1, 1, 1), (0, 1, 0.5), (0.5, 0.5, 0)
    lower = [(1, 0, 4), (2, 1, 4), (3, 2, 4), (0, 3, 4)]
    for turn in range(4):
        upper = tuple((turn + i) % 4 for i in range(4))
        arch.data = bpy.data.meshes.new("Bent")
        arch.data.from_pydata(bent, [], [upper, *lower])
        bpy.context.view_layer.update()
        (solid,) = scene_reader.read(scene).scene.obstacles
        arch.data.calc_loop_triangles()
        drawn = {tuple(sorted(each.vertices)) for each in arch.data.loop_triangles}
        assert {tuple(sorted(face)) for face in solid.faces} == drawn
