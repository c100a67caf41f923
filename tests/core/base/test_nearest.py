import numpy as np
import pytest

from artfish.core.base.nearest import Points, nearest, pairs_between, pairs_of, pairs_within, within

GRID = np.stack(np.meshgrid(*[np.arange(5.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)  # equally near ones abound


def measured(places, points):
    arms = points - places[:, None]
    return (arms[..., 0] ** 2 + arms[..., 1] ** 2) + arms[..., 2] ** 2


@pytest.mark.parametrize("among", [GRID, np.random.default_rng(1).normal(size=(80, 3)), GRID[:3]])
def test_the_nearest_come_first_and_of_equally_near_ones_the_first_row(among):
    places = np.concatenate((GRID[::7], GRID[:40] + 0.5, np.random.default_rng(2).uniform(0.0, 4.0, (30, 3))))
    ranks = np.array([1, 2, 4, 7, 12])
    ranks = ranks[ranks <= len(among)]
    order = np.argsort(measured(places, among), axis=1, kind="stable")
    assert np.array_equal(nearest(places, among, ranks), order[:, ranks - 1])


def test_what_is_within_reach_is_found_to_the_very_end_of_it():
    center, point, distance = within(GRID, 1.0, GRID)
    squares = measured(GRID, GRID)
    assert np.array_equal(np.stack((center, point), axis=1), np.argwhere(squares <= 1.0))
    assert np.array_equal(distance, np.sqrt(squares[center, point]))
    reach = np.random.default_rng(3).uniform(0.0, 2.0, len(GRID))
    center, point, _ = within(GRID, reach, GRID[:20])
    assert np.array_equal(np.stack((center, point), axis=1), np.argwhere(squares[:, :20] <= reach[:, None] ** 2))


def test_nobody_is_within_reach_of_nobody():
    assert [len(rows) for rows in within(GRID[:0], 1.0, GRID)] == [0, 0, 0]
    assert [len(rows) for rows in within(GRID, 1.0, GRID[:0])] == [0, 0, 0]


def test_candidate_pairs_leave_out_nobody():
    squares = measured(GRID, GRID)
    found = {tuple(sorted(pair)) for pair in pairs_of(GRID, 1.0).tolist()}
    assert found == {(a, b) for a, b in np.argwhere(squares <= 1.0).tolist() if a < b}
    one, other = pairs_between(GRID[:60], 1.0, GRID[60:])
    close = np.argwhere(squares[:60, 60:] <= 1.0).tolist()
    assert sorted(zip(one.tolist(), other.tolist(), strict=True)) == [tuple(pair) for pair in close]
    assert pairs_within(GRID[:60], 1.0, GRID[60:]) == len(close)


def test_of_equally_near_ones_beyond_all_that_are_to_spare_the_first_row_is_the_nearest():
    turns = np.arange(64) * (np.pi / 32)
    ring = np.stack((np.cos(turns), np.sin(turns), 0 * turns), axis=1)
    ring = np.concatenate((ring, ring))  # everybody twice, and all as far from the middle but for rounding
    places = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    order = np.argsort(measured(places, ring), axis=1, kind="stable")
    assert np.array_equal(nearest(places, ring, np.array([1, 5, 70])), order[:, [0, 4, 69]])


@pytest.mark.parametrize("most", [0, 3, 6, 7, 26, 124])
def test_a_throng_is_counted_to_the_very_end_of_reach(most):
    reach = np.random.default_rng(4).integers(1, 4, len(GRID)).astype(float)  # many a point is just as far away
    squares = measured(GRID, GRID)
    many = (squares <= reach[:, None] ** 2).sum(axis=1)
    assert np.array_equal(Points(GRID).throng(GRID, reach, most), many > most)


def test_nobody_about_is_left_out():
    squares = measured(GRID, GRID)
    about = Points(GRID).about(GRID, np.ones(len(GRID)))
    assert [sorted(rows) for rows in about] == [np.flatnonzero(row <= 1.0).tolist() for row in squares]
