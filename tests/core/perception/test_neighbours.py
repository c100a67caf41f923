"""The fishes around a fish: the nearest of every size."""

import numpy as np

from artfish.core.perception.neighbours import Neighbourhood
from artfish.core.perception.tuning import ATTENDED_NEIGHBOURS, FARTHER_RANK, GLANCES

RNG = np.random.default_rng(2)


def crowd(fishes):
    """Lengths, species, who leads, places, headings and velocities of a shark and of sardines and herrings."""
    kind = RNG.integers(0, 2, fishes)
    length = np.where(kind, 0.3, 0.18)
    kind[0], length[0] = 2, 3.5
    ahead = RNG.normal(size=(fishes, 3))
    return length, kind, RNG.random(fishes) < 0.01, RNG.normal(size=(fishes, 3)), ahead, 0.1 * ahead


def sighted(length, kind, leads):
    """A neighbourhood in which each fish sees about half of its kind."""
    return Neighbourhood(length, kind, leads, np.full(len(length), 2.0))


def test_the_shark_is_seen_beyond_the_sardines_in_front_of_it():
    length, kind, leads, place, ahead, velocity = crowd(300)
    place[0] = 50.0
    near = sighted(length, kind, leads).around(np.arange(300), RNG.random((300, GLANCES)), place, ahead, velocity)
    assert ((near.fish == 0) & near.other).any(axis=1)[1:].all()
    assert near.fish.shape[1] == 2 * (ATTENDED_NEIGHBOURS + 2) + 1 + GLANCES, "a list has its length"


def test_a_fish_attends_to_the_nearest_of_each_size_and_to_a_farther_one():
    length, kind, leads, place, ahead, velocity = crowd(200)
    fishes = RNG.permutation(200)[:60]
    near = sighted(length, kind, leads).around(fishes, np.zeros((60, 0)), place, ahead, velocity)
    others = np.flatnonzero(kind == 1)
    order = np.argsort(((place[others] - place[fishes][:, None]) ** 2).sum(axis=2), axis=1)
    columns = near.length[0] == 0.3
    assert np.array_equal(near.fish[:, columns], others[order[:, [*range(ATTENDED_NEIGHBOURS + 1), FARTHER_RANK - 1]]])
    assert np.array_equal(near.offset, place[near.fish] - place[fishes][:, None])
    sighted_kin = (kind[near.fish] == kind[fishes][:, None]) & (np.linalg.norm(near.offset, axis=2) <= 2.0)
    assert np.array_equal(near.kin, sighted_kin & near.other)


def test_the_kernel_gathers_the_same(alike):
    length, kind, leads, *moving = crowd(1100)
    neighbourhood, glances = sighted(length, kind, leads), RNG.random((1100, GLANCES))
    near = alike(lambda: neighbourhood.around(np.arange(1100), glances, *moving), "nearest", "around")
    assert 0.2 < near.kin[:, -GLANCES:].mean() < 0.9 and not near.other[:, -GLANCES:].any()


def test_those_glanced_at_are_kin_in_sight_and_not_run_into():
    place = np.array([[x, 0.0, 0.0] for x in (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 3.0, 9.0)])
    species, ahead = np.array([1, 0, 1, 1, 1, 1, 1, 1, 1, 1]), np.tile([1.0, 0, 0], (10, 1))
    near = Neighbourhood(np.full(10, 0.2), species, np.zeros(10, dtype=bool), np.full(10, 5.0))
    glances = np.array([[0.0, 0.8, 0.99]])  # of nine kin: the first, which is itself, and the last two
    found = near.around(np.array([0]), glances, place, ahead, np.zeros((10, 3)))
    assert found.fish[0].tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 8, 9]
    assert found.other[0].tolist() == [False, *[True] * 6, False, False, False]
    assert found.kin[0].tolist() == [False, False, *[True] * 5, False, True, False]


def test_who_is_nearest_of_its_kind_but_out_of_sight_is_no_company():
    place, ahead = np.array([[0.0, 0, 0], [4.0, 0, 0], [30.0, 0, 0]]), np.tile([1.0, 0, 0], (3, 1))
    near = Neighbourhood(np.full(3, 0.2), np.zeros(3, dtype=int), np.zeros(3, dtype=bool), np.full(3, 5.0))
    found = near.around(np.arange(3), np.zeros((3, 0)), place, ahead, np.zeros((3, 3)))
    assert found.kin.any(axis=1).tolist() == [True, True, False] and found.other.any(axis=1).all()
