"""Anemones: who lives in which, food that is too far off, and the retreat among the tentacles."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import ESCAPE, WANDER
from artfish.core.behavior.plan import Plan
from artfish.core.behavior.routines.host import NO_HOST, Hosts
from artfish.core.body.anatomy import NODES
from artfish.core.perception.swimmers import Swimmers
from artfish.core.scene.inventory import Seaweed

KELP = Seaweed(at=(0.0, 0.0, 0.0))
NEAR, FAR = (Seaweed(at=(x, 0.0, 0.0), form="tentacles", spread=0.2, height=0.1) for x in (1.0, 5.0))
LENGTH = np.full(3, 0.1)
HOMES = np.array([[1.2, 0, 0.3], [4.0, 0, 0.3], [1.0, 0, 0.3]])


def hosts() -> Hosts:
    return Hosts((KELP, NEAR, FAR), np.array([3.0, 3.0, 0.0]), HOMES, LENGTH)


def swimmers(place) -> Swimmers:
    nodes = np.repeat(np.asarray(place, dtype=float)[:, None], NODES, axis=1)
    frames = np.tile(np.eye(3), (len(nodes), 1, 1))
    return Swimmers(nodes, nodes[:, 0], frames, np.zeros((len(nodes), 3)))


def test_each_lives_in_the_nearest_and_others_in_none():
    found = hosts()
    assert found.of.tolist() == [0, 1, NO_HOST] and found.tenants.tolist() == [0, 1]
    assert found.place[:2] == pytest.approx(np.array([[1.0, 0, 0.08], [5.0, 0, 0.08]]))
    assert np.isinf(found.range[2])
    assert Hosts((KELP,), np.full(3, 3.0), HOMES, LENGTH).of.tolist() == [NO_HOST] * 3


def test_food_beyond_what_it_strays_is_out_of_reach():
    food = np.array([[1.0, 0.2, 0.08], [1.0, 0.4, 0.08], [9.0, 9.0, 9.0]])
    assert hosts().out_of_reach(np.array([0, 0, 2]), food).tolist() == [False, True, False]


def test_who_flees_makes_for_its_anemone_and_stays_in_it():
    found, fishes = hosts(), np.arange(3)
    intention = np.array([ESCAPE, ESCAPE, ESCAPE], dtype=np.int8)
    plan = Plan.empty(intention, np.zeros(3, dtype=bool))
    plan.pace[:], plan.cstart[:] = 2.0, 1.0
    found.retreat(fishes, plan, swimmers([[1.05, 0, 0.08], [4.0, 0, 0.08], [1.0, 0, 0.08]]))
    assert plan.hold.tolist() == [True, False, False] and plan.pace.tolist() == [0.0, 2.0, 2.0]
    assert plan.wish[1] == pytest.approx([1, 0, 0]) and not plan.wish[2].any()
    calm = Plan.empty(np.full(3, WANDER, dtype=np.int8), np.ones(3, dtype=bool))
    found.retreat(fishes, calm, swimmers(HOMES))
    assert not calm.wish.any()


SEA = {
    "tank": {"size": [6, 6, 3]},
    "seaweed": [{"at": [3, 3, 0], "form": "tentacles", "leaves": 60, "spread": 0.25, "height": 0.15}],
}


@pytest.mark.film
def test_clownfish_stay_about_their_anemone_and_no_predator_takes_one_out_of_it():
    fish = {"species": "clownfish", "count": 4, "at": [3, 3, 0.4], "spread": 0.3, "type": "prey"}
    hunter = {"species": "peacock_grouper", "at": [1, 1, 1], "heading": [1, 1, 0], "mind": {"hunger": 1.0}}
    world = World(Scene.from_dict({**SEA, "fishes": [fish, hunter]}), 1)
    recording = world.simulate(24 * 40)
    away = recording.nodes[:, :4].mean(axis=2) - world.parts.minds.decision.waters.hosts.place[:4]
    off = np.linalg.norm(away, axis=2) / recording.body_length[:4]
    assert (off < 5.0).mean() > 0.8
    for event in recording.events:
        if event["kind"] == "eaten":
            assert off[event["frame"] - 1, event["other"]] * 0.09 > 0.25  # not among the tentacles
    inside = (off < 2.0) & (recording.intention[:, :4] == ESCAPE)
    assert inside.any()  # whom it frightened hid
