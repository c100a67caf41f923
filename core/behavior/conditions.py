"""The conditions of instructions: which fishes each holds for at a moment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.vectors import norm
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.vision import Vision
from ..scene.instruction import AfterTime, AtPlace, Caught, Hungry, OtherAt, Otherwise, SeenBy, Sees, Threatened
from .character import Cast
from .spots import Spots
from .tuning import AT_SPOT_LENGTHS


@dataclass(frozen=True)
class Felt:
    """The knowledge by which conditions are judged.

    Attributes:
        t: Time in seconds.
        swimmers: All fishes.
        fear: The most that each fears of one foe, (fish,).
        since: Seconds since each last knew of a foe that it feared so much as its instructions ask, (fish,).
        hunger: Hunger of each, (fish,).
        hooked: Fishes on the hook, (fish,) bool.
        eaten: Fishes that were there and are no more, (fish,) bool.
    """

    t: float
    swimmers: Swimmers
    fear: np.ndarray
    since: np.ndarray
    hunger: np.ndarray
    hooked: np.ndarray
    eaten: np.ndarray


class Conditions:
    """Judges the conditions of a scene's instructions."""

    def __init__(
        self,
        cast: Cast,
        vision: Vision,
        spots: Spots,
        rows: Callable[[int, int | None], np.ndarray],
        group: np.ndarray,
    ) -> None:
        """Takes over what they are judged by.

        Args:
            cast: The fishes.
            vision: Their eyes.
            spots: The named places.
            rows: Gives the rows of the fishes of a group, or of one of it.
            group: Group of each fish, (fish,).
        """
        self._vision, self._spots, self._rows, self._group = vision, spots, rows, group
        self._alive, self._length = cast.alive, np.array(cast.length, dtype=float)
        self._starved = cast.characters.drives["r"]

    def hold(self, when: Any, fishes: np.ndarray, felt: Felt) -> np.ndarray:
        """Mask of those of these fishes that a condition holds for.

        Args:
            when: The condition; None always holds.
            fishes: Rows of those for whom no earlier one does, (n,).
            felt: What they know.

        Returns:
            (n,) bool.
        """
        match when:
            case None | Otherwise():
                return np.ones(len(fishes), dtype=bool)
            case AfterTime():
                return np.full(len(fishes), felt.t >= when.time)
            case Threatened():
                return (felt.fear[fishes] >= when.fear) | (felt.since[fishes] <= when.seconds)
            case Hungry():
                return felt.hunger[fishes] > self._starved[fishes]
            case AtPlace():
                return self.at(when.place, fishes, felt.swimmers)
            case OtherAt():
                others = self._there(when)
                there = self.at(when.place, others, felt.swimmers)
                return self._anybody(fishes, others[there])
            case Caught():
                return self._caught(when, fishes, felt)
            case Sees():
                return self._sees(fishes, self._there(when), felt.swimmers)
            case SeenBy():
                return self._seen(fishes, self._there(when), felt.swimmers)
        raise TypeError(f"found {type(when).__name__}, allowed a condition")

    def at(self, name: str, fishes: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those of these fishes, (n,), that are at one of the places of a name, (n,) bool."""
        gap = self._spots.gap(self._spots.rows((name,)), swimmers.middle[fishes])
        return gap.min(axis=1) < AT_SPOT_LENGTHS * self._length[fishes]

    def _there(self, when: Any) -> np.ndarray:
        """Rows of the others of a condition that are there, (k,)."""
        others = self._rows(when.whom, when.whom_member)
        return others[self._alive[others]]

    @staticmethod
    def _anybody(fishes: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), for whom one among others, (k,), is another, (n,) bool."""
        return (fishes[:, None] != others).any(axis=1)

    def _caught(self, when: Caught, fishes: np.ndarray, felt: Felt) -> np.ndarray:
        caught = felt.hooked | felt.eaten
        if when.whom is not None:
            others = self._rows(when.whom, when.whom_member)
            return self._anybody(fishes, others[caught[others]])
        mates = np.flatnonzero(caught)
        kin = self._group[fishes][:, None] == self._group[mates]
        return (kin & (fishes[:, None] != mates)).any(axis=1)

    def _sees(self, fishes: np.ndarray, others: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those of these, (n,), that see one of others, (k,), at least, (n,) bool."""
        if not len(others):
            return np.zeros(len(fishes), dtype=bool)
        return self._looks(fishes, np.broadcast_to(others, (len(fishes), len(others))), swimmers).any(axis=1)

    def _seen(self, fishes: np.ndarray, others: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those of these, (n,), that one of others, (k,), sees, (n,) bool."""
        if not len(others):
            return np.zeros(len(fishes), dtype=bool)
        return self._looks(others, np.broadcast_to(fishes, (len(others), len(fishes))), swimmers).any(axis=0)

    def _looks(self, who: np.ndarray, whom: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Mask of those, (n, k), that fishes, (n,), see, (n, k) bool; nobody sees itself."""
        seen, _ = self._vision.look(who, whom, swimmers.nose, swimmers.ahead, swimmers.nodes, self._alive)
        return seen & (whom != who[:, None]) & (whom != NO_FISH)


def nearest_of(fishes: np.ndarray, others: np.ndarray, swimmers: Swimmers) -> np.ndarray:
    """The nearest to each of these fishes, (n,), of others, (k,), that it is not itself; NO_FISH without, (n,)."""
    if not len(others):
        return np.full(len(fishes), NO_FISH)
    gap = norm(swimmers.middle[fishes][:, None] - swimmers.middle[others])
    gap = np.where(fishes[:, None] == others, np.inf, gap)
    return np.where(np.isfinite(gap.min(axis=1)), others[gap.argmin(axis=1)], NO_FISH)
