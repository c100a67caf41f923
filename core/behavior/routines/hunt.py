"""Hunting: choosing prey, going for it and cutting it off, and grinding what was caught (Tu 1999, §7.9.1)."""

from __future__ import annotations

import numpy as np

from ...base.dice import Dice
from ...base.elementary import arccos, exp
from ...base.state import Stateful
from ...base.vectors import dot, norm, unit
from ...habitat.hook import Hook
from ...motor.tuning import AWRY_ANGLE
from ...perception.focuser import NO_FOOD, Focus, persist, prey_cost
from ...perception.sightings import Sighting
from ...perception.swimmers import NO_FISH, Swimmers
from ..intention import EAT
from .chase import chase, sigma_for
from .moves import Moves
from .tuning import (
    ABEAM_ANGLE,
    ABEAM_LENGTHS,
    CONFUSING_PREY,
    CONFUSION_RATE,
    GOING_ROUND_SECONDS,
    LEAST_CHASE_PACE,
    SINGLED_OUT_SECONDS,
    STRIKE_ANGLE,
    STRIKE_LENGTHS,
    TEMPTED_LENGTHS,
    THRONG_LENGTHS,
)


class Hunting(Stateful):
    """What predators do about prey.

    Attributes:
        grinding: Seconds for which each is still busy with its last prey, (fish,).
        fixed: Seconds for which each has had its eye on the same prey, (fish,).
        circling: Seconds for which each has gone round its prey, (fish,).
    """

    _STATE = "grinding", "fixed", "circling"
    _KEYS = {"grinding": "_grinding", "fixed": "_fixed", "circling": "_circling"}

    def __init__(self, focus: Focus, species: np.ndarray, drives: np.ndarray, length: np.ndarray, dice: Dice):
        """Begins with nobody hunting.

        Args:
            focus: Whose targets are chosen here.
            species: A number for the species of each fish, (fish,).
            drives: (fish,) with the fields `persistence`, `confusion` and `handling`.
            length: Metres, (fish,).
            dice: A stream for each fish.
        """
        self._focus, self._species, self._drives, self._length, self._dice = focus, species, drives, length, dice
        self.grinding, self.fixed, self.circling = (np.zeros(len(length)) for _ in range(3))

    def choose(
        self, hunters: np.ndarray, prey: Sighting, swimmers: Swimmers, in_school: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Sets the prey that costs each predator least, unless it is devoted to the one it has (§7.7.3, §7.9.1).

        Args:
            hunters: Rows of n predators, (n,).
            prey: What they see.
            swimmers: All fishes.
            in_school: Which fishes are in a school, (fish,) bool.
            elapsed: Seconds since each last looked, (n,).
        """
        self._focus.food_distance[hunters] = prey.distance.min(axis=1, initial=np.inf)
        offset = swimmers.middle[prey.fish] - swimmers.nose[hunters][:, None]
        course = unit(swimmers.ahead[hunters] * (1.0, 1.0, 0.0))[:, None]
        off = arccos(np.clip(dot(unit(offset * (1.0, 1.0, 0.0)), course), -1.0, 1.0))
        visible = np.where(np.isfinite(prey.distance), prey.distance, 1e9)
        cost = prey_cost(visible, in_school[prey.fish], off)
        best = cost.argmin(axis=1)[:, None]
        new, far = (np.take_along_axis(of, best, axis=1)[:, 0] for of in (prey.fish, prey.distance))
        old = self._focus.target[hunters]
        still = np.where(prey.fish == old[:, None], prey.distance, np.inf).min(axis=1)
        devotion = self._drives["persistence"][hunters] * self._length[hunters]
        loyal = persist(still, far, devotion) & np.isfinite(still)
        aim = np.where(loyal, old, np.where(np.isfinite(far), new, NO_FISH))
        aim = self._confound(hunters, aim, prey, swimmers.middle, elapsed)
        self.fixed[hunters] = np.where(aim == old, self.fixed[hunters] + elapsed, 0.0)
        self._focus.target[hunters] = aim

    def tempt(self, hunters: np.ndarray, hook: Hook, bait_row: int, nose: np.ndarray) -> None:
        """Lets predators take bait that is close, and nearer than any prey.

        Args:
            hunters: Rows of n predators, (n,).
            hook: With its bait.
            bait_row: Row of the bait among morsels.
            nose: Of all fishes in metres, (fish, 3).
        """
        focus = self._focus
        focus.food[hunters] = NO_FOOD
        distance = norm(hook.place - nose[hunters])
        close = distance < TEMPTED_LENGTHS * self._length[hunters]
        takes = close & (distance < focus.food_distance[hunters]) & hook.offered
        focus.food[hunters[takes]] = bait_row
        focus.food_distance[hunters] = np.where(takes, distance, focus.food_distance[hunters])

    def moves(self, me: np.ndarray, swimmers: Swimmers, elapsed: np.ndarray) -> Moves:
        """Going for the target and cutting it off (§7.8.2), or turning to it on the spot.

        Prey within the circle that a predator turns in is never reached at full speed.

        Args:
            me: Rows of n predators that have a target, (n,).
            swimmers: All fishes, with velocities through the water.
            elapsed: Seconds since each last took thought, (n,).
        """
        prey, velocity = self._focus.target[me], swimmers.velocity
        offset = swimmers.middle[prey] - swimmers.nose[me]
        length, ahead = self._length[me], swimmers.ahead[me]
        sigma = sigma_for(EAT, norm(offset), length)
        pursuit = chase(offset, velocity[prey], ahead, dot(velocity[me], ahead), length, sigma, True)
        abeam = pursuit.off > np.where(self.circling[me] > GOING_ROUND_SECONDS, AWRY_ANGLE, ABEAM_ANGLE)
        abeam &= norm(offset) < ABEAM_LENGTHS * length
        self.circling[me] = np.where(abeam, self.circling[me] + elapsed, 0.0)
        turns = self.circling[me] > GOING_ROUND_SECONDS
        pace = np.where(turns, 0.0, np.maximum(pursuit.pace, LEAST_CHASE_PACE))
        strikes = ~turns & (pursuit.off < STRIKE_ANGLE) & (norm(offset) < STRIKE_LENGTHS * length) & self.ready()[me]
        pace = np.where(strikes, 2.0, pace)
        return Moves(np.where(turns[:, None], unit(offset), pursuit.wish), pace, turns, np.zeros(len(me)))

    def ready(self) -> np.ndarray:
        """Who may swallow what it is after: it has singled it out, (fish,) bool."""
        return (self._focus.target != NO_FISH) & (self.fixed >= SINGLED_OUT_SECONDS)

    def fed(self, fishes: np.ndarray, hunts: np.ndarray) -> None:
        """Has those of these fishes (n,) that hunt, (n,) bool, grind their prey for a while (§7.9.1)."""
        self.grinding[fishes] = np.where(hunts, self._drives["handling"][fishes], 0.0)

    def _confound(
        self, hunters: np.ndarray, aim: np.ndarray, prey: Sighting, middle: np.ndarray, elapsed: np.ndarray
    ) -> np.ndarray:
        """What each predator then aims at: among many alike it loses the one that it had for another of them.

        After Neill & Cullen (1974), whose predators switched from one to another before they struck at a school, and
        Landeau & Terborgh (1986).

        Args:
            hunters: Rows of n predators, (n,).
            aim: Row of what each means to go for, one of those near, or NO_FISH, (n,).
            prey: What they see.
            middle: Places of all fishes in metres, (fish, 3).
            elapsed: Seconds since each last looked, (n,).

        Returns:
            Rows, (n,).
        """
        near, seen = prey.fish, np.isfinite(prey.distance)
        close = norm(middle[near] - middle[aim][:, None]) < THRONG_LENGTHS * self._length[hunters, None]
        alike = seen & close & (near != aim[:, None]) & (self._species[near] == self._species[aim][:, None])
        alike &= (aim != NO_FISH)[:, None]
        many = np.count_nonzero(alike, axis=1)
        rate = CONFUSION_RATE * self._drives["confusion"][hunters] * many / (many + CONFUSING_PREY)
        loses = self._dice.uniform(hunters) < 1.0 - exp(-rate * elapsed)
        which = np.floor(self._dice.uniform(hunters) * many) + 1
        other = (alike & (np.cumsum(alike, axis=1) == which[:, None])).argmax(axis=1)
        return np.where(loses, np.take_along_axis(near, other[:, None], axis=1)[:, 0], aim)
