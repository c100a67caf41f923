"""Paths: short, through nothing that is shut, round where they turn, and of places that are a cell apart."""

import numpy as np
import pytest

from artfish.core.perception.navigation.lattice import Lattice
from artfish.core.perception.navigation.paths import SHUT_OFF, dearest, even, rounded, shortened
from artfish.tests.core.perception.navigation.test_lattice import charted, wall


@pytest.fixture(scope="module")
def lattice() -> Lattice:
    return Lattice(np.array([2.0, 2.0, 1.0]), 0.1)


@pytest.fixture(scope="module")
def way(lattice):
    """A way through the gap of a wall: weights, and the cells, begin and end of it."""
    weights = lattice.weights(charted(lattice, wall(1.0, (1.2, 1.8))))
    ends = np.array([[0.2, 0.3, 0.5], [1.8, 0.3, 0.5]])
    here, there = lattice.cells(ends).tolist()
    return weights, lattice.descent(weights, lattice.costs(weights, np.array([there])), here), *ends


def test_a_path_has_few_corners_and_leads_through_nothing_shut(lattice, way):
    weights, cells, start, end = way
    corners = shortened(lattice, weights, cells, start, end)
    assert len(corners) < len(cells) / 2
    assert (corners[0] == start).all() and (corners[-1] == end).all()
    assert (dearest(lattice, weights, corners[:-1], corners[1:]) < SHUT_OFF).all()


def test_a_path_is_no_longer_than_the_way_from_cell_to_cell(lattice, way):
    weights, cells, start, end = way
    corners = shortened(lattice, weights, cells, start, end)
    length = np.linalg.norm(np.diff(corners, axis=0), axis=1).sum()
    stepped = np.linalg.norm(np.diff(lattice.middles[cells], axis=0), axis=1).sum()
    round_the_wall = 2 * np.hypot(0.8, 0.9)
    assert round_the_wall < length < stepped


def test_corners_are_as_round_as_there_is_room(lattice):
    open_water = lattice.weights(np.zeros(len(lattice), dtype=np.uint8))
    corners = np.array([[0.35, 0.35, 0.55], [1.35, 0.35, 0.55], [1.35, 1.35, 0.55]])
    round_one = rounded(lattice, open_water, corners, 0.3)
    turn = np.diff(round_one, axis=0)
    turn /= np.linalg.norm(turn, axis=1)[:, None]
    cosines = (turn[1:] * turn[:-1]).sum(axis=1)
    assert len(round_one) == 6 and cosines.min() > 0.7
    assert np.abs(round_one[1:-1] - corners[1]).max() == pytest.approx(0.3, abs=0.01)  # a radius from a right angle
    shut = open_water.copy()
    shut[lattice.cells(np.array([1.25, 0.45, 0.55]))] = 0  # inside the curve
    assert np.abs(rounded(lattice, shut, corners, 0.3)[1:-1] - corners[1]).max() < 0.2


def test_places_are_evenly_apart_up_to_the_end():
    path = even(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.55, 0.0]]), 0.1)
    gaps = np.linalg.norm(np.diff(path, axis=0), axis=1)
    assert gaps[:-1] == pytest.approx(np.full(len(gaps) - 1, 0.1)) and gaps[-1] == pytest.approx(0.05)
    assert path[-1] == pytest.approx([1.0, 0.55, 0.0])


def test_nothing_is_made_straight_that_is_steeper_than_a_fish_climbs(lattice):
    open_water = lattice.weights(np.zeros(len(lattice), dtype=np.uint8))
    start, end = np.array([0.25, 1.0, 0.15]), np.array([1.75, 1.0, 0.85])
    here, there = lattice.cells(np.stack((start, end))).tolist()
    cells = lattice.descent(open_water, lattice.costs(open_water, np.array([there])), here)
    legs = np.diff(shortened(lattice, open_water, cells, start, end), axis=0)
    long = np.linalg.norm(legs, axis=1) > 0.2
    assert (np.abs(legs[long, 2]) <= 0.46 * np.linalg.norm(legs[long, :2], axis=1)).all()
