"""Pillars and meshes as obstacles."""

from __future__ import annotations

import bpy

from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import obstacles
from artfish.blender_artfish.scene import reader as scene_reader


def test_a_tilted_pillar_is_read_as_a_mesh(scene):
    pillar = scene_objects.add(scene, "OBSTACLE", (0, 0, 0), obstacles.pillar_mesh())
    pillar.artfish.pillar.upright, pillar.scale = True, (0.3, 0.3, 2.0)
    bpy.context.view_layer.update()
    assert scene_reader.read(scene).scene.obstacles[0].kind == "cylinder"
    pillar.rotation_euler.x = 0.3
    bpy.context.view_layer.update()
    assert scene_reader.read(scene).scene.obstacles[0].kind == "mesh"
