"""Some fishes live anew, and the others do again what they did."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording, Scene, SceneError, World
from artfish.core.recording import ARRAYS
from artfish.core.studio.among import FISH_ARRAYS, LIVES_ANEW, among, with_groups_of

HUNTS = {"hunger": 1.0, "handling": 0.0, "confusion": 0.0, "strike": 0.0}  # runs down what it aims at among many
GROUPS = [
    {"species": "grouper", "at": [1.5, 2, 1.2], "heading": [1, 0, 0], "mind": HUNTS},
    {"species": "cardinalfish", "count": 8, "at": [2.6, 2, 1.2], "spread": 0.4, "mind": {"hunger": 1.0, "D0": 0.0}},
    {"species": "sardine", "count": 4, "at": [2, 3, 1]},
]
SCENE = {
    "tank": {"size": [5, 4, 2.5]},
    "fishes": GROUPS,
    "plankton": {"count": 60, "at": [3, 2, 1.2], "spread": 0.8, "growth": 1.0},
}
FRAMES, SEED, VICTIM, FISHES = 100, 5, 5, 13
HUNTED = np.arange(1, 9)
"""Rows of the hunted."""
WITHOUT_TARGETS = [name for name in FISH_ARRAYS if name != "target"]


@pytest.fixture(scope="module")
def recording() -> Recording:
    """The grouper soon eats 5."""
    recording = World(Scene.from_dict(SCENE), seed=SEED).simulate(FRAMES)
    meal = recording.events[0]
    assert (meal["kind"], meal["fish"], meal["other"]) == ("eaten", 0, VICTIM)
    return recording


def joined(recording, free, scene=SCENE, seed=SEED) -> Recording:
    """The recording with these rows anew, in a scene whose fishes are as many."""
    rows = np.arange(FISHES)
    rows[free] = LIVES_ANEW
    return ended(among(Scene.from_dict(scene), recording, rows, seed))


def ended(run) -> Recording:
    while True:
        try:
            next(run)
        except StopIteration as end:
            return end.value


def same(one, other, rows, now=None, names=WITHOUT_TARGETS) -> bool:
    """True if fishes of these rows are to the bit as they were."""
    now = rows if now is None else now
    return all(np.array_equal(getattr(one, name)[:, now], getattr(other, name)[:, rows]) for name in names)


def test_where_nobody_lives_anew_all_is_as_it_was(recording):
    again = joined(recording, [])
    for name in ARRAYS:
        assert np.array_equal(getattr(again, name), getattr(recording, name)), name
    assert again.events == recording.events


@pytest.mark.film
def test_a_shoal_lives_anew_and_the_hunter_misses(recording):
    again, others = joined(recording, HUNTED, seed=77), np.setdiff1d(np.arange(FISHES), HUNTED)
    assert same(again, recording, others)
    assert not np.allclose(again.nodes[-1, HUNTED], recording.nodes[-1, HUNTED], atol=0.05)
    assert again.alive[:, HUNTED].all() and not recording.alive[-1, VICTIM]  # whom it ate then gets away
    assert not [event for event in again.events if event["kind"] == "eaten"]
    assert not np.isin(again.target[:, 0], HUNTED).any()


@pytest.mark.film
def test_the_shoal_flees_from_a_hunter_that_only_repeats_what_it_did(recording):
    timid = [GROUPS[0], {**GROUPS[1], "mind": {"hunger": 0.0, "D0": 400.0}}, GROUPS[2]]
    again = joined(recording, HUNTED, {**SCENE, "fishes": timid})
    assert same(again, recording, [0])
    escape = Recording.INTENTIONS.index("escape")
    assert (again.intention[:, HUNTED] == escape).any(axis=0).sum() >= 4
    assert again.fear[:, HUNTED].max() > recording.fear[:, HUNTED].max()


@pytest.mark.film
def test_a_hunter_that_lives_anew_eats_none_of_the_others(recording):
    again = joined(recording, [0], seed=9)
    assert same(again, recording, np.arange(1, FISHES))  # the one that it ate then vanishes again
    assert not np.allclose(again.nodes[-1, 0], recording.nodes[-1, 0], atol=0.05)
    assert not [event for event in again.events if event["kind"] == "eaten"]
    opens = again.mouth[:, 0].max(initial=0.0) > 0.0
    assert opens == bool((again.target[:, 0] >= 0).any())


def test_a_shoal_may_have_grown_and_another_have_come(recording):
    groups = [{"species": "clownfish", "at": [4, 1, 1]}, GROUPS[0], {**GROUPS[1], "count": 10}, GROUPS[2]]
    scene = Scene.from_dict({**SCENE, "fishes": groups})
    rows = np.array([LIVES_ANEW, 0, *[LIVES_ANEW] * 10, 9, 10, 11, 12])
    again = ended(among(scene, recording, rows, SEED))
    assert again.species == ("clownfish", "grouper", *["cardinalfish"] * 10, *["sardine"] * 4)
    then, now = np.array([0, 9, 10, 11, 12]), np.array([1, 12, 13, 14, 15])
    assert same(again, recording, then, now)
    assert np.array_equal(again.body_length[now], recording.body_length[then])
    assert np.array_equal(again.seeds[now], recording.seeds[then])
    assert [again.sex[row] for row in now] == [recording.sex[row] for row in then]
    for event in again.events:
        assert event["fish"] not in now or event["kind"] != "eaten"
    again.part(0, 10)  # all its arrays fit


def test_groups_may_be_as_they_were():
    now = Scene.from_dict({**SCENE, "fishes": [{**group, "at": [1, 1, 1]} for group in GROUPS]})
    mixed = with_groups_of(now, Scene.from_dict(SCENE), [0, LIVES_ANEW, 2])
    assert [group.at for group in mixed.fishes] == [(1.5, 2, 1.2), (1, 1, 1), (2, 3, 1)]


def test_the_same_rows_give_the_same_bits(recording):
    one, other = (joined(recording.until(12), HUNTED, seed=3) for _ in range(2))
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (np.arange(3), "rows: found rows of 3 fishes, allowed those of the scene, 13"),
        (np.full(13, 13), "rows: found 13, allowed -1 to 12"),
        (np.array([1, *range(1, 13)]), "rows: found cardinalfish 1 for grouper 0, allowed a fish of the same species"),
        (np.array([0, 1, 1, *range(3, 13)]), "rows: found a fish that is played back twice, allowed each once"),
    ],
)
def test_rows_that_do_not_fit_are_refused_in_a_line(recording, rows, said):
    with pytest.raises(SceneError) as error:
        next(among(Scene.from_dict(SCENE), recording, rows))
    assert str(error.value) == said


def test_another_rate_is_refused(recording):
    with pytest.raises(SceneError, match="fps: found 30 frames a second, allowed 24, as recorded"):
        next(among(Scene.from_dict({**SCENE, "fps": 30}), recording, np.arange(FISHES)))
