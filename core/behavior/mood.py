"""Feelings of fishes beyond those from their bodies and eyes: set by a person, or keyed."""

from __future__ import annotations

import numpy as np

from ..base.elementary import exp
from ..base.state import Stateful, state
from .tuning import FAINT_MOOD, MOOD_FADING_SECONDS, STARTLING_SECONDS

HUNGER, LIBIDO, FEAR = range(3)
MOOD_NAMES = ("hunger", "libido", "fear")


class Mood(Stateful):
    """Moods of all fishes.

    Attributes:
        offset: Addition to hunger, libido and fear; it fades, (fish, 3).
        keyed: Keyed values, NaN where there are none, (fish, 3).
        threat: Place of the danger that frightened each, in metres, NaN without, (fish, 3).
    """

    offset: np.ndarray = state("f8", "fish", 3)
    keyed: np.ndarray = state("f8", "fish", 3, unset=np.nan)
    threat: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)

    def __init__(self, fishes: int):
        """Begins with nothing beside nature."""
        self._fill(fish=fishes)

    def felt(self, which: int, value: np.ndarray) -> np.ndarray:
        """Hunger, libido or fear as it is felt, 0 to 1, of what it is by nature, (fish,)."""
        offset, keyed = self.offset[:, which], self.keyed[:, which]
        if offset.any():
            value = np.clip(value + offset, 0.0, 1.0)
        known = ~np.isnan(keyed)
        return np.where(known, keyed, value) if known.any() else value

    @property
    def fright(self) -> np.ndarray:
        """Fear of what no eye sees, 0 to 1, (fish,)."""
        keyed = self.keyed[:, FEAR]
        return np.clip(np.where(np.isnan(keyed), self.offset[:, FEAR], keyed), 0.0, 1.0)

    def take_over(self, dt: float, fishes: np.ndarray, place: np.ndarray, fright: np.ndarray) -> None:
        """Lets fright grow, for `dt` seconds, towards what schoolmates give, whose start is what these flee from.

        Args:
            dt: Seconds.
            fishes: Rows of the frightened fishes, (n,).
            place: Places of the mates that frighten them, in metres, (n, 3).
            fright: Strength of the fright, (n,).
        """
        offset = self.offset[fishes, FEAR]
        self.offset[fishes, FEAR] = offset + (1 - exp(-dt / STARTLING_SECONDS)) * (fright - offset)
        fresh = np.isnan(self.threat[fishes, 0])
        self.threat[fishes[fresh]] = place[fresh]

    def startle(self, fishes: np.ndarray, place: np.ndarray) -> None:
        """Frightens fishes (n,) as much as may be, by what has hit them at places (n, 3) in metres."""
        self.offset[fishes, FEAR], self.threat[fishes] = 1.0, place

    def advance(self, dt: float) -> None:
        """Lets moods fade for `dt` seconds."""
        if not self.offset.any():
            return
        self.offset *= exp(-dt / MOOD_FADING_SECONDS)
        self.offset[np.abs(self.offset) < FAINT_MOOD] = 0.0
        self.threat[self.offset[:, FEAR] == 0.0] = np.nan
