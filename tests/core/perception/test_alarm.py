"""The alarm of a school: who passes it on, and who goes by it."""

from __future__ import annotations

import numpy as np

from artfish.core.behavior.intention import ESCAPE, SCHOOL
from artfish.core.behavior.mood import FEAR
from artfish.core.perception.alarm import frights_of_mates, known_to_mates

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
LOOK_SECONDS = 0.3  # from one thought to the next, of a meeting


def test_schoolmates_pass_on_the_alarm_of_what_they_see_themselves(meet):
    """A predator comes from behind on a fish that cannot see it, whose mates look back."""
    social = {**SMALL, "habits": {"schooling": True}}

    def fears(mates, mate=social, behind=social, **mind):
        behind = {**behind, "mind": mind} if mind else behind
        places = [[0, 0, 0], [1.2, 0, 0], *([1.2 + x, 0.01, 0] for x in mates)]
        headings = [[1, 0, 0], [1, 0, 0], *([-1, 0, 0] for _ in mates)]
        meeting = meet([HUNGRY, behind, *[mate] * len(mates)], places, headings)
        meeting.think()  # the mates see it
        meeting.think()  # and are seen
        return bool(meeting.decision.feelings.fear[1] > 0)

    assert not fears([])
    assert fears([0.3])
    assert not fears([2.0])  # too far off
    assert not fears([0.3], mate=SMALL) and not fears([0.3], behind=SMALL)  # loners
    assert not fears([0.3], vigilance=0.0)  # as in the book


def test_what_was_only_heard_is_not_passed_on(meet):
    social = {**SMALL, "habits": {"schooling": True}, "mind": {"vigilance": 5.0}}
    places = [[0, 0, 0], *([1.2 + 0.3 * rank, 0, 0] for rank in range(3))]
    meeting = meet([HUNGRY, *[social] * 3], places, [[1, 0, 0]] * 3 + [[-1, 0, 0]])
    for _ in range(4):
        meeting.think()
    fear = meeting.decision.feelings.fear
    assert fear[3] > 0 and fear[2] > 0  # who sees it, and who sees that one
    assert fear[1] == 0


def test_a_start_frightens_those_of_the_school_that_are_close_and_less_so():
    place = np.array([[x, 0.0, 0.0] for x in (0.0, 1.0, 2.0, 3.0, -1.0, 1.5, 40.0)])
    ahead = np.tile([-1.0, 0.0, 0.0], (7, 1))  # all but the one behind see the first
    ahead[4] = (1.0, 0.0, 0.0)
    ahead[1] = (1.0, 0.0, 0.0)  # and one that looks the other way
    school, fright = np.array([0, 0, 0, 0, 0, 1, 0]), np.array([1.0, 0, 0.95, 0, 0, 0, 0])
    who, by, given = frights_of_mates(fright, school, np.ones(7), place, ahead)
    assert who.tolist() == [1, 3, 4]
    assert by.tolist() == [2, 2, 0]  # of two the more frightened that it sees
    assert np.allclose(given, [0.9 * 0.95, 0.9 * 0.95, 0.9])
    for nobody in (np.zeros(7), np.where(school == 1, 1.0, 0.0)):
        assert not len(frights_of_mates(nobody, school, np.ones(7), place, ahead)[0])
    assert not len(frights_of_mates(fright, np.full(7, -1), np.ones(7), place, ahead)[0])


def test_who_flees_from_a_predator_shows_it_to_its_mates_and_who_gathers_does_not(meet):
    social = {**SMALL, "habits": {"schooling": True}}
    meeting = meet([HUNGRY, social, social], [[0, 0, 0], [0.3, 0, 0], [1.7, 0, 0]], [[1, 0, 0]] + [[-1, 0, 0]] * 2)
    meeting.think()
    intention, decision = meeting.decision.generator.intention, meeting.decision
    assert intention[1:].tolist() == [ESCAPE, SCHOOL] and decision.feelings.fear[2] > 0.3
    shown = decision.dread.shown(decision.feelings.mood.fright, intention == ESCAPE, np.full(3, 1.0))
    assert shown[1] == decision.focus.most_fear[1] > 0.6 and shown[2] == 0.0


def test_who_becomes_terrified_takes_thought_once_more(meet):
    social = {**SMALL, "habits": {"schooling": True}}
    meeting = meet([social, social], [[0, 0, 0], [0.3, 0, 0]], [[1, 0, 0]] * 2)
    meeting.think()
    startled = []
    for fright in (0.0, 0.4, 0.7):  # f0 is 0.3, f1 0.6
        meeting.decision.feelings.mood.offset[0, FEAR] = fright
        startled.append(meeting.decision.alarms(meeting.swimmers)[:, 0].copy())
    calm, afraid, terrified = np.array(startled)
    assert not calm.any() and (afraid & ~calm).any() and (terrified & ~afraid).any()


def test_the_kernel_hears_the_same_of_mates(alike):
    dice, fishes = np.random.default_rng(2), 900
    place, ahead = dice.uniform(0.0, 4.0, (fishes, 3)), dice.normal(size=(fishes, 3))
    ahead /= np.linalg.norm(ahead, axis=1)[:, None]
    school, sighted = dice.integers(-1, 3, fishes), np.where(dice.uniform(size=fishes) < 0.3, 5, -1)
    sighted[::7] = 8
    me, foes = np.arange(1, fishes), dice.choice([5, 8, 9], (fishes - 1, 2))
    reach = dice.uniform(0.2, 1.0, fishes)
    assert alike(lambda: known_to_mates(me, foes, sighted, school, reach, place, ahead), "heard").any()
