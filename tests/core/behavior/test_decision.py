"""Decisions about friend and foe: the fishes that are hunted, those that are feared, and the intentions that follow."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Species
from artfish.core.behavior.intention import EAT, ESCAPE, WANDER
from artfish.core.perception.focuser import SKILL_LEFT, SKILL_RIGHT
from artfish.core.perception.swimmers import NO_FISH

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
LOOK_SECONDS = 0.3  # from one thought to the next, of a meeting


def test_a_hungry_predator_goes_for_prey_in_sight_and_the_prey_gets_away(meet):
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    intention, plan = meeting.think()
    assert intention.tolist() == [EAT, ESCAPE]
    assert meeting.decision.focus.target.tolist() == [1, 0]
    assert plan.pressing.all()
    way = meeting.place[1] - meeting.place[0]
    assert plan.wish[0] @ way > 0.8 * np.linalg.norm(way)  # towards it, cutting it off
    assert plan.wish[1] @ way > 0
    assert plan.pace[1] == 2.0  # all that it can: a burst


def test_decisions_can_be_explained(meet):
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.7, 0]], [[1, 0, 0], [1, 0, 0]])
    meeting.think()
    meeting.decision.prefer(np.arange(2), meeting.swimmers, np.zeros((2, 3)))
    target, food = meeting.decision.about()
    assert target.tolist() == [1, 0]
    assert food.tolist() == [NO_FISH, NO_FISH]
    for_left, against_right = meeting.decision.focus.preferences
    assert for_left[SKILL_LEFT] == pytest.approx(1.0)  # H / tau of eating itself
    assert against_right[SKILL_RIGHT] == pytest.approx(-1.0)  # the predator is behind on the right
    # A wall on the left speaks against the left as strongly as the prey speaks for it.
    meeting.decision.prefer(np.arange(2), meeting.swimmers, np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]]))
    assert meeting.decision.focus.preferences[0, SKILL_LEFT] == pytest.approx(0.0)


def test_a_sated_predator_lets_them_be_but_is_feared(meet):
    sated = {"species": "grouper", "mind": {"hunger": 0.0}}
    meeting = meet([sated, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    intention, plan = meeting.think()
    assert intention.tolist() == [WANDER, ESCAPE]
    assert plan.pressing.tolist() == [False, True]


def test_fear_grows_as_the_predator_comes_near(meet):
    fears = []
    for distance in (3.0, 2.0, 1.5, 0.9):
        meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [distance, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
        meeting.pace = 1.0  # it comes on
        meeting.think()
        fears.append(meeting.decision.feelings.fear[1])
    assert (np.diff(fears) > 0).all()
    of = Species.load("cardinalfish").mind
    middle = Species.load("cardinalfish").length * 0.1  # eye and middles are not where the places are
    assert fears[0] == pytest.approx(of.D0 * of.book_metres / 3.0, rel=(0.6 + middle) / 3.0)


def test_pacifists_flee_nobody_and_nobody_hunts_them(meet):
    calm = {**SMALL, "type": "pacifist"}
    meeting = meet([HUNGRY, calm], [[0, 0, 0], [1.0, 0, 0]], [[1, 0, 0], [1, 0, 0]])
    intention, _ = meeting.think()
    assert intention.tolist() == [WANDER, WANDER]


def test_a_predator_that_creeps_up_is_feared_less_than_one_that_comes_on(meet):
    """Prey goes by how fast a predator looms (Dill 1974); the book's own fish by nothing but its distance."""
    lurking = {"species": "reef_shark", "mind": {"hunger": 0.0}}

    def felt(prey, pace):
        meeting = meet([lurking, {"species": prey}], [[0, 0, 0], [3.0, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
        meeting.pace = pace
        meeting.think()
        return float(meeting.decision.feelings.fear[1])

    creeping, coming, swift = (felt("cardinalfish", pace) for pace in (0.0, 0.8, 3.0))
    assert creeping == pytest.approx((1.0 - Species.load("cardinalfish").mind.looming) * coming)
    assert coming == swift > 0.1
    assert felt("thesis", 0.0) == felt("thesis", 3.0) > 0.1


def test_the_dead_are_neither_hunted_nor_feared(meet):
    meeting = meet([HUNGRY, SMALL, SMALL], [[0, 0, 0], [1, 0.2, 0], [1.6, -0.3, 0]], [[1, 0, 0]] * 3)
    meeting.think()
    first = meeting.decision.focus.target[0]
    meeting.die(first)
    assert NO_FISH in meeting.decision.focus.target
    meeting.think()
    assert meeting.decision.focus.target[0] == 3 - first
    meeting.die(0)
    meeting.think()
    assert (meeting.decision.focus.target[1:][meeting.alive[1:]] == NO_FISH).all()
    assert (meeting.decision.feelings.fear[1:][meeting.alive[1:]] == 0).all()


def test_danger_comes_first_and_the_hunt_is_resumed(meet):
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [1.5, 0.3, 0]], [[1, 0, 0], [1, 0, 0]])
    meeting.think()
    intention, plan = meeting.think(danger=True)
    assert Recording.INTENTIONS[intention[0]] == "avoid"
    assert not plan.pressing[0]
    assert meeting.think()[0][0] == EAT
