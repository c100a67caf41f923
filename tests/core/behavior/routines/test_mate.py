"""Courting in whole worlds: nobody courts who may not (Tu 1999, §7.9.3)."""

from __future__ import annotations

import pytest

from artfish.core import Scene, World
from artfish.core.behavior.intention import MATE

KEEN = {"type": "pacifist", "mind": {"libido": 1.0, "hunger": 0.0}}


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
