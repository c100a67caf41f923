"""Quick Look surrounds fishes with the sea, and with another click, on saving and on leaving all is as it was."""

from __future__ import annotations

import bpy
import pytest
from mathutils import Vector

from artfish import blender_artfish
from artfish.blender_artfish.live.runtime import session_of
from artfish.blender_artfish.scene import quick_look
from artfish.blender_artfish.stage import surroundings

pytestmark = pytest.mark.film


@pytest.fixture
def space(scene):
    """A 3D View."""
    spaces = [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces]
    return next(space for space in spaces if isinstance(space, bpy.types.SpaceView3D))


def settings(space):
    """Settings of a view, camera and world of the scene, and names of objects, cameras, lights and collections."""
    names = [each.identifier for each in space.shading.bl_rna.properties]
    shading = {name: str(getattr(space.shading, name)) for name in names}
    view = {name: str(getattr(space.region_3d, name)) for name in quick_look.VIEW}
    own = {path: str(space.path_resolve(path)) for path in quick_look.SPACE}
    scene = bpy.context.scene
    blocks = [sorted(each.name for each in getattr(bpy.data, kind)) for kind in ("objects", "cameras", "lights")]
    return shading, view, own, scene.camera, scene.world, blocks, [each.name for each in bpy.data.collections]


def school():
    bpy.ops.artfish.add_shoal(species="clownfish", count=8)
    bpy.ops.artfish.add_pillar()
    bpy.ops.artfish.live_play()


def test_all_is_as_it_was_with_another_click(scene, space):
    school()
    before = settings(space)
    quick_look.begin(bpy.context, space)
    assert space.shading.type == "MATERIAL" and not space.overlay.show_overlays
    assert space.region_3d.view_perspective == "CAMERA" and space.camera.name.startswith("Quick Look")
    assert scene.camera == before[3] and scene.world == before[4]
    quick_look.end()
    assert settings(space) == before and not quick_look.is_on()


def test_the_camera_is_in_the_water_and_looks_at_fishes(scene, space):
    school()
    quick_look.begin(bpy.context, space)
    bpy.context.view_layer.update()
    camera = space.camera
    ahead = camera.matrix_world.to_quaternion() @ Vector((0.0, 0.0, -1.0))
    rays = [(fish.matrix_world.translation - camera.location) for fish in quick_look.fishes(bpy.context)]
    assert min(ray.normalized().angle(ahead) for ray in rays) < 0.3
    assert 0.1 < min(ray.length for ray in rays) < 2.0
    (collection,) = surroundings.left_over()
    assert all(obj.hide_render for obj in collection.objects)
    assert any(obj.name.startswith("Pillar") for obj in collection.objects)  # a coat of rock
    quick_look.end()


def test_fishes_that_do_not_play_yet_come_and_go_with_it(scene, space):
    bpy.ops.artfish.add_shoal(species="clownfish", count=8)
    before = settings(space)
    quick_look.begin(bpy.context, space)
    assert session_of(scene) is not None and len(quick_look.fishes(bpy.context)) == 8
    quick_look.end()
    assert session_of(scene) is None and settings(space)[5:] == before[5:]


def test_a_saved_file_knows_nothing_of_it(scene, space, tmp_path):
    school()
    before = settings(space)[:5]
    quick_look.begin(bpy.context, space)
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert settings(space)[:5] == before and not surroundings.left_over()
    quick_look.begin(bpy.context, space)
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert not quick_look.is_on() and not surroundings.left_over()


def test_a_file_that_was_saved_by_itself_is_tidied(scene, space, tmp_path, monkeypatch):
    school()
    quick_look.begin(bpy.context, space)
    monkeypatch.setattr(quick_look, "is_on", lambda: False)  # no word before the file is saved
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "saved.blend"), copy=True)
    monkeypatch.undo()
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "saved.blend"))
    assert not surroundings.left_over()
    spaces = [space for screen in bpy.data.screens for area in screen.areas for space in area.spaces]
    assert not any(isinstance(each, bpy.types.SpaceView3D) and each.use_local_camera for each in spaces)


def test_without_the_add_on_nothing_stays(scene, space):
    school()
    quick_look.begin(bpy.context, space)
    blender_artfish.unregister()
    assert space.shading.type == "SOLID" and not surroundings.left_over()
    blender_artfish.register()


def test_undo_that_takes_the_sea_away_gives_the_view_back(scene, space):
    school()
    before = settings(space)[:5]
    quick_look.begin(bpy.context, space)
    for collection in surroundings.left_over():
        surroundings.clear_away(collection)
    quick_look.tidy()
    assert settings(space)[:3] == before[:3] and not quick_look.is_on()


def test_without_a_window_it_declines_in_words(scene):
    school()
    with pytest.raises(RuntimeError, match="have a 3D View open"):
        bpy.ops.artfish.quick_look()
