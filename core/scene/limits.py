"""Limits that several parts of a scene share."""

from __future__ import annotations

from math import hypot

from ..base.codec import SceneError, shown

MOST_FISHES = 100_000
FARTHEST = 10_000.0
"""Metres: no place lies farther out."""
LATEST = 36_000.0
"""Seconds: nothing happens later."""


def refuse_zero(key: str, direction: tuple[float, float, float] | None) -> None:
    """Refuses a direction that leads nowhere.

    Raises:
        SceneError: With this key.
    """
    if direction is not None and hypot(*direction) < 1e-9:
        raise SceneError(shown(direction), "a direction, not all zeros", key)
