"""Contours: their differences in closed form, and which way edges draw."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.photo.contours import border, differences, edge_force
from artfish.core.photo.view import look


def test_differences_are_those_along_rows_and_columns() -> None:
    rows, columns = np.meshgrid(np.arange(4.0), np.arange(5.0), indexing="ij")
    first, second = differences(4, 5)
    assert first.shape == (4 * 4 + 3 * 5, 20) and second.shape == (4 * 3 + 2 * 5, 20)
    even = np.stack([2.0 * columns, 3.0 * rows], axis=-1).reshape(-1, 2)
    edges = first @ even
    np.testing.assert_allclose(edges[:16], np.tile([2.0, 0.0], (16, 1)))
    np.testing.assert_allclose(edges[16:], np.tile([0.0, 3.0], (15, 1)))
    np.testing.assert_allclose(second @ even, 0.0, atol=1e-12)
    np.testing.assert_allclose((second @ (columns**2).reshape(-1))[:12], 2.0)


def test_a_body_is_drawn_at_back_and_belly_and_a_fin_all_but_at_its_root() -> None:
    assert [list(line) for line in border(3, 4, "body")] == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert [list(line) for line in border(2, 4, "dorsal")] == [[4, 5, 6, 7]]
    assert [list(line) for line in border(3, 2, "caudal")] == [[0, 1], [4, 5], [1, 3, 5]]


def test_edges_draw_from_both_sides() -> None:
    image = np.zeros((60, 100, 3))
    image[:, 50:] = 1.0
    view = look(image)
    right, down = edge_force(view, 2.0)
    middle, edge = right[len(right) // 2], view.to_view(np.array([49.5, 30.0]))[0]
    away = np.arange(len(middle)) - edge
    assert np.all(middle[(away > -6) & (away < -1.5)] > 0.0)
    assert np.all(middle[(away > 1.5) & (away < 6)] < 0.0)
    assert np.abs(down).max() < 0.05 * np.abs(right).max()
    assert np.abs(right).max() == pytest.approx(1.0, abs=0.5)
