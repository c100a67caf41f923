"""The logbook of a dive: the start, the view of its camera, and the readings of its instruments."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from mathutils import Vector

from artfish.blender_artfish.dive.logbook import OFFING_LENGTHS, berth, readings, view_of
from artfish.core.scene.ride import Ride

SIZE = (6.0, 4.0, 2.0)
ORIGIN = Vector((10.0, 20.0, 30.0))


def session(shown=48, **more) -> SimpleNamespace:
    tank = SimpleNamespace(size=SIZE)
    world = SimpleNamespace(scene=SimpleNamespace(tank=tank, fps=24.0), submarine=None, **more)
    return SimpleNamespace(world=world, origin=ORIGIN, shown=shown)


def test_a_dive_begins_near_the_first_wall_half_way_down_at_the_frame_that_is_shown():
    assert berth(session(), 0.5) == {"at": [0.9, 2.0, 1.0], "heading": [1.0, 0.0, 0.0], "start": 2.0}
    assert berth(session(shown=-3), 0.5)["start"] == 0.0


def test_it_begins_at_a_place_of_the_scene_and_clear_of_every_wall():
    assert berth(session(), 0.5, ORIGIN + Vector((3.0, 1.0, 0.7)))["at"] == pytest.approx([3.0, 1.0, 0.7])
    keep = OFFING_LENGTHS * 0.5
    low = berth(session(), 0.5, ORIGIN + Vector((-9.0, 0.1, 0.0)))["at"]
    high = berth(session(), 0.5, ORIGIN + Vector((99.0, 3.9, 2.0)))["at"]
    assert low == pytest.approx([keep] * 3)
    assert high == pytest.approx([across - keep for across in SIZE])
    long = berth(session(), 9.0, ORIGIN)["at"]  # of one that is longer than the tank is wide
    assert long == pytest.approx([0.4 * across for across in SIZE])


@pytest.mark.parametrize(
    ("ahead", "heading"),
    [((3.0, -4.0, 9.0), (0.6, -0.8, 0.0)), ((0.0, -2.0, 0.0), (0.0, -1.0, 0.0)), ((0.0, 0.0, -1.0), (1.0, 0.0, 0.0))],
)
def test_it_begins_level(ahead, heading):
    assert berth(session(), 0.5, None, Vector(ahead))["heading"] == pytest.approx(heading)


def test_the_camera_is_at_the_bow_and_upright_in_units_of_the_scene():
    ride = Ride(at=(1.0, 1.0, 1.0), length=0.8)
    poses = [np.zeros(5), np.array([2.0, 1.0, 0.5, math.pi / 2, 0.0])]
    diving = session()
    diving.filled = [{"submarine": pose} for pose in poses]
    place, turn = view_of(diving, ride, 1, 0.5)
    assert place[:] == pytest.approx((24.0, 42.8, 61.0))
    assert turn == pytest.approx((math.pi / 2, 0.0, 0.0), abs=1e-6)


@pytest.mark.parametrize(
    ("azimuth", "heading"), [(0.0, "090"), (math.pi / 2, "000"), (math.pi, "270"), (-math.pi / 2, "180")]
)
def test_a_compass_reads_north_along_y_and_depth_counts_from_the_surface(azimuth, heading):
    diving = session()
    diving.world.submarine = SimpleNamespace(place=np.array([1.0, 1.0, 1.25]), azimuth=azimuth, speed=-0.5)
    assert readings(diving, "left") == f"-0.50 m/s   depth 0.75 m   heading {heading}°   left"


def test_before_there_is_a_submarine_there_is_nothing_to_read():
    assert readings(session(), "Press Play") == "Press Play"
