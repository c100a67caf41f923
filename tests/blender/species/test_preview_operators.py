"""A preview stands clear of other objects in the scene."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector

from artfish.blender_artfish.species import preview


def test_a_preview_stands_above_the_meshes_at_the_cursor(scene, clownfish):
    scene.cursor.location = (0.5, 0.0, 0.0)
    bpy.ops.artfish.preview()
    assert tuple(preview.find(scene).location) == (0.5, 0.0, 0.0)
    bpy.ops.artfish.preview()
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    bpy.ops.artfish.mark(kind="OBSTACLE")
    bpy.ops.artfish.preview()
    root = preview.find(scene)
    bpy.context.view_layer.update()
    parts = [obj for obj in root.children_recursive if obj.type in ("MESH", "SURFACE")]
    lowest = min((obj.matrix_world @ corner).z for obj in parts for corner in map(Vector, obj.bound_box))
    assert lowest > 1.0 and root.location.z < 1.2 and root.location.x == 0.5


def test_in_centimetres_too(scene, clownfish):
    scene.unit_settings.scale_length = 0.01
    bpy.ops.mesh.primitive_cube_add(size=200.0)
    bpy.ops.artfish.preview()
    length = clownfish.about.length / 0.01
    assert preview.find(scene).location.z == pytest.approx(100.0 + 0.7 * length, rel=1e-3)
