"""Struggling: what a fish does that hangs on a hook (Tu 1999, §10.1; the numbers are ours).

It swims with all its might and throws itself from one side to the other, now down, now up.
"""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.state import Stateful
from ...motor.commands import Commands

BOUT = 0.2, 0.4  # seconds from one wrench to the next
WRENCH = np.radians((120.0, 180.0))  # how far it turns in a bout
STEEP = 0.2  # share of the heading that is level, below which a fish bends no farther
DIVE = -0.8, 0.3  # rad above the horizontal, where it tries to go


class Struggle(Stateful):
    """Swims for whoever is on a hook."""

    _STATE = "_side", "_left", "_dive"

    def __init__(self, dice: Dice):
        """Begins with nobody caught.

        Args:
            dice: A stream for each fish.
        """
        fishes = len(dice.keys)
        self.dice = dice
        self._side = np.ones(fishes)  # of the present wrench, left positive
        self._left = np.zeros(fishes)  # seconds left of it
        self._dive = np.zeros(fishes)

    def command(self, commands: Commands, fishes: np.ndarray, ahead: np.ndarray, dt: float) -> None:
        """Overrides what these fishes would do in the next `dt` seconds.

        Args:
            commands: Of all fishes, changed in place.
            fishes: Rows of those that struggle, (n,).
            ahead: Headings of all fishes, (fish, 3).
            dt: Seconds.
        """
        self._left[fishes] -= dt
        anew = fishes[self._left[fishes] <= 0]
        self._side[anew] *= -1.0
        self._left[anew] = self.dice.uniform(anew, *BOUT)
        self._dive[anew] = self.dice.uniform(anew, *DIVE)
        commands.swim[fishes], commands.turn[fishes], commands.climb[fishes] = 1.0, 0.0, self._dive[fishes]
        commands.brake[fishes], commands.back[fishes] = False, 0.0
        # A turn is one of azimuth, which is the less of a bend the steeper a fish hangs.
        level = np.maximum(np.hypot(ahead[anew, 0], ahead[anew, 1]), STEEP)
        commands.turn[anew] = self._side[anew] * self.dice.uniform(anew, *WRENCH) / level
