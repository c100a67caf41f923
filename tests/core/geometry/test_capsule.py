"""A cylinder with round ends: distances and paths in closed form."""

import numpy as np
import pytest

from artfish.core.geometry.capsule import Capsule

SOLID = Capsule(2.0, 0.3)
DRAWS = np.random.default_rng(3)


@pytest.mark.parametrize(
    ("point", "distance", "way"),
    [
        ((0.0, 1.0, 0.0), 0.7, (0, 1, 0)),
        ((0.5, 0.0, -0.5), 0.2, (0, 0, -1)),
        ((1.5, 0.0, 0.0), 0.5, (1, 0, 0)),
        ((-0.7, 0.0, 0.1), -0.2, (0, 0, 1)),
        ((-1.0, 0.4, 0.0), np.hypot(0.3, 0.4) - 0.3, (-0.6, 0.8, 0)),
    ],
)
def test_distance_by_hand(point, distance, way):
    found, grows = SOLID.distance(np.array(point))
    assert found == pytest.approx(distance, abs=1e-12) and grows == pytest.approx(way, abs=1e-12)


def test_a_point_on_the_axis_has_some_way_out():
    distance, way = SOLID.distance(np.zeros((1, 3)))
    assert distance == pytest.approx(-0.3) and np.linalg.norm(way) == pytest.approx(1.0)


def test_paths_are_those_that_small_steps_find():
    points = DRAWS.uniform(-2.0, 2.0, (900, 3))
    ways = DRAWS.normal(size=(900, 3))
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    margin = DRAWS.uniform(0.0, 0.3, 900)
    steps = np.linspace(0.0, 5.0, 1001)
    depth = SOLID.depth(points[:, None] + steps[:, None] * ways[:, None])
    outside = depth[:, 0] > margin
    within = depth < margin[:, None]
    first = np.where(within.any(axis=1), steps[within.argmax(axis=1)], np.inf)
    exact = SOLID.free_path(points, ways, margin)
    grazes = np.isfinite(exact) != np.isfinite(first)
    met = outside & ~grazes & np.isfinite(first)
    assert (outside & grazes).sum() <= 9 and met.sum() > 30
    assert np.all(np.abs(exact[met] - first[met]) < 0.01)
    ends = points + 3.0 * ways
    hidden = SOLID.blocks(points, ends)
    assert np.array_equal(hidden[outside], (SOLID.free_path(points, ways, 0.0) < 3.0)[outside]) and hidden.any()


def test_a_path_that_starts_within_the_margin_leads_out_or_nowhere():
    points = np.array([[0.0, 0.35, 0.0]] * 2)
    free = SOLID.free_path(points, np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]), 0.1)
    assert free.tolist() == [np.inf, 0.0]


def test_a_capsule_no_longer_than_thick_is_a_ball():
    ball = Capsule(0.4, 0.2)
    points = DRAWS.normal(size=(50, 3))
    assert ball.depth(points) == pytest.approx(np.linalg.norm(points, axis=1) - 0.2)
