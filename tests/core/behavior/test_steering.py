"""Steering: turns that are made although a fish would rather not."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.base.vectors import wrap
from artfish.core.behavior.steering import compromise
from artfish.core.perception.focuser import SKILL_LEFT, SKILLS


def test_a_turn_is_compromised_where_something_speaks_against_it_unless_it_goes_round_what_stands():
    preferences = np.zeros((5, SKILLS))
    preferences[:, SKILL_LEFT] = (-1.0, -0.8, -0.4, 1.0, -1.0)
    azimuth, free = np.full(5, 3.0), np.array([True, True, True, True, False])
    left, right = (compromise(wrap(azimuth + side * 0.8), azimuth, preferences, free) for side in (1, -1))
    assert wrap(left - azimuth) == pytest.approx([0.4, 0.7 * 0.8, 0.8, 0.8, 0.8])
    assert wrap(right - azimuth) == pytest.approx(np.full(5, -0.8))
