"""Courting in whole worlds: who may courts until it spawns, and nobody else (Tu 1999, §7.9.3)."""

from __future__ import annotations

import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import MATE
from artfish.core.behavior.routines.courtship import COURTSHIP_STAGES

KEEN = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}


@pytest.mark.film
@pytest.mark.parametrize(
    "groups",
    [
        [{"sex": "male", "count": 2, **KEEN}],
        [{"sex": "male", **KEEN, "type": "prey"}, {"sex": "female", **KEEN, "type": "prey"}],
    ],
    ids=["one sex", "prey"],
)
def test_nobody_courts_who_may_not(groups):
    fishes = [{"species": "clownfish", "at": [1, 1, 1], "spread": 0.3, **group} for group in groups]
    recording = World(Scene.from_dict({"tank": {"size": [2, 2, 2]}, "fishes": fishes}), seed=1).simulate(72)
    assert not (recording.intention == MATE).any()
    assert recording.events == []


@pytest.mark.film
def test_a_pair_courts_until_it_spawns():
    """Soon content; studies/courtship.py follows couples of many species that take their time.

    Eleven of twelve such couples spawn within 26 seconds, and this one after 16.
    """
    keen = {**KEEN, "mind": {**KEEN["mind"], "loops": 1, "turns": 0.2, "nudges": 1}}
    couple = [
        {"species": "emperor_angelfish", "sex": sex, "size": size, "at": at, **keen}
        for sex, size, at in (("male", 1.0, [1.6, 1.2, 0.8]), ("female", 0.9, [2.4, 1.8, 1.2]))
    ]
    world = World(Scene.from_dict({"tank": {"size": [4, 3, 2]}, "fishes": couple}), seed=1)
    while world.frame < 26 * 24 and "spawned" not in [event["kind"] for event in world.events]:
        world.step()
    stages = [event.get("stage", event["kind"]) for event in world.events]
    first = stages.index("spawned")
    assert stages[first - 4 : first] == list(COURTSHIP_STAGES)
