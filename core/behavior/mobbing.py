"""Mobbing: fishes that follow and face a predator that they have seen and need not flee from (ours).

On reefs many gather about a moray that is abroad, face it, and follow it until it is gone (Motta 1983); in time each
has enough of it.
"""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful, state
from ..base.vectors import norm, unit
from ..perception.sightings import Sighting
from ..perception.swimmers import NO_FISH, Swimmers
from .plan import Plan
from .routines.moves import Moves
from .routines.travel import slowed
from .tuning import (
    MOBBED_MENACE,
    MOBBING_BACK,
    MOBBING_CLOSE,
    MOBBING_GAP,
    MOBBING_LENGTHS,
    MOBBING_PACE,
    MOBBING_REACH,
    MOBBING_REST_SECONDS,
)


class Mobbing(Stateful):
    """The predators that fishes mob.

    Attributes:
        foe: Row of the one that each mobs, NO_FISH without, (fish,).
        zeal: Readiness of each to go on, 1 fresh to 0 when it has enough, (fish,).
        anybody: True if anybody ever mobs.
    """

    foe: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    zeal: np.ndarray = state("f8", "fish", low=0, high=1, begin=1)

    def __init__(self, mobs: np.ndarray, drives: np.ndarray, length: np.ndarray):
        """Begins with nobody mobbing.

        Args:
            mobs: Mask of those that may, (fish,) bool.
            drives: (fish,) with the fields mobbing, menace, D0, f0 and book_metres.
            length: Metres, (fish,).
        """
        self._seconds = np.where(mobs, drives["mobbing"], 0.0)
        self._menace, self._length = drives["menace"], length
        self._slow = self._menace < MOBBED_MENACE
        self._alarming = drives["D0"] * drives["book_metres"] / drives["f0"]
        self.anybody = bool((self._seconds > 0.0).any() and self._slow.any())
        self._fill(fish=len(length))

    def notice(self, fishes: np.ndarray, sighting: Sighting, swimmers: Swimmers, elapsed: np.ndarray) -> None:
        """Chooses the predator that each of these fishes mobs: the nearest of little menace that it sees.

        Args:
            fishes: Their rows, (n,).
            sighting: The predators that they see.
            swimmers: All fishes.
            elapsed: Seconds since each last took thought, (n,).
        """
        gap = norm(swimmers.middle[sighting.fish] - swimmers.middle[fishes][:, None])
        gap = np.where(sighting.seen & self._slow[sighting.fish], gap, np.inf)
        nearest = np.arange(len(fishes)), gap.argmin(axis=1)
        foe, least, mobbed = sighting.fish[nearest], gap[nearest], self.foe[fishes]
        reach = self._keeps(fishes, foe) + MOBBING_LENGTHS * self._length[fishes]
        seconds, zeal = self._seconds[fishes], self.zeal[fishes]
        goes = (seconds > 0.0) & (least < np.where(mobbed == NO_FISH, 1.0, MOBBING_REACH) * reach)
        goes &= np.where(mobbed == NO_FISH, zeal >= 1.0, zeal > 0.0)
        spent = np.where(goes, -1.0 / np.maximum(seconds, 1e-9), 1.0 / MOBBING_REST_SECONDS)
        self.zeal[fishes] = np.clip(zeal + elapsed * spent, 0.0, 1.0)
        self.foe[fishes] = np.where(goes, foe, NO_FISH)

    def act(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has those of these fishes, (n,), that are at ease follow whom they mob, and face it at a safe distance."""
        if not self.anybody:
            return
        rows = np.flatnonzero(plan.at_ease & ~plan.pressing & (self.foe[fishes] != NO_FISH))
        me, foe = fishes[rows], self.foe[fishes[rows]]
        way, keeps = swimmers.middle[foe] - swimmers.middle[me], self._keeps(me, foe)
        gap = norm(way)
        far = np.maximum(gap - keeps, 0.0)
        near = gap < keeps
        pace = np.where(near, 0.0, np.minimum(slowed(far, self._length[me]), MOBBING_PACE))
        back = np.where(gap < MOBBING_CLOSE * keeps, MOBBING_BACK, 0.0)
        plan.follow(rows, Moves(unit(way), pace, near & (back == 0.0), back))

    def _keeps(self, fishes: np.ndarray, foe: np.ndarray) -> np.ndarray:
        """Distances in metres that these fishes, (n,), keep from predators, (n,): from nearer each would flee, (n,)."""
        return MOBBING_GAP * self._menace[foe] * self._alarming[fishes]
