"""Limits that several parts of a scene share."""

from __future__ import annotations

from itertools import pairwise
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


def refuse_falling(key: str, places: tuple[float, ...], gap: float, unit: str) -> None:
    """Refuses places that do not rise from one to the next by a gap.

    Raises:
        SceneError: With this key.
    """
    if any(after - before < gap - 1e-9 for before, after in pairwise(places)):
        raise SceneError(shown(places), f"places that rise by {gap:g} {unit} or more from one to the next", key)
