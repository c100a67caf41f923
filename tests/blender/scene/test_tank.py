"""The tank as a box, as edges of one, or as a closed mesh."""

from __future__ import annotations

import bmesh
import bpy
import numpy as np
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.core import SceneError

ROUNDING = 2e-5  # of a float32 in a world matrix, over the size of what it places


def test_the_tank_may_be_a_box_or_any_closed_mesh(scene):
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=(3, 0, 1))
    bpy.ops.artfish.mark(kind="TANK")
    assert scene_reader.read(scene).scene.tank.faces is None
    assert scene_reader.read(scene).scene.tank.size == pytest.approx((2, 2, 2))
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.5, location=(0, 0, 2))
    ball = bpy.context.object
    bpy.ops.artfish.mark(kind="TANK")
    bpy.context.view_layer.update()
    reading = scene_reader.read(scene)
    assert [obj.name for obj in roles.objects_of(scene, "TANK")] == [ball.name]
    assert reading.scene.tank.faces is not None and reading.scene.tank.holds((1.5, 1.5, 1.5))
    assert not reading.scene.tank.holds((0.1, 0.1, 0.1))
    scene_writer.write(scene, reading.scene, reading.origin)
    bpy.context.view_layer.update()
    again = scene_reader.read(scene).scene
    assert again.tank.faces == reading.scene.tank.faces
    assert np.array(again.tank.vertices) == pytest.approx(np.array(reading.scene.tank.vertices), abs=ROUNDING)


def wires(tank: bpy.types.Object, change: str) -> None:
    """Changes the edges of a tank as in Edit Mode."""
    made = bmesh.new()
    made.from_mesh(tank.data)
    made.verts.ensure_lookup_table(), made.edges.ensure_lookup_table()
    if change == "cut":
        made.edges.remove(made.edges[0])
    elif change == "stray":
        made.verts.new((5.0, 0.0, 0.0))
    elif change == "stray within":
        made.verts.new((0.0, 0.0, 0.0))
    elif change == "nothing":
        made.clear()
    elif change == "divided":
        bmesh.ops.subdivide_edges(made, edges=made.edges, cuts=2)
    made.to_mesh(tank.data)
    made.free()
    bpy.context.view_layer.update()


@pytest.mark.parametrize("change", ["cut", "stray", "stray within", "nothing"])
def test_a_tank_of_edges_that_is_no_whole_box_is_refused(scene, change):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = roles.objects_of(scene, "TANK")
    tank.name = "Aquarium"
    wires(tank, change)
    with pytest.raises(SceneError, match=r"^Aquarium: found edges without faces that are no whole box"):
        scene_reader.read(scene)


@pytest.mark.parametrize("change", ["divided", "of a cube"])
def test_a_tank_of_the_edges_of_a_box_is_one_however_they_were_made(scene, change):
    bpy.ops.artfish.add_shoal(species="clownfish")
    (tank,) = roles.objects_of(scene, "TANK")
    if change == "divided":
        wires(tank, change)
    else:
        bpy.ops.mesh.primitive_cube_add(size=1.0)
        cube = bmesh.new()
        cube.from_mesh(bpy.context.object.data)
        bmesh.ops.delete(cube, geom=cube.faces, context="FACES_ONLY")
        cube.to_mesh(tank.data)
        bpy.data.objects.remove(bpy.context.object)
        bpy.context.view_layer.update()
    read = scene_reader.read(scene).scene
    assert read.tank.faces is None and read.tank.size == pytest.approx((4, 3, 2))
