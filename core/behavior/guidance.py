"""Guidance to places, into regions and out of them: where fishes are to go, how much they need to, and how fast."""

from __future__ import annotations

import numpy as np

from ..base.elementary import sin_and_cos
from ..base.vectors import dot, local, norm, unit
from ..scene.direction import Region
from .tuning import (
    BORDER_LENGTHS,
    BORDER_SHARE,
    LED_AT_EASE_PACE,
    LED_DRIFT_PACE,
    LED_HURRY_LENGTHS,
    TURNABLE_COSINE,
    TURNABLE_LENGTHS,
)

Guidance = tuple[np.ndarray, np.ndarray, np.ndarray]
"""The wishes of n fishes, unit vectors, (n, 3), their need to go there, 0 to 1, (n,), and paces, NaN where they are
free, (n,)."""


def approach(offset: np.ndarray, motion: np.ndarray, radius: float, length: np.ndarray, ahead: np.ndarray) -> Guidance:
    """Guidance to a place and for staying there.

    Args:
        offset: Vectors to the place in metres, (n, 3).
        motion: Velocity of the place in m/s, (3,).
        radius: Metres within which a fish is there.
        length: Metres, (n,).
        ahead: Headings, (n, 3).

    Returns:
        Wish, need and pace; see `Guidance`.
    """
    distance = norm(offset)
    beyond = np.maximum(distance - radius, 0.0) / length
    # Half of the way from the middle to the rim already counts for something, or all would end up on the rim.
    need = np.clip(2.0 * distance / radius - 1.0, 0.0, 1.0)
    drift = norm(motion) / length
    pace = np.minimum(
        LED_AT_EASE_PACE + (1.0 - LED_AT_EASE_PACE) * beyond / LED_HURRY_LENGTHS + LED_DRIFT_PACE * drift, 1.0
    )
    off_course = (dot(unit(offset), ahead) < TURNABLE_COSINE) & (distance < radius + TURNABLE_LENGTHS * length)
    return unit(offset), need, np.where(off_course, np.minimum(pace, 2.0 * LED_AT_EASE_PACE), pace)


def keep(region: Region, place: np.ndarray, soon: np.ndarray, length: np.ndarray) -> Guidance:
    """Guidance into a region or out of it; see `Guidance`. It leaves the pace free.

    Args:
        region: The region.
        place: Metres, (n, 3).
        soon: Places that they reach before they have turned, in metres, (n, 3).
        length: Metres, (n,).
    """
    side = 1.0 if region.inside else -1.0
    distance, outward = _border(region, place)
    wrong = side * distance  # above 0 on the wrong side
    after = side * _border(region, soon)[0]
    reach = BORDER_LENGTHS * length
    if region.inside:  # a small region has no room for so wide a border
        half = 0.5 * min(region.size) if region.size is not None else region.radius or 0.0
        reach = np.minimum(reach, BORDER_SHARE * half)
    need = np.clip(1.0 + np.maximum(wrong, np.minimum(after, wrong + reach)) / reach, 0.0, 1.0)
    return -side * outward, need, np.full(len(place), np.nan)


def turned_off(pull: np.ndarray, strength: np.ndarray, wish: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The pull of other entries on fishes (n, 3), turned along a border that it would lead them across, (n, 3).

    Args:
        pull: The pull of other entries, (n, 3).
        strength: Strength of the region for each, (n,).
        wish: The way off its border, (n, 3).
        ahead: Headings, (n, 3).
    """
    across = np.minimum(2.0 * strength, 1.0) * np.minimum(dot(pull, wish), 0.0)
    beside = unit(ahead - dot(ahead, wish)[:, None] * wish)
    return pull - across[:, None] * (wish + beside) + 2.0 * strength[:, None] * wish


def _border(region: Region, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance to a region's border in metres, below 0 inside, (n,), and the way out of it, (n, 3)."""
    arm = place - np.array(region.at)
    if region.size is None:
        away = norm(arm)
        return away - region.radius, np.where(away[:, None] > 1e-9, unit(arm), (0.0, 0.0, 1.0))
    up, along = sin_and_cos(region.turn)
    turned = np.array([[along, -up, 0.0], [up, along, 0.0], [0.0, 0.0, 1.0]])
    own = local(turned, arm)
    off = np.abs(own) - 0.5 * np.array(region.size, dtype=float)
    beyond = np.maximum(off, 0.0)
    outside = norm(beyond)
    rows, nearest = np.arange(len(own)), off.argmax(axis=1)
    inner = np.zeros_like(own)
    inner[rows, nearest] = 1.0
    way = np.where(outside[:, None] > 0.0, beyond, inner) * np.where(own < 0.0, -1.0, 1.0)
    return np.where(outside > 0.0, outside, off[rows, nearest]), local(turned.T, unit(way))
