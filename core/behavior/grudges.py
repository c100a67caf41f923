"""Grudges: fear of who chased a fish that got away, and dislike of who drove it off at food (ours).

Fishes learn to tell others apart (Griffiths 2003). Each holds a grudge against a few at a time; they fade.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.elementary import exp
from ..base.state import Stateful, state
from ..perception.swimmers import NO_FISH
from ..scene.relation import DISLIKE, FEAR
from .ties import ALARM
from .tuning import FAINT_GRUDGE, GRUDGE_GAIN, GRUDGE_SECONDS, GRUDGES_KEPT, LEAST_CHASE_SECONDS


class Grudges(Stateful):
    """The grudges of all fishes.

    Attributes:
        whom: Rows of those that each holds one against, NO_FISH where there is room, (fish, slot).
        fear, dislike: How strongly it fears and dislikes them, 0 to 1, (fish, slot).
        happened: Grudges that have come or grown and that nobody has taken note of yet, as in `Recording.events` but
            for the frame.
    """

    whom: np.ndarray = state("i8", "fish", GRUDGES_KEPT, low=-1, high="fish", begin=NO_FISH)
    fear: np.ndarray = state("f8", "fish", GRUDGES_KEPT, low=0, high=1)
    dislike: np.ndarray = state("f8", "fish", GRUDGES_KEPT, low=0, high=1)
    _chaser: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    _chased: np.ndarray = state("f8", "fish", unit="s")
    _at_food: np.ndarray = state("?", "fish")

    def __init__(self, fishes: int):
        """Begins with no grudges."""
        self._fill(fish=fishes)
        self.happened: list[dict[str, Any]] = []

    def advance(self, dt: float) -> None:
        """Has grudges fade for `dt` seconds."""
        if not (self.whom != NO_FISH).any():
            return
        left = exp(-dt / GRUDGE_SECONDS)
        for strength in (self.fear, self.dislike):
            strength *= left
            strength[strength < FAINT_GRUDGE] = 0.0
        self.whom[(self.fear == 0.0) & (self.dislike == 0.0)] = NO_FISH

    def regard(self, axis: int, me: np.ndarray, others: np.ndarray) -> np.ndarray:
        """As `Ties.regard`: fear, or dislike below 0."""
        found = np.zeros(others.shape)
        for slot in range(GRUDGES_KEPT):
            same = (others == self.whom[me, slot][:, None]) & (others != NO_FISH)
            strength = self.fear[me, slot] if axis == ALARM else -self.dislike[me, slot]
            found = np.where(same, strength[:, None], found)
        return found

    def candidates(self, kind: str, me: np.ndarray) -> np.ndarray:
        """Rows of those that fishes (n,) hold a kind of grudge against, each's own for nobody, (n, slot)."""
        strength = {FEAR: self.fear, DISLIKE: self.dislike}[kind][me]
        return np.where(strength > 0.0, self.whom[me], me[:, None])

    def holds(self, kind: str, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these fishes, (n,), that hold a kind of grudge, (n,) bool."""
        return ({FEAR: self.fear, DISLIKE: self.dislike}[kind][fishes] > 0.0).any(axis=1)

    def notice(
        self, fishes: np.ndarray, chaser: np.ndarray, at_food: np.ndarray, safe: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Notes by whom fishes are chased; who gets away has a grudge.

        Args:
            fishes: Rows of those that take thought, (n,).
            chaser: Row of the one that chases each, NO_FISH without, (n,).
            at_food: Whether each is feeding, or had to stop it, (n,) bool.
            safe: Whether each flees no more, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        before = self._chaser[fishes]
        over = (before != NO_FISH) & np.where(chaser == NO_FISH, safe, chaser != before)
        some = over & (self._chased[fishes] >= LEAST_CHASE_SECONDS)
        at = self._at_food[fishes]
        self._grow(fishes[some], before[some], at[some])
        begins = (chaser != NO_FISH) & (chaser != before)
        self._chased[fishes] = np.where(over | begins, 0.0, self._chased[fishes])
        self._chased[fishes] += np.where(chaser != NO_FISH, elapsed, 0.0)
        self._at_food[fishes] = np.where(over | begins, False, at) | (at_food & (chaser != NO_FISH))
        self._chaser[fishes] = np.where(chaser != NO_FISH, chaser, np.where(over, NO_FISH, before))

    def forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), which have died, out of everybody's mind."""
        gone = np.isin(self.whom, fishes)
        self.whom[gone], self.fear[gone], self.dislike[gone] = NO_FISH, 0.0, 0.0
        self._chaser[np.isin(self._chaser, fishes)] = NO_FISH

    def _grow(self, fishes: np.ndarray, whom: np.ndarray, at_food: np.ndarray) -> None:
        """Has these, (n,), hold more against others, (n,): dislike of who drove them off at food, else fear.

        One that is full forgets the faintest.
        """
        if not len(fishes):
            return
        whom_before = self.whom[fishes]
        known, strongest = whom_before == whom[:, None], np.maximum(self.fear[fishes], self.dislike[fishes])
        slot = np.where(known, -2.0, np.where(whom_before == NO_FISH, -1.0, strongest)).argmin(axis=1)
        rows = np.arange(len(fishes))
        for row in np.flatnonzero(~known[rows, slot] & (whom_before[rows, slot] != NO_FISH)).tolist():
            for kind, strength in ((FEAR, self.fear), (DISLIKE, self.dislike)):
                if strength[fishes[row], slot[row]] > 0.0:
                    self._tell(fishes[row], whom_before[row, slot[row]], kind, 0.0)
        fresh = ~known[rows, slot]
        self.whom[fishes, slot] = whom
        for kind, strength, some in ((FEAR, self.fear, ~at_food), (DISLIKE, self.dislike, at_food)):
            strength[fishes[fresh], slot[fresh]] = 0.0
            here = fishes[some], slot[some]
            strength[here] += GRUDGE_GAIN * (1.0 - strength[here])
            for fish, other, value in zip(fishes[some], whom[some], strength[here], strict=True):
                self._tell(fish, other, kind, value)

    def _tell(self, fish: int, other: int, kind: str, strength: float) -> None:
        event = {"kind": "grudge", "fish": int(fish), "other": int(other)}
        self.happened.append({**event, "relation": kind, "strength": float(strength)})


def left_of(strength: float, seconds: float) -> float:
    """The rest of a grudge of a strength after so many seconds, 0 once it is over."""
    left = strength * float(exp(-seconds / GRUDGE_SECONDS))
    return left if left >= FAINT_GRUDGE else 0.0
