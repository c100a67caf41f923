"""Motor preferences out of what fishes are after and what they may run into."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.behavior.intention import WANDER
from artfish.core.behavior.preferences import Urges, prefer
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.perception.focuser import (
    SKILL_ASCEND,
    SKILL_DESCEND,
    SKILL_FORWARD,
    SKILL_LEFT,
    SKILL_RIGHT,
    SKILLS,
    Focus,
)
from artfish.core.perception.swimmers import Swimmers


def swimmers_of(frames: np.ndarray, nodes: np.ndarray) -> Swimmers:
    return Swimmers(nodes, nodes[:, 0], frames, np.zeros((len(nodes), 3)))


LEFT, RIGHT, AHEAD = (0.0, 2.0, 0.0), (0.0, -2.0, 0.0), (2.0, 0.0, 0.0)


def preferences_of(fear=0.0, hunger=0.0, libido=0.0, *, foe=None, food=None, mate=None, wall=(0.0, 0.0, 0.0)):
    """M of a fish at the origin that heads along x, with these feelings, and with targets at these places, (6,)."""
    others = [np.zeros(3), *(np.array(place) for place in (foe, mate) if place is not None)]
    nodes = np.repeat(np.array(others)[:, None], NODES, axis=1)
    many = len(nodes)
    swimmers, focus = swimmers_of(np.repeat(np.eye(3)[None], many, axis=0), nodes), Focus(many)
    focus.target[0], focus.food[0] = 1 if foe is not None else -1, 0 if food is not None else -1
    partner = np.full(many, -1)
    partner[0] = many - 1 if mate is not None else -1
    feelings = SimpleNamespace(fear=np.full(many, fear), hunger=np.full(many, hunger), libido=np.full(many, libido))
    urges = Urges(feelings, np.full(many, WANDER, dtype=np.int8), np.zeros(many, dtype=bool), partner)
    morsels = np.zeros((0, 3)) if food is None else np.array([food])
    prefer(focus, urges, morsels, np.arange(1), swimmers, np.array([wall]))
    return focus.preferences[0]


def test_a_mate_and_a_predator_to_the_left():
    """An action has the mean of all that speaks for it, plus the mean of all that speaks against it (§6.5.2)."""
    found = preferences_of(fear=0.3, libido=0.8, foe=LEFT, mate=LEFT)
    assert found[SKILL_LEFT] == pytest.approx(0.8 - 0.3)
    assert (np.delete(found, SKILL_LEFT) == 0).all()


def test_an_obstacle_to_the_left_and_food_to_the_right():
    """Example 1 of §6.5.2: what is left is disliked, what is right is liked, so the fish turns right."""
    found = preferences_of(hunger=0.4, food=RIGHT, wall=(0.0, 0.9, 0.0))
    assert found == pytest.approx([-0.9, 0.4, 0, 0, 0, 0]) and found.argmax() == SKILL_RIGHT


def test_two_that_speak_for_one_side_count_by_their_mean():
    assert preferences_of(hunger=0.4, libido=0.8, food=LEFT, mate=LEFT)[SKILL_LEFT] == pytest.approx(0.6)


def test_where_nothing_is_there_are_no_preferences():
    assert (preferences_of(fear=1.0, hunger=1.0, libido=1.0) == 0.0).all()


def test_what_is_high_or_deep_speaks_for_its_height_too():
    found = preferences_of(hunger=0.5, fear=0.25, food=(1.0, 0.0, 2.0), foe=(0.0, -1.0, -1.0))
    wanted = np.zeros(SKILLS)
    wanted[[SKILL_FORWARD, SKILL_ASCEND]], wanted[[SKILL_RIGHT, SKILL_DESCEND]] = 0.5, -0.25
    assert found == pytest.approx(wanted)


def test_food_ahead_speaks_for_going_on_and_a_wall_to_the_left_against_turning_there():
    expected = np.zeros(SKILLS)
    expected[SKILL_FORWARD], expected[SKILL_LEFT] = 0.6, -0.5
    assert preferences_of(hunger=0.6, food=AHEAD, wall=(0.0, 0.5, 0.0)) == pytest.approx(expected)


@pytest.mark.parametrize("morsels", [0, 30])
def test_compiled_preferences_have_the_bits_of_the_others(alike, morsels):
    dice, fishes = np.random.default_rng(morsels), 700
    swimmers = swimmers_of(frame_from(*dice.normal(size=(2, fishes, 3))), dice.normal(size=(fishes, NODES, 3)))
    fear, hunger, libido = dice.uniform(0.0, 1.0, (3, fishes))
    intention = dice.integers(0, 7, fishes).astype(np.int8)
    partner, target = (np.where(dice.uniform(size=fishes) < 0.5, -1, dice.integers(0, fishes, fishes)) for _ in "ab")
    urges = Urges(SimpleNamespace(fear=fear, hunger=hunger, libido=libido), intention, fear < 0.2, partner)
    threat = dice.normal(size=(fishes // 2, 3)) * dice.integers(0, 2, (fishes // 2, 1))
    place, food = dice.normal(size=(morsels, 3)), dice.integers(-1, max(morsels, 1), fishes)

    def preferred():
        focus = Focus(fishes)
        focus.target[:], focus.food[:] = target, food if morsels else -1
        prefer(focus, urges, place, np.arange(1, fishes, 2), swimmers, threat)
        return focus.preferences

    assert alike(preferred, "prefer").any()
