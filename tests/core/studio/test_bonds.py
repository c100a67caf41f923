"""Relations in a recording: those of its scene, and grudges as strong as they still are."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.behavior.tuning import GRUDGE_SECONDS
from artfish.core.studio.bonds import MOST_LINES, Bonds

SCENE = {
    "fps": 24,
    "fishes": [
        {"species": "sardine", "count": 6, "at": [2, 2, 1]},
        {"species": "reef_shark", "at": [6, 4, 1]},
    ],
    "relations": [
        {"fishes": 0, "kind": "fear", "toward": 1, "strength": 0.6},
        {"fishes": 0, "member": 2, "kind": "trust", "toward": 1, "strength": 0.8},
        {"fishes": 1, "kind": "like", "toward": 0, "toward_member": 1},
    ],
    "grudges": True,
}
SHARK = 6


@pytest.fixture(scope="module")
def recording() -> Recording:
    made = World(Scene.from_dict(SCENE), 1).simulate(48)
    event = {"kind": "grudge", "fish": 0, "other": SHARK, "relation": "fear", "strength": 0.75, "frame": 10}
    other = {**event, "fish": 3, "other": 4, "relation": "dislike", "strength": 0.5, "frame": 20}
    return replace(made, events=[event, other])


def words(recording: Recording, frame: int, fish: int) -> list[str]:
    return Bonds(recording.scene).words(recording, frame, fish, lambda row: f"fish {row}")


def test_they_are_said_in_words_with_their_strength(recording):
    assert words(recording, 5, 1) == ["Fears fish 6 (0.60)"]
    assert words(recording, 5, 2) == ["Trusts fish 6 (0.80)"]
    assert words(recording, 5, SHARK) == ["Likes fish 1 (0.60)"]


def test_a_grudge_counts_from_its_event_on_and_fades(recording):
    assert words(recording, 9, 0) == ["Fears fish 6 (0.60)"]
    (bond,) = Bonds(recording.scene).of(recording, 34, 0)
    assert bond.strength == pytest.approx(0.75 * exp(-1.0 / GRUDGE_SECONDS), rel=1e-12)
    assert words(recording, 20, 3) == ["Fears fish 6 (0.60)", "Dislikes fish 4 (0.50)"]
    assert words(recording, 19, 3) == ["Fears fish 6 (0.60)"]


def test_those_to_a_fish_are_those_of_others(recording):
    found = Bonds(recording.scene).to(recording, 40, SHARK)
    assert {(bond.fish, bond.kind) for bond in found} == {(row, "trust" if row == 2 else "fear") for row in range(6)}
    assert all(bond.other == SHARK for bond in found)


def test_those_that_are_not_there_are_left_out(recording):
    alive = recording.alive.copy()
    alive[5:, SHARK] = False
    gone = replace(recording, alive=alive)
    assert words(gone, 4, 1) and not words(gone, 5, 1)


def test_many_are_counted(recording):
    entry = {"fishes": 0, "kind": "like", "toward": 0}
    scene = Scene.from_dict({**SCENE, "relations": [entry], "grudges": False})
    said = words(replace(recording, scene=scene), 5, 0)
    assert len(said) == MOST_LINES + 1 and said[-1] == f"And {5 - MOST_LINES} more"


def test_a_scene_without_has_none(recording):
    scene = Scene.from_dict({**SCENE, "relations": [], "grudges": False})
    assert words(replace(recording, scene=scene), 40, 0) == []


def test_a_grudge_is_an_event_in_words_and_in_files(recording, tmp_path):
    recording.save(tmp_path / "one.npz")
    assert Recording.load(tmp_path / "one.npz").events == recording.events
    event = recording.events[0]
    assert recording.described(event) == "sardine 0 holds a grudge against reef_shark 6: fear 0.75"
    assert recording.described({**event, "strength": 0.0}) == "sardine 0 forgets its fear of reef_shark 6"
    for wrong in ({"relation": "love"}, {"strength": 1.5}, {"strength": None}, {"other": 7}):
        bad = replace(recording, events=[{**event, **wrong}])
        with pytest.raises(SceneError, match=r"events\[0\]"):
            bad.save(tmp_path / "two.npz")
