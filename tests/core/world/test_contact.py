"""Bodies that touch: distances in closed form, momentum kept, and nobody left inside another."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.body.anatomy import MASSES, frame_from
from artfish.core.scene.species import Species
from artfish.core.world.contact import Rods, Skins, center_lines, keep_apart, near, segments, strike
from artfish.core.world.shoal import Shoal
from artfish.core.world.tuning import SWIFTEST_YIELD

SARDINE = Species.load("sardine")
UP = np.array([0.0, 0.0, 1.0])


def shoal(places, headings, length, speed=0.0) -> Shoal:
    """Straight sardines of these lengths in metres, swimming ahead at this speed in m/s."""
    length = np.broadcast_to(np.asarray(length, dtype=float), len(places)).copy()
    fishes, headings = np.arange(len(places)), np.asarray(headings, dtype=float)
    bodies = Shoal([SARDINE], np.zeros(len(places), dtype=int), length, 1 / 48)
    frames = frame_from(headings, np.broadcast_to(UP, headings.shape))
    bodies.put(fishes, np.asarray(places, dtype=float), frames, np.broadcast_to(speed, len(places)))
    return bodies


def skins(bodies: Shoal) -> Skins:
    return Skins([SARDINE], bodies.kind, bodies.length)


def momentum(bodies: Shoal) -> np.ndarray:
    """In units of the mass of a fish of one metre."""
    return (bodies.length[:, None] ** 3 * bodies.velocity).sum(axis=0)


def touch(bodies: Shoal, seizing=None) -> bool:
    everyone = np.ones(len(bodies), dtype=bool)
    nobody = np.full(len(bodies), -1)
    return bool(len(keep_apart(bodies, skins(bodies), bodies.nodes, everyone, nobody if seizing is None else seizing)))


@pytest.mark.film
def test_the_distance_of_segments_is_that_of_their_nearest_points():
    rng = np.random.default_rng(0)
    one, other = rng.normal(size=(2, 60, 2, 3))
    distance, s, t, gap = segments(one, other)
    grid = np.linspace(0.0, 1.0, 201)
    first, second = (
        of[:, None, 0] + grid[:, None] * (of[:, None, 1] - of[:, None, 0]) for of in (one, other)
    )  # (60, 201, 3)
    sampled = np.linalg.norm(first[:, :, None] - second[:, None], axis=-1).min(axis=(1, 2))
    length = np.linalg.norm(one[:, 1] - one[:, 0], axis=1) + np.linalg.norm(other[:, 1] - other[:, 0], axis=1)
    assert (distance <= sampled + 1e-12).all()
    assert (sampled - distance <= length / 400).all()  # half a step along both
    at = one[:, 0] + s[:, None] * np.diff(one, axis=1)[:, 0]
    there = other[:, 0] + t[:, None] * np.diff(other, axis=1)[:, 0]
    assert np.allclose(there - at, gap)
    assert np.allclose(np.linalg.norm(gap, axis=1), distance)


def test_parallel_segments_and_points_have_distances_too():
    line = np.array([[0.0, 0, 0], [1, 0, 0]])
    for other, wanted in (([[0, 2, 0], [1, 2, 0]], 2.0), ([[3, 0, 0], [4, 0, 0]], 2.0), ([[0.5, 0, 1]] * 2, 1.0)):
        assert segments(line, np.array(other, dtype=float))[0] == pytest.approx(wanted)
    assert segments(line, line)[0] == 0.0


def test_pairs_are_all_those_in_reach_whatever_their_size():
    rng = np.random.default_rng(1)
    length = rng.choice([0.1, 0.25, 1.2], 60)
    bodies = (length[:, None] * _directions(rng, 60))[:, None]
    lines = rng.uniform(0, 2, (60, 1, 3)) + np.linspace(0, 1, 7)[:, None] * bodies
    lines += 0.03 * length[:, None, None] * rng.normal(size=lines.shape)
    reach = 0.1 * length
    found = near(lines, length, reach)
    links = np.stack((lines[:, :-1], lines[:, 1:]), axis=2)
    every = segments(links[:, None, :, None], links[None, :, None])[0].min(axis=(2, 3))
    wanted = np.argwhere(np.triu(every < reach[:, None] + reach, 1))
    assert len(wanted) > 10
    assert np.array_equal(np.stack((found.first, found.second), axis=1), wanted)
    assert np.allclose(found.distance, every[found.first, found.second])


@pytest.mark.parametrize("number", [2, 40, 400])
def test_compiled_the_same_is_found_to_the_last_bit(number, alike):
    rng = np.random.default_rng(number)
    length = rng.choice([0.1, 0.25, 1.2], number)
    bodies = shoal(rng.uniform(0.0, 1.0, (number, 3)), _directions(rng, number) * (1.0, 1.0, 0.3), length)
    bent = bodies.nodes + 0.05 * length[:, None, None] * rng.normal(size=(number, 23, 3))
    bent[1::7] = bent[0]  # some lie in each other

    lines = alike(lambda: center_lines(bent), "center_lines")
    found = alike(lambda: near(lines, length, skins(bodies).reach), "closest")
    assert len(found.first) > number / 8


def test_who_is_no_number_touches_nobody(alike):
    lines = np.repeat(center_lines(shoal([[0.0] * 3], [[1.0, 0.0, 0.0]], 0.2).nodes), 3, axis=0)
    lines[1, 3] = np.nan
    found = alike(lambda: near(lines, np.full(3, 0.2), np.full(3, 0.02)), "closest")
    assert list(zip(found.first, found.second, strict=True)) == [(0, 2)]


def test_a_shark_among_sardines_and_a_heap_miss_no_contact():
    rng = np.random.default_rng(5)
    length = np.append(rng.uniform(0.15, 0.25, 300), 3.5)
    for room in (3.0, 0.3):  # as in a school, and in a heap
        places = np.append(rng.uniform(-room / 2, room / 2, (300, 3)), [[0.0, 0.0, 0.0]], axis=0)
        bodies = shoal(places, _directions(rng, 301) * (1.0, 1.0, 0.3), length)
        lines, reach = center_lines(bodies.nodes), skins(bodies).reach
        found = near(lines, length, reach)
        links = np.stack((lines[:, :-1], lines[:, 1:]), axis=2)
        touching = [
            (row, row + 1 + other)
            for row in range(300)
            for other in np.flatnonzero(
                segments(links[row, None, :, None], links[row + 1 :, None])[0].min(axis=(1, 2))
                < reach[row] + reach[row + 1 :]
            )
        ]
        assert list(zip(found.first.tolist(), found.second.tolist(), strict=True)) == touching
        assert sum(second == 300 for _, second in touching) > 3, "the shark touches some"


def _directions(rng: np.random.Generator, number: int) -> np.ndarray:
    ways = rng.normal(size=(number, 3))
    return ways / np.linalg.norm(ways, axis=1, keepdims=True)


@pytest.mark.parametrize("aim", [(-1, -0.2, 0), (-1, 0.4, 0.1), (0, -1, 0)])
def test_a_collision_keeps_momentum_and_takes_the_closing_speed(aim):
    bodies = shoal([[0, 0, 0], [0.07, 0.012, 0.0]], [[1, 0, 0], aim], [0.2, 0.3], speed=[0.3, 0.2])
    before = momentum(bodies)
    assert touch(bodies)
    assert momentum(bodies) == pytest.approx(before, abs=1e-12 + 1e-9 * np.abs(before).max())
    energy = (bodies.length**3 * (bodies.velocity**2).sum(axis=1)).sum()
    assert energy < 0.2**3 * 0.3**2 + 0.3**3 * 0.2**2


def test_bodies_that_lie_in_each_other_are_parted():
    bodies = shoal([[0, 0, 0], [0.01, 0.004, 0.0], [1, 0, 0]], [[1, 0, 0], [0.8, 0.6, 0], [1, 0, 0]], 0.2)
    middle = bodies.length[:, None] ** 3 * bodies.center_of_mass
    for _ in range(20):
        touch(bodies)
    found = near(center_lines(bodies.nodes), bodies.length, skins(bodies).reach)
    assert len(found.first) <= 1
    width = 2 * np.interp(0.36, *np.array(SARDINE.form.half_width).T) * 0.2
    assert not len(found.first) or found.distance[0] > 0.6 * width
    moved = bodies.length[:, None] ** 3 * bodies.center_of_mass
    assert moved.sum(axis=0) == pytest.approx(middle.sum(axis=0), abs=1e-9)  # equal and opposite
    assert np.allclose(moved[2], middle[2])  # who touches nobody stays


def test_who_is_being_seized_is_not_pushed_out_of_the_mouth():
    bodies = shoal([[0, 0, 0], [0.05, 0.0, 0.0]], [[1, 0, 0], [0, 1, 0]], [0.8, 0.1])
    assert not touch(bodies, np.array([1, -1]))
    assert touch(bodies)


def test_a_rod_that_is_struck_at_its_end_gives_more_there_and_turns():
    bodies = shoal([[0, 0, 0]], [[1, 0, 0]], 0.2)
    nodes = bodies.nodes
    middle = np.einsum("k,kc->c", MASSES / MASSES.sum(), nodes[0])
    for off in (0.0, 0.05):
        rod = Rods.of(nodes, middle[None] + (off, 0.0, 0.0))
        aside, along = np.array([[0.0, 1.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])
        gyration = (MASSES * (nodes[0, :, 0] - middle[0]) ** 2).sum() / MASSES.sum()
        assert rod.give(aside) == pytest.approx(1 + off**2 / gyration)
        assert rod.give(along) == pytest.approx(1)
        way = rod.moved(0.01 * aside)[0]
        assert np.einsum("k,kc->c", MASSES / MASSES.sum(), way) == pytest.approx([0, 0.01, 0], abs=1e-12)
        # The angular momentum of the blow about the center of mass, seen from above.
        arm = nodes[0] - middle
        spin = (MASSES / MASSES.sum() * (arm[:, 0] * way[:, 1])).sum()
        assert spin == pytest.approx(off * 0.01, abs=1e-12)


def test_a_nose_that_meets_a_wall_aslant_is_turned_along_it():
    bodies = shoal([[0, 0, 0]], [[1, 0.5, 0]], 0.2, speed=0.2)
    nose = bodies.nodes[:, 0]
    strike(bodies, np.array([0]), bodies.nodes, nose, np.array([[0.0, -0.01, 0.0]]))
    ahead = bodies.frames()[1][0, :, 0]
    assert ahead[1] < 0.5 / np.hypot(1, 0.5)
    assert bodies.nodes[0, 0, 1] == pytest.approx(nose[0, 1] - 0.01)
    assert 0 < bodies.velocity[0, 1] < 0.2 * 0.5 / np.hypot(1, 0.5)  # a part of it goes into the turn


def test_fishes_in_a_heap_come_apart_no_faster_than_fishes_go():
    bodies = shoal([[0.0, 0.001 * row, 0.0] for row in range(8)], [[1, 0, 0]] * 8, 1.0)
    before, everyone = bodies.center_of_mass, np.ones(8, dtype=bool)
    assert len(keep_apart(bodies, skins(bodies), bodies.nodes, everyone, np.full(8, -1), period=0.001))
    gone = np.linalg.norm(bodies.center_of_mass - before, axis=1)
    assert 0.5 * SWIFTEST_YIELD * 0.001 < gone.max() <= SWIFTEST_YIELD * 0.001 * (1 + 1e-9)
