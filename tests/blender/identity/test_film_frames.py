"""Times of the film shown and typed in frames, beside the seconds that are kept."""

from __future__ import annotations

import bpy
import pytest

from artfish import blender_artfish
from artfish.blender_artfish.blender.layout import timely
from artfish.blender_artfish.identity.film_frames import FILM_MOMENTS, FILM_SPANS
from artfish.tests.blender.files import new_file


@pytest.fixture(autouse=True)
def addon():
    """The add-on in an empty file."""
    blender_artfish.register()
    yield
    new_file()
    blender_artfish.unregister()


@pytest.fixture
def arrival():
    """An arrival in a scene of 25 frames a second whose film begins at frame 101."""
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = 25, 1.0
    scene.frame_start, scene.frame_end = 101, 300
    bpy.ops.artfish.add_shoal()
    bpy.ops.artfish.add_direction(kind="arrival")
    return bpy.context.object.artfish.arrival


def test_a_frame_is_typed_and_seconds_are_kept(arrival):
    arrival.time_in_frames = 201
    assert arrival.time == pytest.approx(4.0)
    arrival.time = 2.0
    assert arrival.time_in_frames == pytest.approx(151)
    arrival.stay_in_frames = 50
    assert arrival.stay == pytest.approx(2.0)


def test_a_new_arrival_is_within_the_film(arrival):
    assert 101 < arrival.time_in_frames < 300


def test_another_frame_rate_is_another_frame_at_the_same_second(arrival):
    arrival.time = 4.0
    bpy.context.scene.render.fps = 50
    assert arrival.time == pytest.approx(4.0) and arrival.time_in_frames == pytest.approx(301)


def test_panels_show_frames_unless_the_scene_is_set_to_seconds(arrival):
    assert timely(arrival, "time") == "time_in_frames"
    assert timely(arrival, "radius") == "radius"
    bpy.context.scene.artfish.show_seconds = True
    assert timely(arrival, "time") == "time"


def test_every_time_of_the_film_has_its_frames():
    role = bpy.data.objects.new("Any", None).artfish
    groups = {
        "Food": role.food,
        "Fright": role.fright,
        "Hook": role.hook,
        "FishGroup": role.shoal,
        "Curve": role.curve,
        "Arrival": role.arrival,
        "FilmShot": bpy.context.scene.artfish_film,
    }
    for times in (FILM_MOMENTS, FILM_SPANS):
        for of, names in times.items():
            assert all(hasattr(groups[of], f"{name}_in_frames") for name in names)
