"""To whom of its school a fish attends: attention is short, goes from one to another, and lapses.

Fishes of loose shoals head as one schoolmate does that they happen to watch, for a while, and now and then mind nobody.
What little each turns by itself then passes from one to another; the fewer they are, the more it is as if all had made
up their minds (Jhawar et al. 2020): a large shoal is less in order than a small one, and order comes and goes. In tight
schools each heads as all do that it sees.
"""

from __future__ import annotations

import numpy as np

from ..base.dice import Dice
from ..compiled import laid
from ..perception.tuning import GLANCES
from .tuning import GLANCING_SECONDS, WATCHING_SECONDS


class Attention:
    """Whom each fish watches at a time. What it does so far says nothing about it, so that there is no state."""

    def __init__(self, traits: np.ndarray, dice: Dice):
        """Begins to attend.

        Args:
            traits: Temperament of each fish, (fish,) with the fields of `species.Temperament`.
            dice: A stream for each fish.
        """
        self._attention, self._accord, self._alignment = laid(
            *(traits[name] for name in ("attention", "accord", "alignment"))
        )
        self._dice = dice

    def at(self, t: float, fishes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """To whom these fishes, (n,), attend at a time in seconds.

        Returns:
            At whom of its kind each glances, as shares of all of them from the first to the last, (n, GLANCES); the
            same of whom it watches, of those it sees, below 0 while it minds nobody, (n,); how much it heads as all of
            them do and not as that one, 0 while it minds nobody, (n,); and how much heading alike counts, (n,).
        """
        begins = (self._dice.keys[fishes] >> np.uint64(44)) * 2.0**-20  # of a spell, different for each
        glances = self._dice.shares(fishes, 2 * np.floor(t / GLANCING_SECONDS + begins), GLANCES)
        spell = self._dice.shares(fishes, 2 * np.floor(t / WATCHING_SECONDS + begins) + 1, 2)
        minds = spell[:, 0] < self._attention[fishes]
        heed, accord = np.where(minds, spell[:, 1], -1.0), np.where(minds, self._accord[fishes], 0.0)
        return glances, heed, accord, self._alignment[fishes]
