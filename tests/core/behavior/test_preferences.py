"""Motor preferences out of what fishes are after and what they may run into."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from artfish.core.behavior.intention import WANDER
from artfish.core.behavior.preferences import Urges, prefer
from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.perception.focuser import SKILL_FORWARD, SKILL_LEFT, SKILLS, Focus
from artfish.core.perception.swimmers import Swimmers


def swimmers_of(frames: np.ndarray, nodes: np.ndarray) -> Swimmers:
    return Swimmers(nodes, nodes[:, 0], frames, np.zeros((len(nodes), 3)))


def test_food_ahead_speaks_for_going_on_and_a_wall_to_the_left_against_turning_there():
    swimmers, focus = swimmers_of(np.eye(3)[None], np.zeros((1, NODES, 3))), Focus(1)
    focus.food[:] = 0
    feelings = SimpleNamespace(fear=np.zeros(1), hunger=np.full(1, 0.6), libido=np.zeros(1))
    urges = Urges(feelings, np.full(1, WANDER, dtype=np.int8), np.zeros(1, dtype=bool), np.full(1, -1))
    wall = np.array([[0.0, 0.5, 0.0]])
    prefer(focus, urges, np.array([[2.0, 0.0, 0.0]]), np.arange(1), swimmers, wall)
    expected = np.zeros((1, SKILLS))
    expected[0, SKILL_FORWARD], expected[0, SKILL_LEFT] = 0.6, -0.5
    assert focus.preferences == pytest.approx(expected)


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
