"""Guards of nests: they stand over their eggs and fan them, and others that come near are driven off."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import EAT, WANDER
from artfish.core.behavior.mood import FEAR, Mood
from artfish.core.behavior.plan import Plan
from artfish.core.behavior.routines.guard import Guarding
from artfish.core.behavior.routines.tuning import NEST_LENGTHS, RESPECTED_LENGTHS
from artfish.core.body.anatomy import NODES
from artfish.core.perception.swimmers import NO_FISH, Swimmers

NEST, UP = np.array([2.0, 2.0, 0.0]), np.array([0.0, 0.0, 1.0])
AT_NEST, FAR = [2.06, 2.0, 0.06], [3.5, 2.0, 0.5]
MALE, FEMALE, OTHER = range(3)


def guarding(length=(0.1, 0.1, 0.1), bold=(False, False, False)) -> Guarding:
    fishes = len(length)
    found = Guarding(np.ones(fishes, bool), np.array(bold), np.array(length), np.ones(fishes, bool))
    found.take_up(MALE, FEMALE, NEST, UP)
    return found


def act(of: Guarding, place, intention=WANDER, ahead=-1.0) -> tuple[Plan, Mood]:
    """The plan of three fishes that head to and fro along x."""
    nodes = np.repeat(np.asarray(place, dtype=float)[:, None], NODES, axis=1)
    frames = np.tile(np.diag([ahead, ahead, 1.0]), (len(nodes), 1, 1))
    swimmers = Swimmers(nodes, nodes[:, 0], frames, np.zeros((len(nodes), 3)))
    plan = Plan.empty(np.full(len(nodes), intention, dtype=np.int8), np.full(len(nodes), intention == WANDER))
    mood = Mood(len(nodes))
    of.act(np.arange(len(nodes)), plan, swimmers, mood)
    return plan, mood


def test_who_is_elsewhere_goes_to_its_nest_and_who_is_there_fans():
    found = guarding()
    plan, _ = act(found, [[3.0, 2.0, 0.5], FAR, FAR])
    assert plan.wish[MALE, 0] < -0.8 and plan.pace[MALE] > 0 and not found.fans.any()
    plan, _ = act(found, [AT_NEST, FAR, FAR])
    assert (
        plan.hold[MALE] and plan.wish[MALE] == pytest.approx([-1, 0, 0]) and found.fans.tolist() == [True, False, False]
    )
    plan, _ = act(found, [AT_NEST, FAR, FAR], ahead=1.0)
    assert not plan.hold[MALE] and not found.fans.any()  # he has his back to it


def test_who_is_hungry_leaves_it_alone():
    found = guarding()
    plan, _ = act(found, [AT_NEST, FAR, FAR], intention=EAT)
    assert not plan.pressing.any() and not found.fans.any()


def test_an_intruder_is_charged_and_makes_off():
    found, near = guarding(), [2.0, 2.0, 0.9 * NEST_LENGTHS * 0.1]
    plan, mood = act(found, [[2.0, 2.0, 0.06], FAR, near])
    assert found.chases.tolist() == [OTHER, NO_FISH, NO_FISH] and plan.goal[MALE] == OTHER
    assert plan.wish[MALE] == pytest.approx([0, 0, 1]) and plan.wish[OTHER] == pytest.approx([0, 0, 1])
    assert plan.pressing.tolist() == [True, False, True]
    assert mood.offset[:, FEAR].tolist() == [0.0, 0.0, 0.0]  # not so close yet
    _, mood = act(found, [[2.0, 2.0, 0.06], FAR, [2.0, 2.0, 0.2]])
    assert mood.offset[:, FEAR].tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("case", ["his mate", "farther off", "with a nest of its own", "too large", "dead"])
def test_others_are_left_alone(case):
    found = guarding((0.1, 0.1, 0.1 * RESPECTED_LENGTHS if case == "too large" else 0.1))
    near = [2.0, 2.0, (1.1 if case == "farther off" else 0.8) * NEST_LENGTHS * 0.1]
    if case == "with a nest of its own":
        found.take_up(OTHER, FEMALE, NEST + [0.2, 0, 0], UP)
    found._alive[OTHER] = case != "dead"
    place = [AT_NEST, near, FAR] if case == "his mate" else [AT_NEST, FAR, near]
    act(found, place)
    assert (found.chases == NO_FISH).all()


def test_a_predator_is_charged_and_not_frightened():
    found = guarding(bold=(False, False, True))
    _, mood = act(found, [[2.0, 2.0, 0.06], FAR, [2.0, 2.0, 0.2]])
    assert found.chases[MALE] == OTHER and not mood.offset.any()


def test_without_nests_nothing_is_done():
    found = Guarding(np.zeros(3, bool), np.zeros(3, bool), np.full(3, 0.1), np.ones(3, bool))
    assert not found.nests
    plan, _ = act(found, [AT_NEST, FAR, FAR])
    assert not plan.pressing.any()


@pytest.mark.film
def test_a_male_stays_at_his_nest_and_keeps_others_off():
    fishes = [
        {"species": "clownfish", "type": "pacifist", "sex": "male", "at": [1.5, 1.5, 0.3], "mind": {"hunger": 0.0}},
        {"species": "clownfish", "type": "pacifist", "sex": "female", "at": [1.5, 1.7, 0.4], "mind": {"hunger": 0.0}},
        {"species": "clownfish", "type": "pacifist", "sex": "male", "at": [1.3, 1.3, 0.3], "mind": {"hunger": 0.0}},
    ]
    world, nest = World(Scene.from_dict({"tank": {"size": [3, 3, 2]}, "fishes": fishes}), 1), np.array([1.4, 1.4, 0.0])
    world.parts.minds.decision.guarding.take_up(0, 1, nest, UP)
    recording = world.simulate(24 * 40)
    middle = recording.nodes.mean(axis=2)
    off = np.linalg.norm(middle - nest, axis=2)[24 * 8 :] / recording.body_length
    assert (off[:, 0] < 2.0).mean() > 0.8
    assert (off[:, 2] < NEST_LENGTHS).mean() < 0.3  # who began there
    ahead = (recording.nodes[:, 0, 0] - middle[:, 0])[24 * 8 :, :2]
    towards = (nest - middle[:, 0])[24 * 8 :, :2]
    facing = (ahead * towards).sum(axis=1) / np.linalg.norm(ahead, axis=1) / np.linalg.norm(towards, axis=1)
    assert (facing > 0.5).mean() > 0.6
