"""Keyed numbers: a number, or one that changes with time, as pairs of seconds and value."""

from __future__ import annotations

import numpy as np

from .elementary import interpolated


def at_time(keys: float | tuple[tuple[float, float], ...], t: float) -> float:
    """A keyed number at `t` seconds: linear between keys, the first before and the last after them."""
    return float(interpolated(t, *np.array(keys, dtype=float).T)) if isinstance(keys, tuple) else float(keys)


def most(keys: float | tuple[tuple[float, float], ...]) -> float:
    """The most that a keyed number comes to."""
    return max(value for _, value in keys) if isinstance(keys, tuple) else float(keys)
