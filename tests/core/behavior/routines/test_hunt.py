"""Hunting: which prey a predator goes for, how it gets at it, and a whole hunt."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, Species, World
from artfish.core.behavior.intention import EAT
from artfish.core.behavior.routines.tuning import (
    CONFUSING_PREY,
    CONFUSION_RATE,
    GOING_ROUND_SECONDS,
    LEAST_CHASE_PACE,
    LUNGE_SECONDS,
    SINGLED_OUT_SECONDS,
    STALKING_PACE,
    THRONG_LENGTHS,
    WEARY_PACE,
    WEARY_SECONDS,
)

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
RUNNING = {"species": "grouper", "mind": {"hunger": 1.0, "strike": 0.0}}  # one that runs its prey down
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
LOOK_SECONDS = 0.3  # from one thought to the next, of a meeting


def eaten(recording: Recording) -> list[dict]:
    return [event for event in recording.events if event["kind"] == "eaten"]


def until_eaten(seed: int, seconds: float = 120.0) -> tuple[World, Recording]:
    """The preset hunt up to its first capture, in stretches of a second."""
    world = World(Scene.load("preying"), seed=seed)
    for _ in range(int(seconds)):
        recording = world.simulate(24)
        if eaten(recording):
            break
    return world, recording


def test_a_predator_grinds_its_prey_before_it_goes_for_another(meet):
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [1.2, 0.3, 0]], [[1, 0, 0], [0, 1, 0]])
    handling, singling_out = Species.load("grouper").mind.handling, int(np.ceil(SINGLED_OUT_SECONDS / LOOK_SECONDS))
    for _ in range(singling_out):
        intention, _ = meeting.think()
        assert intention[0] == EAT
        assert not len(meeting.decision.eaters())  # it has not had its eye on it for long enough
    for moment in range(int(handling / LOOK_SECONDS) + 2):
        intention, _ = meeting.think()
        assert (intention[0] == EAT) == (moment == 0 or LOOK_SECONDS * moment >= handling)
        assert list(meeting.decision.eaters()) == ([0] if intention[0] == EAT else [])
        if moment == 0:
            meeting.decision.fed(np.array([0]))


def test_of_two_alike_the_spent_one_is_taken_and_the_book_takes_the_nearer(meet):
    for opportunism, expected in ((0.5, 2), (0.0, 1)):
        hunter = {"species": "grouper", "mind": {"hunger": 1.0, "opportunism": opportunism, "persistence": 0.0}}
        meeting = meet([hunter, SMALL, SMALL], [[0, 0, 0], [1.5, 0.1, 0], [1.6, -0.1, 0]], [[1, 0, 0]] * 3)
        meeting.think()
        assert meeting.decision.focus.target[0] == 1  # both are rested: the nearer
        meeting.reserve[2] = 0.1
        meeting.think()
        assert meeting.decision.focus.target[0] == expected
        meeting.reserve[2] = 1.0
        meeting.think()
        assert meeting.decision.focus.target[0] == 1


def test_who_strays_from_its_mates_is_taken_though_they_are_nearer(meet):
    shoal, stray = [[1.5, 0.05 * row, 0] for row in range(4)], [1.6, -1.0, 0]
    for opportunism, expected in ((0.5, {5}), (0.0, {1, 2, 3, 4})):
        hunter = {"species": "grouper", "mind": {"hunger": 1.0, "opportunism": opportunism, "confusion": 0.0}}
        for kinds, aims in ((np.array([0, 1, 1, 1, 1, 1]), expected), (np.arange(6), {1, 2, 3, 4})):
            meeting = meet([hunter, *[SMALL] * 5], [[0, 0, 0], *shoal, stray], [[1, 0, 0]] * 6, kinds=kinds)
            meeting.think()
            assert int(meeting.decision.focus.target[0]) in aims  # no two of a kind: all are apart from mates


@pytest.mark.film
def test_one_among_many_alike_is_lost_for_another_of_them(meet):
    reach = THRONG_LENGTHS * Species.load("grouper").length

    def losses(others, looks=100, kinds=None, **mind):
        """The share of looks at which a predator aims at another than before, among prey on a circle about it."""
        places = [[0, 0, 0], *(1.8 * np.array([[np.cos(a), np.sin(a), 0] for a in (0.0, *others)]))]
        hungry = {**HUNGRY, "mind": {"hunger": 1.0, "fatigue": 1e5, **mind}}
        meeting = meet([hungry, *[SMALL] * (len(places) - 1)], places, [[1, 0, 0]] * len(places), kinds=kinds)
        aims = []
        for _ in range(looks):
            meeting.think()
            aims.append(int(meeting.decision.focus.target[0]))
        assert set(aims) == ({1} if len(set(aims)) == 1 else set(range(1, len(places))))
        return np.count_nonzero(np.diff(aims)) / (looks - 1)

    confusion = Species.load("grouper").mind.confusion
    throng = [angle * reach / 1.8 for angle in (-0.4, 0.2, 0.4)]
    expected = 1 - np.exp(-CONFUSION_RATE * confusion * 3 / (3 + CONFUSING_PREY) * LOOK_SECONDS)
    error = np.sqrt(expected * (1 - expected) / 500)
    assert losses(throng, looks=500) == pytest.approx(expected, abs=4 * error)
    assert losses([]) == 0
    assert losses(throng, confusion=0.0) == 0
    assert losses(throng, kinds=np.array([0, 1, 2, 2, 2])) == 0  # others than its prey do not confuse it
    assert losses([angle * 1.05 * reach / 1.8 for angle in (-1, 1)]) == 0  # nor do those farther off


def test_a_predator_that_goes_round_its_prey_brakes_and_turns_to_it(meet):
    length = Species.load("grouper").length
    meeting = meet([RUNNING, SMALL], [[0, 0, 0], [0.5 * length, length, 0]], [[1, 0, 0], [1, 0, 0]])
    paces = []
    for _ in range(10):
        _, plan = meeting.think()
        assert plan.hold[0] == (plan.pace[0] == 0.0)
        paces.append(plan.pace[0])
    swims = int(GOING_ROUND_SECONDS / LOOK_SECONDS)
    assert min(paces[: swims - 1]) >= LEAST_CHASE_PACE  # at first it may get round
    assert max(paces[swims + 1 :]) == 0.0
    assert plan.wish[0, 1] > 0.8 * np.linalg.norm(plan.wish[0])
    meeting.headings[0] = [np.cos(0.7), np.sin(0.7), 0]  # half way, it turns on
    assert meeting.think()[1].pace[0] == 0.0
    meeting.headings[0] = [np.cos(1.2), np.sin(1.2), 0]  # it faces its prey
    assert meeting.think()[1].pace[0] >= LEAST_CHASE_PACE


def test_a_devoted_predator_keeps_its_prey_and_a_fickle_one_takes_the_nearer(meet):
    for threshold, expected in ((5.0, 1), (0.0, 2)):
        hunter = {"species": "grouper", "mind": {"hunger": 1.0, "persistence": threshold}}
        meeting = meet([hunter, SMALL, SMALL], [[0, 0, 0], [1.5, 0.1, 0], [2.5, -0.3, 0]], [[1, 0, 0]] * 3)
        meeting.think()
        assert meeting.decision.focus.target[0] == 1
        meeting.place[2] = [1.2, -0.1, 0.0]
        meeting.think()
        assert meeting.decision.focus.target[0] == expected


def test_a_predator_creeps_up_takes_aim_and_strikes_at_what_it_faces(meet):
    grouper = Species.load("grouper")
    length, strike, nose = grouper.length, grouper.mind.strike, 0.36 * grouper.length
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [nose + 1.5 * strike * length, 0, 0]], [[1, 0, 0]] * 2)
    assert meeting.think()[1].pace[0] == pytest.approx(STALKING_PACE, abs=0.05)
    meeting.place[1] = [nose + 0.8 * strike * length, 0.6 * length, 0.0]
    plans = [meeting.think()[1] for _ in range(4)]
    assert all(plan.pace[0] == 0.0 and plan.hold[0] for plan in plans)  # awry of its nose: it aims
    meeting.place[1, 1] = 0.0
    assert meeting.think()[1].pace[0] == 2.0 and not meeting.think()[1].hold[0]
    meeting.place[1] = [0.0, 2.0 * length, 0.0]  # which is gone from before it: it rests
    rests = [meeting.think()[1].pace[0] == WEARY_PACE for _ in range(int(WEARY_SECONDS / LOOK_SECONDS) + 2)]
    assert all(rests[:-2]) and not rests[-1]


def test_a_stalker_does_not_stand_before_prey_that_no_turn_brings_before_its_mouth(meet):
    grouper = Species.load("grouper")
    reach = grouper.mind.strike * grouper.length
    for offset in ([0.8 * reach, 0.0, 0.3 * reach], [0.3 * reach, 0.0, -0.5 * reach]):
        meeting = meet([HUNGRY, SMALL], [[0, 0, 0], offset], [[1, 0, 0]] * 2)
        for plan in [meeting.think()[1] for _ in range(4)]:
            assert plan.pace[0] >= STALKING_PACE and not plan.hold[0]
            assert plan.wish[0, 2] * offset[2] > 0.0 and plan.wish[0, 0] > 0.7  # it swims on, to the level of its prey
        meeting.place[1, 2] = 0.0
        assert meeting.think()[1].pace[0] == 2.0  # there it strikes


def test_a_strike_is_over_soon_and_nothing_confuses_it(meet):
    strike = Species.load("grouper").mind.strike * Species.load("grouper").length
    places = [[0, 0, 0], *([0.29 + 0.9 * strike, 0.05 * k, 0] for k in range(6))]
    confused = {"species": "grouper", "mind": {"hunger": 1.0, "confusion": 1.0}}
    meeting = meet([confused, *[SMALL] * 6], places, [[1, 0, 0]] * 7)
    for _ in range(200):
        if meeting.think()[1].pace[0] == 2.0:
            break
    aims, paces = [int(meeting.decision.focus.target[0])], [2.0]
    for _ in range(int(LUNGE_SECONDS / LOOK_SECONDS) - 1):
        paces.append(meeting.think()[1].pace[0])
        aims.append(int(meeting.decision.focus.target[0]))
    assert paces == [2.0] * len(paces) and len(set(aims)) == 1
    meeting.think()
    assert meeting.think()[1].pace[0] == WEARY_PACE


@pytest.mark.film
def test_what_is_eaten_is_gone_and_stills_hunger():
    world, recording = until_eaten(seed=0)
    event = eaten(recording)[0]
    assert (event["kind"], event["fish"]) == ("eaten", 0)
    victim, frame = event["other"], event["frame"]
    assert 1 <= victim <= 20
    assert not recording.alive[frame:, victim].any()
    assert recording.alive[:frame, victim].all()
    assert recording.mouth[frame, 0] > 0.5
    assert f"peacock_grouper 0 ate striped_cardinalfish {victim}" in "\n".join(recording.log())
    after = world.simulate(48)
    assert not after.alive[:, victim].any()
    assert np.isfinite(after.nodes).all()
    assert after.hunger[-1, 0] < recording.hunger[0, 0] - 0.1
    assert all(other["other"] != victim for other in eaten(after))  # nobody is eaten twice


@pytest.mark.film
def test_the_same_hunt_has_the_same_bits():
    first, second = (World(Scene.load("preying"), seed=4).simulate(60) for _ in range(2))
    assert np.array_equal(first.nodes, second.nodes)
    assert np.array_equal(first.fear, second.fear)
