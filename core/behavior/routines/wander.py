"""Wandering about: at a pace of its own and, now and then, on another course (Tu 1999, §7.8).

Rests, and bursts with coasting in between, are ours: in the book a fish goes on and on.
"""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.elementary import exp
from ...base.state import Stateful, state
from ...base.vectors import norm, vector
from ..waters import Waters
from .hug import Hugging
from .sleep import Sleep
from .tuning import (
    HOMESICKNESS,
    LEAST_SLOPE,
    LEAST_TACK,
    MEANDER_SECONDS,
    REST_MEANDER,
    SCHOOLS_SLOPE,
    SHARP_TURN_ANGLES,
    SLOPE_KEPT,
    WHIM_SPREAD,
)
from .walls import WallFollowing


class Wander(Stateful):
    """The wandering of each fish, as if it were alone in open water.

    Attributes:
        course: Azimuth that it keeps to in radians, (fish,).
        slope: Angle of its path above the horizontal in radians, (fish,).
        pace: Share of full speed, (fish,).
        rests: Whether it would hover for a while, (fish,) bool.
        coasts: Whether it coasts between two bursts, (fish,) bool.
    """

    course: np.ndarray = state("f8", "fish", unit="rad")
    slope: np.ndarray = state("f8", "fish", unit="rad")
    pace: np.ndarray = state("f8", "fish")
    rests: np.ndarray = state("?", "fish")
    coasts: np.ndarray = state("?", "fish")
    _drift: np.ndarray = state("f8", "fish", unit="rad/s")  # of its course
    _left: np.ndarray = state("f8", "fish", unit="s")  # that it still keeps to its course
    _side: np.ndarray = state("f8", "fish")  # to which a leader turns next, left positive
    _home: np.ndarray = state("f8", "fish", 3, unit="m")
    _stroke: np.ndarray = state("f8", "fish", unit="s")  # left of its burst, or of its coasting

    def __init__(self, traits: np.ndarray, home: np.ndarray, length: np.ndarray, dice: Dice, leads: np.ndarray):
        """Begins without a course; each fish takes one with its first thought.

        Args:
            traits: Temperament of each fish, (fish,) with the fields of `species.Temperament`.
            home: Place where each fish began in metres, (fish, 3).
            length: Metres, (fish,).
            dice: A stream for each fish.
            leads: Fishes that lead others and therefore zigzag, (fish,) bool.
        """
        self._fill(fish=len(traits))
        self._traits, self._length, self._dice, self._leads = traits, length, dice, leads
        self._hugging: Hugging | None = None
        self._walls: WallFollowing | None = None
        self._sleep: Sleep | None = None
        self._home[:], self._side[:] = home, np.where(dice.keys & np.uint64(1), 1.0, -1.0)
        self._range = np.where(traits["roam"] > 0, traits["roam"] * length, np.inf)
        self.pace[:], self.coasts[:] = traits["cruise"], traits["coast"] > 0.0  # a burst comes first

    def wish(
        self,
        fishes: np.ndarray,
        place: np.ndarray,
        azimuth: np.ndarray,
        elapsed: np.ndarray,
        schools: np.ndarray | bool = False,
    ) -> np.ndarray:
        """The wishes of these fishes.

        Args:
            fishes: Rows of the fishes that take thought, (n,).
            place: Metres, (n, 3).
            azimuth: Azimuths of their headings in radians, (n,).
            elapsed: Seconds since each last took thought, (n,).
            schools: Fishes in company, which neither turn sharply nor climb much by themselves, (n,) bool.

        Returns:
            A vector of about unit length, longer the farther it has strayed from home, (n, 3).
        """
        self._left[fishes] -= elapsed
        weary = self._left[fishes] <= 0
        if weary.any():
            self._turn_over(fishes[weary], azimuth[weary], np.broadcast_to(schools, weary.shape)[weary])
        self._meander(fishes, elapsed)
        slope = np.where(schools, SCHOOLS_SLOPE, 1.0) * self.slope[fishes]
        drawn = self._homesickness(fishes, place)
        if self._hugging is not None:
            drawn += self._hugging.pull(fishes, place)
        wish = vector(self.course[fishes], slope) + drawn
        return wish if self._sleep is None else self._sleep.wish(fishes, place, wish)

    def along_walls(self, fishes: np.ndarray, place: np.ndarray, wish: np.ndarray, free: np.ndarray) -> np.ndarray:
        """The wishes of these fishes, (n, 3), bent along the walls that they like to follow.

        Args:
            fishes: Their rows, (n,).
            place: Metres, (n, 3).
            wish: Where their whims and their company lead them, (n, 3).
            free: Mask of those that may follow their likes, (n,) bool; who sleeps does not either.
        """
        if self._walls is None:
            return wish
        return self._walls.along(fishes, place, wish, free & ~self.asleep(fishes))

    def _meander(self, fishes: np.ndarray, elapsed: np.ndarray) -> None:
        """Has the courses of these fishes, (n,), drift to and fro for so many seconds, (n,): a slow random walk."""
        wide = np.where(self.rests[fishes], REST_MEANDER, 1.0) * self._traits["meander"][fishes]
        kept = exp(-elapsed / MEANDER_SECONDS)
        thrown = wide * np.sqrt(3.0) * self._dice.uniform(fishes, -1.0, 1.0)
        self._drift[fishes] = kept * self._drift[fishes] + np.sqrt(1.0 - kept * kept) * thrown
        self.course[fishes] += self._drift[fishes] * elapsed

    def stroke(self, dt: float) -> np.ndarray:
        """Factor on the pace of each fish in the next `dt` seconds, for bursts and coasting, (fish,)."""
        coast = self._traits["coast"]
        self._stroke -= dt
        due = np.flatnonzero((self._stroke <= 0.0) & (coast > 0.0))
        if len(due):
            self.coasts[due] = ~self.coasts[due]
            share = np.where(self.coasts[due], coast[due], 1.0 - coast[due])
            spread = self._dice.uniform(due, *WHIM_SPREAD)
            self._stroke[due] = share * self._traits["coast_time"][due] * spread
        self._stroke = np.maximum(self._stroke, 0.0)
        return np.where(self.coasts, 0.0, 1.0 / (1.0 - coast))

    def vary(self, fishes: np.ndarray, share: np.ndarray) -> None:
        """Has these fishes, (n,), go at another of their paces, from 0, the slowest, to 1, the fastest, (n,)."""
        cruise, variation = self._traits["cruise"][fishes], self._traits["variation"][fishes]
        self.pace[fishes] = np.minimum(cruise * (1 + variation * (2.0 * share - 1.0)), 1.0)

    def follow(self, fishes: np.ndarray, azimuth: np.ndarray, slope: np.ndarray) -> None:
        """Makes what these fishes had to do their course, so that they do not turn back into trouble."""
        self.course[fishes] = azimuth
        self.slope[fishes] = np.clip(slope, -self._traits["climb"][fishes], self._traits["climb"][fishes])

    def settle(self, fishes: np.ndarray, place: np.ndarray) -> None:
        """Makes these places (n, 3) in metres the home of these fishes (n,)."""
        self._home[fishes] = place

    def asleep(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), whose time it is to sleep, (n,) bool."""
        return np.zeros(len(fishes), dtype=bool) if self._sleep is None else self._sleep.asleep[fishes]

    def resting(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), at places (n, 3) in metres, that hover for a whim or in bed, (n,) bool."""
        rests = self.rests[fishes]
        if self._sleep is None:
            return rests
        return np.where(self.asleep(fishes), self._sleep.rests(fishes, place), rests)

    def live_in(self, waters: Waters) -> None:
        """Has fishes keep to where they like to be: their anemone, or what stands in these waters."""
        hosts, length = waters.hosts, self._length
        self.settle(hosts.tenants, hosts.place[hosts.tenants])
        self._range[hosts.tenants] = hosts.range[hosts.tenants]
        self._sleep = waters.sleep if waters.sleep.anybody else None
        self._walls = WallFollowing(self._traits, length, waters.tank, waters.obstacles)
        self._hugging = Hugging(self._traits["hug"], length, waters.tank, waters.obstacles)

    def _turn_over(self, fishes: np.ndarray, azimuth: np.ndarray, schools: np.ndarray) -> None:
        """Another course, slope and pace for these fishes."""
        whim, turn, cruise, variation = (self._traits[name][fishes] for name in ("whim", "turn", "cruise", "variation"))
        throw = self._dice.uniform
        self._left[fishes] = whim * throw(fishes, *WHIM_SPREAD)
        thrown = throw(fishes, -1.0, 1.0)
        tack = self._side[fishes] * (LEAST_TACK + (1 - LEAST_TACK) * np.abs(thrown))
        change = turn * np.where(self._leads[fishes], tack, thrown)
        likes = np.flatnonzero((self._traits["sharp"][fishes] > 0.0) & ~self._leads[fishes] & ~schools)
        sharp = likes[throw(fishes[likes]) < self._traits["sharp"][fishes[likes]]]
        least, most = SHARP_TURN_ANGLES
        change[sharp] = np.sign(thrown[sharp]) * (least + (most - least) * np.abs(thrown[sharp]))
        self.course[fishes] = azimuth + change
        self._side[fishes] *= -1.0
        levels = fishes[throw(fishes) >= SLOPE_KEPT]
        thrown = throw(levels, -1.0, 1.0)
        steep = LEAST_SLOPE + (1.0 - LEAST_SLOPE) * np.abs(thrown)
        self.slope[levels] = self._traits["climb"][levels] * np.sign(thrown) * steep
        self.pace[fishes] = np.minimum(cruise * (1 + variation * throw(fishes, -1.0, 1.0)), 1.0)
        pausing = fishes[self._traits["rest"][fishes] > 0.0]
        self.rests[pausing] = throw(pausing) < self._traits["rest"][pausing]
        rest = pausing[self.rests[pausing]]
        self._left[rest] = self._traits["rest_time"][rest] * throw(rest, *WHIM_SPREAD)

    def _homesickness(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Nothing within the range; from there on a pull homewards that soon outweighs the course, (n, 3)."""
        back = self._home[fishes] - place
        away = norm(back)
        pull = np.clip(HOMESICKNESS * (away / self._range[fishes] - 1), 0.0, HOMESICKNESS)
        return (pull / np.maximum(away, 1e-9))[:, None] * back
