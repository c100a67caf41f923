"""The nearest of what stands and the floor, and the places that lie on it."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.habitat.ground import Ground
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.habitat.tank import WaterBox
from artfish.core.habitat.tuning import CLUTCH_GAP_METRES, CLUTCH_REACH_METRES

GROUND = Ground(WaterBox([10, 10, 6]), Obstacles([[5.0, 5.0, 0.0]], [0.5], [4.0]))


def test_the_nearer_of_pillar_and_floor_counts():
    gap, out = GROUND.distance(np.array([[5.9, 5.0, 3.0], [8.0, 5.0, 1.0]]))
    assert gap == pytest.approx([0.4, 1.0])
    assert out == pytest.approx(np.array([[1.0, 0, 0], [0, 0, 1.0]]))


def test_a_place_comes_onto_it_and_no_farther_than_it_may():
    place, out = GROUND.onto(np.array([[6.2, 5.0, 3.0]]), 0.01)
    assert place == pytest.approx(np.array([[5.51, 5.0, 3.0]])) and out == pytest.approx(np.array([[1.0, 0, 0]]))
    foot, _ = GROUND.foot(np.array([[8.0, 8.0, 0.9 * CLUTCH_REACH_METRES]]))
    assert foot == pytest.approx([8.0, 8.0, CLUTCH_GAP_METRES])
    assert GROUND.foot(np.array([[8.0, 8.0, 1.1 * CLUTCH_REACH_METRES]])) is None
