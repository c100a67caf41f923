"""Winding numbers by groups of triangles: about those of all triangles, and whole far away."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.geometry.winding import Winding, winding


def scattered(triangles: int) -> np.ndarray:
    """Corners of small triangles anywhere in a cube."""
    dice = np.random.default_rng(triangles)
    return dice.uniform(-1.0, 1.0, (triangles, 1, 3)) + 0.05 * dice.normal(size=(triangles, 3, 3))


@pytest.mark.parametrize("triangles", [1, 8, 9, 700])
def test_groups_take_in_about_what_their_triangles_do(alike, triangles):
    corners, points = scattered(triangles), np.random.default_rng(1).uniform(-2.0, 2.0, (300, 3))
    groups = Winding(corners)
    turns = alike(lambda: groups.at(points), "winding")
    assert np.abs(turns - winding(points, corners)).max() < 0.01


def test_what_is_nowhere_has_no_winding_number(alike):
    groups = Winding(scattered(50))
    with np.errstate(invalid="ignore"):
        assert alike(lambda: np.isnan(groups.at(np.full((2, 3), np.nan))), "winding").all()
    assert groups.at(np.zeros((0, 3))).shape == (0,)
