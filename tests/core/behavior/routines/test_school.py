"""Fishes of a schooling species come together, head the same way, and keep about a length apart (Tu 1999, §7.9.2)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.benchmarks import schools
from artfish.core import Scene, World
from artfish.core.behavior.routines.school import CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG, keep_together, wait_for
from artfish.core.perception.neighbours import Neighbours

SECONDS = 30


def school(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Polarisation at every frame, (frames,), and each fish's distance to its neighbour at the end in lengths."""
    recording = World(schools.gathering(), seed=seed).simulate(SECONDS * 24)
    end = schools.middles(recording)[-1]
    return schools.polarisation(recording), schools.neighbour_distances(end, recording.body_length)


def becomes_a_school(seed: int) -> bool:
    """Whether they head one way within the time and keep about a length apart."""
    polarisation, apart = school(seed)
    assert polarisation[0] < 0.6  # they begin every which way
    return bool((polarisation > 0.8).any() and 0.7 <= np.median(apart) <= 1.5)


@pytest.mark.parametrize("seed", [0, 1])
def test_twenty_fishes_become_a_school_in_half_a_minute(seed):
    assert becomes_a_school(seed)


@pytest.mark.slow
def test_twenty_fishes_become_a_school_in_half_a_minute_in_20_of_20_seeds():
    assert [seed for seed in range(20) if not becomes_a_school(seed)] == []


def dissolves(seed: int) -> bool:
    """Whether a school that turns in a ring travels within the time, all in one."""
    recording = World(schools.ring(seed), seed=seed).simulate(SECONDS * 24)
    polarisation = schools.polarisation(recording)
    assert polarisation[:24].max() < 0.4  # it does turn
    one = np.bincount(schools.groups(schools.middles(recording)[-1], recording.body_length)).max() >= 18
    return bool(polarisation[-1] > 0.8 and one)


def test_a_school_that_turns_in_a_ring_travels_on():
    assert dissolves(0)


@pytest.mark.slow
def test_a_school_that_turns_in_a_ring_travels_on_in_20_of_20_seeds():
    assert [seed for seed in range(20) if not dissolves(seed)] == []


def test_a_school_parts_at_a_pillar_and_meets_again():
    recording = World(schools.pillar_ahead(), seed=1).simulate(24 * 20)
    passed = schools.parting(recording, (1, 0))
    assert passed.splits()
    assert passed.groups > 1
    assert passed.rejoined < 5


@pytest.mark.slow
def test_a_school_parts_at_a_pillar_and_meets_again_within_20_seconds_in_18_of_20_seeds():
    passed = [schools.parting(World(schools.pillar_ahead(), seed=seed).simulate(24 * 40), (1, 0)) for seed in range(20)]
    assert sum(one.splits() and one.rejoined <= 20.0 for one in passed) >= 18


@pytest.mark.slow
def test_a_school_scatters_from_a_predator_and_forms_again_within_20_seconds_in_16_of_20_seeds():
    """Where it does not the predator hunts them on, for half a minute."""
    formed = []
    for seed in range(20):
        recording = World(schools.predator_ahead(), seed=seed).simulate(24 * 40)  # later it comes again
        found = schools.scattering(recording, np.arange(20))
        assert found.fled > 0.8
        assert found.spread > 1.5
        assert found.polarisation < 0.75
        formed.append(found.formed)
    print("seconds until they are a school again", np.round(formed, 1))
    assert np.count_nonzero(np.array(formed) <= 20.0) >= 16


@pytest.mark.slow
def test_prey_that_school_are_eaten_less_than_the_same_prey_that_do_not():
    caught = [schools.eaten(World(schools.hunt(), seed=seed).simulate(24 * 60)) for seed in range(20)]
    schooling, loners = np.sum(caught, axis=0)
    assert loners > 10
    assert 2 * schooling < loners


def test_a_leader_is_followed_and_does_not_run_away():
    for seed in range(2):
        recording = World(Scene.load("schooling"), seed=seed).simulate(24 * 20)
        place = schools.middles(recording)
        school, leader = place[:, 1:].mean(axis=1), place[:, 0]
        heading = np.diff(school[::24], axis=0)
        ahead = ((leader - school)[:-1:24][: len(heading)] * heading).sum(axis=1) > 0
        assert ahead[4:].mean() > 0.8
        assert np.linalg.norm(leader - school, axis=1)[24 * 5 :].max() < 12 * 0.18
        assert schools.polarisation(recording)[24 * 5 :].mean() > 0.8


LENGTH = 0.2


def seen(offsets, headings=None, leads=None) -> Neighbours:
    """Schoolmates of one fish that heads along x, at these places in lengths."""
    number = len(offsets)
    ahead = np.tile([1.0, 0.0, 0.0], (number, 1)) if headings is None else np.array(headings, dtype=float)
    yes = np.ones((1, number), dtype=bool)
    return Neighbours(
        fish=np.arange(1, number + 1)[None],
        offset=LENGTH * np.array([offsets], dtype=float),
        motion=np.zeros((1, number, 3)),
        ahead=ahead[None],
        length=np.full((1, number), LENGTH),
        kin=yes,
        leads=np.zeros((1, number), dtype=bool) if leads is None else np.array([leads]),
        other=yes,
    )


def together(neighbours: Neighbours):
    pull, hurry, formed, check = keep_together(
        neighbours, np.array([[1.0, 0, 0]]), np.array([LENGTH]), np.array([LENGTH])
    )
    return pull[0], hurry[0], bool(formed[0]), bool(check[0])


FRONT, SIDES = [[1.5, 0.2, 0], [1.6, -0.3, 0]], [[0, 1, 0], [0.1, -1, 0]]
AWAY = [[0.0, -1.0, 0]] * 4


@pytest.mark.parametrize(
    ("offsets", "headings", "leaf"),
    [
        ([[4, 1, 0], *SIDES], None, CLOSE_UP),  # fewer than two in front: the closest there, faster
        ([*FRONT, [0, 3, 0]], None, DRAW_IN),  # fewer than two to the sides: the closest there
        ([*FRONT, *SIDES], AWAY, MATCH),  # they swim another way
        ([*FRONT, *SIDES], None, SWIM_ALONG),
    ],
)
def test_the_decision_tree_of_the_book(offsets, headings, leaf):
    pull, hurry, formed, _ = together(seen(offsets, headings))
    assert formed == (leaf in (MATCH, SWIM_ALONG))
    base = together(seen([*FRONT, *SIDES]))[1]
    if leaf == CLOSE_UP:
        assert hurry > base
        assert pull[0] > 1
    elif leaf == DRAW_IN:
        assert pull[1] > 0.2
    elif leaf == MATCH:
        assert pull[1] < -0.5
    else:
        assert pull[0] > 5 * abs(pull[1])


def test_those_farther_off_say_more_about_where_all_head():
    places, far = [*FRONT, *SIDES, [0, 5, 0], [-1, 5, 0]], [[0, 1.0, 0]] * 2
    same, turned = (together(seen(places, [[1.0, 0, 0]] * 4 + heads))[0] for heads in ([[1.0, 0, 0]] * 2, far))
    assert turned[1] - same[1] > 1.5 * len(far) / len(places)  # their share if everyone had one voice


def test_a_heading_that_half_of_them_share_counts_in_full():
    onward, back = [[1.0, 0, 0]], [[-1.0, 0, 0]]
    pulls = [together(seen([*FRONT, *SIDES], onward * (4 - n) + back * n))[0] for n in range(3)]
    assert pulls[1] == pytest.approx(pulls[0])  # three against one
    assert pulls[2][0] == pytest.approx(pulls[0][0] - 1)  # two against two say nothing


def test_who_comes_up_on_a_schoolmate_brakes():
    neighbours = seen([[1.1, 0.0, 0], *SIDES])
    assert not together(neighbours)[3]
    neighbours.motion[0, 0] = (-2 * LENGTH, 0, 0)
    assert together(neighbours)[3]
    neighbours.offset[0, 0] = (4 * LENGTH, 0, 0)
    assert not together(neighbours)[3]


def test_who_is_far_behind_a_leader_hurries_and_the_leader_waits():
    near, far = (together(seen([[d, 0, 0], *SIDES], leads=[True, False, False]))[1] for d in (1.5, 8.0))
    assert far > near + 0.5
    waits = [
        wait_for(seen([[-d, 0.3, 0], [-d, -0.3, 0]]), np.array([[1.0, 0, 0]]), np.array([LENGTH]))[0]
        for d in (0.5, 2.0, 9.0)
    ]
    assert waits[0] == 0
    assert waits[0] > waits[1] > waits[2] == pytest.approx(-0.8)
