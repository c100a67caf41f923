"""The turns of minds: they think one after the other, so that no frame carries them all, and at once in alarm.

Every fish glances ahead about eight times a second and thinks where its time has come or something is close ahead. In a
large world each has its own time to glance, so that every frame has its share. In a small one, where it costs about as
much to think for all as for one, they glance together, the sooner if one of them is startled. A startled fish thinks in
the frame in which the start begins, in its turn or not; once it has thought about the cause, it waits for its turn
again.
"""

from __future__ import annotations

import numpy as np

from ..base.dice import Dice
from ..base.state import Stateful, state
from .tuning import EARLY_SECONDS, GLANCE_SECONDS, THINKING_EASE, THOUGHT_SECONDS, TURN_FISHES

CAUSES = 6
"""Number of causes to think at once: something close ahead, a touch, a fright, a foe that alarms, one close by, mates
in alarm."""


class Turns(Stateful):
    """The turns of fishes to think.

    Attributes:
        since: Seconds since each fish last thought, (fish,).
        pause: Seconds from its last thought to its next, (fish,).
        levels: The level of detail of each, (fish,) int8: distant fishes glance and think less often. None if there are
            none.
    """

    _unseen: np.ndarray = state("f8", "fish", unit="s", begin=GLANCE_SECONDS)  # since its last glance
    since: np.ndarray = state("f8", "fish", unit="s", key="_since")
    pause: np.ndarray = state("f8", "fish", unit="s", begin=THOUGHT_SECONDS[1], key="_pause")
    _startled: np.ndarray = state("?", CAUSES, "fish")

    def __init__(self, fishes: int, dice: Dice):
        """Begins with everyone between two thoughts.

        Args:
            fishes: Number of fishes.
            dice: A stream for each.
        """
        everyone = np.arange(fishes)
        self._fill(fish=fishes)
        self.since[:] = dice.uniform(everyone, 0.0, THOUGHT_SECONDS[1])
        self._together = fishes < TURN_FISHES
        phase = dice.uniform(everyone, 0.0, GLANCE_SECONDS)
        if not self._together:
            self._unseen[:] = phase
        self.levels: np.ndarray | None = None

    def thinking(self, dt: float, near: np.ndarray, alarms: np.ndarray, free: np.ndarray) -> np.ndarray:
        """The fishes that think in this frame.

        Args:
            dt: Seconds since the last frame.
            near: Fishes with something close ahead, (fish,) bool.
            alarms: Fishes that other causes startle, (CAUSES - 1, fish) bool.
            free: Fishes that act on their own at present, (fish,) bool.

        Returns:
            Their rows, (n,).
        """
        self.since += dt
        self._unseen += dt
        startled = np.concatenate((near[None], alarms))
        begins = (startled & ~self._startled).any(axis=0) & free
        self._startled = startled
        early = self._together and bool(begins.any())
        ease: float | np.ndarray = 1.0 if self.levels is None else np.array(THINKING_EASE)[self.levels]
        glances = (self._unseen >= ease * GLANCE_SECONDS) | early
        self._unseen[glances] = 0.0
        due = self.since >= ease * self.pause - early * EARLY_SECONDS
        return np.flatnonzero(begins | (glances & (near | due) & free))

    def thought(self, fishes: np.ndarray, pause: np.ndarray) -> None:
        """Notes that these fishes, (n,), have thought, and after how many seconds, (n,), they do again."""
        self.since[fishes], self.pause[fishes] = 0.0, pause
