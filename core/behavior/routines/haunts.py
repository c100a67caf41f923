"""Haunts: places that a fish remembers and goes back to: shelters, where food was, its territory.

Each is a routine of an intention that it has anyway: a fleeing fish makes for a shelter, a hungry one that smells
nothing for the place where it last knew of food, and one at ease drives others of its kind from about its home.
"""

from __future__ import annotations

import numpy as np

from ...base.state import Stateful, state
from ...base.vectors import norm, unit
from ...perception.navigation.navigator import LOST, NEVER, Navigator
from ...perception.swimmers import Swimmers
from ..intention import EAT, ESCAPE
from ..mood import Mood
from ..plan import Plan
from .escape import Escaping
from .moves import Moves
from .travel import nearest_known, slowed
from .tuning import (
    CHARGE_LENGTHS,
    CHARGE_PACE,
    FORAGING_PACE,
    INTRUDER_SECONDS,
    NO_REFUGE_SECONDS,
    REFUGE_REACHED_LENGTHS,
    REFUGES_AT_ONCE,
    SHELTERED_SECONDS,
)


class Haunts(Stateful):
    """The shelters, feeding grounds and homes that fishes remember and return to.

    Attributes:
        refuge: The shelter that each makes for in metres, NaN without, (m, 3).
        forages: Mask of the fishes that go back to where they remember food, (fish,) bool.
    """

    refuge: np.ndarray = state("f8", "memory", 3, unit="m", unset=np.nan)
    _sought: np.ndarray = state("f8", "memory", unit="s", begin=NEVER)
    _foe: np.ndarray = state("f8", "memory", 4, unit="m", unset=np.nan)  # where it last knew it, and its length

    def __init__(
        self,
        navigator: Navigator,
        drives: np.ndarray,
        hunts: np.ndarray,
        species: np.ndarray,
        home: np.ndarray,
        length: np.ndarray,
    ):
        """Begins without a shelter.

        Args:
            navigator: Navigator that finds their ways.
            drives: (fish,) with the fields shelter, forage and territory.
            hunts: Fishes that hunt others instead of food that they remember, (fish,) bool.
            species: A number for the species of each, (fish,).
            home: Place where each began in metres, (fish, 3).
            length: Metres, (fish,).
        """
        self._navigator, self._species, self._home, self._length = navigator, species, home, length
        remembers = navigator.rows(np.arange(len(length))) >= 0
        self._shelters, self.forages = (remembers & (drives[name] > 0) for name in ("shelter", "forage"))
        self.forages &= ~hunts
        self._holds = np.where(remembers, drives["territory"] * length, 0.0)
        self._fill(memory=len(navigator.fishes))

    def act(
        self, t: float, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, escaping: Escaping, mood: Mood
    ) -> np.ndarray:
        """Has fishes follow these routines where their intentions ask for it.

        Args:
            t: Time in seconds.
            fishes: Rows of those that take thought, (n,).
            plan: Their plans, replaced by those of these routines.
            swimmers: All fishes.
            escaping: The routine of escape.
            mood: Moods, which take the fright of fishes that are driven off.

        Returns:
            Which of them do, (n,) bool.
        """
        acts, knows = np.zeros(len(fishes), dtype=bool), fishes[self._shelters[fishes] | self.forages[fishes]]
        if len(knows):
            self._navigator.look_round(self._navigator.rows(knows), swimmers.place[knows], swimmers.ahead[knows])
        flees = np.flatnonzero(self._shelters[fishes] & (plan.intention == ESCAPE))
        if len(flees):
            acts[self._flee(t, flees, fishes[flees], plan, swimmers, escaping)] = True
        forages = np.flatnonzero(self.forages[fishes] & (plan.intention == EAT) & ~plan.pressing)
        if len(forages):
            acts[self._forage(forages, fishes[forages], plan, swimmers)] = True
        holds = np.flatnonzero((self._holds[fishes] > 0.0) & plan.at_ease & ~plan.pressing)
        if len(holds):
            acts[self._drive_off(t, holds, fishes[holds], plan, swimmers, mood)] = True
        return acts

    def _flee(
        self, t: float, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers, escaping: Escaping
    ) -> np.ndarray:
        """Has them flee to a shelter and wait there, if they know of one; their rows, (m,).

        A fish that no longer sees its foe, from inside or on its way, minds the place where it last did, and keeps to
        its shelter.
        """
        own, foes, place = self._navigator.rows(me), escaping.foes(me, swimmers), swimmers.place[me]
        fresh = foes.known | np.isnan(self._foe[own, 0])
        seen = np.concatenate((foes.place, foes.length[:, None]), axis=1)
        self._foe[own[foes.known]] = seen[foes.known]
        none = np.isnan(self.refuge[own, 0])
        due = t - self._sought[own] > np.where(none, NO_REFUGE_SECONDS, SHELTERED_SECONDS)
        due = np.flatnonzero(due & (none | fresh))
        for index in due[np.argsort(self._sought[own[due]], kind="stable")][:REFUGES_AT_ONCE].tolist():
            row = int(own[index])
            self._sought[row] = t
            foe = seen[index] if fresh[index] else self._foe[row]
            found = self._navigator.refuge(row, place[index], foe[:3], float(foe[3]))
            self.refuge[row] = np.nan if found is None else found
        goals = self.refuge[own]
        has = np.flatnonzero(~np.isnan(goals[:, 0]))
        courses = self._navigator.lead(
            own[has], goals[has], np.ones(len(has), dtype=bool), place[has], swimmers.ahead[me[has]]
        )
        there = norm(goals[has] - place[has]) < REFUGE_REACHED_LENGTHS * self._length[me[has]]
        goes = there | (courses.at != LOST)
        some, to = rows[has[goes]], courses.wish[goes]
        plan.wish[some] = np.where(there[goes][:, None], swimmers.ahead[me[has[goes]]], to)
        slow = slowed(courses.left[goes], self._length[me[has[goes]]])
        plan.pace[some] = np.minimum(plan.pace[some], slow)  # or it would swim past it
        plan.hold[some], plan.cstart[some] = there[goes], 0.0
        return some

    def _forage(self, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> np.ndarray:
        """To the nearest place where each remembers food; rows of those that remember any, (m,)."""
        own, place, memory = self._navigator.rows(me), swimmers.place[me], self._navigator.memory
        if not memory.food_time.shape[1]:
            return rows[:0]
        goals, known = nearest_known(memory.food_time[own], memory.food_motion[own, :, :3], place)
        has = np.flatnonzero(known)
        courses = self._navigator.lead(own[has], goals[has], known[has], place[has], swimmers.ahead[me[has]])
        none = np.zeros(len(has))
        plan.follow(rows[has], Moves(courses.wish, np.full(len(has), FORAGING_PACE), none.astype(bool), none))
        return rows[has]

    def _drive_off(
        self, t: float, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers, mood: Mood
    ) -> np.ndarray:
        """Has them chase the nearest of their kind just seen about home, which takes fright; their rows, (m,).

        A fish whose own territory that is as well stands its ground.
        """
        own, memory = self._navigator.rows(me), self._navigator.memory
        seen = t - memory.fish_time[own] < INTRUDER_SECONDS  # False where it remembers nothing
        about = norm(swimmers.middle - self._home[me][:, None]) < self._holds[me][:, None]
        about &= norm(swimmers.middle - self._home) >= self._holds
        kin = (self._species == self._species[me][:, None]) & (np.arange(len(self._length)) != me[:, None])
        gap = np.where(seen & about & kin, norm(swimmers.middle - swimmers.middle[me][:, None]), np.inf)
        other, least = gap.argmin(axis=1), gap.min(axis=1)
        has = np.flatnonzero(np.isfinite(least))
        me, other, some = me[has], other[has], rows[has]
        none = np.zeros(len(has))
        way = unit(swimmers.middle[other] - swimmers.middle[me])
        plan.follow(some, Moves(way, np.full(len(has), CHARGE_PACE), none.astype(bool), none))
        plan.goal[some] = other
        near = least[has] < CHARGE_LENGTHS * self._length[me]
        mood.startle(other[near], swimmers.middle[me[near]])
        return some
