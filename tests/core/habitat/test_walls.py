"""The walls of a tank: the nearest on the level, of a box and of a round tank; neither floor, surface nor pillars."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.fitting.arena import Arena
from artfish.core.fitting.tuning import CIRCLE_SIDES
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import WALL_GLANCES
from artfish.core.habitat.walls import Walls
from artfish.core.scene.scene import Scene

FAR = np.full(3, 100.0)


def test_the_nearest_side_of_a_box_counts_and_neither_floor_nor_surface_nor_a_pillar():
    walls = Walls(WaterBox([10.0, 8.0, 2.0]), Obstacles([[5.0, 5.0, 0.0]], [0.5], [2.0]))
    gap, towards = walls.nearest(np.array([[1.0, 3.0, 0.1], [5.7, 5.0, 1.0], [9.0, 7.2, 1.9]]), FAR)
    assert gap == pytest.approx([1.0, 3.0, 0.8])
    assert towards == pytest.approx(np.array([[-1.0, 0, 0], [0, 1.0, 0], [0, 1.0, 0]]))


def test_a_round_tank_is_as_far_as_its_sides_and_they_face_the_middle():
    """Its walls are chords of its circle, and the shortest glance is less than half the angle between two off."""
    radius, depth = 3.0, 0.5
    scene = Scene("round", tank=Arena.of((radius, radius, radius)).tank(depth / 3.0))
    walls = Walls(WaterBox.from_scene(scene), Obstacles.from_scene(scene))
    dice = np.random.default_rng(2)
    angle, out = dice.uniform(0.0, 2.0 * np.pi, 200), radius * np.sqrt(dice.uniform(0.3, 0.98, 200))
    place = np.stack((radius + out * np.cos(angle), radius + out * np.sin(angle), dice.uniform(0.1, 0.4, 200)), axis=1)
    gap, towards = walls.nearest(place, np.full(200, 100.0))
    side = 2.0 * np.pi / CIRCLE_SIDES
    exact = radius * np.cos(0.5 * side) - out * np.cos(angle % side - 0.5 * side)  # to the side that it is before
    # A glance may end on another side, by the half angle between two glances beyond the end of the nearest.
    most = exact * (1.0 / np.cos(np.pi / WALL_GLANCES) - 1.0) + scene.tank.basin.grain
    assert (np.abs(gap - exact) < most).all()
    outward = np.stack((np.cos(angle), np.sin(angle), np.zeros(200)), axis=1)
    assert ((towards * outward).sum(axis=1) > np.cos(np.pi / WALL_GLANCES + side)).all()


def test_what_is_beyond_the_reach_is_found_there():
    scene = Scene("round", tank=Arena.of((3.0, 3.0, 3.0)).tank(0.2))
    walls = Walls(WaterBox.from_scene(scene), Obstacles.from_scene(scene))
    gap, towards = walls.nearest(np.array([[3.0, 3.0, 0.3]]), np.array([1.0]))
    assert gap[0] == pytest.approx(1.0) and np.linalg.norm(towards) == pytest.approx(1.0)
