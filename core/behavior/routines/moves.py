"""The moves that a routine makes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Moves:
    """The moves of n fishes by one routine.

    Attributes:
        wish: Unit vector where each would go, (n, 3).
        pace: Share of full speed, up to 1; the excess over 1 is the share of a burst, so that 2 is the most, (n,).
        hold: Whether it hovers on the spot, (n,) bool.
        back: Speed of a retreat, 0 to 1, (n,).
        cstart: Angle in radians, left positive, by which a startled fish flings itself round, (n,); None for no one.
    """

    wish: np.ndarray
    pace: np.ndarray
    hold: np.ndarray
    back: np.ndarray
    cstart: np.ndarray | None = None

    def of(self, rows: np.ndarray) -> Moves:
        """The moves of some of them, (m,)."""
        cstart = None if self.cstart is None else self.cstart[rows]
        return Moves(self.wish[rows], self.pace[rows], self.hold[rows], self.back[rows], cstart)
