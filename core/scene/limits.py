"""Limits that several parts of a scene share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import hypot

from ..base.codec import SceneError, shown

MOST_FISHES = 100_000
MOST_PARTICLES = 1_000_000
"""Most particles of plankton, with all that is dropped."""
FARTHEST = 10_000.0
"""Metres: no place lies farther out."""
LEAST_DIRECTION = 1e-9
"""Length of a vector that still leads somewhere, and of a quaternion that still turns something."""
LATEST = 36_000.0
"""Seconds: nothing happens later."""


def refuse_zero(key: str, direction: tuple[float, float, float] | None) -> None:
    """Refuses a direction that leads nowhere.

    Raises:
        SceneError: With this key.
    """
    if direction is not None and hypot(*direction) < LEAST_DIRECTION:
        raise SceneError(shown(direction), "a direction, not all zeros", key)


def refuse_no_turn(key: str, turn: Sequence[float]) -> None:
    """Refuses a quaternion that is none, or too short or long to be told from none.

    Raises:
        SceneError: With this key.
    """
    if not LEAST_DIRECTION <= hypot(*turn) <= 1.0 / LEAST_DIRECTION:
        raise SceneError(f"a quaternion of length {hypot(*turn):g}", "one of length 1, or near it", key)


def refuse_falling(key: str, places: tuple[float, ...], gap: float, unit: str) -> None:
    """Refuses places that do not rise from one to the next by a gap.

    Raises:
        SceneError: With this key.
    """
    if any(after - before < gap - 1e-9 for before, after in pairwise(places)):
        raise SceneError(shown(places), f"places that rise by {gap:g} {unit} or more from one to the next", key)
