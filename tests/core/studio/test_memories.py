"""The knowledge of a fish, as its recording shows it, is that of its memory: the things that it saw, where and when."""

import numpy as np
import pytest

from artfish.core import Recording, Scene, World
from artfish.core.studio.memories import Memories
from artfish.core.studio.rehearsal import Rehearsal

SCENE = {
    "name": "remembers",
    "fps": 24,
    "tank": {"size": [6, 6, 2]},
    "fishes": [
        {"species": "grouper", "at": [4, 3, 1]},
        {"species": "clownfish", "count": 2, "at": [1, 3, 1], "spread": 0.3, "visual_memory": {"model": "basic"}},
    ],
    "obstacles": [
        {"kind": "cylinder", "at": [3, 3, 0], "radius": 0.3, "height": 2.0},
        {
            "kind": "cylinder",
            "at": [2, 1.5, 0],
            "radius": 0.2,
            "height": 1.5,
            "motion": [{"time": 0.0, "at": [2, 1.5, 0]}, {"time": 2.0, "at": [2, 4.5, 0]}],
        },
        {"kind": "cylinder", "at": [5.5, 5.5, 0], "radius": 0.2, "height": 1.0},
    ],
}
FRAMES = 30
CLOWN = 1


@pytest.fixture(scope="module")
def lived():
    """A world, and the recording of it up to now."""
    world = World(Scene.from_dict(SCENE), seed=1)
    return world, world.simulate(frames=FRAMES)


def test_what_is_known_is_what_the_memory_holds(lived):
    world, recording = lived
    known = Memories(recording).known(recording, FRAMES - 1, CLOWN)
    obstacles = [one for one in world.visual_memory(CLOWN) if one["kind"] == "obstacle"]
    fishes = [one for one in world.visual_memory(CLOWN) if one["kind"] == "fish"]
    assert len(known.boxes) == len(obstacles) > 3
    assert np.allclose(known.boxes.mean(axis=1), [one["at"] for one in obstacles], atol=1e-3), "also of what moves"
    assert np.allclose(known.ages, [world.parts.t - one["time"] for one in obstacles], atol=1e-4)
    assert len(known.fishes) == len(fishes) > 0
    lengths = recording.body_length[[one["id"] - 1 for one in fishes]]
    off = np.linalg.norm(known.fishes - [one["at"] for one in fishes], axis=1)
    assert (off < 0.3 * lengths).all(), "where they were seen"
    assert len(known.boxes) + len(known.unknown) == len(world.parts.minds.memory.pieces)


def test_nothing_is_known_at_first_nor_by_who_has_no_memory(lived):
    _, recording = lived
    memories = Memories(recording)
    for frame, fish in ((0, CLOWN), (FRAMES - 1, 0)):
        known = memories.known(recording, frame, fish)
        assert not len(known.boxes) and not len(known.fishes) and len(known.unknown)


def test_boxes_stand_around_what_they_are_of(lived):
    _, recording = lived
    unknown = Memories(recording).known(recording, 0, CLOWN).unknown
    low, high = unknown.min(axis=1), unknown.max(axis=1)
    pillar = np.linalg.norm(unknown.mean(axis=1)[:, :2] - (3, 3), axis=1) < 0.1
    assert np.allclose(low[pillar][:, :2].min(axis=0), (2.7, 2.7), atol=0.01)
    assert high[pillar][:, 2].max() == pytest.approx(2.0, abs=0.01)


def test_memories_are_kept_in_files(lived, tmp_path):
    _, recording = lived
    recording.save(tmp_path / "film.npz")
    again = Recording.load(tmp_path / "film.npz")
    assert np.array_equal(again.memory_time, recording.memory_time)
    assert again.memory_fish.tolist() == [1, 2]


def test_what_plays_live_is_recorded_alike_though_its_obstacles_become_others(lived):
    _, recording = lived
    rehearsal = Rehearsal(Scene.from_dict(SCENE), seed=1)
    rehearsal.advance(FRAMES - 1)
    assert np.array_equal(rehearsal.recording().memory_time, recording.memory_time)
    fewer = Scene.from_dict({**SCENE, "obstacles": SCENE["obstacles"][:2]})
    rehearsal.act(FRAMES - 1, lambda world: world.retune(fewer))
    rehearsal.advance(FRAMES + 12)
    live = rehearsal.recording()
    known = Memories(live).known(live, FRAMES + 12, CLOWN)
    assert len(known.boxes) and len(known.boxes) + len(known.unknown) == live.memory_time.shape[2] - 3


def test_a_way_and_where_there_is_more_to_be_seen_are_recorded():
    goal = {"kind": "target", "fishes": 1, "at": [5.5, 3.0, 1.0], "way": "sought"}
    scene = Scene.from_dict({**SCENE, "direction": [goal]})
    world = World(scene, seed=1)
    recording = world.simulate(frames=16)
    known, navigator = Memories(recording).known(recording, 15, CLOWN), world.parts.minds.mind.navigator
    assert recording.way_fish.tolist() == [1, 2]
    assert np.allclose(known.way, navigator.way(0), atol=1e-4) and len(known.way) > 2
    frontier = navigator.frontier(0)
    assert len(known.frontier) == min(len(frontier), 32) > 0
    away = np.linalg.norm(known.frontier[:, None] - frontier, axis=2).min(axis=1)
    assert (away < 1e-4).all(), "some of them"
    assert not len(Memories(recording).known(recording, 15, 0).way)
