"""Triangles that are asked often: how far they are."""

from __future__ import annotations

import numpy as np

from artfish.core.geometry.facets import Facets


def triangles() -> np.ndarray:
    """Some of any form, of which one is a line and one a point."""
    corners = np.random.default_rng(0).normal(size=(60, 3, 3))
    corners[1, 2] = 0.5 * (corners[1, 0] + corners[1, 1])
    corners[2, 1:] = corners[2, 0]
    return corners


def test_squares_of_distances_have_the_same_bits(alike):
    facets, dice = Facets(triangles()), np.random.default_rng(1)
    rows = dice.integers(0, 60, 4000)
    points = np.concatenate((dice.normal(size=(3000, 3)), facets.corners[rows[3000:], 1]))
    found = alike(lambda: facets.squared(points, rows), "facets_squared")
    assert (found[:3000] > 0).all() and (found[3000:] < 1e-20).all()
    alike(lambda: facets.squared(points[::2], rows[::2].astype(np.int32)), "facets_squared")
    assert facets.squared(points[:0], rows[:0]).shape == (0,)


def test_a_place_above_a_triangle_is_as_far_as_it_is_high():
    facets = Facets(np.array([[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]))
    points = np.array([[0.25, 0.25, 2.0], [3.0, 0.0, 0.0], [-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])
    assert np.allclose(facets.squared(points, np.zeros(4, dtype=int)), [4.0, 4.0, 2.0, 0.5])
