"""Paths and curves."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.behavior.ways import WayCurve, moved

SQUARE = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0))


def test_a_path_is_straight_between_its_rows():
    assert moved(((1, 0, 0, 0), (3, 2, 4, 0)), 2.0).tolist() == [1.0, 2.0, 0.0]


@pytest.mark.parametrize(("closed", "length", "beyond"), [(False, 6.0, (-1, 2, 0)), (True, 8.0, (0, 1, 0))])
def test_a_curve_goes_on_beyond_its_end_or_round(closed, length, beyond):
    way = WayCurve(SQUARE, closed)
    assert way.length == length
    assert way.at(np.array([3.0, 7.0])).tolist() == [[2, 1, 0], [*map(float, beyond)]]


def test_who_is_beside_a_curve_stays_with_its_own_part_of_it():
    way = WayCurve(((0, 0, 0), (10, 0, 0), (10, 1, 0), (0, 1, 0)), False)
    place, length = np.array([[5.0, 0.9, 0.0]]), np.array([0.1])
    assert way.nearest(np.array([4.9]), place, length, beside=0.5) == pytest.approx([5.0], abs=0.05)
    assert way.nearest(np.array([4.9]), place, length) == pytest.approx([16.0])
