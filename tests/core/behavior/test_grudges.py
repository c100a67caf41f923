"""Grudges come of chases that are got away from, grow, and fade at the tuned rate."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from artfish.core.behavior.grudges import Grudges, left_of
from artfish.core.behavior.ties import AFFECTION, ALARM
from artfish.core.behavior.tuning import (
    FAINT_GRUDGE,
    GRUDGE_GAIN,
    GRUDGE_SECONDS,
    GRUDGES_KEPT,
    LEAST_CHASE_SECONDS,
)
from artfish.core.perception.swimmers import NO_FISH

STEP = 0.1


def chase(of: Grudges, fish: int, by: int, seconds: float = 2 * LEAST_CHASE_SECONDS, at_food: bool = False) -> None:
    """A chase, after which the fish is safe."""
    for _ in range(round(seconds / STEP)):
        notice(of, fish, by, at_food)
    notice(of, fish)


def notice(of: Grudges, fish: int, by: int = NO_FISH, at_food: bool = False, safe: bool = True) -> None:
    one = np.array([fish])
    of.notice(one, np.array([by]), np.array([at_food]), np.array([safe and by == NO_FISH]), np.array([STEP]))


def fear(of: Grudges, fish: int, other: int) -> float:
    return float(of.regard(ALARM, np.array([fish]), np.array([[other]]))[0, 0])


def test_who_was_chased_and_got_away_fears_that_one():
    found = Grudges(4)
    chase(found, 1, 3)
    assert fear(found, 1, 3) == GRUDGE_GAIN and fear(found, 1, 2) == 0.0 and fear(found, 2, 3) == 0.0
    (event,) = found.happened
    assert event == {"kind": "grudge", "fish": 1, "other": 3, "relation": "fear", "strength": GRUDGE_GAIN}
    chase(found, 1, 3)
    assert fear(found, 1, 3) == GRUDGE_GAIN + GRUDGE_GAIN * (1 - GRUDGE_GAIN)


def test_who_was_driven_off_at_food_dislikes_that_one():
    found = Grudges(4)
    chase(found, 1, 3, at_food=True)
    assert found.regard(AFFECTION, np.array([1]), np.array([[3]]))[0, 0] == -GRUDGE_GAIN
    assert fear(found, 1, 3) == 0.0 and found.happened[0]["relation"] == "dislike"


def test_a_short_scare_leaves_none_nor_does_a_chase_that_is_not_over():
    found = Grudges(4)
    chase(found, 1, 3, 0.5 * LEAST_CHASE_SECONDS)
    assert not found.happened
    for _ in range(20):
        notice(found, 1, 3)
    notice(found, 1, safe=False)
    assert not found.happened
    notice(found, 1)
    assert len(found.happened) == 1


def test_another_that_takes_over_leaves_the_first_to_be_feared():
    found = Grudges(4)
    for by in (3, 2):
        for _ in range(10):
            notice(found, 1, by)
    notice(found, 1)
    assert fear(found, 1, 3) == fear(found, 1, 2) == GRUDGE_GAIN


def test_they_fade_as_the_closed_form_says():
    found, dt = Grudges(2), 1.0 / 24.0
    chase(found, 0, 1)
    for frame in range(1, 2401):
        found.advance(dt)
        if frame % 240 == 0:  # rounding adds up by one bit in each of so many products
            expected = GRUDGE_GAIN * exp(-frame * dt / GRUDGE_SECONDS)
            assert fear(found, 0, 1) == pytest.approx(expected, rel=frame * 2.3e-16 * 2)
    assert left_of(GRUDGE_GAIN, 100.0) == pytest.approx(fear(found, 0, 1), rel=2e-12)


def test_one_that_is_faint_is_over():
    found = Grudges(2)
    chase(found, 0, 1)
    found.advance(GRUDGE_SECONDS * np.log(GRUDGE_GAIN / FAINT_GRUDGE) + 0.1)
    assert fear(found, 0, 1) == 0.0 and (found.whom == NO_FISH).all()
    assert left_of(GRUDGE_GAIN, GRUDGE_SECONDS * 10) == 0.0


def test_the_faintest_is_forgotten_for_another():
    found = Grudges(GRUDGES_KEPT + 2)
    for other in range(1, GRUDGES_KEPT + 2):
        chase(found, 0, other)
        found.advance(1.0)
    held = [fear(found, 0, other) for other in range(1, GRUDGES_KEPT + 2)]
    assert held[0] == 0.0 and all(held[1:])
    assert [event["other"] for event in found.happened if event["strength"] == 0.0] == [1]


def test_the_dead_are_forgotten():
    found = Grudges(3)
    chase(found, 0, 1)
    chase(found, 0, 2)
    found.forget(np.array([1]))
    assert fear(found, 0, 1) == 0.0 and fear(found, 0, 2) == GRUDGE_GAIN
