"""Pacing: as much effort as a speed takes, and no more than lasts."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Commands, Species
from artfish.core.behavior.pacing import Pacing, Vigor
from artfish.core.motor.sprint import Sprints
from artfish.core.motor.tuning import MEANT_STRIDE, PROLONGED_SECONDS, TIRED_RESERVE

SARDINE = Species.load("sardine")
ONE, FIRST = np.ones(1), np.zeros(1, dtype=int)


def vigor() -> Vigor:
    return Vigor.of(np.full(1, SARDINE.rhythm.tail_beat), Sprints([SARDINE], FIRST), np.zeros(1, dtype=bool))


def kept(pacing: Pacing, t: float, speed: float, made: float, lasting: float = 1.0, reserve: float = 1.0) -> float:
    of = (np.full(1, value) for value in (speed, made, abs(np.nan_to_num(made)), lasting, reserve))
    return float(pacing.keep(t, FIRST, *of)[0])


def test_an_effort_is_known_that_about_makes_a_speed():
    strength = vigor()
    full = MEANT_STRIDE * SARDINE.rhythm.tail_beat
    top = MEANT_STRIDE * SARDINE.rhythm.burst_beat
    for speed, effort in ((0.0, 0.0), (0.5 * full, 0.5), (full, 1.0), (0.5 * (full + top), 1.5), (top, 2.0)):
        assert strength.effort(FIRST, np.full(1, speed))[0] == pytest.approx(effort)


def test_the_most_effort_is_that_which_lasts_for_the_time_at_hand():
    """The reserve beyond that of who is tired is used up just then (Brett 1964)."""
    strength, spare = vigor(), 1.0 - TIRED_RESERVE
    for seconds in (8.0, 30.0, 120.0):
        share = strength.enduring(FIRST, np.full(1, seconds), ONE)[0] - 1.0
        loss = np.exp((share - 1.0) * np.log(PROLONGED_SECONDS / SARDINE.rhythm.burst_seconds))
        assert seconds * loss / SARDINE.rhythm.burst_seconds == pytest.approx(spare)
    assert strength.enduring(FIRST, np.full(1, 1.0), ONE)[0] == 2.0
    assert strength.enduring(FIRST, np.full(1, 30.0), np.full(1, TIRED_RESERVE))[0] == 1.0


def test_who_lacks_speed_beats_harder_and_harder_and_who_turns_does_not_burst():
    pacing = Pacing(vigor())
    efforts = [kept(pacing, 0.1 * step, 3.0, 2.5) for step in range(5)]
    assert efforts[0] == efforts[1] > 1.0  # it has yet to feel what it lacks
    assert (np.diff(efforts[1:]) > 0.0).all()
    assert kept(pacing, 0.5, 6.0, np.nan) == 1.0


def test_only_who_keeps_a_speed_swims_by_prolonged_swimming():
    pacing = Pacing(Vigor(*(np.ones(2) for _ in range(4)), np.zeros(2, dtype=bool)))
    pacing.kept[1] = True
    commands = Commands.still(2)
    commands.burst[:] = 0.6
    found = pacing.prolonged(commands)
    assert found.burst.tolist() == [0.6, 0.0] and found.prolonged.tolist() == [0.0, 0.6]
