"""The place where each fish last saw its foe: danger that is out of sight is not out of mind.

The book's prey fears what it sees, and a fish that turns its tail on a predator has it in the blind sector behind.
Fishes remember for a while what they no longer see, as Kuffner and Latombe's characters do, and keep away from there.
"""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful, state
from ..base.vectors import unit


class Recollection(Stateful):
    """Places of danger, one a fish: the last that alarmed it."""

    _place: np.ndarray = state("f8", "fish", 3, unit="m")
    _age: np.ndarray = state("f8", "fish", unit="s", unset=np.inf)

    def __init__(self, span: np.ndarray):
        """Begins with nothing to remember.

        Args:
            span: Seconds until each has forgotten, 0 for those that do so at once, (fish,).
        """
        self._span = np.maximum(span, 1e-9)
        self._fill(fish=len(span))

    def look(
        self, fishes: np.ndarray, sees: np.ndarray, alarmed: np.ndarray, place: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Takes in the fishes' knowledge; one that sees that the danger has gone elsewhere forgets its place.

        Args:
            fishes: Rows of those that look around, (n,).
            sees: Whether each knows where a predator is, (n,) bool.
            alarmed: Whether each is alarmed by it, (n,) bool.
            place: Place of the predator in metres, (n, 3).
            elapsed: Seconds since each last looked, (n,).
        """
        self._age[fishes] = np.where(alarmed, 0.0, np.where(sees, np.inf, self._age[fishes] + elapsed))
        self._place[fishes[alarmed]] = place[alarmed]

    def away(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Away from where danger was, of length 1 just now and 0 once it is forgotten, (n, 3).

        Args:
            fishes: Their rows, (n,).
            place: Theirs in metres, (n, 3).
        """
        fresh = np.maximum(1.0 - self._age[fishes] / self._span[fishes], 0.0)
        return fresh[:, None] * unit(place - self._place[fishes])
