"""Fishes that are taken out of a recording move and look as they did among the others."""

from dataclasses import replace

import numpy as np

from artfish.core.scene.scene import Scene
from artfish.core.studio.casting import cast
from artfish.core.world.world import World

FISHES = [
    {"species": "sardine", "count": 2, "at": [1, 1, 0.5]},
    {"species": "clownfish", "at": [2, 1, 0.5], "mind": {"hunger": 0.9}},
]


def test_fishes_that_stay_are_what_they_were():
    scene = Scene.from_dict({"duration": 0.25, "tank": {"size": [3, 2, 1]}, "fishes": FISHES})
    recording = World(scene, seed=3).simulate()
    one = cast(recording, [2])
    assert one.species == ("clownfish",) and one.frames == recording.frames and not one.events
    assert (one.nodes[:, 0] == recording.nodes[:, 2]).all() and (one.fins[:, 0] == recording.fins[:, 2]).all()
    assert one.seeds[0] == recording.seeds[2] and one.body_length[0] == recording.body_length[2]
    two = cast(recording, [2, 0])
    assert two.species == ("clownfish", "sardine") and (two.nodes[:, 1] == recording.nodes[:, 0]).all()


def test_strokes_go_with_their_fish():
    scene = Scene.from_dict({"duration": 0.25, "tank": {"size": [3, 2, 1]}, "fishes": FISHES})
    recording = World(scene, seed=3).simulate()
    strokes = {
        "strokes": np.repeat(recording.nodes[0], [1, 1, 1], axis=0),
        "stroke_fish": np.array([0, 1, 2], np.int32),
        "stroke_time": np.array([0.5, 1.5, 2.5]),
    }
    one = cast(replace(recording, **strokes), [2])
    times, nodes = one.strokes_of(0)
    assert times.tolist() == [2.5] and (nodes[0] == recording.nodes[0, 2]).all()
