"""Cuts to shots: over the animator's own while they last, which count again where a shot is taken out."""

import bpy
import pytest

from artfish.blender_artfish.filming.shots import SHOT, camera_at, cut_in, cut_out
from artfish.tests.blender.files import new_file

pytestmark = pytest.mark.versions
LAST = 160


@pytest.fixture
def scene():
    """One of frames 101 to 160 with cuts to A at its beginning and to B at 130, which somebody has named."""
    new_file()
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 101, LAST
    for name, frame in (("A", 101), ("B", 130)):
        marker = scene.timeline_markers.new(f"my {name}", frame=frame)
        marker.camera = camera(scene, name)
    scene.camera = bpy.data.objects["A"]
    return scene


def camera(scene, name):
    obj = bpy.data.objects.new(name, bpy.data.cameras.new(name))
    scene.collection.objects.link(obj)
    return obj


def shot(scene, name, first, last, number):
    obj = camera(scene, name)
    obj[SHOT] = "{}"
    cut_in(scene, obj, (first, last, number))
    return obj


def films(scene) -> str:
    """The camera that Blender films each tenth frame with."""
    found = []
    for frame in range(101, LAST + 1):
        scene.frame_set(frame)
        assert scene.camera == camera_at(scene, frame)
        found.append(scene.camera.name)
    return "".join(found)


def markers(scene):
    return sorted((marker.frame, marker.name, marker.camera.name) for marker in scene.timeline_markers)


@pytest.mark.parametrize(("first", "last"), [(130, 140), (120, 140), (101, 110), (125, 130), (101, LAST), (131, LAST)])
def test_a_shot_films_all_its_frames_and_others_cuts_count_before_and_after(scene, first, last):
    before, cuts = films(scene), markers(scene)
    made = shot(scene, "S", first, last, 1)
    assert films(scene) == before[: first - 101] + "S" * (last - first + 1) + before[last - 100 :]
    cut_out(scene, made)
    assert films(scene) == before and markers(scene) == cuts


def test_shots_one_after_another_film_theirs(scene):
    before = films(scene)
    made = [
        shot(scene, name, *span) for name, span in (("S", (101, 120, 1)), ("T", (121, 140, 2)), ("U", (130, 150, 3)))
    ]
    assert films(scene) == "S" * 20 + "T" * 9 + "U" * 21 + "B" * 10
    cut_out(scene, made[2])
    assert films(scene) == "S" * 20 + "T" * 20 + "B" * 20
    for each in made[:2]:
        cut_out(scene, each)
    assert films(scene) == before
