"""Curves over a trait: straight lines through points, powers, and numbers as short as a person would write them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.elementary import LN2, exp, power
from .tuning import (
    BEAT_BY_LENGTH,
    BURST_BY_LENGTH,
    BURST_DOUBLINGS,
    PACE_DOUBLINGS,
    SIZE_SPAN,
    SMALLEST_METRES,
)

DIGITS = 6
"""Significant digits of a derived number; more than a preset has, and fewer than single precision keeps."""

Points = tuple[tuple[float, float], ...]
"""A curve's points: a trait's value, and what it gives."""


def along(at: float, points: Points) -> float:
    """The value at a place of the straight lines through points; beyond the ends that of the end."""
    if at <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if at == right:
            return high
        if at < right:
            return low + (high - low) * (at - left) / (right - left)
    return points[-1][1]


def within(value: float, low: float, high: float) -> float:
    """A number within bounds."""
    return min(max(value, low), high)


def short(value: Any) -> Any:
    """A number, or nested lists of numbers, of few digits."""
    if isinstance(value, list | tuple) or isinstance(value, np.ndarray) and value.ndim:
        return [short(item) for item in value]
    return float(f"{float(value):.{DIGITS}g}")


def metres(size: float) -> float:
    """Length of a species of this size in metres, of two digits."""
    return float(f"{SMALLEST_METRES * float(power(SIZE_SPAN, size)):.2g}")


def beat(size: float, pace: float) -> float:
    """Tail beats a second of a size and pace, over those of 15 cm at a middle pace."""
    return doubled(PACE_DOUBLINGS * (pace - 0.5)) * float(power(metres(size) / 0.15, BEAT_BY_LENGTH))


def burst(size: float, pace: float) -> float:
    """Beats a second of a burst, over those of 15 cm at a middle pace."""
    return doubled(BURST_DOUBLINGS * (pace - 0.5)) * float(power(metres(size) / 0.15, BURST_BY_LENGTH))


def doubled(times: float) -> float:
    """2 to a power."""
    return float(exp(times * LN2))


def row(points: Sequence[float]) -> Points:
    """Points of a curve from a flat list: place, value, place, value."""
    return tuple(zip(points[::2], points[1::2], strict=True))
