"""The trails of smell that a fish follows: two nostrils tell it the side, and time whether it comes nearer.

A nose cannot tell how far off what it smells is. It takes the share by which one nostril smells more than the other
for the side, as sharks do (Gardiner & Atema 2010, by which nostril smells first), and what it smells now against what
it smelled before for up or down, and for whether it gets anywhere.
"""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful, state
from ..habitat.plume import BAIT, BLOOD, FOOD, MATES, Plume
from .swimmers import Swimmers
from .tuning import GAINING_SHARE, GIVING_UP_SECONDS, NOSTRIL_CONTRAST, NOSTRIL_LENGTHS, SNIFF_SECONDS, WANING_SHARE

FOODS, KIN, NOTHING_SOUGHT = 0, 1, -1
"""Aims of a fish that follows a smell: something to eat, a mate, or none."""
EATEN = (FOOD, BAIT), (BLOOD, BAIT)
"""Kinds of smell that lead those to food that pick plankton, and those that hunt."""


class Scent(Stateful):
    """The noses of all fishes, as far as they follow trails.

    Attributes:
        lost: Seconds since each smelled the trail that it is on, infinite where it is on none, (fish,).
        side: Side where it smelled more, from -1, right, to 1, left, (fish,).
        rise: Up, 1, or down, -1: where it looks for more, (fish,).
        quarry: FOODS or KIN: the end of that trail, (fish,) int8.
    """

    lost: np.ndarray = state("f8", "fish", low=0, unit="s", unset=np.inf)
    side: np.ndarray = state("f8", "fish", low=-1, high=1)
    rise: np.ndarray = state("f8", "fish", low=-1, high=1, begin=1)
    quarry: np.ndarray = state("i1", "fish", low=FOODS, high=KIN)
    _due: float = state("f8", low=0, unit="s")  # since they last sniffed
    _strongest: np.ndarray = state("f8", "fish", low=0)  # 1/m³, on this trail
    _crest: np.ndarray = state("f8", "fish", low=0)  # 1/m³, since it last turned up or down

    def __init__(self, plume: Plume, drives: np.ndarray, length: np.ndarray, hunts: np.ndarray, mates: np.ndarray):
        """Begins with nobody on a trail.

        Args:
            plume: All smells.
            drives: (fish,) with the field `scent`, in m³.
            length: Metres, (fish,).
            hunts: Mask of the fishes that hunt others, (fish,) bool.
            mates: Kind of smell of each one's mates, MATES or more, (fish,).
        """
        self.plume = plume
        self._keen, self._sideways = np.array(drives["scent"]), NOSTRIL_LENGTHS * length
        kinds, which = np.unique(mates, return_inverse=True)
        self._cares = np.zeros((2 + len(kinds), 2 + int(mates.max(initial=MATES))), dtype=bool)
        for row, those in enumerate((*EATEN, *kinds)):
            self._cares[row, those] = True
        self._row = np.stack((np.array(hunts, dtype=int), 2 + which))
        self._fill(fish=len(length))

    def due(self, dt: float) -> bool:
        """True if they are to sniff again, where `dt` seconds have passed since this was last asked."""
        self._due += dt
        return self._due >= SNIFF_SECONDS - 1e-9

    def sniff(self, fishes: np.ndarray, seeks: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Has fishes smell what drifts by.

        Args:
            fishes: Rows of fishes that follow smells, (n,).
            seeks: What they would follow a trail of, FOODS or KIN; those with NOTHING_SOUGHT forget theirs, (n,).
            swimmers: All fishes.

        Returns:
            Rows of those that smell more than ever on this trail, (m,).
        """
        elapsed, self._due = self._due, 0.0
        keen = seeks != NOTHING_SOUGHT
        self._forget(fishes[~keen | (seeks != self.quarry[fishes])])
        me = fishes[keen]
        self.quarry[me] = seeks[keen]
        if not len(me):
            return me
        left, right = self._smelled(me, swimmers)
        both = 0.5 * (left + right)
        smells = both * self._keen[me] > 1.0
        self.lost[me] = np.where(smells, 0.0, self.lost[me] + elapsed)
        self._forget(me[self.lost[me] > GIVING_UP_SECONDS])
        me, left, right, both = me[smells], left[smells], right[smells], both[smells]
        self.side[me] = np.clip(0.5 * (left - right) / (NOSTRIL_CONTRAST * both), -1.0, 1.0)
        gains, fades = both > GAINING_SHARE * self._strongest[me], both < WANING_SHARE * self._crest[me]
        self.rise[me] = np.where(fades, -self.rise[me], self.rise[me])
        self._crest[me] = np.where(fades, both, np.maximum(both, self._crest[me]))
        self._strongest[me] = np.maximum(both, self._strongest[me])
        return me[gains]

    def trails(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), that are on a trail, (n,) bool."""
        return np.isfinite(self.lost[fishes])

    def _smelled(self, me: np.ndarray, swimmers: Swimmers) -> tuple[np.ndarray, np.ndarray]:
        """Concentrations in the left and the right nostril of these, of what each cares for, in 1/m³, (n,) both."""
        left, right, cares = np.zeros(len(me)), np.zeros(len(me)), self._row[self.quarry[me], me]
        for row in np.unique(cares).tolist():
            rows = np.flatnonzero(cares == row)
            some = me[rows]
            sideways = self._sideways[some, None] * swimmers.frames[some, :, 1]
            left[rows], right[rows] = self.plume.concentrations(swimmers.nose[some], sideways, self._cares[row])
        return left, right

    def _forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), off their trails."""
        self.lost[fishes], self._strongest[fishes], self._crest[fishes] = np.inf, 0.0, 0.0
