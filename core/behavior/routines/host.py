"""Hosts: anemones in which some fishes live, feed about, and hide from what they fear (ours).

An anemonefish seldom strays more than some of its lengths from its anemone, whose stings nothing follows it through
(Fautin & Allen 1992, Anemone Fishes and Their Host Sea Anemones).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.vectors import norm, unit
from ...perception.focuser import NO_FOOD, Focus
from ...perception.swimmers import Swimmers
from ...scene.inventory import Seaweed
from ..intention import ESCAPE
from ..plan import Plan
from .tuning import HOST_DEPTH_SHARE

NO_HOST = -1


class Hosts:
    """The anemones of a scene, and who lives in which.

    Attributes:
        of: Row of the anemone of each fish, NO_HOST without, (fish,).
        place: Where each fish's is, among its tentacles, in metres, NaN without, (fish, 3).
        tenants: Rows of the fishes that live in one, (n,).
        range: Metres that each strays from it, infinite without, (fish,).
    """

    def __init__(self, clusters: Sequence[Seaweed], stray: np.ndarray, home: np.ndarray, length: np.ndarray):
        """Has every fish that lives in one live in the nearest.

        Args:
            clusters: Seaweed and anemones.
            stray: Lengths that each strays from its anemone, 0 for those that live in none, (fish,).
            home: Place where each begins in metres, (fish, 3).
            length: Metres, (fish,).
        """
        anemones = [cluster for cluster in clusters if cluster.form == "tentacles"]
        lives = (stray > 0.0) & bool(anemones)
        self.of, self.place = np.full(len(length), NO_HOST), np.full((len(length), 3), np.nan)
        self.range = np.where(lives, stray * length, np.inf)
        self._radius, self.tenants = np.zeros(len(length)), np.flatnonzero(lives)
        if not lives.any():
            return
        middles = np.array([(*one.at[:2], one.at[2] + HOST_DEPTH_SHARE * one.height) for one in anemones])
        self.of[lives] = norm(home[lives][:, None] - middles).argmin(axis=1)
        self.place[lives] = middles[self.of[lives]]
        self._radius[lives] = np.array([one.spread for one in anemones])[self.of[lives]]

    def within(self, place: np.ndarray) -> np.ndarray:
        """Mask of the fishes with places in metres, (fish, 3), that are among the tentacles of theirs, (fish,) bool."""
        return norm(place - self.place) < self._radius  # False where it has none

    def stay_about(self, fishes: np.ndarray, focus: Focus, morsels: np.ndarray) -> None:
        """Has those of these, (n,), that live in one leave food, of morsels at places (m, 3), that is too far off."""
        tenants = fishes[(self.of[fishes] != NO_HOST) & (focus.food[fishes] != NO_FOOD)]
        far = tenants[self.out_of_reach(tenants, morsels[focus.food[tenants]])]
        focus.food[far], focus.food_distance[far] = NO_FOOD, np.inf

    def out_of_reach(self, fishes: np.ndarray, food: np.ndarray) -> np.ndarray:
        """Mask of these fishes, (n,), whose food at a place in metres, (n, 3), is farther off than they stray, (n,)."""
        return norm(food - self.place[fishes]) > self.range[fishes]

    def retreat(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has those of these fishes, (n,), that flee make for their anemone, and stay in it."""
        rows = np.flatnonzero((plan.intention == ESCAPE) & (self.of[fishes] != NO_HOST))
        if not len(rows):
            return
        me = fishes[rows]
        plan.wish[rows] = unit(self.place[me] - swimmers.middle[me])
        there = rows[self.within(swimmers.middle)[me]]
        plan.hold[there], plan.pace[there], plan.cstart[there] = True, 0.0, 0.0
