"""Struggling: what a fish does that hangs on a hook (Tu 1999, §10.1; the numbers are ours).

It swims as hard as it can and throws itself from one side to the other, sometimes down, sometimes up.
"""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.elementary import hypot
from ...base.state import Stateful, state
from ...motor.commands import Commands
from .tuning import LEAST_LEVEL_SHARE, WRENCH_ANGLES, WRENCH_SECONDS, WRENCH_SLOPES


class Struggle(Stateful):
    """Swims for a fish that is on a hook."""

    _side: np.ndarray = state("f8", "fish", begin=1)  # of the present wrench, left positive
    _left: np.ndarray = state("f8", "fish", unit="s")  # left of it
    _dive: np.ndarray = state("f8", "fish")

    def __init__(self, dice: Dice):
        """Begins with nobody caught.

        Args:
            dice: A stream for each fish.
        """
        self.dice = dice
        self._fill(fish=len(dice.keys))

    def command(self, commands: Commands, fishes: np.ndarray, ahead: np.ndarray, dt: float) -> None:
        """Overrides what these fishes would do in the next `dt` seconds.

        Args:
            commands: Commands of all fishes, changed in place.
            fishes: Rows of those that struggle, (n,).
            ahead: Headings of all fishes, (fish, 3).
            dt: Seconds.
        """
        self._left[fishes] -= dt
        again = fishes[self._left[fishes] <= 0]
        self._side[again] *= -1.0
        self._left[again] = self.dice.uniform(again, *WRENCH_SECONDS)
        self._dive[again] = self.dice.uniform(again, *WRENCH_SLOPES)
        commands.swim[fishes], commands.turn[fishes], commands.climb[fishes] = 1.0, 0.0, self._dive[fishes]
        commands.brake[fishes], commands.back[fishes] = False, 0.0
        # A turn is one of azimuth, which is the less of a bend the steeper a fish hangs.
        level = np.maximum(hypot(ahead[again, 0], ahead[again, 1]), LEAST_LEVEL_SHARE)
        commands.turn[again] = self._side[again] * self.dice.uniform(again, *WRENCH_ANGLES) / level
