"""Travelling: to goals or after others, by ways that a fish plans or looks for (Kuffner & Latombe 1999, §5, §7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.state import Stateful, state
from ...base.vectors import norm
from ...perception.navigation.navigator import EXPLORING, LOST, Navigator
from ...perception.swimmers import NO_FISH
from .tuning import EXPLORING_PACE, GOAL_LEFT_RADII, GOAL_SLOWING_LENGTHS, LEAST_TRAVEL_PACE, TRAVEL_PACE

NO_GOAL = -1


@dataclass(frozen=True)
class Goal:
    """One of the places that some fishes go to in turn.

    Attributes:
        row: Row of its entry in the scene's direction.
        name: Name in the events of arrivals.
        radius: Metres within which a fish is there.
        sought: Whether its place has to be found.
        whom: Fishes that go there, (fish,) bool.
    """

    row: int
    name: str
    radius: float
    sought: bool
    whom: np.ndarray


class Journeys(Stateful):
    """The goal of each fish, and the number of its arrivals.

    Attributes:
        goal: Place of its goal in the order in which it visits its own, (fish,).
        runs: Goals at which it has arrived, (fish,).
        reached: Row of the goal at which it has arrived and that it has not left since, or `NO_GOAL`, (fish,).
        kept: Fishes that are led elsewhere at this moment, (fish,) bool.
        happened: Arrivals that nobody has taken note of yet, as in `Recording.events` but for the frame.
    """

    goal: np.ndarray = state("i8", "fish", low=0, high="frame")
    runs: np.ndarray = state("i8", "fish", low=0, high="frame")
    reached: np.ndarray = state("i8", "fish", low=-1, high="frame", begin=NO_GOAL)

    def __init__(self, goals: Sequence[Goal], navigator: Navigator, fishes: int):
        """Begins with every fish at its first goal.

        Args:
            goals: Goals of all fishes, in the order in which each visits its own; after its last comes its first again.
            navigator: Navigator that finds their ways.
            fishes: Number of fishes.
        """
        self._goals, self.navigator = {goal.row: goal for goal in goals}, navigator
        self._fill(fish=fishes)
        visits = np.array([goal.whom for goal in goals], dtype=bool).reshape(len(goals), fishes)
        self._turn = {goal.row: turn for goal, turn in zip(goals, np.cumsum(visits, axis=0) - 1, strict=True)}
        self._count = np.maximum(np.count_nonzero(visits, axis=0), 1)
        self.kept = np.zeros(fishes, dtype=bool)
        self.happened: list[dict[str, Any]] = []

    def bound_for(self, row: int, fishes: np.ndarray) -> np.ndarray:
        """Mask of fishes, (n,), that have the goal of an entry as their next, and time for it, (n,) bool."""
        return self._goals[row].whom[fishes] & (self._turn[row][fishes] == self.goal[fishes]) & ~self.kept[fishes]

    def travel(
        self, row: int, fishes: np.ndarray, goal: np.ndarray, place: np.ndarray, ahead: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The courses of fishes to the goal of an entry.

        Args:
            row: Row of the entry.
            fishes: Their rows, (n,).
            goal: Its place in metres, (3,).
            place: Metres, (n, 3).
            ahead: Headings, (n, 3).

        Returns:
            Unit vectors where they would go, (n, 3), 1 for those with a way and 0 for others, (n,), and paces, (n,).
        """
        of, navigator = self._goals[row], self.navigator
        rows = navigator.rows(fishes)
        goals, known = np.broadcast_to(goal, place.shape), np.full(len(fishes), not of.sought)
        navigator.look_round(rows, place, ahead)
        courses = navigator.lead(rows, goals, known | navigator.in_sight(rows, goals), place, ahead)
        gap = norm(goal - place)
        left = (self.reached[fishes] == row) & (gap > GOAL_LEFT_RADII * of.radius)
        self.reached[fishes[left]] = NO_GOAL
        there = (gap < of.radius) & (self.reached[fishes] != row) & self.bound_for(row, fishes)
        self.reached[fishes[there]] = row
        for fish in fishes[there].tolist():
            self.runs[fish] += 1
            self.goal[fish] = (self.goal[fish] + 1) % self._count[fish]
            run = int(self.runs[fish])
            self.happened.append({"kind": "arrived", "fish": fish, "other": NO_FISH, "goal": of.name, "run": run})
        slow = np.minimum(TRAVEL_PACE, slowed(courses.left, navigator.length[rows]))
        pace = np.where(courses.at == EXPLORING, EXPLORING_PACE, slow)
        return courses.wish, (courses.at != LOST).astype(float), pace

    def follow(
        self,
        fishes: np.ndarray,
        others: np.ndarray,
        sought: bool,
        there: np.ndarray,
        place: np.ndarray,
        ahead: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The courses of fishes after others, planned anew as those move.

        Args:
            fishes: Their rows, (n,).
            others: Rows of those that they follow, (k,).
            sought: Whether they know these only by memory.
            there: Middle of these in metres, (3,).
            place: Metres, (n, 3).
            ahead: Headings, (n, 3).

        Returns:
            As `travel`; the pace on a way to them is NaN. Each fish goes for the one that it remembers nearest.
        """
        rows = self.navigator.rows(fishes)
        goals, known = np.broadcast_to(there, place.shape), np.full(len(fishes), not sought)
        if sought:
            memory, which = self.navigator.memory, np.ix_(rows, others)
            goals, known = nearest_known(memory.fish_time[which], memory.fish_motion[which][..., :3], place)
        self.navigator.look_round(rows, place, ahead)
        courses = self.navigator.lead(rows, goals, known, place, ahead)
        pace = np.where(courses.at == EXPLORING, EXPLORING_PACE, np.nan)
        return courses.wish, (courses.at != LOST).astype(float), pace


def slowed(left: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The most that fishes of lengths in metres, (n,), make of their pace, for the rest of their ways, (n,)."""
    return np.maximum(left / (GOAL_SLOWING_LENGTHS * length), LEAST_TRAVEL_PACE)


def nearest_known(time: np.ndarray, at: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest of the things that fishes may remember.

    Args:
        time: Time when each last saw each of k things, NaN for those that it does not remember, (n, k).
        at: Their places then in metres, (n, k, 3).
        place: Places of the fishes in metres, (n, 3).

    Returns:
        Where the nearest is in metres, (n, 3), and whether a fish remembers any, (n,) bool.
    """
    gap = np.where(np.isnan(time), np.inf, norm(at - place[:, None]))
    return at[np.arange(len(place)), gap.argmin(axis=1)], np.isfinite(gap.min(axis=1))
