"""Nearest points: measured to the last bit, the same by trees and by trying everybody, in one thread and in two."""

from contextlib import nullcontext

import numpy as np
import pytest

from artfish.core.base import threads
from artfish.core.base.nearest import Points, Wanderers, nearest, nearest_of_each, within

RNG = np.random.default_rng(1)
GRID = np.stack(np.meshgrid(*[np.arange(5.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)  # equally near ones abound
CLOUDS = {
    "grid": GRID,
    "few": GRID[:3],
    "one": GRID[:1],
    "cloud": RNG.normal(size=(700, 3)),
    "heap": np.zeros((40, 3)),
    "school far from one": np.concatenate((RNG.normal(size=(300, 3)), [[-4e9, 1e9, 7.0]])),
    "line": np.linspace(0.0, 3.0, 90)[:, None] * (1.0, 0.0, 0.0),
}
"""Points by how they are strewn, (m, 3)."""
PLACES = np.concatenate((GRID[::7], GRID[:40] + 0.5, RNG.uniform(0.0, 4.0, (30, 3)), RNG.normal(size=(1300, 3))))

over_clouds = pytest.mark.parametrize("among", CLOUDS.values(), ids=CLOUDS.keys())


@pytest.fixture(params=["kernel", "two threads", "oracles"])
def by(request, monkeypatch, plain):
    """The means by which they are found."""
    monkeypatch.setattr(threads, "available", lambda: 2 if request.param == "two threads" else 1)
    with plain() if request.param == "oracles" else nullcontext():
        yield


def measured(places, points):
    arms = points - places[:, None]
    return (arms[..., 0] ** 2 + arms[..., 1] ** 2) + arms[..., 2] ** 2


@over_clouds
def test_the_nearest_come_first_and_of_equally_near_ones_the_first_row(by, among):
    ranks = np.array([1, 2, 4, 7, 12])
    ranks = ranks[ranks <= len(among)]
    for places in (PLACES, PLACES[:5]):
        order = np.argsort(measured(places, among), axis=1, kind="stable")
        assert np.array_equal(nearest(places, among, ranks), order[:, ranks - 1])


@over_clouds
def test_a_notion_of_how_far_they_are_changes_nobody(by, among):
    ranks = np.arange(1, min(len(among), 30) + 1)
    wanted = np.argsort(measured(PLACES, among), axis=1, kind="stable")[:, ranks - 1]
    truth = np.sort(measured(PLACES, among), axis=1)[:, ranks[-1] - 1]
    for share in (0.5, 0.83, 1.0, 1.5, 100.0):
        assert np.array_equal(nearest_of_each(PLACES, [(Points(among), ranks)], share * truth[None])[0], wanted)


@over_clouds
def test_what_is_within_reach_is_found_to_the_very_end_of_it(by, among):
    distances = np.sqrt(measured(PLACES, among))
    for reach in (1.0, np.sqrt(2.0), RNG.uniform(0.0, 2.0, len(PLACES)), distances[:, 0], np.full(len(PLACES), -1.0)):
        center, point, distance = within(PLACES, reach, among)
        close = distances <= np.broadcast_to(reach, len(PLACES))[:, None]
        assert np.array_equal(np.stack((center, point), axis=1), np.argwhere(close))
        assert np.array_equal(distance, distances[center, point])


def test_nobody_is_within_reach_of_nobody(by):
    assert [len(rows) for rows in within(GRID[:0], 1.0, GRID)] == [0, 0, 0]
    assert [len(rows) for rows in within(GRID, 1.0, GRID[:0])] == [0, 0, 0]
    assert nearest(GRID[:0], GRID, np.array([1, 2])).shape == (0, 2)
    assert [len(rows) for rows in Points(GRID[:0]).meeting(np.zeros(0))] == [0, 0]


@over_clouds
def test_those_that_meet_are_all_that_both_reach_whatever_the_reach_of_either(by, among):
    distances = np.sqrt(measured(among, among))
    for reach in (np.full(len(among), 0.5), RNG.choice([0.05, 0.1, 2.0], len(among)), np.full(len(among), 0.6)):
        wanted = np.argwhere(np.triu(distances < reach[:, None] + reach, 1))
        assert np.array_equal(np.stack(Points(among).meeting(reach), axis=1), wanted)


def test_candidate_pairs_leave_out_nobody():
    close = measured(GRID[:60], GRID[60:]) <= 1.0
    assert Points(GRID[60:]).count_within(GRID[:60], 1.0) == close.sum()


def test_of_equally_near_ones_beyond_all_that_are_to_spare_the_first_row_is_the_nearest(by):
    turns = np.arange(64) * (np.pi / 32)
    ring = np.stack((np.cos(turns), np.sin(turns), 0 * turns), axis=1)
    ring = np.concatenate((ring, ring))  # everybody twice, and all as far from the middle but for rounding
    places = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    order = np.argsort(measured(places, ring), axis=1, kind="stable")
    assert np.array_equal(nearest(places, ring, np.array([1, 5, 70])), order[:, [0, 4, 69]])


@pytest.mark.parametrize("most", [0, 3, 6, 7, 26, 124])
def test_a_throng_is_counted_to_the_very_end_of_reach(by, most):
    reach = np.random.default_rng(4).integers(1, 4, len(GRID)).astype(float)  # many a point is just as far away
    squares = measured(GRID, GRID)
    many = (squares <= reach[:, None] ** 2).sum(axis=1)
    assert np.array_equal(Points(GRID).throng(GRID, reach, most), many > most)


@pytest.mark.parametrize("what", [np.nan, np.inf])
def test_what_is_nowhere_is_refused(by, what):
    broken = GRID.copy()
    broken[7, 1] = what
    with pytest.raises(ValueError, match="finite"):
        nearest(GRID, broken, np.array([1]))
    with pytest.raises(ValueError, match="finite"):
        nearest(broken, GRID, np.array([1]))


def test_a_large_tree_is_planted_alike_in_branches_and_in_one_piece(alike):
    """Its branches are shared out among threads; one with all points in a single leaf has none."""
    dice = np.random.default_rng(5)
    points, places = dice.normal(size=(3_000, 3)), dice.normal(size=(300, 3))
    ranks = np.array([1, 2, 5])
    found = alike(lambda: Points(points).nearest(places, ranks), "plant", "nearest")
    assert np.array_equal(found, Points(points, plain=True).nearest(places, ranks))


def test_those_who_wander_are_found_where_they_are_now(by):
    """However long ago the tree was planted that they are looked for in, and however many there are now."""
    dice, wanderers = np.random.default_rng(6), Wanderers()
    places, ranks = np.array(PLACES), np.array([1, 3, 8])
    for look in range(30):
        places = places + dice.normal(0.0, 0.3, places.shape)
        places = places[:-10] if look == 17 else places
        order = np.argsort(measured(GRID, places), axis=1, kind="stable")[:, ranks - 1]
        assert np.array_equal(wanderers.at(places).nearest(GRID, ranks), order)
    reach = dice.uniform(0.0, 0.2, len(places))
    assert np.array_equal(wanderers.at(places).meeting(reach), Points(places).meeting(reach))


def test_one_who_is_lost_on_the_way_is_refused(by):
    wanderers = Wanderers()
    wanderers.at(GRID)
    with pytest.raises(ValueError, match="finite"):
        wanderers.at(np.where(np.arange(len(GRID))[:, None] == 9, np.nan, GRID)).nearest(GRID[:20], np.array([1]))
