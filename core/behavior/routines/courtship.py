"""Courtship: choosing a partner, and the stage of each couple in looping, circling, ascending and nuzzling (§7.9.3).

A couple is a finite-state machine, one state a stage, with one test that leads on to the next. Every fish that
courts has a row here; the others cost nothing. Where the book gives no number, the number is ours.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.constants import constant
from ...base.elementary import arctan2, sin
from ...base.state import Stateful, state
from ...base.sums import mean
from ...base.vectors import norm, unit, wrap
from ...body.anatomy import NOSE_NODE, RING_NODES
from ...events import COURTSHIP_STAGES
from ...perception.swimmers import NO_FISH
from ..intention import MATE
from .tuning import (
    COURTING_PATIENCE_SECONDS,
    FOLLOWED_LENGTHS,
    FOREIGN_APPEAL,
    LOOPED_APPEAL,
    LOOPING_LENGTHS,
    LOYALTY_APPEAL,
    NUDGE_LENGTHS,
    PARTING_SECONDS,
    POINT_ABOVE_LENGTHS,
    POINT_AHEAD_LENGTHS,
    POINT_REACH_LENGTHS,
    POINT_SECONDS,
    POINT_SWING_LENGTHS,
    RETREAT_SECONDS,
    SETBACK_SECONDS,
    SULKING_SECONDS,
    SURFACE_LENGTHS,
    WAIT_SECONDS,
)

LOOPING, CIRCLING, ASCENDING, NUZZLING = range(4)
APART = -1
"""In no stage."""

HORIZONTAL = constant(np.array((1.0, 1.0, 0.0)))
UPWARD = constant(np.array((0.0, 0.0, 1.0)))


class Courtship(Stateful):
    """The couples of a world and the stages of their courtship.

    Attributes:
        partner: Row of the fish that each has chosen, NO_FISH without, (fish,).
        stage: Row of COURTSHIP_STAGES, APART in none, (fish,) int8; a couple's two are in the same.
        count: Times that a male has reached the moving point or nudged her abdomen, (fish,).
        turned: Angle by which a female has circled in radians, left positive, (fish,).
        time: Seconds in the stage, (fish,).
        goal: Height to which a female ascends in metres, (fish,).
        backing: Seconds of backing off and waiting that a male has left, (fish,).
        happened: Events since it was last cleared, each a dict as in `Recording.events` without the frame.
    """

    partner: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    stage: np.ndarray = state("i1", "fish", low=APART, high=NUZZLING, begin=APART)
    count: np.ndarray = state("i8", "fish", low=0, high="frame")
    turned: np.ndarray = state("f8", "fish", unit="rad")
    time: np.ndarray = state("f8", "fish", unit="s", key="_time")
    goal: np.ndarray = state("f8", "fish", unit="m", key="_goal")
    backing: np.ndarray = state("f8", "fish", unit="s", key="_backing")
    _clock: np.ndarray = state("f8", "fish", unit="s")  # since each last got further in its stage
    _spurned: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)  # by whom a male was, last
    _sulk: np.ndarray = state("f8", "fish", unit="s")  # in which he still leaves her alone
    _idle: np.ndarray = state("f8", "fish", unit="s")  # for which either of a couple has had something else in mind
    _azimuth: np.ndarray = state("f8", "fish", unit="rad")  # of a circling female when she was last watched
    _away: np.ndarray = state("?", "fish", begin=True)  # whether a male has left the moving point since he reached it
    _suitor: np.ndarray = state("f8", "fish", unit="s")  # a male has looped before one who has not chosen him
    _unseen: np.ndarray = state("f8", "fish", unit="s")  # since each saw whom it has chosen

    def __init__(
        self,
        males: np.ndarray,
        species: np.ndarray,
        drives: np.ndarray,
        length: np.ndarray,
        surface: float,
        larger_females: np.ndarray | None = None,
    ):
        """Begins with nobody courting.

        Args:
            males: Mask of the males, (fish,) bool.
            species: A number for the species of each fish, (fish,).
            drives: (fish,) with the fields `loops`, `turns`, `ascent`, `nudges`, `persistence`, `sight` and
                `foreigners`.
            length: Metres, (fish,).
            surface: Height of the water's surface in metres, from which a female keeps away.
            larger_females: Fishes whose species has larger females than males, (fish,) bool; none if left out.
        """
        self._fill(fish=len(length))
        self._larger = np.zeros(len(length), dtype=bool) if larger_females is None else larger_females
        self._males, self._species, self._length, self._surface = males, species, length, surface
        self._loops, self._turns, self._nudges = drives["loops"], 2 * np.pi * drives["turns"], drives["nudges"]
        self._sight, self._ascent = drives["sight"] * length, drives["ascent"] * length
        self._open_minded = drives["foreigners"] > 0
        self._devotion = drives["persistence"] * length
        self.happened: list[dict[str, Any]] = []

    @property
    def at_work(self) -> bool:
        """True if any fish has chosen another, or still sulks."""
        return bool((self.partner != NO_FISH).any() or self._sulk.any())

    @property
    def active(self) -> bool:
        """True if any fish is in a stage."""
        return bool((self.stage != APART).any())

    def couples(self) -> tuple[np.ndarray, np.ndarray]:
        """Males (c,) and females (c,) that have chosen each other and are in a stage."""
        males = np.flatnonzero(self._males & (self.stage != APART) & (self.partner != NO_FISH))
        females = self.partner[males]
        mutual = self.partner[females] == males
        return males[mutual], females[mutual]

    def suits(self, fishes: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Mask of the others that fishes would court: their own kind, and further kinds if both are open to them.

        Where females are the larger ones, as of clownfish, whose largest turns into one, no male courts a smaller one.

        Args:
            fishes: Rows of those that choose, (n,).
            others: Rows of those of the other sex, its own row for nobody, (n, k).

        Returns:
            (n, k) bool.
        """
        me = fishes[:, None]
        kin = self._species[others] == self._species[me]
        he, she = np.where(self._males[me], me, others), np.where(self._males[me], others, me)
        fits = (self._length[he] <= self._length[she]) | ~(self._larger[me] & kin)
        return (others != me) & fits & (kin | (self._open_minded[others] & self._open_minded[me]))

    def choose(
        self,
        fishes: np.ndarray,
        others: np.ndarray,
        distance: np.ndarray,
        seen: np.ndarray,
        intention: np.ndarray,
        elapsed: np.ndarray,
    ) -> None:
        """Lets fishes that mean to mate choose among those of the other sex that they see.

        A male likes a near female, a female a large male. Both keep to their own species, or only prefer it where both
        would court others. A female takes note of males that loop before her, and turns away from one that is taken up
        with another.

        Args:
            fishes: Rows of those that choose, (n,).
            others: Rows of those of the other sex near each, first whom it has chosen before, (n, k); its own row for
                nobody.
            distance: Metres to them, (n, k).
            seen: Whether it sees them, (n, k) bool; its chosen partner it keeps in mind for a while without.
            intention: Intentions of all fishes, (fish,).
            elapsed: Seconds since each last chose, (n,).
        """
        if not len(fishes):
            return
        me = fishes[:, None]
        kept = (others == self.partner[me]) & (others != me)
        self._unseen[fishes] = np.where((kept & seen).any(axis=1), 0.0, self._unseen[fishes] + elapsed)
        seen = seen | (kept & (self._unseen[me] < PARTING_SECONDS))
        foreign = self._species[others] != self._species[me]
        fixed = self.stage[others] > LOOPING  # with somebody, for good
        courts_me = self.partner[others] == me
        taken = np.where(self._males[me], fixed & ~courts_me, self._busy_elsewhere(others, me, intention))
        sulks = (self._sulk[me] > 0) & (self._spurned[me] == others)
        open_to = seen & self.suits(fishes, others) & ~taken & ~sulks

        near = 1 - distance / self._sight[me]
        loops = courts_me & (self.stage[others] == LOOPING)
        shown = loops * np.minimum(self.count[others] / self._loops[others], 1.0)
        large = self._length[others] / self._length[me] + LOOPED_APPEAL * shown
        appeal = np.where(self._males[me], near, large) - FOREIGN_APPEAL * foreign
        loyalty = np.where(self._males[fishes], self._devotion[fishes] / self._sight[fishes], LOYALTY_APPEAL)
        appeal = np.where(open_to, appeal + loyalty[:, None] * kept, -np.inf)
        best = appeal.argmax(axis=1)[:, None]
        found = np.where(
            np.take_along_axis(appeal, best, axis=1) > -np.inf, np.take_along_axis(others, best, axis=1), NO_FISH
        )[:, 0]
        free = self.stage[fishes] <= LOOPING
        changed = fishes[free & (found != self.partner[fishes])]
        self._part(changed[self._males[changed]])
        self._unseen[changed] = 0.0
        self.partner[fishes[free]] = found[free]

    def _busy_elsewhere(self, males: np.ndarray, me: np.ndarray, intention: np.ndarray) -> np.ndarray:
        """Mask of males that mean to mate, but with another than me."""
        return (intention[males] == MATE) & (self.partner[males] != NO_FISH) & (self.partner[males] != me)

    def advance(self, dt: float, nodes: np.ndarray, frames: np.ndarray, intention: np.ndarray) -> np.ndarray:
        """Watches those that court for some time and leads them from stage to stage.

        Args:
            dt: Seconds since it was last called.
            nodes: Metres, (fish, 23, 3).
            frames: Columns ahead, left and up, (fish, 3, 3).
            intention: Intentions of all fishes, (fish,).

        Returns:
            Rows of those that got further in their stage or beyond it just now, (n,).
        """
        self._sulk = np.maximum(self._sulk - dt, 0.0)
        self._begin(nodes, intention)
        if not self.active:
            return np.zeros(0, dtype=int)
        self.time[self.stage != APART] += dt
        counted = self.count.copy()
        self._count_loops(dt, nodes, frames, intention)
        males, females = self.couples()
        self._clock[males] += dt
        together = (intention[males] == MATE) & (intention[females] == MATE)
        self._idle[males] = np.where(together, 0.0, self._idle[males] + dt)
        lost = (self._idle[males] > PARTING_SECONDS) | (self._clock[males] > SETBACK_SECONDS)
        self._separate(males[lost], females[lost])
        males, females = males[~lost], females[~lost]
        before = self.stage[males]
        for stage, done in (
            (LOOPING, self._has_looped),
            (CIRCLING, self._have_circled),
            (ASCENDING, self._has_followed),
            (NUZZLING, self._has_nuzzled),
        ):
            now = self.stage[males] == stage
            if now.any():
                m, f = males[now], females[now]
                ended = done(dt, m, f, nodes, frames)
                self._lead_on(stage, m[ended], f[ended], nodes, frames)
        further = (self.count[males] != counted[males]) | (self.stage[males] != before)
        return np.concatenate((males[further], females[further]))

    def leave(self, fishes: np.ndarray) -> None:
        """Takes fishes out of everybody's courtship, (n,)."""
        gone = np.isin(self.partner, fishes)
        gone[fishes] = True
        rows = np.flatnonzero(gone)
        self._part(rows)
        self.partner[rows] = NO_FISH

    def _begin(self, nodes: np.ndarray, intention: np.ndarray) -> None:
        """Males that have come near whom they have chosen, and she means to mate, begin to loop; she waits for one."""
        males = np.flatnonzero(self._males & (self.partner != NO_FISH) & (intention == MATE))
        males = males[self.stage[males] == APART]
        females = self.partner[males]
        gap = norm(mean(nodes[males], axis=1) - mean(nodes[females], axis=1))
        near = gap < LOOPING_LENGTHS * 0.5 * (self._length[males] + self._length[females])
        begins = near & (intention[females] == MATE) & (self.stage[females] <= LOOPING)
        males, females = males[begins], females[begins]
        self._part(males)
        self.stage[males], self._away[males] = LOOPING, True
        self.stage[females] = LOOPING
        self._note("courtship", males, females, LOOPING)

    def _count_loops(self, dt: float, nodes: np.ndarray, frames: np.ndarray, intention: np.ndarray) -> None:
        """Counts how often males reach the moving point; those that loop in vain give up."""
        males = np.flatnonzero(self._males & (self.stage == LOOPING))
        if not len(males):
            return
        females = self.partner[males]
        away = norm(self.moving_point(males, females, nodes, frames) - nodes[males, NOSE_NODE])
        reached = self._away[males] & (away < POINT_REACH_LENGTHS * self._length[males]) & (intention[males] == MATE)
        self.count[males[reached]] += 1
        self._clock[males[reached]] = 0.0
        self._away[males] = (self._away[males] & ~reached) | (away > 2 * POINT_REACH_LENGTHS * self._length[males])
        vain = self.partner[females] != males
        self._suitor[males] = np.where(vain, self._suitor[males] + dt, 0.0)
        gives_up = vain & ((self._suitor[males] > COURTING_PATIENCE_SECONDS) | (self.stage[females] != LOOPING))
        losers = males[gives_up]
        self._spurned[losers], self._sulk[losers] = females[gives_up], SULKING_SECONDS
        self._part(losers)
        self.partner[losers] = NO_FISH
        deserted = np.flatnonzero(~self._males & (self.stage == LOOPING))
        looped_for = np.isin(deserted, self.partner[self._males & (self.stage == LOOPING)])
        self.stage[deserted[~looped_for]] = APART

    def _has_looped(
        self, dt: float, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray
    ) -> np.ndarray:
        return self.count[males] >= self._loops[males]

    def _have_circled(
        self, dt: float, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray
    ) -> np.ndarray:
        azimuth = _azimuth(frames[females])
        self.turned[females] += wrap(azimuth - self._azimuth[females])
        self._azimuth[females] = azimuth
        return np.abs(self.turned[females]) >= self._turns[females]

    def _has_followed(
        self, dt: float, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray
    ) -> np.ndarray:
        there = nodes[females, NOSE_NODE, 2] >= self.goal[females]
        gap = norm(abdomen_of(nodes[females]) - nodes[males, NOSE_NODE])
        return there & (gap < FOLLOWED_LENGTHS * 0.5 * (self._length[males] + self._length[females]))

    def _has_nuzzled(
        self, dt: float, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray
    ) -> np.ndarray:
        self.backing[males] = np.maximum(self.backing[males] - dt, 0.0)
        gap = norm(nodes[females][:, RING_NODES[1:3, 2:].ravel()] - nodes[males, None, NOSE_NODE]).min(axis=1)
        touches = (self.backing[males] == 0) & (gap < NUDGE_LENGTHS * self._length[females])
        self.count[males[touches]] += 1
        self._clock[males[touches]] = 0.0
        self.backing[males[touches]] = RETREAT_SECONDS + WAIT_SECONDS
        return self.count[males] >= self._nudges[males]

    def _lead_on(
        self, stage: int, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray
    ) -> None:
        """Takes couples that have completed a stage to the next, or to spawning."""
        if not len(males):
            return
        if stage == NUZZLING:
            self._note("spawned", males, females)
            self._separate(males, females)
            return
        both = np.concatenate((males, females))
        self._part(both)
        self.stage[both] = stage + 1
        self._note("courtship", males, females, stage + 1)
        self.turned[females], self._azimuth[females] = 0.0, _azimuth(frames[females])
        highest = self._surface - SURFACE_LENGTHS * self._length[females]
        self.goal[females] = np.minimum(nodes[females, NOSE_NODE, 2] + self._ascent[females], highest)

    def _separate(self, males: np.ndarray, females: np.ndarray) -> None:
        both = np.concatenate((males, females))
        self._part(both)
        self.partner[both] = NO_FISH

    def _part(self, fishes: np.ndarray) -> None:
        """Ends the stage of these fishes, (n,)."""
        self.stage[fishes], self.count[fishes], self._clock[fishes], self.time[fishes] = APART, 0, 0.0, 0.0
        self._idle[fishes], self.backing[fishes], self._suitor[fishes] = 0.0, 0.0, 0.0

    def moving_point(self, males: np.ndarray, females: np.ndarray, nodes: np.ndarray, frames: np.ndarray) -> np.ndarray:
        """The point before a female's head that moves up and down, in metres, (n, 3)."""
        swing = POINT_ABOVE_LENGTHS + POINT_SWING_LENGTHS * sin(2 * np.pi * self.time[males] / POINT_SECONDS)
        flat = unit(frames[females, :, 0] * HORIZONTAL)
        ahead = POINT_AHEAD_LENGTHS * flat + swing[:, None] * UPWARD
        return nodes[females, NOSE_NODE] + self._length[females, None] * ahead

    def _note(self, kind: str, males: np.ndarray, females: np.ndarray, stage: int | None = None) -> None:
        for male, female in zip(males.tolist(), females.tolist(), strict=True):
            event = {"kind": kind, "fish": male, "other": female}
            self.happened.append(event if stage is None else {**event, "stage": COURTSHIP_STAGES[stage]})


def courtable(
    may: np.ndarray, males: np.ndarray, species: np.ndarray, open_minded: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows of fishes, and of those of the other sex that these may court; nobody for whom there is none.

    Args:
        may: Fishes that court at all, (fish,) bool.
        males: Mask of the males, (fish,) bool.
        species: A number for the species of each, (fish,).
        open_minded: Fishes that court other species too, (fish,) bool.
    """
    pairs = []
    for sex in (True, False):
        for kind in np.unique(species[may]):
            for wide in (True, False):
                mine = may & (males == sex) & (species == kind) & (open_minded == wide)
                other = may & (males != sex) & ((species == kind) | (open_minded & wide))
                pairs.append((np.flatnonzero(mine), np.flatnonzero(other)))
    return [(mine, other) for mine, other in pairs if len(mine) and len(other)]


def abdomen_of(nodes: np.ndarray) -> np.ndarray:
    """Middle of the belly, under the second and third rings, (n, 3)."""
    return mean(nodes[:, RING_NODES[1:3, 2:].ravel()], axis=1)


def _azimuth(frames: np.ndarray) -> np.ndarray:
    """Azimuths of headings, in radians, (n,)."""
    return arctan2(frames[:, 1, 0], frames[:, 0, 0])
