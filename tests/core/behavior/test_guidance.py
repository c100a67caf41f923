"""Guidance leads to places and into regions, and needs nothing of fishes that are where they should be."""

from __future__ import annotations

import numpy as np

from artfish.core.behavior.guidance import approach, keep
from artfish.core.scene.direction import Region

LENGTH, AHEAD = np.full(3, 0.2), np.tile([1.0, 0.0, 0.0], (3, 1))


def test_who_is_far_from_a_place_hurries_there_and_who_is_near_needs_nothing():
    offset = np.array([[5.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.1, 0.0, 0.0]])
    wish, need, pace = approach(offset, np.zeros(3), 0.4, LENGTH, AHEAD)
    assert np.allclose(wish, AHEAD)
    assert need.tolist() == [1.0, 1.0, 0.0]
    assert pace[0] == 1.0 and pace[0] > pace[1] > pace[2] > 0.0


def test_who_leaves_a_region_is_led_back_and_who_is_deep_inside_is_free():
    region = Region(fishes=0, kind="region", at=(0.0, 0.0, 0.0), radius=2.0)
    place = np.array([[3.0, 0.0, 0.0], [0.0, 1.95, 0.0], [0.0, 0.0, 0.0]])
    wish, need, pace = keep(region, place, place, LENGTH)
    assert np.allclose(wish[:2], [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
    assert need[0] == 1.0 and 0.5 < need[1] < 1.0 and need[2] == 0.0
    assert np.isnan(pace).all()
