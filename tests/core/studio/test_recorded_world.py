"""A frame of a recording looks to a fish as its world did."""

import numpy as np
import pytest

from artfish.core import Scene, World
from artfish.core.perception.retina import render, table
from artfish.core.studio.recorded_world import RecordedWorld

SIZE = 80
ALIKE = 0.99
"""Of all pixels: a recording keeps single precision, and half of it of eyes, gills and fins that fold."""
WITH_ALL = {
    "name": "everything",
    "fps": 24,
    "tank": {"size": [4.0, 4.0, 2.0]},
    "fishes": [
        {"species": "clownfish", "count": 3, "at": [1.2, 2.0, 1.0], "spread": 0.3, "heading": [1, 0, 0]},
        {"species": "reef_shark", "count": 1, "at": [3.0, 2.0, 1.2]},
    ],
    "obstacles": [
        {"kind": "cylinder", "at": [2.0, 2.4, 0.0], "radius": 0.15, "height": 1.0},
        {
            "kind": "cylinder",
            "at": [2.0, 1.4, 0.0],
            "radius": 0.1,
            "height": 1.0,
            "motion": [{"time": 0.0, "at": [2.0, 1.4, 0.0]}, {"time": 0.5, "at": [1.6, 2.2, 0.3]}],
        },
    ],
    "plankton": {"count": 60, "size": 0.06},
    "seaweed": [{"at": [1.8, 1.8, 0.0], "leaves": 5}],
    "bubbles": [{"at": [2.0, 2.2, 0.0]}],
    "hook": {"at": [1.9, 2.0, 1.0]},
    "ride": {"at": [2.4, 3.2, 1.0], "heading": [0, -1, 0], "length": 0.5},
}


@pytest.fixture(scope="module")
def lived():
    """A world after some frames, their recording, and what a fish saw of the first."""
    world = World(Scene.from_dict(WITH_ALL), seed=2)
    first = render(world, 0, "cyclopean", SIZE)
    return world, world.simulate(frames=7), first


def alike(world, recorded, fish):
    one, other = render(world, fish, "cyclopean", SIZE), render(recorded, fish, "cyclopean", SIZE)
    assert table(world) == table(recorded)
    same = one.identity == other.identity
    assert same.mean() > ALIKE
    near = same & np.isfinite(one.range)
    assert np.median(np.abs(one.range[near] - other.range[near])) < 1e-4
    return one


@pytest.mark.film
def test_all_that_can_be_seen_is_in_a_recording(lived):
    world, recording, _ = lived
    recorded = RecordedWorld(recording).show(recording, 6)
    numbers = np.unique([alike(world, recorded, fish).identity for fish in (0, 3)])
    sights = {seen.kind for seen in table(world) if seen.identity in numbers}
    assert {"fish", "obstacle", "leaf", "food", "submarine", "surface", "bottom"} <= sights


@pytest.mark.film
def test_each_frame_is_as_it_was(lived):
    _, recording, first = lived
    recorded = RecordedWorld(recording)
    now = render(recorded.show(recording, 6), 0, "cyclopean", SIZE)
    again = render(recorded.show(recording, 0), 0, "cyclopean", SIZE)
    assert (again.identity == first.identity).mean() > ALIKE
    assert (now.identity == first.identity).mean() < ALIKE


@pytest.mark.film
@pytest.mark.parametrize("name", ["diver", "grotto"])
def test_what_deforms_and_what_is_no_box_is_as_it_was(name):
    world = World(Scene.load(name), seed=1)
    recording = world.simulate(frames=2)
    alike(world, RecordedWorld(recording).show(recording, 1), int(np.flatnonzero(world.alive)[0]))
