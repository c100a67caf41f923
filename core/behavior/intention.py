"""The intention of a fish: one at a time, the most urgent (Tu 1999, §7.5 and §7.7, Fig. 7.4).

It is decided here and nowhere else, by `RULES`: the first that applies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ..base.constants import constant
from ..base.state import Stateful, state
from ..compiled import changes, compiled, reads, reals, record, rows, stack, takes, values, writes
from .tuning import CROWDED_SHARE, FEAR_EASE, FLIGHT_SHARE, GATHERING_SECONDS, LEAST_BOUT_SECONDS, SEARCH_SECONDS

AVOID, ESCAPE, SCHOOL, EAT, MATE, LEAVE, WANDER = range(7)  # rows of Recording.INTENTIONS
NOTHING = -1  # in an empty memory
PREDATOR, PREY, PACIFIST = range(3)  # types of fishes, rows of ENABLED

DISABLED = (ESCAPE, SCHOOL, MATE, LEAVE), (MATE,), (ESCAPE, SCHOOL)  # for each type (Tu 1999, §7.9)
ENABLED = constant(np.array([[intention not in never for intention in range(7)] for never in DISABLED]))

BREEDING = ENABLED.copy()
"""The same in a world with breeding, where prey courts, too (ours)."""
BREEDING[PREY, MATE] = True
constant(BREEDING)


@dataclass(frozen=True)
class IntentionRule:
    """A rule by which a fish comes to its intention.

    Attributes:
        name: Its name.
        intention: What it intends by it; None where that is what it did, or had to interrupt.
        when: When it applies.
        reason: Why there is such a rule, and stands where it does.
        short: The same in a few words of an animator's, "" where numbers say more.
    """

    name: str
    intention: int | None
    when: str
    reason: str
    short: str = ""


RULES = (
    IntentionRule(
        "collision",
        AVOID,
        "something is within a length ahead, or within one and a half while it avoids; but not while it flees, picks "
        "food from what stands there, or has the prey that it chases before it",
        "a collision costs more than a meal or a mate (§7.5); a foe is worse than a wall, and the prey gets out of "
        "the way",
        "Something is too close ahead",
    ),
    IntentionRule(
        "clearance",
        AVOID,
        "it avoided a collision less than its least time ago, is not afraid, and did not have to leave a meal for it",
        "what it would go on with, such as courting, would lead it back to the wall at once; food would get away",
        "It keeps clear of what it nearly ran into",
    ),
    IntentionRule(
        "flight",
        ESCAPE,
        "its fear is above f0 and, where it schools, that of one foe above f1",
        "fear comes before all desires (§7.5); who has a school flees only in terror",
    ),
    IntentionRule(
        "alarm",
        ESCAPE,
        "it has had to flee until a moment ago",
        "whom a wall, or its own turned tail, hides a foe from has not got away",
        "It flees on, having lost sight of the danger",
    ),
    IntentionRule(
        "fear",
        SCHOOL,
        "it schools by habit, and its fear is above f0",
        "in a school there is less to fear (§7.5)",
    ),
    IntentionRule(
        "regrouping",
        SCHOOL,
        "it schools by habit, and its flight has just ended",
        "schools that were scattered gather before they feed again",
        "It gathers after its flight",
    ),
    IntentionRule(
        "persistence",
        None,
        "it has begun that less than its least time ago, and it still has a desire for it if it is one",
        "what it passes is no reason to change: food is in sight for a blink",
    ),
    IntentionRule(
        "memory",
        None,
        "something had to be interrupted, and its rivals, which it holds down, do not prevail",
        "one item of memory and its inhibitory gain keep a fish from dithering (§7.7)",
    ),
    IntentionRule(
        "appetite",
        None,
        "its hunger, or its libido, is above r, less by weariness, and there is something for it in sight, or a trail "
        "of its smell, or was until a moment ago: the greater",
        "desires (§7.5); who sees nothing to go for looks for it as it goes about",
    ),
    IntentionRule(
        "way",
        AVOID,
        "what stands, or others, have been in its way, among its own kind for some time",
        "it has nothing to do that is worth a touch",
        "Something is in its way, or close beside it",
    ),
    IntentionRule(
        "company",
        SCHOOL,
        "it schools by habit, and its kind is there",
        "habit (§7.5)",
        "Keeps with its kind by habit",
    ),
    IntentionRule(
        "discomfort",
        LEAVE,
        "it likes the light, or the warmth, otherwise",
        "habit (§7.5): all that presses comes first",
        "Light or warmth do not suit it here",
    ),
    IntentionRule(
        "whim",
        WANDER,
        "nothing else applies",
        "what is left (§7.5)",
    ),
)
"""The rules, the most urgent first. `intention.c` has them in this order."""

RULE_NAMES = tuple(rule.name for rule in RULES)
CLEARANCE, FLIGHT, WAY, COMPANY, DISCOMFORT, WHIM = map(
    RULE_NAMES.index, ("clearance", "flight", "way", "company", "discomfort", "whim")
)

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

THINKING = record("Thinking", **reals("fear_ease flight_share gathering least_bout search"))
_THINKING = values(
    THINKING,
    fear_ease=FEAR_EASE,
    flight_share=FLIGHT_SHARE,
    gathering=GATHERING_SECONDS,
    least_bout=LEAST_BOUT_SECONDS,
    search=SEARCH_SECONDS,
)
INTEND = compiled(
    "intend",
    over="n",
    least=FISHES_A_THREAD,
    thinking=reads(THINKING),
    rows=takes("i8", "n"),
    dangers=takes("?", "n"),
    together=takes("?", "n"),
    content=takes("?", "n"),
    within_reach=takes("?", "n", 2),
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
    hindrances=reads("f8", "fishes"),
    intentions=changes("i1", "fishes"),
    causes=changes("i1", "fishes"),
    stores=changes("i1", "fishes"),
    since=changes("f8", "fishes"),
    bouts=changes("f8", "fishes"),
    losses=changes("f8", "fishes"),
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
        together: True where others of its kind are with it, (n,) bool.
        fear_total: F, 0 to 1, (n,).
        fear_most: Fear of the most dangerous predator, 0 to 1, (n,).
        hunger: H, 0 to 1, (n,).
        libido: L, 0 to 1, (n,).
        content: True where the fish likes the light and the temperature, (n,) bool.
        within_reach: True where there is food, and a mate, that it may go for, (n, 2) bool.
    """

    danger: np.ndarray
    together: np.ndarray
    fear_total: np.ndarray
    fear_most: np.ndarray
    hunger: np.ndarray
    libido: np.ndarray
    content: np.ndarray
    within_reach: np.ndarray


class IntentionGenerator(Stateful):
    """Chooses the intention of every fish.

    Eating and mating tire: their activation is the desire times exp(-toil / fatigue). One that was given up for
    weariness alone is at 0 until it has rested for `fatigue` seconds, or it would be taken up again at once.

    Attributes:
        intention: Row of Recording.INTENTIONS that each fish holds, (fish,) int8.
        cause: Row of RULES by which it came to that, (fish,) int8.
        stored: Interrupted intention that is to be, or has been, resumed, NOTHING if none, (fish,) int8.
        since: Seconds in the present intention, (fish,).
        toil: Seconds spent on eating and on mating that the fish has not rested from, (fish, 2).
        rest: Seconds for which eating and mating are still out of the question, (fish, 2).
        memory: Mask of the fishes that remember what was interrupted, (fish,) bool.
        bout: Seconds for which each stays at what it has begun unless something presses, (fish,).
        loss: Seconds since each had what it is after, food or a mate, within reach, (fish,).
        hindrance: Share of its patience with what is in its way that each has lost, (fish,).
    """

    intention: np.ndarray = state("i1", "fish", low=0, high=WANDER, begin=WANDER, recorded="intention")
    cause: np.ndarray = state("i1", "fish", low=0, high=WHIM, begin=WHIM, recorded="cause")
    stored: np.ndarray = state("i1", "fish", low=NOTHING, high=WANDER, begin=NOTHING)
    since: np.ndarray = state("f8", "fish", unit="s")
    toil: np.ndarray = state("f8", "fish", 2, unit="s")
    rest: np.ndarray = state("f8", "fish", 2, unit="s")
    bout: np.ndarray = state("f8", "fish", unit="s")
    loss: np.ndarray = state("f8", "fish", unit="s")
    hindrance: np.ndarray = state("f8", "fish", low=0, high=1)

    def __init__(
        self,
        types: np.ndarray,
        traits: np.ndarray,
        schooling: np.ndarray,
        memory: bool | np.ndarray = True,
        enabled: np.ndarray = ENABLED,
        composure: float | np.ndarray = 0.0,
        flees: bool | np.ndarray = False,
    ):
        """Begins with every fish wandering, fresh and with nothing in mind.

        Args:
            types: Row of `enabled` for each fish, (fish,) int8.
            traits: (fish,) with the fields f0, f1, r, gain and fatigue, the last in seconds and greater than 0;
                gain 0 means no inhibition of rivals, infinite fatigue no weariness.
            schooling: Mask of the fishes that school by habit, (fish,) bool.
            memory: True where fishes remember what was interrupted, one for all or (fish,) bool.
            enabled: The intentions that each type may have, (type, 7) bool; avoiding and wandering all may.
            composure: Seconds for which each goes on with what presses no more, one for all or (fish,). Fishes with
                any also stay for a least time at whatever they begin.
            flees: True where fishes may flee whatever their type, one for all or (fish,) bool.
        """
        fishes = len(traits)
        self._table = stack(INTEND, "traits", **{name: traits[name] for name in ("f0", "f1", "r", "gain", "fatigue")})
        self._enabled = np.asarray(enabled, dtype=bool)[types]
        self._enabled[:, ESCAPE] |= flees
        self._schooling = np.asarray(schooling, dtype=bool) & self._enabled[:, SCHOOL]
        self.memory = np.broadcast_to(memory, fishes)
        self._fill(fish=fishes)
        self._composure = np.broadcast_to(np.asarray(composure, dtype=float), fishes)

    def decide(
        self,
        fishes: np.ndarray,
        pressures: Pressures,
        elapsed: ArrayLike,
        chance: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Decides the next intention of some fishes.

        By the first of `RULES` that applies to each.

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
            together=pressures.together,
            content=pressures.content,
            within_reach=pressures.within_reach,
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
            hindrances=self.hindrance,
            intentions=self.intention,
            causes=self.cause,
            stores=self.stored,
            since=self.since,
            bouts=self.bout,
            losses=self.loss,
            toils=self.toil,
            rests=self.rest,
            found=found[0],
            taken_up=found[1],
        )
        return found

    def bear(self, fishes: np.ndarray, hindered: np.ndarray, together: np.ndarray, elapsed: np.ndarray) -> None:
        """Takes patience from fishes that something is in the way of, and gives it back to the others.

        One that is alone has none; among its own kind it bears others for a share of its composure.

        Args:
            fishes: Rows of n distinct fishes, (n,).
            hindered: True where what stands, or others, were in the way just now, (n,) bool.
            together: True where others of its kind are with it, (n,) bool.
            elapsed: Seconds since each last thought, (n,).
        """
        patience = np.where(together, CROWDED_SHARE * self._composure[fishes], 0.0)
        lost = np.divide(elapsed, patience, out=np.ones(len(fishes)), where=patience > 0.0)
        self.hindrance[fishes] = np.clip(self.hindrance[fishes] + np.where(hindered, lost, -lost), 0.0, 1.0)

    def at_ease(self, fishes: np.ndarray | slice) -> np.ndarray:
        """Mask of those of these, (n,), that school, leave, wander or make way, (n,) bool."""
        intention, cause = self.intention[fishes], self.cause[fishes]
        habitual = (intention == SCHOOL) | (intention == LEAVE) | (intention == WANDER)
        return habitual | (cause == WAY)

    def avoids_collision(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), that avoid a collision or keep clear of it, (n,) bool."""
        return self.cause[fishes] <= CLEARANCE

    def in_schools(self) -> np.ndarray:
        """Mask of the fishes that school by habit and do nothing else for their own sake, (fish,) bool."""
        return self._schooling & self.at_ease(slice(None))

    def startle(self, fishes: np.ndarray | int) -> None:
        """Has these fishes, (n,), flee, whatever else they feel."""
        self.intention[fishes], self.cause[fishes] = ESCAPE, FLIGHT

    def forget(self, fishes: np.ndarray) -> None:
        """Clears the memory of these fishes, (n,), and ends what they were doing."""
        self.stored[fishes], self.intention[fishes], self.since[fishes] = NOTHING, WANDER, 0.0
        self.cause[fishes] = WHIM
