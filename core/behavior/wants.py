"""Keyed hunger, libido and fear: of many wants at once, those in force at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..scene.direction import Want
from .mood import MOOD_NAMES


class Wants:
    """The wants of a scene."""

    def __init__(self, wants: Sequence[Want], rows: Callable[[int, int | None], np.ndarray]):
        """Takes wants, and the index of a group's fishes, or of one of them."""
        self._whom = [rows(want.fishes, want.member) for want in wants]
        self._which = [MOOD_NAMES.index(want.want) for want in wants]
        self._begins = np.array([want.begins for want in wants])
        self._until = np.array([np.inf if want.until is None else want.until for want in wants])
        slots: dict[tuple[int, int | None, str], int] = {}
        self._slots = np.array([slots.setdefault((one.fishes, one.member, one.want), len(slots)) for one in wants])
        keys = [want.keys if isinstance(want.keys, tuple) else ((0.0, want.keys),) for want in wants]
        self._counts = np.array([len(pairs) for pairs in keys], dtype=int)
        self._owners = np.repeat(np.arange(len(keys)), self._counts)
        self._firsts = np.cumsum(self._counts) - self._counts
        self._knots, self._values = np.array([pair for pairs in keys for pair in pairs], dtype=float).reshape(-1, 2).T

    def __len__(self) -> int:
        return len(self._whom)

    def moods(self, t: float, keyed: np.ndarray) -> None:
        """Sets what keys say at `t` seconds, NaN where they say nothing, (fish, 3); the last of several has its way."""
        keyed[:] = np.nan
        valid = np.flatnonzero((self._begins <= t) & (t < self._until))
        if not len(valid):
            return
        _, last = np.unique(self._slots[valid][::-1], return_index=True)
        for row, value in zip(*self._at_time(np.sort(valid[::-1][last]), t), strict=True):
            keyed[self._whom[row], self._which[row]] = value

    def _at_time(self, rows: np.ndarray, t: float) -> tuple[list[int], list[float]]:
        """Rows of wants, (n,), and their values at `t` seconds: `ways.at_time` of them all."""
        counts, first = self._counts[rows], self._firsts[rows]
        passed = np.bincount(self._owners[self._knots <= t], minlength=len(self))[rows]
        after = np.minimum(np.maximum(passed, 1), counts - 1)
        before = first + (after - 1) % counts
        after, last = first + after, first + counts - 1
        step = np.maximum(self._knots[after] - self._knots[before], 1e-300)
        share = np.minimum(np.maximum((t - self._knots[before]) / step, 0.0), 1.0)
        found = self._values[before] + share * (self._values[after] - self._values[before])
        return rows.tolist(), np.where(t >= self._knots[last], self._values[last], found).tolist()
