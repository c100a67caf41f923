"""Wandering about: at a pace of its own and, now and then, on another course (Tu 1999, §7.8)."""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.state import Stateful
from ...base.vectors import norm, vector
from .tuning import HOMESICKNESS, LEAST_TACK, WHIM_SPREAD


class Wander(Stateful):
    """What each fish would do if it were alone in open water.

    Attributes:
        course: Azimuth that it keeps to in radians, (fish,).
        slope: Angle of its path above the horizontal in radians, (fish,).
        pace: Share of full speed, (fish,).
    """

    _STATE = "course", "slope", "pace", "_left", "_side", "_home"

    def __init__(self, traits: np.ndarray, home: np.ndarray, length: np.ndarray, dice: Dice, leads: np.ndarray):
        """Begins without a course; each fish takes one with its first thought.

        Args:
            traits: Temperament of each fish, (fish,) with the fields of `species.Temperament`.
            home: Where each fish began in metres, (fish, 3).
            length: Metres, (fish,).
            dice: A stream for each fish.
            leads: Which lead others and therefore zigzag, (fish,) bool.
        """
        self._traits, self._home, self._dice, self._leads = traits, home, dice, leads
        self._side = np.where(dice.keys & np.uint64(1), 1.0, -1.0)  # to which a leader turns next, left positive
        self._range = np.where(traits["roam"] > 0, traits["roam"] * length, np.inf)
        self._left = np.zeros(len(traits))  # seconds that it still keeps to its course
        self.course = np.zeros(len(traits))
        self.slope = np.zeros(len(traits))
        self.pace = traits["cruise"].copy()

    def wish(self, fishes: np.ndarray, place: np.ndarray, azimuth: np.ndarray, elapsed: np.ndarray) -> np.ndarray:
        """Where these fishes would like to go.

        Args:
            fishes: Rows of the fishes that take thought, (n,).
            place: Metres, (n, 3).
            azimuth: Of their heading in radians, (n,).
            elapsed: Seconds since each last took thought, (n,).

        Returns:
            A vector of about unit length, longer the farther it has strayed from home, (n, 3).
        """
        self._left[fishes] -= elapsed
        weary = self._left[fishes] <= 0
        self._turn_over(fishes[weary], azimuth[weary])
        return vector(self.course[fishes], self.slope[fishes]) + self._homesickness(fishes, place)

    def follow(self, fishes: np.ndarray, azimuth: np.ndarray, slope: np.ndarray) -> None:
        """Makes what these fishes had to do their course, so that they do not turn back into trouble."""
        self.course[fishes] = azimuth
        self.slope[fishes] = np.clip(slope, -self._traits["climb"][fishes], self._traits["climb"][fishes])

    def settle(self, fishes: np.ndarray, place: np.ndarray) -> None:
        """Makes these places (n, 3) in metres the home of these fishes (n,)."""
        self._home[fishes] = place

    def _turn_over(self, fishes: np.ndarray, azimuth: np.ndarray) -> None:
        """Another course, slope and pace for these fishes."""
        whim, turn, climb, cruise, variation = (
            self._traits[name][fishes] for name in ("whim", "turn", "climb", "cruise", "variation")
        )
        throw = self._dice.uniform
        self._left[fishes] = whim * throw(fishes, *WHIM_SPREAD)
        thrown = throw(fishes, -1.0, 1.0)
        tack = self._side[fishes] * (LEAST_TACK + (1 - LEAST_TACK) * np.abs(thrown))
        self.course[fishes] = azimuth + turn * np.where(self._leads[fishes], tack, thrown)
        self._side[fishes] *= -1.0
        self.slope[fishes] = climb * throw(fishes, -1.0, 1.0)
        self.pace[fishes] = np.minimum(cruise * (1 + variation * throw(fishes, -1.0, 1.0)), 1.0)

    def _homesickness(self, fishes: np.ndarray, place: np.ndarray) -> np.ndarray:
        """Nothing within the range; from there on a pull homewards that soon outweighs the course, (n, 3)."""
        back = self._home[fishes] - place
        away = norm(back)
        pull = np.clip(HOMESICKNESS * (away / self._range[fishes] - 1), 0.0, HOMESICKNESS)
        return (pull / np.maximum(away, 1e-9))[:, None] * back
