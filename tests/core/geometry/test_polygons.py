"""Polygons into triangles: areas add up, nothing folds over, and the first corner does not matter."""

import numpy as np
import pytest

from artfish.core.geometry.polygons import ears, flattened, triangulate

ARCH = np.array([(0, 0), (0.5, 0), (0.5, 1.5), (2.5, 1.5), (2.5, 0), (3, 0), (3, 2), (0, 2)], dtype=float)


def area(flat: np.ndarray) -> float:
    """Of a polygon (n, 2), positive where it turns anticlockwise (Gauss's formula)."""
    x, y = flat.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def areas(flat: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    return np.array([area(flat[triangle]) for triangle in triangles])


@pytest.mark.parametrize("first", range(len(ARCH)))
def test_an_arch_is_covered_from_any_first_corner(first):
    flat = np.roll(ARCH, -first, axis=0)
    found = areas(flat, ears(flat))
    assert len(found) == 6 and (found > 0).all() and found.sum() == pytest.approx(3.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_stars_are_covered_without_overlap(seed):
    """Positive triangles, two fewer than corners, whose areas add up to the polygon's, cannot overlap."""
    draws = np.random.default_rng(seed)
    n = int(draws.integers(5, 40))
    turn = 2 * np.pi * (np.arange(n) + draws.uniform(-0.3, 0.3, n)) / n
    flat = draws.uniform(0.1, 1.0, (n, 1)) * np.stack((np.cos(turn), np.sin(turn)), axis=1)
    found = areas(flat, ears(flat))
    assert len(found) == n - 2 and (found > 0).all() and found.sum() == pytest.approx(area(flat), abs=1e-12)


def test_a_window_reached_by_a_cut_stays_open():
    outer = [(0, 0), (4, 0), (4, 4), (0, 4)]
    hole = [(1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]
    flat = np.array([*outer, outer[0], *hole][:4] + [outer[0], *hole], dtype=float)
    found = ears(flat)
    assert areas(flat, found).sum() == pytest.approx(16.0 - 4.0)
    middles = flat[found].mean(axis=1)
    assert not ((np.abs(middles - 2.0) < 1.0).all(axis=1)).any()


def test_corners_on_a_line_give_no_triangle_of_their_own():
    flat = np.array([(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (0, 2), (0, 1)], dtype=float)
    found = areas(flat, ears(flat))
    assert (found > 0).all() and found.sum() == pytest.approx(4.0)


@pytest.mark.parametrize("first", range(4))
def test_a_dart_is_cut_through_its_dent(first):
    vertices = np.array([(0, 0, 0), (2, 0, 0), (0.5, 0.5, 0), (0, 2, 0)], dtype=float)
    found = triangulate(vertices, np.roll(np.arange(4), first), np.array([4]))
    assert areas(vertices[:, :2], found) == pytest.approx([0.5, 0.5])


def test_polygons_stay_in_their_order():
    vertices = np.concatenate([np.insert(ARCH, 1, 0.0, axis=1), [(9, 0, 0), (9, 0, 1), (8, 0, 1)]])
    corners = np.array([0, 1, 2, *range(8), 8, 9, 10, 0])
    found = triangulate(vertices, corners, np.array([3, 8, 4]))
    assert found[0].tolist() == [0, 1, 2] and set(found[1:7].ravel()) == set(range(8))
    assert set(found[7:].ravel()) == {8, 9, 10, 0} and len(found) == 9


def test_a_polygon_is_seen_from_the_side_to_which_it_turns():
    for axis in range(3):
        places = np.insert(ARCH, axis, 0.7, axis=1)
        assert area(flattened(places)) == pytest.approx(3.0)
        assert area(flattened(places[::-1])) == pytest.approx(3.0)
