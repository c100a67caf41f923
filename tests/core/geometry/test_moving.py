"""Solids that move: their field goes along with them, and so does what is said of their surface."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.attitude import matrices, normalised, rotations_about_up
from artfish.core.geometry import triangles
from artfish.core.geometry.mesh_field import MeshField
from artfish.core.geometry.moving import AT_REST, Rigid
from artfish.core.geometry.pillar import Pillar

SIDES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
TURN = normalised(np.array((0.7, 0.2, -0.4, 0.5)))
AT = np.array((1.5, -0.7, 0.4))


def corners(size) -> np.ndarray:
    """The corners of a box about its middle, whose faces `SIDES` are."""
    return np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size


@pytest.fixture(scope="module")
def box() -> MeshField:
    return MeshField(triangles.surface(corners((0.4, 1.0, 0.6)), SIDES))


@pytest.fixture(scope="module")
def moved(box) -> Rigid:
    solid = Rigid(box, np.zeros(3), 0.62)
    pose = np.concatenate((AT, TURN))
    solid.put(pose, pose, 0.04)
    return solid


def places(count: int = 500) -> np.ndarray:
    return AT + np.random.default_rng(1).normal(0.0, 0.5, (count, 3))


def test_the_field_of_a_moved_mesh_is_the_meshs_in_its_own_axes(box, moved):
    points = places()
    own = (points - AT) @ matrices(TURN)
    distance, away = moved.distance(points)
    expected, way = box.distance(own)
    assert distance == pytest.approx(expected, abs=1e-12)
    assert away == pytest.approx(way @ matrices(TURN).T, abs=1e-9)
    assert moved.depth(points) == pytest.approx(box.depth(own), abs=1e-12)
    ways = np.random.default_rng(2).normal(size=points.shape)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    turned = ways @ matrices(TURN)
    assert moved.free_path(points, ways, 0.1, 3.0) == pytest.approx(box.free_path(own, turned, 0.1, 3.0), abs=1e-9)
    ends = points + ways
    assert (moved.blocks(points, ends) == box.blocks(own, own + turned)).all()
    assert np.linalg.norm(moved.middle - AT) < 1e-12


def test_what_is_moved_without_a_turn_is_where_it_would_be_if_it_stood_there():
    solid = Rigid(Pillar((0.0, 0.0, 0.0), 0.3, 1.0), np.array((0.0, 0.0, 0.5)), 0.6)
    pose = np.concatenate((AT, (1.0, 0.0, 0.0, 0.0)))
    solid.put(pose, AT_REST, 0.5)
    there, points = Pillar(AT, 0.3, 1.0), places()
    assert solid.distance(points)[0] == pytest.approx(there.distance(points)[0], abs=1e-12)
    assert solid.velocity(points) == pytest.approx(np.broadcast_to(2.0 * AT, points.shape), abs=1e-9)
    assert solid.carried(points) == pytest.approx(points + AT, abs=1e-12)


def test_the_surface_of_a_turning_bar_is_the_faster_the_farther_out():
    bar = Rigid(Pillar((0.0, 0.0, -0.05), 1.0, 0.1), np.zeros(3), 1.0)
    period, rate = 1e-4, 3.0
    before, pose = AT_REST.copy(), AT_REST.copy()
    pose[3:] = rotations_about_up(np.array(rate * period))
    bar.put(pose, before, period)
    points = np.array(((0.5, 0.0, 0.2), (0.0, 0.9, 0.2), (2.0, 0.0, 0.0)))
    expected = rate * np.array(((0.0, 0.5, 0.0), (-0.9, 0.0, 0.0), (0.0, 1.0, 0.0)))
    assert bar.velocity(points) == pytest.approx(expected, abs=2e-3)
    assert bar.travel == pytest.approx(rate * period, rel=0.5)
