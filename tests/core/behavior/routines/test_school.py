"""Fishes of a schooling species come together, head the same way, and keep about a length apart (Tu 1999, §7.9.2)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from artfish.core import Scene, Species, World
from artfish.core.base.vectors import unit
from artfish.core.behavior.routines.school import CLOSE_UP, DRAW_IN, MATCH, SWIM_ALONG, keep_together, wait_for
from artfish.core.perception.neighbours import Neighbours
from artfish.studies import schools
from artfish.studies.life import bodies


@pytest.mark.film
def test_twenty_fishes_become_a_school_in_half_a_minute():
    assert schools.gathers(0)


@pytest.mark.film
def test_schoolmates_point_up_and_down_alike():
    start = {"species": "sardine", "count": 12, "at": [5.0, 5.0, 2.5], "spread": 0.4, "heading": [1, 0, 0]}
    scene = Scene.from_dict({"tank": {"size": [20, 10, 5]}, "fishes": [start]})
    pitch = bodies.pitch(World(scene, seed=0).simulate(24 * 9).nodes[24 * 4 :])
    apart = np.abs(pitch[:, :, None] - pitch[:, None, :])[:, *np.triu_indices(12, 1)]
    assert np.median(apart) < 5.0


@pytest.mark.film
def test_a_school_that_turns_in_a_ring_travels_on():
    assert schools.dissolves(0)


@pytest.mark.film
def test_a_school_parts_at_a_pillar_and_meets_again():
    passed = schools.parts(1, seconds=20)
    assert passed.splits()
    assert passed.groups > 1
    assert passed.rejoined < 5


@pytest.mark.film
def test_a_school_scatters_from_a_predator():
    found = schools.scatters(0, seconds=12)
    assert found.fled > 0.8
    assert found.spread > 1.5
    assert found.polarisation < 0.75


@pytest.mark.film
def test_a_leader_is_followed_and_does_not_run_away():
    recording = World(Scene.load("schooling"), seed=11).simulate(24 * 16)
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


def together(neighbours: Neighbours, heed: float = 0.0, accord: float = 1.0, alignment: float = 1.0):
    pull, hurry, formed, check = keep_together(
        neighbours, np.array([[1.0, 0, 0]]), *np.array([[LENGTH], [LENGTH], [heed], [accord], [alignment]])
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


def test_who_watches_one_heads_as_that_one_and_who_watches_nobody_as_it_likes():
    places, headings = [*FRONT, *SIDES], [[1.0, 0, 0], [0, 1.0, 0], [-1.0, 0, 0], [0, -1.0, 0]]
    alone = together(seen(places, headings), heed=-1.0, accord=0.0)[0]
    for rank, heading in enumerate(headings):
        watching = together(seen(places, headings), heed=(rank + 0.5) / 4, accord=0.0)[0]
        assert watching - alone == pytest.approx(heading)
    same = [[0, 1.0, 0]] * 4
    assert together(seen(places, same), heed=0.3, accord=0.5)[0] == pytest.approx(together(seen(places, same))[0])


def test_heading_alike_counts_as_much_as_the_species_says_and_drawing_near_is_apart_from_it():
    """All four head to the left and are, by their middle, straight ahead: the two pulls are at a right angle."""
    neighbours = seen([*FRONT, [1.2, 1.0, 0], [1.2, -0.9, 0]], [[0, 1.0, 0]] * 4)
    near = together(neighbours, alignment=0.0)
    assert near[0][0] > 0.0
    for alignment in (0.3, 1.0, 2.0):
        found = together(neighbours, alignment=alignment)
        assert found[0] - near[0] == pytest.approx([0.0, alignment, 0.0])
        assert found[1:] == near[1:]  # it keeps up as before


@pytest.mark.film
def test_who_does_not_align_keeps_as_near_and_heads_every_way():
    """Eight fishes that head by chance have a polarisation of 8**-0.5, 0.35, in the root mean square."""
    species = Species.load("sardine")
    found = {}
    for alignment in (0.0, 1.0):
        kind = replace(species, temperament=replace(species.temperament, alignment=alignment))
        group = {"species": "sardine", "count": 8, "at": [4, 4, 1], "spread": 0.6, "mind": {"hunger": 0}}
        scene = Scene.from_dict({"duration": 16, "tank": {"size": [8, 8, 2]}, "fishes": [group]})
        recording = World(scene, seed=4, species={"sardine": kind}).simulate()
        place = schools.middles(recording)[96:] / species.length
        apart = np.linalg.norm(place[:, :, None] - place[:, None], axis=3) + np.where(np.eye(8), np.inf, 0.0)
        found[alignment] = np.median(apart.min(axis=2)), np.median(schools.polarisation(recording)[96:])
    assert found[0.0][1] < 0.6 < 0.8 < found[1.0][1]
    assert found[0.0][0] == pytest.approx(found[1.0][0], rel=0.5)


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


@pytest.mark.parametrize("others", [1, 2, 9, 30, 70])
def test_the_compiled_school_is_the_same(alike, others):
    """Among many and few, with leaders and without kin."""
    dice = np.random.default_rng(others)
    fishes, shape = 200, (200, others)
    ahead = unit(dice.normal(size=(*shape, 3)) + (2.0, 0.0, 0.0))
    near = Neighbours(
        fish=np.zeros(shape, dtype=int),
        offset=dice.uniform(0.1, 2.0, (fishes, 1, 1)) * dice.normal(size=(*shape, 3)),
        motion=1.5 * dice.normal(size=(*shape, 3)),
        ahead=ahead,
        length=dice.uniform(0.1, 0.5, shape),
        kin=dice.uniform(size=shape) < dice.uniform(size=(fishes, 1)),
        leads=dice.uniform(size=shape) < 0.1,
        other=dice.uniform(size=shape) < 0.7,
    )
    near.kin[:9] = False
    length, speed = dice.uniform(0.1, 0.5, fishes), dice.uniform(0, 0.5, fishes)
    heed = np.where(dice.uniform(size=fishes) < 0.3, -1.0, dice.uniform(size=fishes))
    accord, alignment = dice.uniform(0, 1, fishes), dice.uniform(0, 2, fishes)
    waits = alike(lambda: wait_for(near, ahead[:, 0], length), "wait_for")
    assert (waits < 0).any() and (waits == 0).any()
    pull, _, formed, check = alike(
        lambda: keep_together(near, ahead[:, 0], speed, length, heed, accord, alignment), "keep_together"
    )
    assert formed.any() and not formed.all() and (others == 1 or check.any()) and pull.any()
