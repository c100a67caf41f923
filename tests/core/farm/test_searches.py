"""Searches of the studio find the same on workers as here."""

import pytest

from artfish.core import Scene, Species
from artfish.core.farm import searches
from artfish.core.farm.processes import Processes
from artfish.core.farm.searches import practise, synchronised
from artfish.core.learning.learning import learners
from artfish.core.studio.synchronising import synchronise

SCENE = {
    "duration": 3,
    "tank": {"size": [5, 3, 2]},
    "fishes": [{"species": "sardine", "count": 2, "at": [1, 1.5, 1], "heading": [1, 0, 0], "spread": 0.3}],
    "events": [{"kind": "food", "time": 0.5, "at": [4, 1, 1]}],
}
CUES = {
    "first": {"moment": {"kind": "event", "event": "food"}, "starts": ["events[0].time"]},
    "second": {"moment": {"kind": "passes", "fishes": 0, "at": [1.6, 1.5, 1], "radius": 0.5}},
    "tolerance": 0.1,
}


@pytest.mark.film
def test_a_scene_is_synchronised_elsewhere_as_here():
    scene = Scene.from_dict(SCENE)
    here = synchronise(scene, CUES, 3, 4)
    with Processes(1) as executor:
        there = synchronised(scene, CUES, 3, 4, "cues", executor)
    assert there == here and there.scene != scene


@pytest.mark.film
def test_learners_come_to_the_same_bits_side_by_side(monkeypatch):
    monkeypatch.setattr(searches, "STEPS_AT_ONCE", 2)  # so that they go on from where they stand
    model = Species.load("sardine")
    here, there = (learners(model, "all", seed=4, candidates=8) for _ in range(2))
    for one in here:
        for _ in range(3):
            one.step()
    with Processes(2) as executor:
        practise(there, executor, 3, None)
    assert [one.to_dict() for one in there] == [one.to_dict() for one in here]
    assert [one.steps for one in there] == [3, 3, 3]
