"""Mobbing: whom a fish follows and faces, from where, and for how long."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import WANDER
from artfish.core.behavior.mobbing import Mobbing
from artfish.core.behavior.plan import Plan
from artfish.core.behavior.tuning import MOBBING_GAP, MOBBING_REST_SECONDS
from artfish.core.body.anatomy import NODES
from artfish.core.perception.sightings import Sighting
from artfish.core.perception.swimmers import NO_FISH, Swimmers

FIELDS = ("mobbing", "menace", "D0", "f0", "book_metres")
DRIVES = np.array(
    [(20.0, 1.0, 200.0, 0.3, 0.004), (0.0, 1.0, 200.0, 0.3, 0.004), (0.0, 0.25, 200.0, 0.3, 0.004)],
    dtype=[(field, float) for field in FIELDS],
)
KEEPS = MOBBING_GAP * 0.25 * 200.0 * 0.004 / 0.3  # metres


def mobbing(menace: float = 0.25) -> Mobbing:
    """Two fishes, the first of which mobs, and a predator."""
    drives = DRIVES.copy()
    drives["menace"][2] = menace
    return Mobbing(np.array([True, True, False]), drives, np.array([0.15, 0.15, 0.9]))


def swimmers(gap: float) -> Swimmers:
    """The predator so many metres before both."""
    middle = np.array([[0.0, 0, 0], [0.0, 1, 0], [gap, 0, 0]])
    nodes = np.repeat(middle[:, None], NODES, axis=1)
    return Swimmers(nodes, middle, np.tile(np.eye(3), (3, 1, 1)), np.zeros((3, 3)))


def notice(found: Mobbing, gap: float, elapsed: float = 0.1, seen: bool = True) -> None:
    who, saw = np.full((2, 1), 2), np.full((2, 1), seen)
    found.notice(np.arange(2), Sighting(who, saw, np.full((2, 1), gap), saw), swimmers(gap), np.full(2, elapsed))


def test_who_mobs_goes_for_one_of_little_menace_that_it_sees_near():
    found = mobbing()
    notice(found, 2.0)
    assert found.foe.tolist() == [2, NO_FISH, NO_FISH]
    for gap, seen in ((9.0, True), (2.0, False)):
        found = mobbing()
        notice(found, gap, seen=seen)
        assert found.foe[0] == NO_FISH
    assert not mobbing(1.0).anybody
    found = mobbing(1.0)
    notice(found, 2.0)
    assert found.foe[0] == NO_FISH


def test_it_has_enough_after_its_time_and_begins_again_when_rested():
    found, seconds = mobbing(), 0.0
    while seconds < 30.0:
        notice(found, 2.0, 0.5)
        if found.foe[0] == NO_FISH:
            break
        seconds += 0.5
    assert seconds == pytest.approx(20.0, abs=0.6)
    notice(found, 2.0, 0.5 * MOBBING_REST_SECONDS)
    notice(found, 2.0, 0.1)
    assert found.foe[0] == NO_FISH
    notice(found, 2.0, MOBBING_REST_SECONDS)
    notice(found, 2.0, 0.1)
    assert found.foe[0] == 2


@pytest.mark.parametrize(("gap", "pace", "hold", "back"), [(2.0, True, False, False), (0.95, False, True, False)])
def test_it_comes_as_near_as_it_dares_and_faces_it(gap, pace, hold, back):
    found = mobbing()
    notice(found, 2.0)
    plan = Plan.empty(np.full(2, WANDER, dtype=np.int8), np.ones(2, dtype=bool))
    found.act(np.arange(2), plan, swimmers(gap * KEEPS))
    assert plan.wish[0] == pytest.approx([1, 0, 0]) and not plan.wish[1].any()
    assert (plan.pace[0] > 0.0, bool(plan.hold[0]), plan.back[0] > 0.0) == (pace, hold, back)


def test_it_backs_off_who_comes_on():
    found = mobbing()
    notice(found, 2.0)
    plan = Plan.empty(np.full(2, WANDER, dtype=np.int8), np.ones(2, dtype=bool))
    found.act(np.arange(2), plan, swimmers(0.5 * KEEPS))
    assert plan.back[0] > 0.0 and not plan.hold[0]


@pytest.mark.film
def test_a_moray_is_mobbed_where_a_shark_is_fled_from():
    fish = {"species": "butterflyfish", "count": 4, "at": [3, 3, 0.8], "spread": 0.4}
    flights = {}
    for name in ("moray", "reef_shark"):
        other = {"species": name, "at": [4.6, 3, 0.6], "heading": [0, 1, 0], "mind": {"hunger": 0.0}}
        world = World(Scene.from_dict({"tank": {"size": [8, 6, 3]}, "fishes": [fish, other]}), 2)
        mobs, fled = 0, 0
        for _ in range(15):
            part = world.simulate(24)
            mobs = max(mobs, np.count_nonzero(world.parts.minds.decision.mobbing.foe == 4))
            fled += np.count_nonzero(part.intention[:, :4] == 1)
        flights[name] = fled
        assert (mobs >= 2) == (name == "moray")
    assert flights["moray"] < 0.3 * flights["reef_shark"]
