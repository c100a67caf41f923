"""What fishes would do for their intention alone, what company is to them, and where both have them go."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..perception.neighbours import Neighbours
from ..perception.swimmers import NO_FISH
from ..perception.threats import Threats
from .routines.moves import Moves


@dataclass
class Plan:
    """What some fishes, n of them, would do for their intention.

    Attributes:
        intention: What they are about, (n,) int8.
        wish: Unit vector where each would go, (n, 3); nothing where its intention has no place to go to. Where it
            schools for fear, away from what it fears.
        pace: Share of full speed, and of a burst above 1, (n,).
        pressing: Whether this wins over whim and company, (n,) bool.
        goal: Row of the fish that each goes for and so does not keep off, NO_FISH without, (n,).
        hold: Whether it hovers on the spot, (n,) bool.
        back: Speed of a retreat, 0 to 1, (n,).
        cstart: Angle of a C-start in radians, left positive, (n,).
        near: How far its middle is from what it would pick, in metres, infinite for who picks nothing, (n,).
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

    @classmethod
    def empty(cls, intention: np.ndarray) -> Plan:
        """That of fishes that are about this, (n,), and have nowhere to go."""
        n = len(intention)
        never, none = np.zeros(n, dtype=bool), np.zeros(n)
        goal, near = np.full(n, NO_FISH), np.full(n, np.inf)
        return cls(intention, np.zeros((n, 3)), none, never, goal, never.copy(), none.copy(), none.copy(), near)

    def follow(self, rows: np.ndarray, moves: Moves) -> None:
        """Has the fishes in these rows of the plan, (m,), do what a routine says, whatever else they would like."""
        self.wish[rows], self.pace[rows] = moves.wish, moves.pace
        self.hold[rows], self.back[rows] = moves.hold, moves.back
        self.cstart[rows] = 0.0 if moves.cstart is None else moves.cstart
        self.pressing[rows] = True


@dataclass(frozen=True)
class Company:
    """What others are to n fishes that take thought.

    Attributes:
        neighbours: Who is near.
        threats: Who is in their boxes.
        pull: Towards where kin head and are, (n, 3); nothing without kin.
        hurry: How much faster to swim for them, as a share of the pace, (n,).
        push: Away from all that is in the box, (n, 3).
    """

    neighbours: Neighbours
    threats: Threats
    pull: np.ndarray
    hurry: np.ndarray
    push: np.ndarray


@dataclass
class Wish:
    """Where n fishes would like to go, all counted.

    Attributes:
        wish: A vector, of length 1 for a whim, (n, 3).
        zeal: How much more than a whim each minds going just there, (n,).
        drawn: What of it is the pull of kin, (n, 3).
        leaves: Who goes to where light or warmth are otherwise, (n,) bool.
    """

    wish: np.ndarray
    zeal: np.ndarray
    drawn: np.ndarray
    leaves: np.ndarray
