"""Fishes that look for others, and find them."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.body.anatomy import NODES, frame_from
from artfish.core.habitat.obstacles import Obstacles
from artfish.core.perception.sightings import Sightings
from artfish.core.perception.swimmers import NO_FISH, Swimmers
from artfish.core.perception.vision import Vision

HUNGRY = {"species": "grouper", "mind": {"hunger": 1.0}}
SMALL = {"species": "cardinalfish", "habits": {"schooling": False}}
LOOK_SECONDS = 0.3  # from one thought to the next, of a meeting


def test_prey_behind_a_pillar_is_not_hunted_and_is_after_it_comes_out(meet):
    pillar = Obstacles([[0.9, 0.0, -2.0]], [0.3], [4.0])
    meeting = meet([HUNGRY, SMALL], [[0, 0, 0], [1.6, 0, 0]], [[1, 0, 0], [1, 0, 0]], pillar)
    _, plan = meeting.think()
    assert meeting.decision.focus.target.tolist() == [NO_FISH, NO_FISH]
    assert not plan.pressing.any()
    meeting.place[1] = [1.3, 0.9, 0.0]
    meeting.think()
    assert meeting.decision.focus.target[0] == 1


def test_nobody_is_seen_from_behind_or_beyond_sight(meet):
    behind = meet([HUNGRY, SMALL], [[0, 0, 0], [-1.5, 0, 0]], [[1, 0, 0], [1, 0, 0]])
    behind.think()
    assert behind.decision.focus.target.tolist() == [NO_FISH, 0]  # the prey sees the predator's tail
    far = meet([HUNGRY, SMALL], [[0, 0, 0], [30.0, 0, 0]], [[1, 0, 0], [-1, 0, 0]])
    far.think()
    assert far.decision.focus.target[0] == NO_FISH


def sightings_of(fishes: int, dead=()) -> Sightings:
    """Eyes of fishes that may see all others."""
    alive, none = np.ones(fishes, dtype=bool), np.zeros(fishes, dtype=bool)
    alive[list(dead)] = False
    vision = Vision(Obstacles(), np.full(fishes, np.inf), np.ones(fishes))
    return Sightings(vision, alive, none, none, np.full(fishes, NO_FISH), np.zeros(fishes))


@pytest.mark.parametrize("most", [1, 5, 70])
def test_nearest_others_against_all_pairs(most):
    dice = np.random.default_rng(3)
    place, order = dice.uniform(0, 5, (60, 3)), dice.permutation(60)
    fishes, among, dead = order[:40], order[40:], order[40:43]
    found = sightings_of(60, dead).nearest(fishes, among, place, most)
    living = [j for j in among if j not in dead]
    assert found.shape == (40, min(most, len(living)))
    for i, row in zip(fishes, found, strict=True):
        away = np.linalg.norm(place - place[i], axis=1)
        assert row.tolist() == sorted(living, key=lambda j: away[j])[:most]


def test_fishes_in_the_same_place_find_each_other_and_not_themselves():
    place, fishes, among = np.zeros((12, 3)), np.arange(6), np.arange(6, 12)
    found = sightings_of(12).nearest(fishes, among, place, 4)
    assert all(i not in row and len(set(row)) == 4 for i, row in zip(fishes, found.tolist(), strict=True))
    assert sightings_of(1).nearest(np.arange(1), np.arange(0), place[:1], 3).tolist() == [[0]]
    assert sightings_of(12, among).nearest(fishes, among, place, 3).tolist() == [[fish] for fish in fishes]
    assert sightings_of(12).nearest(fishes[:0], among, place, 4).shape[0] == 0


@pytest.mark.parametrize("predators", [3, 80])
def test_the_kernel_alarms_the_same(alike, predators):
    dice, fishes = np.random.default_rng(predators), 900
    nodes = np.repeat(dice.uniform(0.0, 6.0, (fishes, 1, 3)), NODES, axis=1) + dice.normal(size=(fishes, NODES, 3)) / 20
    nodes[2] = nodes[1]  # two that are equally near
    swimmers = Swimmers(nodes, nodes[:, 0], frame_from(*dice.normal(size=(2, fishes, 3))), np.zeros((fishes, 3)))
    predatory, alive = np.arange(fishes) < predators, dice.uniform(size=fishes) < 0.9
    length, school = dice.uniform(0.1, 1.0, fishes), dice.integers(-1, 3, fishes)
    vision = Vision(Obstacles(), np.full(fishes, np.inf), length)
    sightings = Sightings(vision, alive, predatory, ~predatory, school, np.full(fishes, 2.0))
    sightings.alarmed_by[::9] = 1
    alarms = alike(lambda: sightings.alarms(3.0 * length, swimmers), "heard", "startle")
    assert alarms[:2].any(axis=1).all()


def test_one_of_little_menace_seems_farther_off_by_as_much():
    who, fishes = np.array([True, False]), 2
    nodes = np.repeat(np.array([[1.0, 0, 0], [0.0, 0, 0]])[:, None], NODES, axis=1)
    seen = Swimmers(nodes, nodes[:, 0], np.tile(np.eye(3), (2, 1, 1)), np.array([[9.0, 0, 0], [0, 0, 0]]))
    distances = []
    for menace in (1.0, 0.25):
        vision = Vision(Obstacles(), np.full(fishes, np.inf), np.ones(fishes))
        eyes = Sightings(
            *(vision, np.ones(fishes, dtype=bool), who, ~who, np.full(fishes, NO_FISH), np.zeros(fishes)),
            menace=np.array([menace, 1.0]),
        )
        distances.append(eyes.of_predators(np.array([1]), seen, np.zeros(1)).distance[0, 0])
    assert distances[1] == pytest.approx(4.0 * distances[0]) and np.isfinite(distances[0])
