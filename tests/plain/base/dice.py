"""Throws of dice, hashed from key and number of the throw."""

from __future__ import annotations

import numpy as np

Array = np.ndarray
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def _mix(words: Array) -> Array:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    words = words + GOLDEN
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def throw(*, keys: Array, throws: Array, fishes: Array, ends: Array, found: Array) -> None:
    """One throw of each fish, evenly spread between ends that are those of all, or of each."""
    thrown = throws[fishes]
    throws[fishes] = thrown + np.uint64(1)
    unit = (_mix(keys[fishes] + thrown * GOLDEN) >> np.uint64(11)) * 2.0**-53
    low, high = ends
    found[:] = low + (high - low) * unit


def shares(*, keys: Array, fishes: Array, turns: Array, found: Array) -> None:
    """Parts of 16 bits each of the throw that belongs to a turn."""
    bits = _mix(_mix(keys[fishes] ^ GOLDEN) + turns * GOLDEN)
    parts = np.arange(found.shape[1], dtype=np.uint64)
    found[:] = ((bits[:, None] >> (np.uint64(16) * parts)) & np.uint64(0xFFFF)) * 2.0**-16
