"""Surfaces: what a range map says of the way ahead, held against the obstacles that it was drawn of."""

import numpy as np
import pytest

from artfish.core.perception.retina import surfaces
from artfish.core.perception.retina.surfaces import FIRST_WALL, NOWHERE, SOLID


def some(dice: np.random.Generator, fishes: int = 5, count: int = 60):
    places = dice.uniform(-1.0, 1.0, (fishes, count, 3))
    kinds = dice.integers(0, 4, (fishes, count)).astype(np.uint8)
    places[kinds == 0] = NOWHERE
    return places, dice.uniform(0.0, 0.1, (fishes, count)), kinds


def test_the_nearest_surface_of_each_square_is_kept():
    identity = np.zeros((1, 4, 4), np.int32)
    far = np.full((1, 4, 4), np.inf, np.float32)
    identity[0, 0, 1], far[0, 0, 1] = 2, 3.0
    identity[0, 1, 0], far[0, 1, 0] = 1, 2.0
    identity[0, 1, 1], far[0, 1, 1] = 3, 1.0  # no surface
    nearest, pixel, kind = surfaces.cells(identity, far, np.array([0, 1, 4, 0], np.uint8), 2)
    assert nearest.tolist() == [[2.0, np.inf, np.inf, np.inf]]
    assert pixel[0, 0] == 4
    assert kind.tolist() == [[1, 0, 0, 0]]


def test_a_path_ends_where_it_comes_within_the_margin():
    places, apart, kinds = np.array([[[2.0, 0.0, 0.0]]]), np.zeros((1, 1)), np.full((1, 1), SOLID, np.uint8)
    ways = np.array([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]])
    given = np.array([0.5]), places, apart, kinds
    assert surfaces.free_path(np.zeros((1, 1, 3)), ways, *given)[0] == pytest.approx([1.5, np.inf, np.inf])
    inside = np.array([[[1.7, 0.0, 0.0]]])
    assert surfaces.free_path(inside, ways, *given)[0] == pytest.approx([0.0, np.inf, np.inf]), "nearer, along, and off"
    assert surfaces.free_path(np.zeros((1, 1, 3)), ways, *given, FIRST_WALL)[0, 0] == np.inf, "it is no wall"


def test_paths_do_not_slip_between_places_that_are_apart():
    places = np.array([[[2.0, -0.3, 0.0], [2.0, 0.3, 0.0]]])
    kinds, ways = np.full((1, 2), SOLID, np.uint8), np.array([[[1.0, 0.0, 0.0]]])
    for apart, open_ in ((0.1, True), (0.4, False)):
        free = surfaces.free_path(np.zeros((1, 1, 3)), ways, np.array([0.1]), places, np.full((1, 2), apart), kinds)
        assert np.isinf(free[0, 0]) == open_


@pytest.mark.parametrize("seed", range(3))
def test_compiled_forms_have_the_same_bits(alike, seed):
    dice = np.random.default_rng(seed)
    places, apart, kinds = some(dice)
    points, ways = dice.uniform(-1.0, 1.0, (5, 1, 3)), dice.normal(size=(5, 7, 3))
    ways /= np.linalg.norm(ways, axis=-1, keepdims=True)
    identity, far = (
        dice.integers(0, 6, (2, 12, 12)).astype(np.int32),
        dice.integers(1, 9, (2, 12, 12)).astype(np.float32),
    )
    of_identity = np.array([0, 1, 2, 0, 3, 1], np.uint8)

    alike(lambda: surfaces.free_path(points, ways, np.full(5, 0.15), places, apart, kinds), "seen_path")
    alike(lambda: surfaces.free_path(ways, ways, np.full(5, 0.05), places, apart, kinds, 2), "seen_path")
    alike(lambda: surfaces.nearest(ways, places, kinds), "seen_nearest")
    alike(lambda: surfaces.nearest(points, places, kinds, SOLID), "seen_nearest")
    for block in (3, 5):  # which leaves two pixels over
        found = alike(lambda block=block: surfaces.cells(identity, far, of_identity, block), "cells")
        assert found[0].dtype == np.float32 and found[1].dtype == np.int32 and np.isfinite(found[0]).all()


def test_walls_are_as_far_as_their_planes():
    places = np.array([[[0.0, 1.0, 1.0], [4.0, 2.0, 1.0], [1.0, 1.0, 0.0]]])
    kinds = np.array([[FIRST_WALL, FIRST_WALL + 1, FIRST_WALL + 4]], np.uint8)
    found = surfaces.walls(np.array([[1.0, 1.5, 0.5]]), places, kinds)
    assert found[0] == pytest.approx([1.0, 3.0, np.inf, np.inf, 0.5, np.inf])
