"""Live play begins by itself only where it is watched, and ends with the file."""

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.live import puppets
from artfish.blender_artfish.live.runtime import live_play, session_of
from artfish.tests.blender.live.tank import FISHES, fishes, go, ours


def test_a_file_that_is_only_looked_through_does_not_begin_to_play(scene):
    go(5)
    assert session_of(scene) is None and not ours()


def test_a_saved_file_has_the_fishes_where_they_were_and_plays_on_anew(scene, session, tmp_path):
    go(8)
    path = str(tmp_path / "live.blend")
    place = tuple(session.fishes[0].root.location)
    bpy.ops.wm.save_as_mainfile(filepath=path)
    go(9)
    blender_artfish.unregister()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert len(fishes()) == FISHES
    assert tuple(bpy.data.objects["Clownfish 01"].location) == pytest.approx(place)
    blender_artfish.register()
    assert session_of(bpy.context.scene) is None
    bpy.ops.artfish.live_play()
    assert len(fishes()) == FISHES
    assert bpy.data.objects["Clownfish 01"].get(puppets.ROW) == 0


def test_a_saved_file_locks_the_interface_only_where_the_animator_does(scene, session, tmp_path):
    path = str(tmp_path / "live.blend")
    assert scene.render.use_lock_interface
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert scene.render.use_lock_interface  # as it still plays
    blender_artfish.unregister()
    assert not scene.render.use_lock_interface
    blender_artfish.register()
    bpy.ops.wm.open_mainfile(filepath=path)
    assert not bpy.context.scene.render.use_lock_interface


def test_another_file_ends_it(session):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    assert not live_play().sessions
    go(3)
    assert not ours()


@pytest.mark.film
def test_what_instances_obstacles_is_listened_to_though_it_is_none(scene, session):
    bpy.ops.mesh.primitive_cube_add(size=0.2, location=(50, 0, 0))
    rock = bpy.context.object
    rock.artfish.kind = "OBSTACLE"
    home = bpy.data.collections.new("Rocks")
    home.objects.link(rock)
    home.instance_offset = rock.location
    reef = bpy.data.objects.new("Reef", None)
    scene.collection.objects.link(reef)
    reef.instance_type, reef.instance_collection, reef.location = "COLLECTION", home, (1, 0, 1)
    bpy.context.view_layer.update()
    go(2)
    assert not session.dirty and len(session.filled.world.scene.obstacles) == 1
    at = session.filled.world.scene.obstacles[0].at
    reef.location.x = -1
    bpy.context.view_layer.update()
    assert session.dirty
    go(3)
    assert session.filled.world.scene.obstacles[0].at[0] == pytest.approx(at[0] - 2)
    other = bpy.data.objects.new("Camera target", None)
    scene.collection.objects.link(other)
    bpy.context.view_layer.update()
    go(4)
    other.location.x = 3
    bpy.context.view_layer.update()
    assert not session.dirty
