"""Browsing: attention of fishes to what grows on rock and coral, and their forays for it.

A fish bites a few times, at what grows nearest, and swims on (Bellwood 1995 counts five or six bites a foray).
"""

from __future__ import annotations

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful, state
from .tuning import FORAY_BITES, FORAY_PAUSE_SECONDS, RECOIL_SECONDS


class Browsing(Stateful):
    """Forays of all fishes for what grows.

    Attributes:
        pause: Seconds for which each swims on before its next foray, (fish,).
        recoil: Seconds for which each still backs off what it has bitten at, (fish,).
    """

    pause: np.ndarray = state("f8", "fish", unit="s", low=0)
    recoil: np.ndarray = state("f8", "fish", unit="s", low=0)

    def __init__(self, browse: np.ndarray, dice: Dice, grows: bool):
        """Begins with every fish ready for a foray.

        Args:
            browse: How often each looks for what grows rather than for plankton, 0 to 1, (fish,).
            dice: A stream for each fish.
            grows: Whether there is anything.
        """
        self._browse, self._dice = browse if grows else np.zeros(len(browse)), dice
        self.able = bool((self._browse > 0.0).any())
        self._fill(fish=len(browse))

    def parted(
        self, fishes: np.ndarray, kept: np.ndarray, tuft: np.ndarray, elapsed: np.ndarray, drifts: bool
    ) -> tuple[np.ndarray, np.ndarray]:
        """Parts fishes that look for food by what they look for; those on their way to the next foray are in neither.

        Args:
            fishes: Their rows, (n,).
            kept: True where what each was after is still there, (n,) bool.
            tuft: True where that grows, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
            drifts: Whether there is anything that drifts.

        Returns:
            Rows among the n of those that look for what drifts, and for what grows.
        """
        everyone = np.arange(len(fishes))
        if not self.able:
            return everyone, everyone[:0]
        browse = self._browse[fishes]
        for left in (self.pause, self.recoil):
            left[fishes] = np.maximum(left[fishes] - elapsed, 0.0)
        bites = np.where(kept, tuft, browse >= 1.0)
        doubtful = np.flatnonzero(~kept & (browse > 0.0) & (browse < 1.0))
        bites[doubtful] = (self._dice.uniform(fishes[doubtful]) < browse[doubtful]) | (not drifts)
        ready = (browse == 0.0) | (self.pause[fishes] == 0.0)
        return np.flatnonzero(ready & ~bites), np.flatnonzero(ready & bites)

    def bitten(self, fishes: np.ndarray) -> None:
        """Notes a bite of each of these, (n,), some of which then swim on."""
        self.recoil[fishes] = RECOIL_SECONDS
        last = fishes[self._dice.uniform(fishes) < 1.0 / FORAY_BITES]
        self.pause[last] = self._dice.uniform(last, *FORAY_PAUSE_SECONDS)
