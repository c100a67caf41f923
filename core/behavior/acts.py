"""Actions for intentions: each goes to its routine (Tu 1999, §7.8)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.vectors import norm, unit
from ..perception.browsing import Browsing
from ..perception.focuser import NO_FOOD, Focus
from ..perception.presences import NOBODY
from ..perception.recollection import Recollection
from ..perception.smell import Morsels
from ..perception.swimmers import NO_FISH, Swimmers
from .dread import Dread
from .intention import EAT, ESCAPE, MATE, SCHOOL
from .mental_state import MentalState
from .mood import Mood
from .plan import Plan
from .routines.courtship import Courtship
from .routines.escape import Escaping
from .routines.graze import Grazing
from .routines.guard import Guarding
from .routines.host import Hosts
from .routines.hunt import Hunting
from .routines.mate import Mating
from .routines.tuning import BITING_PACE, RECOIL_SPEED, UNHURRIED_LENGTHS


@dataclass(frozen=True)
class Meals:
    """Going for prey, for morsels, and for lures that are taken for one.

    Attributes:
        focus: What each is after.
        morsels: All that may be picked.
        hunting: The routine of predators for prey.
        grazing: The routine of the others for morsels.
        dread: The lures that fishes see.
        browsing: Forays for what grows.
    """

    focus: Focus
    morsels: Morsels
    hunting: Hunting
    grazing: Grazing
    dread: Dread
    browsing: Browsing

    def go_for(
        self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, hunts: np.ndarray, elapsed: np.ndarray
    ) -> None:
        """Adds to the plan of fishes that mean to eat.

        Args:
            fishes: Rows of those that take thought, (n,).
            plan: Theirs, whose intentions are set.
            swimmers: All fishes, with velocities through the water.
            hunts: True where they hunt fishes, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        focus, eats = self.focus, plan.intention == EAT
        preys = eats & hunts
        self.hunting.leave(fishes[~preys])
        plan.goal[preys] = focus.target[fishes[preys]]
        rows = np.flatnonzero(preys & (focus.target[fishes] != NO_FISH))
        if len(rows):
            plan.follow(rows, self.hunting.moves(fishes[rows], swimmers, elapsed[rows]))
            plan.near[rows] = norm(swimmers.middle[focus.target[fishes[rows]]] - swimmers.middle[fishes[rows]])
        rows = np.flatnonzero(eats & ~hunts & (focus.food[fishes] != NO_FOOD))
        food = self.morsels.place[focus.food[fishes[rows]]]
        plan.follow(rows, self.grazing.moves(fishes[rows], swimmers, food, elapsed[rows]))
        plan.near[rows] = norm(food - swimmers.middle[fishes[rows]])
        plan.touches[rows] = focus.food[fishes[rows]] >= self.morsels.first_tuft
        far = plan.near[rows] > UNHURRIED_LENGTHS * self.grazing.length[fishes[rows]]
        plan.hurried[rows[plan.touches[rows] & far]] = False
        brisk = plan.touches & (plan.pace > 0.0)  # what grows does not get away from a rash nose
        plan.pace[brisk] = np.maximum(plan.pace[brisk], BITING_PACE)
        recoils = plan.touches & (self.browsing.recoil[fishes] > 0.0)
        plan.pace[recoils], plan.hold[recoils], plan.back[recoils] = 0.0, False, RECOIL_SPEED
        aimless = np.where(hunts, focus.target[fishes] == NO_FISH, focus.food[fishes] == NO_FOOD)
        rows = np.flatnonzero(eats & aimless & self.dread.lured(fishes))
        if len(rows):
            plan.follow(rows, self.dread.approach(fishes[rows], swimmers))
            plan.near[rows] = self.dread.lure[fishes[rows]]


@dataclass(frozen=True)
class Flights:
    """Getting away from foes, and keeping away from where one was.

    Attributes:
        focus: The foe of each.
        feelings: Fears and frights.
        drives: (fish,) with the field f0.
        escaping: The routine of escape.
        dread: Presences that are foes.
        dangers: Places where each last saw its foe.
        hosts: Anemones that fishes hide in.
    """

    focus: Focus
    feelings: MentalState
    drives: np.ndarray
    escaping: Escaping
    dread: Dread
    dangers: Recollection
    hosts: Hosts

    def get_away(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Adds to the plan of fishes (n,) that flee, or school or are at ease where there is something to fear."""
        rows = np.flatnonzero(plan.intention == ESCAPE)
        if len(rows):
            plan.follow(rows, self.escaping.moves(fishes[rows], swimmers))
            self.hosts.retreat(fishes, plan, swimmers)
        nose, at_ease = swimmers.nose[fishes], np.flatnonzero(plan.at_ease)
        plan.wish[at_ease] = self.dangers.away(fishes[at_ease], nose[at_ease])
        has_foe = (self.focus.target[fishes] != NO_FISH) | (self.feelings.mood.fright[fishes] > 0)
        has_foe |= self.dread.foe[fishes] != NOBODY
        afraid = self.feelings.fear[fishes] > self.drives["f0"][fishes]
        wary = np.flatnonzero((plan.intention == SCHOOL) & has_foe & afraid)
        if len(wary):
            plan.wish[wary] = unit(nose[wary] - self.escaping.foes(fishes[wary], swimmers).place)


@dataclass(frozen=True)
class Couples:
    """Courting, and guarding eggs.

    Attributes:
        courtship: Couples and their stages.
        mating: The motions of courting fishes.
        guarding: Nests.
        mood: Frights, which guards give others.
    """

    courtship: Courtship
    mating: Mating
    guarding: Guarding
    mood: Mood

    def court(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Adds to the plan of fishes (n,) that mean to mate and have somebody for it, or have eggs to guard."""
        rows = np.flatnonzero((plan.intention == MATE) & (self.courtship.partner[fishes] != NO_FISH))
        if len(rows):
            plan.follow(rows, self.mating.moves(fishes[rows], swimmers))
            plan.goal[rows] = self.courtship.partner[fishes[rows]]
        self.guarding.act(fishes, plan, swimmers, self.mood)
