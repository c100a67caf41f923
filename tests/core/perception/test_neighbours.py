"""Who is around a fish: the nearest of every size, the same by the kernel and by NumPy."""

import numpy as np

from artfish.core.perception.neighbours import Neighbourhood
from artfish.core.perception.tuning import ATTENDED_NEIGHBOURS, FARTHER_RANKS

RNG = np.random.default_rng(2)


def crowd(fishes):
    """Lengths, species, who leads, places, headings and velocities of a shark and of sardines and herrings."""
    kind = RNG.integers(0, 2, fishes)
    length = np.where(kind, 0.3, 0.18)
    kind[0], length[0] = 2, 3.5
    ahead = RNG.normal(size=(fishes, 3))
    return length, kind, RNG.random(fishes) < 0.01, RNG.normal(size=(fishes, 3)), ahead, 0.1 * ahead


def test_the_shark_is_seen_beyond_the_sardines_in_front_of_it():
    length, kind, leads, place, ahead, velocity = crowd(300)
    place[0] = 50.0
    near = Neighbourhood(length, kind, leads).around(np.arange(300), place, ahead, velocity)
    assert ((near.fish == 0) & near.other).any(axis=1)[1:].all()
    assert near.fish.shape[1] == 2 * (ATTENDED_NEIGHBOURS + 1 + len(FARTHER_RANKS)) + 1, "a list has its length"


def test_a_fish_attends_to_the_nearest_of_each_size_and_to_some_farther_ones():
    length, kind, leads, place, ahead, velocity = crowd(200)
    fishes = RNG.permutation(200)[:60]
    near = Neighbourhood(length, kind, leads).around(fishes, place, ahead, velocity)
    others = np.flatnonzero(kind == 1)
    order = np.argsort(((place[others] - place[fishes][:, None]) ** 2).sum(axis=2), axis=1)
    ranks = np.array([*range(ATTENDED_NEIGHBOURS + 1), *(rank - 1 for rank in FARTHER_RANKS)])
    columns = near.length[0] == 0.3
    assert np.array_equal(near.fish[:, columns], others[order[:, ranks]])
    assert np.array_equal(near.offset, place[near.fish] - place[fishes][:, None])
    assert np.array_equal(near.kin, (kind[near.fish] == kind[fishes][:, None]) & near.other)


def test_the_kernel_gathers_the_same(alike):
    length, kind, leads, *moving = crowd(1100)
    neighbourhood = Neighbourhood(length, kind, leads)
    alike(lambda: neighbourhood.around(np.arange(1100), *moving), "nearest", "around")
