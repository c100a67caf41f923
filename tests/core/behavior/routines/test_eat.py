"""The mouth: where it is, how it opens, what it draws in and what it swallows (Tu 1999, §7.9.1)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core.behavior.routines.eat import Mouths, bait_in, fishes_in, gape, mouth, suction, swallowed
from artfish.core.behavior.routines.tuning import GAPING_OPENING as GAPING
from artfish.core.behavior.routines.tuning import MOUTH_OPENING_LENGTHS as OPEN_AT
from artfish.core.behavior.routines.tuning import MOUTHFUL_LENGTHS as MOUTHFUL
from artfish.core.behavior.routines.tuning import SUCKING_LENGTHS as SUCK_AT
from artfish.core.behavior.routines.tuning import SUCTION_ANGLE as CONE
from artfish.core.behavior.routines.tuning import SUCTION_FLOOR_LENGTHS as FLOOR
from artfish.core.behavior.routines.tuning import SWALLOWING_LENGTHS as SWALLOW_AT
from artfish.core.body.anatomy import rest_nodes
from artfish.core.scene.physique import Body

X, Y, Z = np.eye(3)


def rotations(n: int, seed: int = 0) -> np.ndarray:
    q = np.linalg.qr(np.random.default_rng(seed).normal(size=(n, 3, 3)))[0]
    return q * np.sign(np.linalg.det(q))[:, None, None]


def test_a_mouth_is_at_the_nose_and_faces_along_the_head():
    turns, shift = rotations(20), np.random.default_rng(1).normal(size=(20, 3))
    rest = rest_nodes(Body())
    nodes = np.einsum("nij,kj->nki", turns, 0.3 * rest) + shift[:, None]
    place, ahead = mouth(nodes, np.arange(20))
    assert np.allclose(place, np.einsum("nij,j->ni", turns, 0.3 * rest[0]) + shift)
    assert np.allclose(ahead, turns[:, :, 0])
    nodes[:, 5:] += 1.0  # the body behind the head does not matter
    assert np.array_equal(mouth(nodes, np.arange(20))[1], ahead)
    nodes[:, 0] = 0.0
    assert (place != 0).any()  # a copy


def gaped(distance: float, opening: float, dt: float, steps: int = 1, length: float = 1.0) -> np.ndarray:
    now, found = np.array([opening]), [opening]
    for _ in range(steps):
        now = gape(np.array([distance]), np.array([length]), now, dt)
        found.append(now[0])
    return np.array(found)


def test_a_mouth_opens_near_food_and_closes_without():
    opening, closing = gaped(0.9 * OPEN_AT, 0.0, 0.01, 60), gaped(1.1 * OPEN_AT, 1.0, 0.01, 60)
    assert (np.diff(opening) > 0).all() and opening[-1] > 0.99 and opening.max() <= 1.0
    assert (np.diff(closing) < 0).all() and closing[-1] < 0.05 and closing.min() >= 0.0
    # Quickly: gaping within a tenth of a second, and faster than it closes.
    assert opening[10] > GAPING and opening[10] > 1 - closing[10]
    assert gaped(np.inf, 1.0, 0.1)[1] < 1.0
    assert (
        gaped(0.9 * OPEN_AT * 0.2, 0.0, 0.1, length=0.2)[1] > 0 == gaped(1.1 * OPEN_AT * 0.2, 0.0, 0.1, length=0.2)[1]
    )


def test_two_short_moments_are_a_long_one():
    for distance, start in ((0.1, 0.2), (5.0, 0.9)):
        assert gaped(distance, start, 0.02, 2)[-1] == pytest.approx(gaped(distance, start, 0.04)[-1], abs=1e-12)
        assert gaped(distance, start, 0.0)[-1] == start
        assert 0.0 <= gaped(distance, start, 1e3)[-1] <= 1.0


def sea(mouths: int = 25, points: int = 800, seed: int = 3):
    """Mouths that face anywhere among points, some of which belong to their fishes."""
    rng = np.random.default_rng(seed)
    place, ahead = rng.uniform(0, 1, (mouths, 3)), rotations(mouths, seed)[:, :, 0]
    opening = np.where(rng.random(mouths) < 0.3, 0.0, rng.random(mouths))
    length = rng.choice((0.1, 0.4, 0.9), mouths)
    return place, ahead, opening, length, rng.uniform(0, 1, (points, 3)), 50.0, rng.integers(-1, mouths, points)


def single(points, opening=1.0, length=1.0, strength=10.0, owner=None, place=(0.0, 0.0, 0.0), ahead=X) -> np.ndarray:
    """The pull of one mouth at the origin that faces along x."""
    points = np.atleast_2d(points)
    owner = np.full(len(points), -1) if owner is None else np.asarray(owner)
    rows = (np.array([row], dtype=float) for row in (place, ahead, opening, length))
    return suction(Mouths(*rows), points, strength, owner)


def test_suction_against_all_pairs():
    place, ahead, opening, length, points, strength, owner = sea()
    expected, drawn = np.zeros(points.shape), 0
    for m in range(len(place)):
        for p in range(len(points)):
            offset = points[p] - place[m]
            d = np.linalg.norm(offset)
            if opening[m] > 0 and d <= SUCK_AT * length[m] and owner[p] != m and offset @ ahead[m] >= d * np.cos(CONE):
                falloff = min(1.0, (FLOOR * length[m] / d) ** 2)
                expected[p] -= strength * opening[m] * falloff * offset / d
                drawn += 1
    assert drawn > 50
    assert np.allclose(suction(Mouths(place, ahead, opening, length), points, strength, owner), expected, atol=1e-12)


def test_suction_points_to_the_mouth_and_falls_with_the_square():
    way = np.array((0.8, 0.36, 0.48))
    near, far = single([0.1 * way, 0.2 * way])
    assert np.allclose(near, 4 * far) and np.allclose(near / np.linalg.norm(near), -way)
    assert np.linalg.norm(near) == pytest.approx(10.0 * (FLOOR / 0.1) ** 2)
    at_floor, inside, within = single([FLOOR * way, 0.5 * FLOOR * way, 0.0 * way])
    assert np.allclose(at_floor, inside) and np.linalg.norm(inside) == pytest.approx(10.0)
    assert (within == 0).all()


def test_suction_ends_at_the_cone_and_at_the_reach():
    for spin in np.linspace(0, 2 * np.pi, 7):
        aside = np.cos(spin) * Y + np.sin(spin) * Z
        inside, outside = (0.2 * (np.cos(a) * X + np.sin(a) * aside) for a in (CONE - 1e-6, CONE + 1e-6))
        pulls = single([inside, outside, -0.1 * X])
        assert (pulls[0] != 0).any() and (pulls[1:] == 0).all()
    assert pytest.approx(np.radians(60)) == CONE
    pulls = single([(SUCK_AT - 1e-6) * X, (SUCK_AT + 1e-6) * X])
    assert pulls[0, 0] < 0 == pulls[1, 0]


def test_suction_grows_with_opening_strength_and_size():
    points = np.array([(0.1, 0.02, 0.01), (0.2, -0.1, 0.05)])
    pull = single(points)
    assert (single(points, opening=0.0) == 0).all()
    assert np.allclose(single(points, opening=0.3), 0.3 * pull) and np.allclose(single(points, strength=30.0), 3 * pull)
    assert np.allclose(single(3 * points, length=3.0), pull)


def test_suction_knows_no_direction_but_its_own():
    place, ahead, opening, length, points, strength, owner = sea()
    here = suction(Mouths(place, ahead, opening, length), points, strength, owner)
    mirrored = rotations(1, 9)[0] @ np.diag((1.0, -1.0, 1.0))
    mouths = Mouths(place @ mirrored + 2, ahead @ mirrored, opening, length)
    there = suction(mouths, points @ mirrored + 2, strength, owner)
    assert np.allclose(there, here @ mirrored, atol=1e-9) and (here != 0).any()


def test_a_ring_around_the_axis_is_pulled_inwards_on_the_whole():
    spin = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = 0.15 * X + 0.1 * (np.cos(spin)[:, None] * Y + np.sin(spin)[:, None] * Z)
    pulls = single(ring)
    assert np.allclose(pulls.sum(axis=0)[1:], 0) and np.allclose(
        np.linalg.norm(pulls, axis=1), -pulls[0, 0] / 0.15 * 0.0325**0.5
    )


def test_no_mouth_draws_its_own_fish():
    points = np.tile(0.1 * X, (3, 1))
    pulls = single(points, owner=[0, -1, 5])
    assert (pulls[0] == 0).all() and (pulls[1] != 0).any() and np.array_equal(pulls[1], pulls[2])
    # Two that face each other draw each other's noses and not their own.
    noses = np.array([0.0 * X, 0.2 * X])
    both = suction(Mouths(noses, np.array([X, -X]), np.ones(2), np.ones(2)), noses, 10.0, np.arange(2))
    assert both[0, 0] > 0 and np.allclose(both[0], -both[1])
    # Rows of mouths stay rows of mouths when those before them are closed.
    second = suction(Mouths(noses, np.array([X, -X]), np.array((0.0, 1.0)), np.ones(2)), noses, 10.0, np.arange(2))
    assert np.array_equal(second[0], both[0]) and (second[1] == 0).all()


def test_pulls_of_mouths_add_up():
    place, ahead, opening, length, points, strength, owner = sea()
    each = sum(
        suction(Mouths(place, ahead, opening, length).where(np.array([m])), points, strength, own)
        for m in range(len(place))
        for own in [np.where(owner == m, 0, -1)]
    )
    assert np.allclose(suction(Mouths(place, ahead, opening, length), points, strength, owner), each, atol=1e-12)


def test_nothing_to_draw_and_nobody_who_draws():
    none, row = np.zeros((0, 3)), np.zeros(0)
    assert (suction(Mouths(none, none, row, row), np.ones((4, 3)), 1.0, np.full(4, -1)) == np.zeros((4, 3))).all()
    assert single(none).shape == (0, 3)
    assert (single(np.array([(9.0, 9.0, 9.0)])) == 0).all()
    assert np.array_equal(swallowed(Mouths(none, none, row, row), np.ones((4, 3)), np.ones(4)), np.full(4, -1))
    assert swallowed(Mouths(*np.ones((2, 2, 3)), np.ones(2), np.ones(2)), none, row).shape == (0,)


def test_what_is_swallowed_against_all_pairs():
    rng = np.random.default_rng(4)
    mouths, morsels = rng.uniform(0, 0.4, (30, 3)), rng.uniform(0, 0.4, (500, 3))
    opening, length, size = rng.random(30), rng.uniform(0.5, 1.5, 30), rng.uniform(0.0, 0.6, 500)
    expected = np.full(500, -1)
    for p in range(500):
        d = np.linalg.norm(mouths - morsels[p], axis=1)
        able = (opening > GAPING) & (d <= SWALLOW_AT * length) & (size[p] <= MOUTHFUL * length)
        if able.any():
            expected[p] = np.where(able, d, np.inf).argmin()
    found = swallowed(Mouths(mouths, mouths, opening, length), morsels, size)
    assert np.array_equal(found, expected) and (found >= 0).sum() > 20 and (found < 0).sum() > 20


def test_the_limits_of_swallowing():
    def one(distance=0.0, opening=1.0, size=0.01, length=2.0) -> int:
        numbers = (np.array([number]) for number in (opening, length))
        return swallowed(Mouths(*np.zeros((2, 1, 3)), *numbers), distance * Y[None], np.array([size]))[0]

    assert one() == 0
    assert one(0.99 * SWALLOW_AT * 2) == 0 and one(1.01 * SWALLOW_AT * 2) == -1
    assert one(opening=GAPING) == -1 and one(opening=GAPING + 1e-6) == 0
    assert one(size=0.99 * MOUTHFUL * 2) == 0 and one(size=1.01 * MOUTHFUL * 2) == -1
    assert one(size=2.0) == -1  # not itself
    assert SWALLOW_AT < SUCK_AT < OPEN_AT


def test_of_equally_near_mouths_the_first_swallows():
    mouths = np.array([(9.0, 0.0, 0.0), (0.01, 0.0, 0.0), (-0.01, 0.0, 0.0)])
    ones = np.ones(3)
    assert swallowed(Mouths(mouths, mouths, ones, ones), np.zeros((1, 3)), np.zeros(1)).tolist() == [1]
    assert swallowed(Mouths(mouths, mouths, ones, ones), np.array([-0.001 * X]), np.zeros(1)).tolist() == [2]


def test_a_fish_is_swallowed_whole_by_the_mouth_that_has_one_of_its_nodes():
    mouths = Mouths(np.array([0.0 * X, 3.0 * X]), np.array([X, X]), np.ones(2), np.ones(2))
    fish = 0.1 * rest_nodes(Body())
    nodes = np.array([fish + 9.0 * Y, fish + 3.12 * X, fish + 0.2 * X])
    intake = fishes_in(mouths, nodes, np.full(3, 0.1), np.arange(3), 0.04)
    assert intake.rows.tolist() == [1, 2] and intake.mouth.tolist() == [1, -1]
    assert intake.change.shape == (2, 23, 3) and (intake.change[1, :, 0] < 0).all()
    far = fishes_in(mouths, nodes, np.full(3, 0.1), np.arange(1), 0.04)
    assert len(far.rows) == len(far.mouth) == 0 and far.change.shape == (0, 23, 3)


def test_a_mouth_closes_on_the_near_side_of_bait_that_is_not_too_large():
    at, one = (SWALLOW_AT + 0.05) * X, Mouths(np.zeros((1, 3)), X[None], np.ones(1), np.ones(1))
    small, large, huge = (bait_in(one, at, size, 0.04) for size in (0.02, 0.2, 1.01 * MOUTHFUL))
    assert small.mouth.tolist() == [-1] and large.mouth.tolist() == [0]
    assert huge.mouth.tolist() == [-1] and huge.change[0, 0] < 0


def test_the_kernel_draws_and_swallows_the_same(alike):
    place, ahead, opening, length, points, strength, owner = sea()
    mouths = Mouths(place, ahead, opening, length)
    alike(lambda: suction(mouths, points, strength, owner), "suction")
    size = np.random.default_rng(5).uniform(0.0, 0.2, len(points))
    points[::9] = place[np.arange(len(points[::9])) % len(place)]  # right in a mouth, some in two that are as near
    eaters = alike(
        lambda: swallowed(Mouths(np.repeat(place, 2, axis=0)[:25], ahead, opening, length), points, size), "swallowed"
    )
    assert (eaters >= 0).sum() > 10


@pytest.mark.parametrize("spread", [0.0, 1.0, 1e9])
def test_mouths_and_morsels_are_held_together_wherever_they_lie(alike, spread):
    """In one place, side by side, and where some are astray; some are nowhere."""
    dice, length = np.random.default_rng(3), np.full(40, 0.5)
    place, points = (dice.normal(size=(many, 3)) * (min(spread, 1.0), 0.2, 0.2) for many in (40, 3000))
    points[:9, 0] = -spread, spread, np.nan, np.inf, -np.inf, 0.0, 0.1, 0.2, 0.3
    place[:3, 0] = np.nan, spread, np.inf
    ahead = dice.normal(size=(40, 3))
    mouths = Mouths(place, ahead / np.linalg.norm(ahead, axis=1, keepdims=True), dice.uniform(size=40), length)
    with np.errstate(invalid="ignore"):
        pull = alike(lambda: suction(mouths, points, 2.0, np.full(3000, -1)), "suction")
        eaters = alike(lambda: swallowed(mouths, points, np.zeros(3000)), "swallowed")
    assert pull.any(axis=1).sum() > 10 and (eaters >= 0).sum() > 1


def test_a_mouth_is_the_nose_and_faces_away_from_the_first_ring():
    dice = np.random.default_rng(6)
    nodes, rows = dice.normal(size=(60, 23, 3)), dice.integers(0, 60, 40)
    place, ahead = mouth(nodes, rows)
    assert np.array_equal(place, nodes[rows, 0])
    behind = place - nodes[rows, 1:5].mean(axis=1)
    np.testing.assert_allclose(ahead, behind / np.linalg.norm(behind, axis=1, keepdims=True), atol=1e-15)
