"""Trails: which fishes follow a smell, and of what: hungry ones of food, and those in love of mates of their kind."""

from __future__ import annotations

import numpy as np

from ..base.state import Stateful
from ..habitat.plume import MATES, Plume
from ..habitat.tuning import MATE_ODOUR
from ..perception.scent import FOODS, KIN, NOTHING_SOUGHT, Scent
from ..perception.swimmers import Swimmers
from .character import MALE, Cast
from .intention import EAT, MATE, IntentionGenerator
from .mental_state import MentalState
from .plan import Plan
from .routines.trail import trail


class Trails:
    """The following of smells.

    Attributes:
        scent: The noses of all fishes.
        noses: Rows of those that follow smells, (n,).
    """

    def __init__(
        self,
        cast: Cast,
        plume: Plume,
        hunts: np.ndarray,
        courts: np.ndarray,
        feelings: MentalState,
        generator: IntentionGenerator,
    ):
        """Begins with nobody on a trail.

        Args:
            cast: The fishes.
            plume: Drifting smells.
            hunts: Mask of the fishes that hunt others, (fish,) bool.
            courts: Mask of the fishes that court, (fish,) bool.
            feelings: Hunger and libido.
            generator: The intention generator, which does not tire of a trail that leads on.
        """
        drives, males = cast.characters.drives, cast.characters.sexes == MALE
        self._alive, self._threshold, self._feelings, self._generator = cast.alive, drives["r"], feelings, generator
        self._plume, self._smell = plume, MATES + 2 * cast.species + males
        mates = MATES + 2 * cast.species + ~males
        self.scent = Scent(plume, drives, cast.length, hunts, mates)
        self.noses = np.flatnonzero(drives["scent"] > 0.0)
        # Nobody would notice it of others.
        self._scented = courts & np.isin(self._smell, mates[courts & (drives["scent"] > 0.0)])

    @property
    def parts(self) -> tuple[Stateful, ...]:
        """The parts that change with time."""
        return self._plume, self._plume.dice, self.scent

    def due(self, dt: float) -> bool:
        """True if noses are to sniff again, where `dt` seconds have passed since this was last asked."""
        return self.scent.due(dt)

    def sniff(self, fishes: np.ndarray, swimmers: Swimmers, lacks: np.ndarray) -> None:
        """Has fishes smell what they want and know nothing of.

        Args:
            fishes: Rows of fishes that follow smells, (n,).
            swimmers: All fishes.
            lacks: Whether they lack food that they would eat, and a mate that they would court, (n, 2) bool.
        """
        hunger, libido = self._feelings.hunger[fishes], self._feelings.libido[fishes]
        hungry, loves = (lacks & (np.stack((hunger, libido), axis=1) > self._threshold[fishes, None])).T
        seeks = np.where(loves & ~(hungry & (hunger >= libido)), KIN, np.where(hungry, FOODS, NOTHING_SOUGHT))
        gains = self.scent.sniff(fishes, seeks, swimmers)
        self._generator.toil[gains, self.scent.quarry[gains]] = 0.0  # success does not tire

    def within_reach(self, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these, (n,), that are on a trail of food, and of a mate, (n, 2) bool."""
        on = np.flatnonzero(self.scent.trails(fishes))
        reach = np.zeros((len(fishes), 2), dtype=bool)
        reach[on, self.scent.quarry[fishes[on]]] = True
        return reach

    def follow(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Adds to the plan of fishes (n,) that mean to eat or to mate and are on a trail of that."""
        aim = np.where(self.scent.quarry[fishes] == KIN, MATE, EAT)
        rows = np.flatnonzero(self.scent.trails(fishes) & (plan.intention == aim) & ~plan.pressing)
        if len(rows):
            plan.follow(rows, trail(fishes[rows], swimmers, self.scent))
            plan.hurried[rows] = False

    def give_off(self, places: np.ndarray, seconds: float) -> None:
        """Has fishes in love, of all at places (fish, 3) in metres, smell to their mates for so many seconds."""
        ripe = self._scented & self._alive & (self._feelings.libido > self._threshold)
        for kind in np.unique(self._smell[ripe]).tolist():
            self._plume.give_off(places[ripe & (self._smell == kind)], kind, MATE_ODOUR * seconds)
