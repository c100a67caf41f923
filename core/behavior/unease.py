"""Unease: fishes that would rather be where light or warmth are otherwise."""

from __future__ import annotations

import numpy as np

from .comfort import Comfort
from .intention import AVOID, LEAVE, SCHOOL
from .routines.leave import Leave
from .routines.tuning import AT_HOME_EASE, LEAVING_HURRY


class Unease:
    """The ways of the discontented, and the leisure of those that are content."""

    def __init__(self, comfort: Comfort, leave: Leave):
        """Takes over the contentment of all fishes, and the routine of those that leave."""
        self._comfort, self._leave = comfort, leave

    def away(
        self, fishes: np.ndarray, intention: np.ndarray, place: np.ndarray, azimuth: np.ndarray, elapsed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The fishes that would rather be where light or warmth are otherwise, and their directions.

        A school by habit stays together, but each of its members would leave by itself: they go together.

        Args:
            fishes: Rows of those that take thought, (n,).
            intention: Their intentions, (n,).
            place: Metres, (n, 3).
            azimuth: Azimuths of their headings in radians, (n,).
            elapsed: Seconds since each last took thought, (n,).

        Returns:
            Which of the n, (m,), and unit vectors where these would go, (m, 3).
        """
        free = (intention == LEAVE) | (intention == SCHOOL) | (intention == AVOID)
        rows = np.flatnonzero(free & ~self._comfort.content[fishes])
        if not len(rows):
            return rows, np.zeros((0, 3))
        better = self._comfort.better(fishes[rows], place[rows])
        return rows, self._leave.wish(fishes[rows], better, azimuth[rows], elapsed[rows])

    def unrest(self, fishes: np.ndarray, leaves: np.ndarray) -> np.ndarray:
        """Factor on the pace of these fishes (n,), some of which leave, (n,) bool: slower where it is good, (n,)."""
        at_home = self._comfort.cares[fishes] & self._comfort.content[fishes]
        return np.where(leaves, LEAVING_HURRY, np.where(at_home, AT_HOME_EASE, 1.0))
