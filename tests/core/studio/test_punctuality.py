"""After a film it is listed who was where in time."""

from __future__ import annotations

import pytest

from artfish.core import Scene, World
from artfish.core.studio.punctuality import kept_times


@pytest.mark.film
def test_each_arrival_has_a_line_with_who_was_there_and_when():
    told = {
        "name": "kept",
        "duration": 8,
        "tank": {"size": [10, 6, 4]},
        "fishes": [{"species": "sardine", "count": 2, "at": [2, 3, 2], "spread": 0.3, "mind": {"hunger": 0}}],
        "direction": [
            {"fishes": 0, "kind": "arrival", "at": [4, 3, 2], "time": 5, "name": "Mark"},
            {"fishes": 0, "member": 1, "kind": "arrival", "at": [9, 5, 1], "time": 30, "name": "Never"},
            {"fishes": 0, "kind": "target", "at": [4, 3, 2], "strength": 0},
        ],
    }
    recording = World(Scene.from_dict(told), seed=2).simulate(24 * 7)
    first, never = kept_times(recording)
    assert first.startswith("the arrival 'Mark': 2 of 2 there, 0.") and "lengths off" in first
    assert never == "the arrival 'Never': 0 of 1 there"
    lines = [line for line in recording.log() if "arrived at Mark" in line]
    assert len(lines) == 2 and all("lengths off" in line for line in lines)
