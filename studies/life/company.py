"""What schools do, measured from places and headings: order, milling, parties, and how news passes through."""

from __future__ import annotations

import numpy as np

from ..schools import groups

POLAR, MILLING, SWARMING = 0.65, 0.65, 0.35
"""Order from which a school is polar, or mills, and below which in both it swarms (Tunstrom et al. 2013)."""


def order(headings: np.ndarray) -> np.ndarray:
    """How much all head one way, 0 to 1, (frames,), of unit vectors (frames, fish, 2 or 3); NaN is not counted."""
    return np.linalg.norm(np.nanmean(headings, axis=1), axis=-1)


def milling(places: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """How much all go round their middle one way, 0 to 1, (frames,), on the level, of (frames, fish, 2 or 3)."""
    out = places[..., :2] - np.nanmean(places[..., :2], axis=1, keepdims=True)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-12)
    return np.abs(np.nanmean(out[..., 0] * headings[..., 1] - out[..., 1] * headings[..., 0], axis=1))


def states(polar: np.ndarray, mill: np.ndarray) -> dict[str, float]:
    """Shares of time that a school is polar, mills, swarms, or is between these states, of its orders (frames,)."""
    shares = {
        "polar": float(((polar > POLAR) & (mill < SWARMING)).mean()),
        "mill": float(((mill > MILLING) & (polar < SWARMING)).mean()),
        "swarm": float(((polar < SWARMING) & (mill < SWARMING)).mean()),
    }
    return {**shares, "between": 1.0 - sum(shares.values())}


def largest_party(place: np.ndarray, length: np.ndarray) -> float:
    """Share of the fishes at places (fish, 3), of lengths (fish,), that are in the largest party."""
    return float(np.bincount(groups(place, length)).max() / len(place))


def wave_correlation(delay: np.ndarray, places: np.ndarray) -> float:
    """How far the delay with which fishes take something up grows with their distance from who began.

    Args:
        delay: Frames or seconds until each does, (fish,); NaN for who never does.
        places: Of the fishes as it begins, (fish, 2 or 3).

    Returns:
        The correlation, -1 to 1; NaN with fewer than four fishes beside the first, or where all do it at once.
    """
    took = np.flatnonzero(np.isfinite(delay))
    if len(took) < 5:
        return np.nan
    first = took[delay[took].argmin()]
    others = took[took != first]
    apart = np.linalg.norm(places[others] - places[first], axis=1)
    if np.ptp(delay[others]) == 0 or np.ptp(apart) == 0:
        return np.nan
    return float(np.corrcoef(delay[others], apart)[0, 1])
