"""Memories of fishes of a danger that they no longer see."""

from __future__ import annotations

import numpy as np

from artfish.core.behavior.intention import ESCAPE, WANDER

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
AT_ONCE = {"composure": 0.0}  # who sees no foe flees no more, so that what is left is what it remembers
LOOK_SECONDS = 0.3  # from one thought to the next, of a meeting


def test_who_turns_its_tail_on_a_predator_keeps_away_from_there_for_a_while(meet):
    """It is alarmed, turns round, and then has the predator behind it, where it sees nothing (Kuffner's memory)."""
    loner = {**SMALL, "mind": {**AT_ONCE, "recall": 2.0}}
    meeting = meet([HUNGRY, loner], [[0, 0, 0], [0.9, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    intention, _ = meeting.think()
    assert intention[1] == ESCAPE
    meeting.headings[1] = [1, 0, 0]
    wishes = []
    for _ in range(int(2.0 / LOOK_SECONDS) + 1):
        intention, plan = meeting.think()
        assert intention[1] == WANDER and not plan.pressing[1]
        wishes.append(plan.wish[1])
    size = np.linalg.norm(wishes, axis=1)
    assert np.diff(size[:-1]).max() < 0.0  # less and less
    assert size[:-1].min() > 0.0 and size[-1] == 0.0
    assert np.argmax(wishes[0]) == 0  # straight away from where it was
    meeting.headings[1] = [-1, 0, 0]
    meeting.place[0] = [-2.5, 0, 0]
    meeting.think()  # it looks back, sees that it is far off,
    meeting.headings[1] = [1, 0, 0]
    assert not meeting.think()[1].wish[1].any()  # and has no reason to keep away any more


def test_who_remembers_nothing_forgets_what_it_does_not_see(meet):
    loner = {**SMALL, "mind": {**AT_ONCE, "recall": 0.0}}
    meeting = meet([HUNGRY, loner], [[0, 0, 0], [0.9, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    assert meeting.think()[0][1] == ESCAPE
    meeting.headings[1] = [1, 0, 0]
    assert not meeting.think()[1].wish[1].any()
