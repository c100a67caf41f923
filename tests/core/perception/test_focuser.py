"""The focuser against the worked examples of Tu 1999, §6.5.2."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.perception.focuser import (
    SKILL_ASCEND,
    SKILL_BACKWARD,
    SKILL_DESCEND,
    SKILL_FORWARD,
    SKILL_LEFT,
    SKILL_RIGHT,
    attend,
    compromised,
    persist,
    preferences,
    prey_cost,
    relative,
)


def told(*recommendations: tuple[int, float, int], fishes: int = 1) -> np.ndarray:
    """Preferences from (kind, value, fish)."""
    kind, value, fish = zip(*recommendations, strict=True)
    return preferences(np.array(kind), np.array(value), np.array(fish), fishes)


def test_three_mates_and_a_predator_to_the_left():
    mate, fear = 0.8, 0.3
    found = told((SKILL_LEFT, mate, 0), (SKILL_LEFT, mate, 0), (SKILL_LEFT, mate, 0), (SKILL_LEFT, -fear, 0))
    assert found[0, SKILL_LEFT] == pytest.approx(mate - fear)
    assert (np.delete(found[0], SKILL_LEFT) == 0).all()


def test_an_obstacle_to_the_left_and_food_to_the_right():
    """Example 1: what is left is disliked, what is right is liked, so the fish turns right."""
    found = told((SKILL_LEFT, -0.9, 0), (SKILL_RIGHT, 0.4, 0))
    assert found[0].tolist() == [-0.9, 0.4, 0, 0, 0, 0] and found[0].argmax() == SKILL_RIGHT


def test_each_fish_has_preferences_of_its_own():
    found = told(
        (SKILL_ASCEND, 0.6, 2),
        (SKILL_ASCEND, 0.2, 2),
        (SKILL_DESCEND, -1.0, 0),
        (SKILL_BACKWARD, 0.5, 0),
        (SKILL_ASCEND, 0, 2),
        fishes=3,
    )
    wanted = np.zeros((3, 6))
    wanted[2, SKILL_ASCEND], wanted[0, SKILL_DESCEND], wanted[0, SKILL_BACKWARD] = 0.4, -1.0, 0.5
    assert np.allclose(found, wanted)


def test_nothing_told_is_no_preference():
    nothing = np.zeros(0, dtype=int)
    assert np.array_equal(preferences(nothing, np.zeros(0), nothing, 2), np.zeros((2, 6)))


@pytest.mark.parametrize("kind, fish", [(6, 0), (-1, 1), (SKILL_LEFT, 2)])
def test_no_such_action_or_fish(kind, fish):
    with pytest.raises(ValueError):
        told((kind, 1.0, fish), fishes=2)


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


def test_things_speak_for_their_side_and_height():
    offset = np.array([[[0.0, 1.0, 0.0], [1.0, 0.1, 0.0]], [[1.0, 0.0, 2.0], [0.0, -1.0, -1.0]]])
    told = attend(offset, np.array([[0.8, -0.4], [0.5, 0.0]]))
    wanted = np.zeros((2, 6))
    wanted[0, SKILL_LEFT], wanted[0, SKILL_FORWARD] = 0.8, -0.4
    wanted[1, SKILL_FORWARD], wanted[1, SKILL_ASCEND] = 0.5, 0.5
    assert told == pytest.approx(wanted)
