"""The intention of a fish: one at a time, the most urgent (Tu 1999, §7.5 and §7.7, Fig. 7.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.constants import constant
from ..base.state import Stateful, state
from ..compiled import changes, compiled, reads, reals, record, rows, stack, takes, values, writes
from .tuning import FEAR_EASE, GATHERING_SECONDS, LEAST_BOUT_SECONDS

AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER = range(7)  # rows of Recording.INTENTIONS
NOTHING = -1  # in an empty memory
PREDATOR, PREY, PACIFIST = range(3)  # types of fishes, rows of ENABLED

DISABLED = (ESCAPE, SCHOOL, MATE, LEAVE), (MATE,), (ESCAPE, SCHOOL)  # for each type (Tu 1999, §7.9)
ENABLED = constant(np.array([[intention not in never for intention in range(7)] for never in DISABLED]))

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

THINKING = record("Thinking", **reals("fear_ease gathering least_bout"))
_THINKING = values(THINKING, fear_ease=FEAR_EASE, gathering=GATHERING_SECONDS, least_bout=LEAST_BOUT_SECONDS)
INTEND = compiled(
    "intend",
    over="n",
    least=FISHES_A_THREAD,
    thinking=reads(THINKING),
    rows=takes("i8", "n"),
    dangers=takes("?", "n"),
    content=takes("?", "n"),
    fears=takes("f8", "n"),
    worst=takes("f8", "n"),
    hunger=takes("f8", "n"),
    libido=takes("f8", "n"),
    seconds=takes("f8", "n"),
    chances=takes("f8", "n"),
    traits=rows("f0 f1 r gain fatigue", "fishes"),
    enabled=reads("?", "fishes", 7),
    schooling=takes("?", "fishes"),
    memories=takes("?", "fishes"),
    composures=takes("f8", "fishes"),
    intentions=changes("i1", "fishes"),
    stores=changes("i1", "fishes"),
    since=changes("f8", "fishes"),
    alarms=changes("f8", "fishes"),
    bouts=changes("f8", "fishes"),
    toils=changes("f8", "fishes", 2),
    rests=changes("f8", "fishes", 2),
    found=writes("i1", "n"),
    taken_up=writes("?", "n"),
)


@dataclass(frozen=True)
class Pressures:
    """Pressures under which n fishes choose their intention.

    Attributes:
        danger: True where a collision is imminent, (n,) bool.
        fear_total: F, 0 to 1, (n,).
        fear_most: Fear of the most dangerous predator, 0 to 1, (n,).
        hunger: H, 0 to 1, (n,).
        libido: L, 0 to 1, (n,).
        content: True where the fish likes the light and the temperature, (n,) bool.
    """

    danger: np.ndarray
    fear_total: np.ndarray
    fear_most: np.ndarray
    hunger: np.ndarray
    libido: np.ndarray
    content: np.ndarray


class IntentionGenerator(Stateful):
    """Chooses the intention of every fish.

    Eating and mating tire: their activation is the desire times exp(-toil / fatigue). One that was given up for
    weariness alone is at 0 until it has rested for `fatigue` seconds, or it would be taken up again at once.

    Attributes:
        intention: Row of Recording.INTENTIONS that each fish holds, (fish,) int8.
        stored: Interrupted intention that is to be, or has been, resumed, NOTHING if none, (fish,) int8.
        since: Seconds in the present intention, (fish,).
        toil: Seconds spent on eating and on mating that the fish has not rested from, (fish, 2).
        rest: Seconds for which eating and mating are still out of the question, (fish, 2).
        memory: Mask of the fishes that remember what was interrupted, (fish,) bool.
        alarm: Seconds for which each still flees although it no longer has to, (fish,).
        bout: Seconds for which each stays at what it has begun unless something presses, (fish,).
    """

    intention: np.ndarray = state("i1", "fish", low=0, high=WANDER, begin=WANDER)
    stored: np.ndarray = state("i1", "fish", low=NOTHING, high=WANDER, begin=NOTHING)
    since: np.ndarray = state("f8", "fish", unit="s")
    toil: np.ndarray = state("f8", "fish", 2, unit="s")
    rest: np.ndarray = state("f8", "fish", 2, unit="s")
    alarm: np.ndarray = state("f8", "fish", unit="s")
    bout: np.ndarray = state("f8", "fish", unit="s")

    def __init__(
        self,
        types: np.ndarray,
        traits: np.ndarray,
        schooling: np.ndarray,
        memory: bool | np.ndarray = True,
        enabled: np.ndarray = ENABLED,
        composure: float | np.ndarray = 0.0,
    ):
        """Begins with every fish wandering, fresh and with nothing in mind.

        Args:
            types: Row of `enabled` for each fish, (fish,) int8.
            traits: (fish,) with the fields f0, f1, r, gain and fatigue, the last in seconds and greater than 0;
                gain 0 means no inhibition of rivals, infinite fatigue no weariness.
            schooling: Mask of the fishes that school by habit, (fish,) bool.
            memory: True where fishes remember what was interrupted, one for all or (fish,) bool.
            enabled: The intentions that each type may have, (type, 7) bool; avoiding and wandering all may.
            composure: Seconds for which each still flees once it no longer has to, one for all or (fish,). Fishes with
                any also stay for a least time at whatever they begin.
        """
        fishes = len(traits)
        self._table = stack(INTEND, "traits", **{name: traits[name] for name in ("f0", "f1", "r", "gain", "fatigue")})
        self._enabled = np.asarray(enabled, dtype=bool)[types]
        self._schooling = np.asarray(schooling, dtype=bool) & self._enabled[:, SCHOOL]
        self.memory = np.broadcast_to(memory, fishes)
        self._fill(fish=fishes)
        self._composure = np.broadcast_to(composure, fishes)

    def decide(
        self,
        fishes: np.ndarray,
        pressures: Pressures,
        elapsed: ArrayLike,
        chance: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Decides the next intention of some fishes.

        In this order: avoid in danger; school or escape in fear; resume what memory holds; follow the greater of hunger
        and libido; school by habit; leave where it is not content; wander.

        Args:
            fishes: Rows of n distinct fishes, (n,).
            pressures: Pressures on these.
            elapsed: Seconds since each last decided, one number or (n,).
            chance: Evenly spread over 0 to 1, for ties, (n,).

        Returns:
            The intentions, (n,) int8, and the mask of those that come from memory, (n,) bool: a fish that resumes goes
            on with the food, mate or school that it had, for as long as this stays true.
        """
        elapsed = np.broadcast_to(np.asarray(elapsed, dtype=float), len(fishes))
        found = np.empty(len(fishes), dtype=np.int8), np.empty(len(fishes), dtype=bool)
        INTEND(
            thinking=_THINKING,
            rows=fishes,
            dangers=pressures.danger,
            content=pressures.content,
            fears=pressures.fear_total,
            worst=pressures.fear_most,
            hunger=pressures.hunger,
            libido=pressures.libido,
            seconds=elapsed,
            chances=chance,
            traits=self._table,
            enabled=self._enabled,
            schooling=self._schooling,
            memories=self.memory,
            composures=self._composure,
            intentions=self.intention,
            stores=self.stored,
            since=self.since,
            alarms=self.alarm,
            bouts=self.bout,
            toils=self.toil,
            rests=self.rest,
            found=found[0],
            taken_up=found[1],
        )
        return found

    def forget(self, fishes: np.ndarray) -> None:
        """Clears the memory of these fishes, (n,), and ends what they were doing."""
        self.stored[fishes], self.intention[fishes], self.since[fishes] = NOTHING, WANDER, 0.0
