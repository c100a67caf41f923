"""Chasing and following (Tu 1999, §7.8.2)."""

from __future__ import annotations

import numpy as np
import pytest

from artfish.core import Recording
from artfish.core.behavior.routines.chase import SIGMAS, Pursuit, chase, sigma_for
from artfish.core.behavior.routines.tuning import (
    CHASE_FAR_LENGTHS,
    CHASE_NEAR_LENGTHS,
    EAT_FAR_SIGMA,
    EAT_NEAR_SIGMA,
    FOLLOWING_SECONDS,
    LEAST_TARGET_PACE,
    MOST_OVERSHOOT_ANGLE,
    OVERSHOOT,
)

X, Y, Z = np.eye(3)
MIRROR = np.diag((1.0, -1.0, 1.0))


def turned(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0)))


def at(azimuth: float, slope: float = 0.0) -> np.ndarray:
    return np.array((np.cos(slope) * np.cos(azimuth), np.cos(slope) * np.sin(azimuth), np.sin(slope)))


def one(offset, motion=(0.0, 0.0, 0.0), ahead=X, speed=1.0, length=1.0, sigma=0.0, intercept=False) -> Pursuit:
    """The pursuit of a single fish, by default one of a meter that swims along x at 1 m/s."""
    rows = (np.array([row], dtype=float) for row in (offset, motion, ahead, speed, length, sigma))
    return chase(*rows, intercept)


def crowd(n: int = 300):
    """Offsets, motions, headings, speeds, lengths, sigmas and whether to intercept, at random."""
    rng = np.random.default_rng(0)
    ahead = rng.normal(size=(n, 3)) * (1.0, 1.0, 0.4)
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    offset, motion = rng.normal(size=(2, n, 3))
    return [offset, motion, ahead, *rng.uniform(0.1, 1.0, (3, n)), rng.random(n) < 0.5]


@pytest.mark.parametrize("rotation", [turned(0.7), turned(-2.5), MIRROR])
def test_neither_turning_nor_mirroring_the_world_matters(rotation):
    offset, motion, ahead, *rest = crowd()
    here = chase(offset, motion, ahead, *rest)
    there = chase(offset @ rotation.T, motion @ rotation.T, ahead @ rotation.T, *rest)
    assert np.allclose(there.wish, here.wish @ rotation.T, atol=1e-12)
    assert np.allclose(there.pace, here.pace) and np.array_equal(there.brake, here.brake)
    assert 0 < here.brake.mean() < 1


def test_wishes_are_unit_vectors_and_paces_between_the_least_and_full():
    pursuit = chase(*crowd())
    assert np.allclose(np.linalg.norm(pursuit.wish, axis=1), 1.0)
    assert pursuit.pace.min() >= LEAST_TARGET_PACE and pursuit.pace.max() <= 1.0


def test_each_fish_for_itself():
    arguments = crowd(20)
    together = chase(*arguments)
    for i in range(20):
        alone = chase(*(a[i : i + 1] for a in arguments))
        assert np.allclose(alone.wish[0], together.wish[i], atol=1e-12) and alone.brake[0] == together.brake[i]


def test_without_tolerance_it_wishes_for_the_target():
    offset, motion, ahead, speed, length, _, _ = crowd()
    wish = chase(offset, motion, ahead, speed, length, np.full(len(speed), -1.0), False).wish
    assert np.allclose(wish, offset / np.linalg.norm(offset, axis=1, keepdims=True))


@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("heading", [0.0, 2.0, 3.1])
def test_it_steers_only_for_what_is_farther_off_than_sigma(side, heading):
    """At the seam of the azimuth, too; the slope of the target counts on neither side of sigma."""
    sigma, slope = np.pi / 5, 0.5
    roughly, off = (heading + side * (sigma + margin) for margin in (-1e-6, 1e-6))
    kept = one(3 * at(roughly, slope), ahead=at(heading, -0.3), sigma=sigma).wish[0]
    steered = one(3 * at(off, slope), ahead=at(heading, -0.3), sigma=sigma).wish[0]
    assert np.allclose(kept, at(heading, slope), atol=1e-9)
    assert np.allclose(steered, at(off, slope), atol=1e-9)


def test_the_limits_of_direction():
    assert np.allclose(one(2 * Z, sigma=0.1).wish[0], Z)
    assert np.allclose(one(-2 * X).wish[0], -X)
    assert np.allclose(one(np.zeros(3), ahead=at(2.0, 0.3)).wish[0], at(2.0, 0.3))
    assert np.allclose(one(at(1.0, 0.2), ahead=Z, sigma=1.5).wish[0], at(1.0, 0.2))  # on its tail, without a course


def test_pace_is_full_far_away_and_falls_evenly_to_the_least():
    distance = np.linspace(0, 2 * CHASE_FAR_LENGTHS, 81)
    offset, zeros = distance[:, None] * 0.2 * Y, np.zeros((81, 3))
    pace = chase(offset, zeros, zeros + X, np.ones(81), np.full(81, 0.2), np.zeros(81), False).pace
    assert pace[0] == LEAST_TARGET_PACE and np.allclose(pace[distance >= CHASE_FAR_LENGTHS], 1.0)
    falling = np.diff(pace[distance <= CHASE_FAR_LENGTHS])
    assert (falling > 0).all() and np.allclose(falling, falling[0])


def test_an_overshoot_follows_the_targets_speed_across():
    """Small, it is in proportion; to the side the target moves to; a target that flees straight has none."""
    for velocity in (0.05, 0.1, 0.3):
        for side in (-1, 1):
            wish = one(3 * X, side * velocity * Y, sigma=-1.0, intercept=True, speed=1.5).wish[0]
            assert np.arctan2(wish[1], wish[0]) == pytest.approx(side * OVERSHOOT * velocity / 1.5, rel=1e-9)
    assert np.allclose(one(3 * Y, 0.4 * Y, intercept=True).wish[0], Y)
    oblique, across = (
        one(3 * X, motion, sigma=-1.0, intercept=True).wish[0] for motion in (0.5 * X + 0.2 * Y, 0.2 * Y)
    )
    assert np.allclose(oblique, across)
    resting = one(3 * Y, 0.2 * X, speed=0.0, length=0.5, intercept=True).wish[0]
    assert np.allclose(resting, at(np.pi / 2 - OVERSHOOT * 0.2 / 0.5))  # as if it made a length a second
    rising = one(3 * Y, 0.2 * Z, intercept=True).wish[0]
    assert np.allclose(rising, at(np.pi / 2, 0.2 * OVERSHOOT))


def test_an_overshoot_is_bounded_and_only_for_who_intercepts():
    wild = one(3 * Y, 50 * X, intercept=True).wish[0]
    assert np.arccos(wild[1]) == pytest.approx(MOST_OVERSHOOT_ANGLE)
    assert np.arccos(one(3 * Y, 50 * X, speed=0.0, intercept=True).wish[0, 1]) == pytest.approx(MOST_OVERSHOOT_ANGLE)
    assert np.allclose(one(3 * Y, 50 * X).wish[0], Y)
    offset, motion, ahead, speed, length, sigma, some = crowd()
    mixed, all_do, none_does = (
        chase(offset, motion, ahead, speed, length, sigma, which).wish for which in (some, True, False)
    )
    assert np.array_equal(mixed, np.where(some[:, None], all_do, none_does)) and not np.allclose(all_do, none_does)


def test_who_intercepts_meets_a_crossing_target_sooner():
    def when(intercept: bool) -> float:
        me, prey, heading = np.zeros(3), 4 * X, X
        for step in range(600):
            heading = one(prey - me, 0.6 * Y, heading, 1.0, 0.3, -1.0, intercept).wish[0]
            me, prey = me + 0.02 * heading, prey + 0.02 * 0.6 * Y
            if np.linalg.norm(prey - me) < 0.05:
                return 0.02 * step
        return np.inf

    assert when(True) < 0.95 * when(False) < np.inf


def test_a_follower_brakes_when_it_would_be_there_too_soon():
    assert one(X * FOLLOWING_SECONDS * 0.9).brake[0] and not one(X * FOLLOWING_SECONDS * 1.1).brake[0]
    assert not one(X * FOLLOWING_SECONDS * 0.9, 0.5 * X).brake[0]  # it swims on
    assert one(X * FOLLOWING_SECONDS * 1.5, -1.0 * X).brake[0]  # it comes to meet
    assert not one(-X * FOLLOWING_SECONDS * 0.5).brake[0]
    assert not one(X * FOLLOWING_SECONDS * 0.9, intercept=True).brake[0]


def test_a_follower_stays_behind_its_leader():
    """With a pace of four lengths a second behind one that makes two, it neither falls back nor catches up."""
    me, leader, speed, gaps = -3.0, 0.0, 2.0, []
    for _ in range(3000):
        pursuit = one((leader - me) * X, 2 * X, X, speed, 1.0, SIGMAS["school"])
        asked = 0.0 if pursuit.brake[0] else 4 * pursuit.pace[0]
        speed += 0.02 * (asked - speed)
        me, leader = me + 0.01 * speed, leader + 0.01 * 2
        gaps.append(leader - me)
    settled = CHASE_FAR_LENGTHS * (0.5 - LEAST_TARGET_PACE) / (1 - LEAST_TARGET_PACE)
    assert min(gaps) > 0 and gaps[-1] == pytest.approx(settled, rel=0.05)


def test_sigma_is_the_books_in_a_school_and_of_use_elsewhere():
    distance, length = np.linspace(0.0, 5.0, 26), np.full(26, 0.5)
    assert np.allclose(sigma_for("school", distance, length), np.pi / 5)
    for name in ("mate", "leave"):
        sigma = sigma_for(name, distance, length)
        assert np.ptp(sigma) == 0 and 0 < sigma[0] < np.pi / 2


def test_sigma_for_food_is_large_far_away_and_small_near():
    length = np.full(60, 0.5)
    distance = np.linspace(0.0, 2 * CHASE_FAR_LENGTHS * 0.5, 60)
    sigma = sigma_for("eat", distance, length)
    assert np.allclose(sigma[distance <= CHASE_NEAR_LENGTHS * 0.5], EAT_NEAR_SIGMA) and np.allclose(
        sigma[distance >= CHASE_FAR_LENGTHS * 0.5], EAT_FAR_SIGMA
    )
    between = (distance > CHASE_NEAR_LENGTHS * 0.5) & (distance < CHASE_FAR_LENGTHS * 0.5)
    assert (np.diff(sigma[between]) > 0).all() and EAT_NEAR_SIGMA < EAT_FAR_SIGMA < np.pi / 2
    assert np.allclose(sigma_for("eat", 3 * distance, 3 * length), sigma)


def test_sigma_takes_names_rows_and_a_row_for_each_fish():
    distance, length = np.array((0.1, 0.4, 0.9, 2.0)), np.full(4, 0.3)
    names = ("eat", "school", "mate", "leave")
    rows = [Recording.INTENTIONS.index(name) for name in names]
    mixed = sigma_for(np.array(rows, dtype=np.int8), distance, length)
    for i, (name, row) in enumerate(zip(names, rows, strict=True)):
        assert np.array_equal(sigma_for(name, distance, length), sigma_for(row, distance, length))
        assert mixed[i] == sigma_for(name, distance, length)[i]


@pytest.mark.parametrize("intention", ["wander", "escape", 0, np.array((2, 6)), "play"])
def test_what_has_no_target_has_no_sigma(intention):
    with pytest.raises(ValueError):
        sigma_for(intention, np.ones(2), np.ones(2))
