"""The plans of fishes for their intention alone, their company, and the wishes that follow from both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..perception.neighbours import Neighbours
from ..perception.swimmers import NO_FISH
from ..perception.threats import Threats
from .routines.moves import Moves


@dataclass
class Plan:
    """The actions by which n fishes would follow their intentions alone.

    Attributes:
        intention: Intention of each, (n,) int8.
        wish: Unit vector towards where each would go, (n, 3); 0 where its intention has no place to go to. Where it
            schools for fear, away from what it fears.
        pace: Share of full speed, and of a burst above 1, (n,).
        pressing: True where this takes precedence over whim and company, (n,) bool.
        goal: Row of the fish that each goes for and so does not keep off, NO_FISH if none, (n,).
        hold: True where it hovers on the spot, (n,) bool.
        back: Speed of a retreat, 0 to 1, (n,).
        cstart: Angle of a C-start in radians, left positive, (n,).
        near: Distance from its middle to the food that it would pick in metres, infinite if none, (n,).
        touches: True where that grows on what stands, (n,) bool.
        hurried: True where what it follows may be elsewhere in a moment, and it thinks again soon, (n,) bool.
        at_ease: True where it does nothing for its own sake, but schools, leaves, wanders or makes way, (n,) bool.
    """

    intention: np.ndarray
    wish: np.ndarray
    pace: np.ndarray
    pressing: np.ndarray
    goal: np.ndarray
    hold: np.ndarray
    back: np.ndarray
    cstart: np.ndarray
    near: np.ndarray
    touches: np.ndarray
    hurried: np.ndarray
    at_ease: np.ndarray

    @classmethod
    def empty(cls, intention: np.ndarray, at_ease: np.ndarray) -> Plan:
        """The plan of fishes that have this intention, (n,), are at ease or not, and have nowhere to go."""
        n = len(intention)
        never, none = np.zeros(n, dtype=bool), np.zeros(n)
        goal, near = np.full(n, NO_FISH), np.full(n, np.inf)
        calm = never.copy(), none.copy(), none.copy()
        return cls(intention, np.zeros((n, 3)), none, never, goal, *calm, near, never.copy(), never.copy(), at_ease)

    def follow(self, rows: np.ndarray, moves: Moves) -> None:
        """Makes the fishes in these rows of the plan, (m,), follow a routine, whatever else they would like."""
        self.wish[rows], self.pace[rows] = moves.wish, moves.pace
        self.hold[rows], self.back[rows] = moves.hold, moves.back
        self.cstart[rows] = 0.0 if moves.cstart is None else moves.cstart
        self.pressing[rows] = self.hurried[rows] = True


@dataclass(frozen=True)
class Company:
    """The other fishes around n fishes that think.

    Attributes:
        neighbours: The fishes near them.
        pull: Vector towards where kin head and are, (n, 3); 0 without kin.
        hurry: Increase in speed for their sake, as a share of the pace, (n,).
        together: True where kin are there, (n,) bool.
        formed: True where they are a school in formation, (n,) bool.
    """

    neighbours: Neighbours
    pull: np.ndarray
    hurry: np.ndarray
    together: np.ndarray
    formed: np.ndarray


@dataclass(frozen=True)
class Crowd:
    """The fishes that are too close to n fishes that think.

    Attributes:
        threats: The fishes in their boxes.
        push: Vector away from all of them, (n, 3).
    """

    threats: Threats
    push: np.ndarray


@dataclass
class Wish:
    """The overall wishes of n fishes to go somewhere.

    Attributes:
        wish: Vector towards where each would like to go, of length 1 for a whim, (n, 3).
        zeal: Weight of going just there, over that of a whim, (n,).
        drawn: Part of the wish that is the pull of kin, (n, 3).
        leaves: Mask of the fishes that go where light or warmth are different, (n,) bool.
    """

    wish: np.ndarray
    zeal: np.ndarray
    drawn: np.ndarray
    leaves: np.ndarray
