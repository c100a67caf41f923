"""The intention of a fish: one at a time, the most urgent (Tu 1999, §7.5 and §7.7, Fig. 7.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.constants import constant
from ..base.elementary import exp
from ..base.state import Stateful, state
from ..compiled import changes, compiled, reads, reals, record, rows, stack, takes, values, writes
from .tuning import FEAR_EASE, GATHERING_SECONDS, LEAST_BOUT_SECONDS

AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER = range(7)  # rows of Recording.INTENTIONS
NOTHING = -1  # in an empty memory
PREDATOR, PREY, PACIFIST = range(3)  # types of fishes, rows of ENABLED

DISABLED = (ESCAPE, SCHOOL, MATE, LEAVE), (MATE,), (ESCAPE, SCHOOL)  # for each type (Tu 1999, §7.9)
ENABLED = constant(np.array([[intention not in never for intention in range(7)] for never in DISABLED]))

APPETITES = constant(np.array((EAT, MATE)))  # the intentions that compete for the same place, and that tire
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


def _is_appetite(intention: np.ndarray) -> np.ndarray:
    return (intention == EAT) | (intention == MATE)


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
        self._traits = traits
        self._table = stack(INTEND, "traits", **{name: traits[name] for name in ("f0", "f1", "r", "gain", "fatigue")})
        self._enabled = np.asarray(enabled, dtype=bool)[types]
        self._schooling = np.asarray(schooling, dtype=bool) & self._enabled[:, SCHOOL]
        self.memory = np.broadcast_to(memory, fishes)
        self._fill(fish=fishes)
        self._composure = np.broadcast_to(composure, fishes)
        self._steady = self._composure > 0.0

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
        return self._decided(fishes, pressures, elapsed, chance) or self._decide(fishes, pressures, elapsed, chance)

    def _decided(
        self, fishes: np.ndarray, pressures: Pressures, elapsed: np.ndarray, chance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray] | None:
        """The compiled form of `decide`; None where there is none."""
        found = np.empty(len(fishes), dtype=np.int8), np.empty(len(fishes), dtype=bool)
        done = INTEND(
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
        return found if done else None

    def _decide(
        self, fishes: np.ndarray, pressures: Pressures, elapsed: np.ndarray, chance: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The plain form of `decide`."""
        of, can, social = self._traits[fishes], self._enabled[fishes], self._schooling[fishes]
        former = self.intention[fishes]
        self._tire(fishes, former, elapsed)
        desire = np.stack((pressures.hunger, pressures.libido), axis=1) * can[:, APPETITES]
        freshness = exp(-self.toil[fishes] / of["fatigue"][:, None])
        activation = np.where(self.rest[fishes] > 0, 0.0, desire * freshness)

        left = np.maximum(self.bout[fishes] - elapsed, 0.0)
        steady = self._steady[fishes]
        ease = np.where(steady, FEAR_EASE, 1.0)
        fearful = pressures.fear_total > of["f0"] * np.where((former == SCHOOL) | (former == ESCAPE), ease, 1.0)
        terrified = pressures.fear_most >= of["f1"] * np.where(former == ESCAPE, ease, 1.0)
        must_flee = fearful & (terrified | ~social) & can[:, ESCAPE]
        # A fish that courted keeps clear for a while, or it would soon be there again; food would get away.
        gets_clear = steady & (former == AVOID) & (left > 0.0) & ~fearful & (self.stored[fishes] != EAT)
        danger = pressures.danger | gets_clear
        flees_on = self._linger(fishes, former, must_flee, elapsed)
        afraid = ~danger & (fearful | flees_on)
        gather = afraid & ~terrified & social & ~flees_on
        flee = afraid & ~gather & can[:, ESCAPE]
        gather |= ~(danger | flee) & social & (former == ESCAPE) & (left > 0.0)  # for a while, before it feeds again
        calm = ~(danger | gather | flee)

        stored = self._remember(fishes, former, danger | flee)
        rivals = _is_appetite(former) & _is_appetite(stored) & (former != stored)  # at an opportunity meanwhile
        resumed = calm & self._resumes(stored, activation, of["r"], np.where(rivals, 0.0, of["gain"]))
        at_ease = np.where(pressures.content | ~can[:, LEAVE], WANDER, LEAVE)
        chosen = np.where(social, SCHOOL, at_ease)
        keen = activation.max(axis=1) > of["r"]
        chosen = np.where(keen, self._greater(desire, activation, of["r"], former, chance), chosen)
        intention = np.select(
            (danger, flee, gather, resumed), (AVOID, ESCAPE, SCHOOL, stored.astype(int)), chosen
        ).astype(np.int8)
        stays = calm & (left > 0.0) & self._may_go_on(former, activation)
        intention = np.where(stays, former, intention)
        least = np.where(gather | flee, GATHERING_SECONDS, np.where(intention == former, left, LEAST_BOUT_SECONDS))
        self.bout[fishes] = steady * least

        waits = ~calm | stays  # what it would prefer to do is put off
        ended = ~waits & (intention != np.where(_is_appetite(former), former, stored))
        self._lay_down(fishes[ended], former[ended], stored[ended], desire[ended], activation[ended])
        self.stored[fishes] = self._keep(fishes, former, stored, resumed | waits, intention, activation)
        self.since[fishes] = np.where(intention == former, self.since[fishes] + elapsed, 0.0)
        self.intention[fishes] = intention
        return intention, resumed

    def forget(self, fishes: np.ndarray) -> None:
        """Clears the memory of these fishes, (n,), and ends what they were doing."""
        self.stored[fishes], self.intention[fishes], self.since[fishes] = NOTHING, WANDER, 0.0

    def _tire(self, fishes: np.ndarray, former: np.ndarray, elapsed: np.ndarray) -> None:
        """Tires these fishes of what they were doing and rests the other, as fast (§7.7.2; the rates are ours)."""
        busy, dt = former[:, None] == APPETITES, elapsed[:, None]
        self.toil[fishes] = np.maximum(self.toil[fishes] + np.where(busy, dt, -dt), 0.0)
        self.rest[fishes] = np.maximum(self.rest[fishes] - dt, 0.0)

    @staticmethod
    def _may_go_on(former: np.ndarray, activation: np.ndarray) -> np.ndarray:
        """Mask of those that may go on for a while, though another intention would now win, (n,) (ours)."""
        desired = np.where(former[:, None] == APPETITES, activation, 0.0).max(axis=1) > 0.0
        return desired | (former == SCHOOL) | (former == LEAVE) | (former == WANDER)

    def _linger(self, fishes: np.ndarray, former: np.ndarray, must: np.ndarray, elapsed: np.ndarray) -> np.ndarray:
        """Mask of those that flee on: those that must, and for a while those that had to (ours), (n,)."""
        left = np.maximum(self.alarm[fishes] - elapsed, 0.0)
        self.alarm[fishes] = left = np.where(must, self._composure[fishes], left)
        return must | ((left > 0.0) & (former == ESCAPE))

    def _remember(self, fishes: np.ndarray, former: np.ndarray, interrupted: np.ndarray) -> np.ndarray:
        """Content of memory once these fishes have stored what was interrupted, (n,) (§7.7.1)."""
        lasting = (former == SCHOOL) | _is_appetite(former)
        stored = np.where(interrupted & lasting, former, self.stored[fishes])
        return np.where(self.memory[fishes], stored, NOTHING)

    def _keep(
        self,
        fishes: np.ndarray,
        former: np.ndarray,
        stored: np.ndarray,
        holds: np.ndarray,
        intention: np.ndarray,
        activation: np.ndarray,
    ) -> np.ndarray:
        """Content of memory from now on, (n,): eating or mating stays if an opportunity for the other interrupts it."""
        given_up = np.where(_is_appetite(stored), stored, former)
        keen = np.where(given_up[:, None] == APPETITES, activation, 0.0).max(axis=1) > self._traits["r"][fishes]
        interrupted = _is_appetite(given_up) & _is_appetite(intention) & (given_up != intention) & keen
        return np.where(holds, stored, np.where(interrupted & self.memory[fishes], given_up, NOTHING))

    @staticmethod
    def _resumes(stored: np.ndarray, activation: np.ndarray, r: np.ndarray, gain: np.ndarray) -> np.ndarray:
        """Mask of those whose stored intention prevails over its rivals, which -gain * tau inhibits, (n,) (§7.7.2).

        The desire to school is implicit. It counts as r here, which hunger and libido have to exceed.
        """
        own = stored[:, None] == APPETITES
        school = stored == SCHOOL
        tau = np.where(school, r, np.where(own, activation, 0.0).max(axis=1))
        rival = np.where(own, 0.0, activation).max(axis=1)
        return (school | (tau > r)) & (rival - gain * tau <= tau)

    @staticmethod
    def _greater(
        desire: np.ndarray, activation: np.ndarray, r: np.ndarray, former: np.ndarray, chance: np.ndarray
    ) -> np.ndarray:
        """EAT or MATE, the more active of both, (n,); if hunger equals libido, the former one or else one by chance."""
        tie = (desire[:, 0] == desire[:, 1]) & (activation > r[:, None]).all(axis=1)
        greater = np.where(activation[:, 0] > activation[:, 1], EAT, MATE)
        either = np.where(_is_appetite(former), former, np.where(chance < 0.5, EAT, MATE))
        return np.where(tie, either, greater)

    def _lay_down(
        self,
        fishes: np.ndarray,
        former: np.ndarray,
        stored: np.ndarray,
        desire: np.ndarray,
        activation: np.ndarray,
    ) -> None:
        """Puts what these fishes gave up to rest, where the desire is still there and only weariness ended it."""
        of = self._traits[fishes]
        given_up = np.where(_is_appetite(former), former, stored)[:, None] == APPETITES
        weary = given_up & (desire > of["r"][:, None]) & (desire >= activation[:, ::-1])  # fresh it would go on
        self.rest[fishes] = np.where(weary, of["fatigue"][:, None], self.rest[fishes])
