"""Chasing a target, or following a companion (Tu 1999, §7.8.2).

The book's routine picks motor controllers; here it says where to go and how fast, and the antenna and the motor
center do the rest. The distances and times are ours, since the book names none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...base.elementary import arccos, arctan2, interpolated, sin_and_cos
from ...base.vectors import dot, norm, unit
from ...motor.tuning import AWRY_ANGLE, RUN_UP_LENGTHS, TURNING_CIRCLE_LENGTHS
from ...recording import Recording
from .tuning import (
    CHASE_FAR_LENGTHS,
    CHASE_NEAR_LENGTHS,
    EAT_FAR_SIGMA,
    EAT_NEAR_SIGMA,
    FOLLOWING_SECONDS,
    LEAST_TARGET_PACE,
    LEAVE_SIGMA,
    MATE_SIGMA,
    MOST_OVERSHOOT_ANGLE,
    OVERSHOOT,
    SCHOOL_SIGMA,
)

SIGMAS = {"school": SCHOOL_SIGMA, "mate": MATE_SIGMA, "leave": LEAVE_SIGMA}
_CHASE_LENGTHS, _EAT_SIGMAS = np.array([[CHASE_NEAR_LENGTHS, CHASE_FAR_LENGTHS], [EAT_NEAR_SIGMA, EAT_FAR_SIGMA]])
_EAT = Recording.INTENTIONS.index("eat")
_SIGMAS = np.array([SIGMAS.get(name, np.nan) for name in Recording.INTENTIONS])


@dataclass
class Pursuit:
    """The pursuit of targets by some fishes.

    Attributes:
        wish: Unit vector where each would like to go, (n, 3).
        pace: Share of full speed, (n,).
        brake: Whether it closes in too fast on the target that it follows, (n,).
        off: Angle between its heading and the target, seen from above, in radians, (n,).
    """

    wish: np.ndarray
    pace: np.ndarray
    brake: np.ndarray
    off: np.ndarray


def chase(
    offset: np.ndarray,
    motion: np.ndarray,
    ahead: np.ndarray,
    speed: np.ndarray,
    length: np.ndarray,
    sigma: np.ndarray,
    intercept: bool | np.ndarray,
) -> Pursuit:
    """Goes for a target, roughly or closely, and may cut it off; after Tu 1999, figs. 7.5 and 7.6.

    A fish whose target is within sigma of its heading, seen from above, does not steer; it climbs or dives all the
    same. A fish that does not intercept follows: it aims at where the target is and brakes rather than run into it.

    Args:
        offset: Vector from the mouth to the target in metres, (n, 3).
        motion: Velocity of the target through the water in m/s, (n, 3).
        ahead: Heading, (n, 3).
        speed: Own, through the water, in m/s, (n,).
        length: Own, in metres, (n,).
        sigma: Angle to the target within which the fish does not steer, in radians, (n,) or a number.
        intercept: Whether it aims ahead of a target that crosses, (n,) or one for all.
    """
    distance = norm(offset)
    toward = np.where(distance[:, None] > 1e-9, unit(offset), ahead)
    aim = _cut_off(toward, motion, np.maximum(speed, length), intercept)

    course, bearing = unit(ahead[:, :2]), unit(offset[:, :2])
    off = arctan2(np.abs(course[:, 0] * bearing[:, 1] - course[:, 1] * bearing[:, 0]), dot(course, bearing))
    onward = np.concatenate((norm(aim[:, :2])[:, None] * course, aim[:, 2:]), axis=1)
    keeps = (off <= sigma) & course.any(axis=1)  # a fish that stands on its nose has no course to keep

    closing = dot(speed[:, None] * ahead - motion, toward)
    return Pursuit(
        wish=np.where(keeps[:, None], onward, aim),
        pace=LEAST_TARGET_PACE + (1 - LEAST_TARGET_PACE) * np.minimum(distance / (CHASE_FAR_LENGTHS * length), 1.0),
        brake=(closing * FOLLOWING_SECONDS > distance) & ~np.asarray(intercept),
        off=off,
    )


def runs_up(
    passing: np.ndarray,
    offset: np.ndarray,
    ahead: np.ndarray,
    length: np.ndarray,
    begins: np.ndarray | bool = True,
) -> np.ndarray:
    """Mask of fishes that swim past a target too near to turn to, until they have room to turn.

    Args:
        passing: Whether they did so before, (n,) bool.
        offset: Vector from the mouth to the target in metres, (n, 3).
        ahead: Heading, (n, 3).
        length: Own, in metres, (n,).
        begins: Whether they may begin to, (n,) bool or one for all.

    Returns:
        (n,) bool.
    """
    distance = norm(offset)
    awry = arccos(np.clip(dot(unit(offset), ahead), -1.0, 1.0)) > AWRY_ANGLE
    return awry & (
        (passing & (distance < RUN_UP_LENGTHS * length)) | (begins & (distance < TURNING_CIRCLE_LENGTHS * length))
    )


def sigma_for(intention: str | ArrayLike, distance: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The angle between heading and target beyond which the fish steers for it (Tu 1999, §7.8.2).

    Args:
        intention: Intention of the chase, one of `Recording.INTENTIONS`, or its row there, (n,) or a number.
        distance: Distance to the target in metres, (n,).
        length: Metres, (n,).

    Returns:
        Radians, (n,): the same at any distance for school, mate and leave, less near the target for eat.

    Raises:
        ValueError: If the intention has no target.
    """
    rows = np.asarray(Recording.INTENTIONS.index(intention) if isinstance(intention, str) else intention)
    close_up = interpolated(distance / length, _CHASE_LENGTHS, _EAT_SIGMAS)
    sigma = np.where(rows == _EAT, close_up, _SIGMAS[rows])
    if np.isnan(sigma).any():
        raise ValueError(f"only eat, {', '.join(SIGMAS)} have a target, not {intention!r}")
    return sigma


def _cut_off(toward: np.ndarray, motion: np.ndarray, speed: np.ndarray, intercept: bool | np.ndarray) -> np.ndarray:
    """The way to the target turned ahead of it, in proportion to how fast it crosses the line of sight, (n, 3)."""
    across = motion - dot(motion, toward)[:, None] * toward
    angle = np.minimum(OVERSHOOT * norm(across) / speed, MOST_OVERSHOOT_ANGLE) * np.asarray(intercept)
    beside, ahead = sin_and_cos(angle)
    return unit(ahead[:, None] * toward + beside[:, None] * unit(across))
