"""One random stream per fish, whose numbers depend on no other fish.

A throw is a hash of (seed, purpose, fish, number of the throw), so no generator object is kept for a fish, all
fishes throw in one array operation, and adding a fish changes no other fish's dice. Only whole numbers and one exact
scaling are used, so that the bits are the same on every platform.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ..compiled import changes, compiled, laid, reads, writes
from .state import Stateful, state

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

THROW = compiled(
    "throw",
    keys=reads("u8", "streams"),
    throws=changes("u8", "streams"),
    fishes=reads("i8", "n"),
    ends=reads("f8", 2, "many"),
    found=writes("f8", "n"),
)
SHARES = compiled(
    "shares",
    keys=reads("u8", "streams"),
    fishes=reads("i8", "n"),
    turns=reads("u8", "n"),
    found=writes("f8", "n", "parts"),
)


def _mix(words: np.ndarray) -> np.ndarray:
    """The finaliser of SplitMix64 (Steele, Lea and Flood 2014): every bit in stirs every bit out."""
    words = words + _GOLDEN
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


class Dice(Stateful):
    """A stream of random numbers for each fish.

    Attributes:
        keys: Start of each fish's stream, (fish,) uint64; also a seed for anything else that differs between fishes.
        throws: Number of throws that each fish has made, (fish,) uint64.
    """

    throws: np.ndarray = state("u8", "stream")

    def __init__(self, seed: int, fish: ArrayLike, purpose: int = 0):
        """Begins every stream.

        Args:
            seed: Seed of the world.
            fish: Number of each fish, which does not change when others come or go, (fish,), 0 or more.
            purpose: Streams of different purposes are independent, so that one use of chance disturbs no other.
        """
        self._start = _mix(_mix(np.full(1, seed % 2**64, dtype=np.uint64)) ^ np.uint64(purpose % 2**64))
        self.keys = np.zeros(0, dtype=np.uint64)
        self._fill(stream=0)
        self.extend(fish)

    def extend(self, fish: ArrayLike) -> None:
        """Begins a stream for each of these fishes, (fish,), that has none yet: the rows after the last."""
        words = np.asarray(fish, dtype=np.uint64).reshape(-1)[len(self.keys) :]
        self.keys = np.concatenate((self.keys, _mix(self._start ^ _mix(words))))
        self._lengthen("stream", len(self.keys))

    def bits(self, fishes: np.ndarray) -> np.ndarray:
        """One throw for each of these fishes.

        Args:
            fishes: Rows of distinct fishes, (n,).

        Returns:
            64 random bits each, (n,) uint64.
        """
        thrown = self.throws[fishes]
        self.throws[fishes] = thrown + np.uint64(1)
        return _mix(self.keys[fishes] + thrown * _GOLDEN)

    def shares(self, fishes: np.ndarray, turns: np.ndarray, parts: int) -> np.ndarray:
        """Random numbers of given turns, the same at every call: no stream moves on.

        Args:
            fishes: Rows, (n,).
            turns: Number of the turn of each fish, a whole number, (n,).
            parts: Random numbers for each, 1 to 4.

        Returns:
            Evenly spread over [0, 1), in steps of 2**-16, (n, parts) float64.
        """
        turns, found = turns.astype(np.uint64), np.empty((len(fishes), parts))
        SHARES(keys=self.keys, fishes=laid(fishes, kind=np.int64)[0], turns=turns, found=found)
        return found

    def uniform(self, fishes: np.ndarray, low: ArrayLike = 0.0, high: ArrayLike = 1.0) -> np.ndarray:
        """One throw for each of these fishes, evenly spread over [low, high).

        Args:
            fishes: Rows of distinct fishes, (n,).
            low: Lower end, a number or (n,).
            high: Upper end, a number or (n,).

        Returns:
            (n,) float64.
        """
        own = np.ndim(low) + np.ndim(high) > 0
        ends, found = np.empty((2, len(fishes) if own else 1)), np.empty(len(fishes))
        ends[0], ends[1] = low, high
        THROW(keys=self.keys, throws=self.throws, fishes=laid(fishes, kind=np.int64)[0], ends=ends, found=found)
        return found
