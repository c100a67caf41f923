"""The side that a target is on, turns that are smaller, and targets that are kept (Tu 1999, §6.5)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.perception.focuser import (
    SKILL_FORWARD,
    SKILL_LEFT,
    SKILL_RIGHT,
    compromised,
    persist,
    prey_cost,
    relative,
)


@pytest.mark.parametrize(
    "degrees, wanted",
    [
        (0, SKILL_FORWARD),
        (29, SKILL_FORWARD),
        (-29, SKILL_FORWARD),
        (31, SKILL_LEFT),
        (-31, SKILL_RIGHT),
        (90, SKILL_LEFT),
        (179, SKILL_LEFT),
        (-179, SKILL_RIGHT),
    ],
)
@pytest.mark.parametrize("up", [-5.0, 0.0, 5.0])
def test_side_by_the_angle_seen_from_above(degrees, wanted, up):
    angle = np.radians(degrees)
    assert relative(np.array([[[np.cos(angle), np.sin(angle), up]]])).tolist() == [[wanted]]


def test_a_disliked_turn_is_smaller():
    dislike = np.array([-1.0, 0.0, 0.5, 0.7, 1.0])
    assert np.allclose(compromised(0.8, dislike), np.array([1, 1, 1, 0.8, 0.5]) * 0.8)
    assert compromised(-0.8, 1.0) == pytest.approx(-0.4)


def test_a_fish_keeps_its_target_unless_another_is_nearer_by_a_threshold():
    assert persist(5.0, 4.0, 1.5) and not persist(5.0, 3.0, 1.5) and persist(3.0, 5.0, 0.0)
    lost, none = np.inf, np.inf
    assert not persist(lost, 4.0, 1.5) and persist(4.0, none, 1.5)
    assert persist(np.array([2.0, 2.0]), 1.0, np.array([0.5, 2.0])).tolist() == [False, True]


def test_cost_of_a_prey():
    found = prey_cost(np.array([2.0, 2.0, 2.0, np.inf]), np.array([False, True, True, False]), [0, 0, np.pi / 2, 0])
    assert np.allclose(found, [2.0, 3.0, 3.2, np.inf])
    assert prey_cost(2.0, True, np.pi, school_cost=1.0, turn_cost=0.5) == pytest.approx(5.0)
