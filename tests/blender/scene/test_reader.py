"""An animator's changes to the objects of a scene are understood."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.identity import roles
from artfish.blender_artfish.scene import objects as scene_objects
from artfish.blender_artfish.scene import reader as scene_reader
from artfish.blender_artfish.scene import writer as scene_writer
from artfish.blender_artfish.species import library
from artfish.core import Scene, SceneError, Species
from artfish.core.scene.obstacles import MeshObstacle


def test_what_is_left_out_stays_left_out(scene):
    scene_objects.add(scene, "SHOAL", (0, 0, 1))
    (shoal,) = roles.objects_of(scene, "SHOAL")
    group = scene_reader.read(scene).scene.to_dict()["fishes"][0]
    assert not {"mind", "habits", "heading", "type"} & set(group)
    shoal.artfish.mind.use_p0, shoal.artfish.mind.p0 = True, 0.005
    shoal.artfish.habits.cold = "YES"
    group = scene_reader.read(scene).scene.to_dict()["fishes"][0]
    assert (group["mind"], group["habits"]) == ({"p0": 0.005}, {"cold": True})


def test_renamed_moved_scaled_and_deleted_objects_are_understood(scene):
    scene_writer.write(scene, Scene.load("reef"), (1, 2, 3))
    bpy.context.view_layer.update()
    before = scene_reader.read(scene)
    shoal = before.shoals[0]
    shoal.name, shoal.location = "My fishes", shoal.location + Vector((0.25, 0, 0))
    shoal.scale = (2, 2, 2)
    gone = before.shoals[-1]
    bpy.data.objects.remove(gone)
    scene_objects.collection_of(scene).name = "Props"
    bpy.context.view_layer.update()
    after = scene_reader.read(scene)
    assert after.shoals[0].name == "My fishes"
    moved = np.subtract(after.scene.fishes[0].at, before.scene.fishes[0].at)
    assert moved == pytest.approx([0.25, 0, 0], abs=1e-4)
    assert after.scene.fishes[0].spread == pytest.approx(2 * before.scene.fishes[0].spread)
    assert len(after.scene.fishes) == len(before.scene.fishes) - 1


def test_own_meshes_with_modifiers_are_obstacles_and_a_bed(scene):
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(1, 1, 1))
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    rock.modifiers.new("Rounder", "SUBSURF").levels = 2
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=10, y_subdivisions=10, size=20, location=(0, 0, 0.5))
    bpy.context.object.artfish.kind = "BED"
    bpy.context.view_layer.update()
    read = scene_reader.read(scene).scene
    (obstacle,) = read.obstacles
    assert isinstance(obstacle, MeshObstacle)
    assert len(obstacle.placed[0]) == 98  # of a cube subdivided twice
    assert read.terrain is not None and read.terrain.heights is not None
    assert np.array(read.terrain.heights) == pytest.approx(0.5, abs=1e-4)


def test_currents_can_be_switched_off_and_water_too(scene):
    scene_writer.write(scene, Scene.load("reef"))
    bpy.context.view_layer.update()
    scene.artfish.flow, scene.artfish.still_water = False, True
    read = scene_reader.read(scene).scene
    assert read.current == () and read.fluid_viscosity == 0.0
    bpy.ops.artfish.physics_defaults()
    assert scene_reader.read(scene).scene.current != () and scene_reader.read(scene).scene.fluid_viscosity == 1.0


def test_a_species_edited_in_this_file_is_the_one_that_swims(scene):
    scene_objects.add(scene, "SHOAL", (0, 0, 1))
    entry = scene.artfish.species.add()
    library.fill(entry, Species.load("clownfish"))
    entry.name = "clownfish"
    entry.mind.p0 = 0.5
    bpy.context.view_layer.update()
    assert scene_reader.read(scene).models["clownfish"].mind.p0 == 0.5


def levels_camera(scene):
    """The camera that levels of detail go by."""
    return scene_reader.read(scene).scene.detail.camera


def test_levels_of_detail_go_by_the_scenes_camera_or_the_one_that_is_chosen(scene):
    bpy.ops.artfish.add_shoal(species="clownfish", count=2)
    scene.artfish.detail.on = True
    with pytest.raises(SceneError, match="no camera"):
        scene_reader.read(scene)
    cameras = [bpy.data.objects.new(name, bpy.data.cameras.new(name)) for name in ("One", "Other")]
    for camera in cameras:
        scene.collection.objects.link(camera)
        camera.location, camera.rotation_euler = (1.0, -4.0, 1.0), (0.5 * np.pi, 0.0, 0.0)
    cameras[1].location.x = 2.0
    scene.camera = cameras[0]
    bpy.context.view_layer.update()
    low = scene_reader.read(scene).origin
    (shot,) = levels_camera(scene)
    assert shot.at == pytest.approx((1.0 - low.x, -4.0 - low.y, 1.0 - low.z)) and shot.lens == 50.0
    assert np.subtract(shot.look_at, shot.at)[1] > 0.0
    scene.artfish.detail.by_camera = cameras[1]
    (shot,) = levels_camera(scene)
    assert shot.at[0] == pytest.approx(2.0 - low.x)
    cameras[1].keyframe_insert("location", frame=scene.frame_start)
    cameras[1].location.x = 4.0
    cameras[1].keyframe_insert("location", frame=(scene.frame_start + scene.frame_end) // 2)
    shots = levels_camera(scene)
    assert shots[0].at[0] == pytest.approx(2.0 - low.x) and shots[-1].at[0] == pytest.approx(4.0 - low.x)
    assert len(shots) < 4 + (scene.frame_end - scene.frame_start) / 2 / 6  # none between two alike
    assert shots[-1].time == pytest.approx((scene.frame_end - scene.frame_start) / scene.render.fps, abs=1e-4)
