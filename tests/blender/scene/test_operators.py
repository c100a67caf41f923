"""What puts objects into the water, and loads and saves scene files."""

from __future__ import annotations

import bpy
import pytest

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import tank as tank_module
from artfish.core import Scene


def test_one_click_adds_fishes_and_water(scene):
    assert bpy.ops.artfish.add_shoal("INVOKE_DEFAULT") == {"FINISHED"}
    bpy.context.view_layer.update()
    reading = scene_reader.read(scene)
    assert reading.scene.count == 6
    assert bpy.context.object == reading.shoals[0]
    assert reading.scene.tank.size == pytest.approx((4, 3, 2))
    for kind in ("PLANKTON", "SEAWEED", "BUBBLES", "HOOK", "HEAT"):
        assert bpy.ops.artfish.add_thing(kind=kind) == {"FINISHED"}
    for flow in ("uniform", "source", "sink", "vortex"):
        assert bpy.ops.artfish.add_thing(kind="CURRENT", flow=flow) == {"FINISHED"}
    assert bpy.ops.artfish.add_pillar() == {"FINISHED"}
    bpy.context.view_layer.update()
    full = scene_reader.read(scene).scene
    assert [flow.kind for flow in full.current] == ["uniform", "source", "sink", "vortex"]
    assert full.hook is not None and full.plankton.count == 200
    assert len(full.seaweed) == len(full.bubbles) == len(full.temperature.sources) == len(full.obstacles) == 1


def test_scene_files_are_loaded_and_saved(scene, tmp_path, same, without_meshes):
    path = str(tmp_path / "mine.json")
    assert bpy.ops.artfish.load_preset(preset="mating") == {"FINISHED"}
    bpy.context.view_layer.update()
    assert bpy.ops.artfish.save_scene(filepath=path) == {"FINISHED"}
    assert same(without_meshes(Scene.load("mating")), without_meshes(Scene.load(path))) == []
    before = len(roles.objects_of(scene))
    (tmp_path / "bad.json").write_text('{"fishes": 3}')
    with pytest.raises(RuntimeError, match="fishes: found 3"):
        bpy.ops.artfish.load_scene(filepath=str(tmp_path / "bad.json"))
    assert len(roles.objects_of(scene)) == before


def test_an_own_mesh_is_let_go_not_deleted(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1, 1, 1))
    mine = bpy.context.object
    assert bpy.ops.artfish.mark(kind="OBSTACLE") == {"FINISHED"}
    assert mine.artfish.kind == "OBSTACLE"
    bpy.ops.artfish.load_preset(preset="mating")
    assert mine.artfish.kind == "NONE" and mine.name in scene.objects


def test_the_first_tank_stands_clear_of_what_is_there(scene):
    bpy.ops.mesh.primitive_cube_add(size=2.0)
    bpy.ops.artfish.add_shoal(species="clownfish")
    bpy.context.view_layer.update()
    low, size = tank_module.size_of(scene)
    assert low.y >= 1.0 and tuple(size) == pytest.approx((4, 3, 2))
    assert tuple(bpy.context.object.location) == pytest.approx(tuple(low + 0.5 * size), abs=1e-6)
