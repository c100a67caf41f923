"""Heroes of a crowd are surfaces while they are near, and poses of the crowd else; nobody sees them change."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from artfish.blender_artfish.bake import bake
from artfish.blender_artfish.bake.order import Order
from artfish.blender_artfish.bake.writer import bake_steps
from artfish.blender_artfish.crowd.heroes import CHANGE_FRAMES, RecordedCamera, heroes_of, surface_frames
from artfish.core import SceneError
from artfish.core.body.anatomy import NOSE_NODE
from artfish.tests.blender.crowd.test_shoals import instances

pytestmark = [pytest.mark.versions, pytest.mark.film]


def camera_at(*keys):
    """A camera of the scene that looks down, keyed frame by frame."""
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    for frame, place in keys:
        camera.location = place
        camera.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(1)
    return camera


def surfaces_shown(frame):
    """Rows of the fishes of which a frame of the film shows an object."""
    bpy.context.scene.frame_set(1 + int(frame), subframe=frame % 1)
    return {obj["artfish_row"] for obj in bpy.data.objects if "artfish_row" in obj and not obj.hide_render}


def test_heroes_are_the_fishes_nearest_to_the_camera_and_have_surfaces(swimming):
    recording = swimming("clownfish", "blue_tang", "clownfish", frames=4)
    camera_at((1, recording.nodes[0, 2, 0] + [0, 0, 0.5]))
    top = bake(recording, form="crowd", heroes=1, stage=False)
    (hero,) = (obj for obj in top.all_objects if obj.get("artfish_row") is not None)
    assert hero["artfish_row"] == 2 and len(hero.children) == 9
    assert set(instances(2)[0]) == {0, 1}
    assert sorted(child.name for child in top.children) == ["Blue tang", "Clownfish"]


def test_whoever_moves_a_crowd_moves_its_heroes(swimming):
    recording = swimming("clownfish", "clownfish", frames=3)
    camera_at((1, recording.nodes[0, 1, 0] + [0, 0, 0.5]))
    top = bake(recording, form="crowd", heroes=1, stage=False)
    (hero,) = (obj for obj in top.all_objects if obj.get("artfish_row") is not None)
    crowd = next(obj for obj in top.all_objects if obj.name == f"Clownfish crowd {hero['artfish_row'] + 1:02d}")
    bpy.context.view_layer.update()
    before = np.array(hero.matrix_world.translation)
    crowd.location = (0.0, 0.5, 0.0)
    bpy.context.view_layer.update()
    assert np.array(hero.matrix_world.translation) - before == pytest.approx([0.0, 0.5, 0.0], abs=1e-6)


@pytest.fixture
def passing(swimming):
    """A camera passes a fish of three: it is near in the middle of 60 frames."""
    recording = swimming("clownfish", "clownfish", "blue_tang", frames=60)
    place = recording.nodes[30, 0, NOSE_NODE] + [0, 0, 0.3]
    camera_at((1, place - [4, 0, 0]), (31, place), (60, place + [4, 0, 0]))
    bake(recording, form="crowd", heroes=1, stage=False)
    return recording


def test_a_fish_is_a_surface_or_an_instance_at_every_moment_and_never_both(passing):
    seen = set()
    for frame in np.arange(0, 59.1, 0.75):
        shown, crowd = surfaces_shown(frame), set(instances(frame)[0])
        assert shown <= {0} and not shown & crowd and shown | crowd == {0, 1, 2}
        seen.add(len(shown))
    assert seen == {0, 1}


def test_it_changes_where_a_pose_is_nearest_to_the_fish_itself():
    """Far away, near from frame 30 to 49, and away again."""
    fish = np.zeros((80, 1, 23, 3))
    away = np.full(80, 20.0)
    away[30:50] = 5.0
    path = RecordedCamera(np.column_stack([-away, 0 * away, 0 * away]), np.tile([1.0, 0, 0], (80, 1)))
    miss = np.full(80, 0.02)
    miss[[23, 55]] = 0.001

    class OneFish:
        """The arrays of a recording that `surface_frames` reads."""

        nodes, body_length, alive = fish, np.ones(1), np.ones((80, 1), dtype=bool)

    shown = surface_frames(OneFish, 0, path, miss, 12.0)  # type: ignore[arg-type]
    assert np.flatnonzero(shown).tolist() == list(range(24, 55))
    miss[:] = 0.02
    miss[[29 - CHANGE_FRAMES - 1, 50 + CHANGE_FRAMES + 1]] = 0.0  # out of reach
    shown = surface_frames(OneFish, 0, path, miss, 12.0)  # type: ignore[arg-type]
    assert np.flatnonzero(shown).tolist() == list(range(30 - CHANGE_FRAMES, 50))


def test_what_is_behind_the_camera_is_no_hero(swimming):
    recording = swimming("clownfish", "clownfish", frames=3)
    at = np.tile(recording.nodes[0, 0, NOSE_NODE] - [0.4, 0, 0], (3, 1))
    for ahead, rows in (([1.0, 0, 0], [0]), ([-1.0, 0, 0], [])):
        assert heroes_of(recording, Order("crowd", heroes=1), RecordedCamera(at, np.tile(ahead, (3, 1)))) == rows


def test_a_hero_has_the_colours_that_it_has_in_the_crowd(swimming):
    recording = swimming("clownfish", "clownfish", frames=2)
    camera_at((1, recording.nodes[0, 0, NOSE_NODE] + [0, 0, 0.4]))
    bake(recording, form="crowd", heroes=1, stage=False)
    for obj in (obj for obj in bpy.data.objects if obj.modifiers):
        kept = {name: [each.value for each in obj.data.attributes[name].data] for name in ("row", "individual")}
        for row, individual in zip(kept["row"], kept["individual"], strict=True):
            parts = [each for each in bpy.data.objects if each.get("id") == row]
            assert len(parts) == (0 if row else 9) and all(
                each["individual"] == pytest.approx(individual) for each in parts
            )
            assert {slot.material.name for each in parts for slot in each.material_slots} <= {
                *(slot.material.name for slot in obj.material_slots),
                "clownfish eye",
            }


def test_dynamic_fishes_come_before_replicas(swimming):
    recording = swimming("clownfish", "clownfish", frames=3)
    level = np.zeros((3, 2))
    level[:, 0] = 1
    at = recording.nodes[0, 0, NOSE_NODE] - np.array([[0.1, 0, 0]] * 3)
    path = RecordedCamera(at, np.tile([1.0, 0, 0], (3, 1)))

    nodes = recording.nodes.copy()
    nodes[:, 1] = nodes[:, 0] + [0.2, 0, 0]
    for of, rows in ((level, [1]), (0 * level, [0])):
        there = replace(recording, nodes=nodes, level=of)
        assert heroes_of(there, Order("crowd", heroes=1, near=1e3), path) == rows


def test_a_camera_that_rides_on_something_is_followed_and_no_other_scene_stays(swimming):
    recording = swimming("clownfish", "clownfish", frames=30)
    camera = camera_at((1, (0, 0, 0.2)))
    sledge = bpy.data.objects.new("Sledge", None)
    bpy.context.scene.collection.objects.link(sledge)
    camera.parent = sledge
    for frame, row in ((1, 0), (15, 0), (16, 1), (30, 1)):
        sledge.location = recording.nodes[frame - 1, row, NOSE_NODE]
        sledge.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_set(9)
    for _ in bake_steps(recording, order=Order("crowd", heroes=2, stage=False, time=False)):
        pass
    assert {obj["artfish_row"] for obj in bpy.data.objects if "artfish_row" in obj} == {0, 1}
    assert len(bpy.data.scenes) == 1 and bpy.context.scene.frame_current == 9


def test_heroes_without_a_camera_are_one_line(swimming):
    before = {obj.name for obj in bpy.data.objects}
    with pytest.raises(SceneError, match="heroes: found no camera, allowed one in the scene"):
        bake(swimming("clownfish", frames=3), form="crowd", heroes=1, stage=False)
    assert {obj.name for obj in bpy.data.objects} == before
    for _ in bake_steps(swimming("clownfish", frames=3), order=Order("crowd", heroes=1)):  # the stage has one
        pass
