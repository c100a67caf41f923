"""Guarding: a male stays at the eggs that were laid for him, fans them, and drives others off (ours).

So do damselfishes, the clownfish among them (Thresher 1984, Reproduction in Reef Fishes): he stands close over his nest
with beating fins, and charges at whoever comes near, at larger ones too. Who is charged makes off.
"""

from __future__ import annotations

import numpy as np

from ...base.state import Stateful, state
from ...base.vectors import dot, norm, unit
from ...perception.swimmers import NO_FISH, Swimmers
from ..mood import Mood
from ..plan import Plan
from .courtship import HORIZONTAL
from .moves import Moves
from .travel import slowed
from .tuning import (
    CHARGE_LENGTHS,
    CHARGE_PACE,
    DRIVEN_OFF_PACE,
    FACING,
    FANNING_BACK,
    FANNING_LENGTHS,
    FANNING_REACHED_LENGTHS,
    FANNING_SLOPE,
    FANNING_STRAY_LENGTHS,
    NEST_LENGTHS,
    RESPECTED_LENGTHS,
)


class Guarding(Stateful):
    """Nests and who guards them.

    Attributes:
        nest: Middle of the clutch that each guards, in metres, NaN without, (fish, 3).
        fans: Whether it stands at its nest and fans it, (fish,) bool.
        chases: Row of the fish that each drives off, NO_FISH without, (fish,).
        nests: Whether there may ever be a nest.
    """

    nest: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)
    fans: np.ndarray = state("?", "fish")
    chases: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    _out: np.ndarray = state("f8", "fish", 3)  # off the ground at its nest
    _mate: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)

    def __init__(self, lays: np.ndarray, bold: np.ndarray, length: np.ndarray, alive: np.ndarray):
        """Begins without a nest.

        Args:
            lays: Fishes that may court, and lay on the ground, (fish,) bool.
            bold: Those that nobody frightens, predators, (fish,) bool.
            length: Metres, (fish,).
            alive: Those that are there, kept up to date, (fish,) bool.
        """
        self.nests, self._bold, self._length, self._alive = bool(lays.any()), bold, length, alive
        self._fill(fish=len(length))

    def take_up(self, male: int, mate: int, nest: np.ndarray, out: np.ndarray) -> None:
        """Has a male guard the eggs that his mate has laid, at a place in metres (3,), and the way off its ground."""
        self.nest[male], self._out[male], self._mate[male] = nest, out, mate

    def give_up(self, male: int) -> None:
        """Has a male guard nothing any more."""
        self.nest[male], self._mate[male] = np.nan, NO_FISH

    def act(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, mood: Mood) -> None:
        """Has those of these fishes, (n,), that are at ease guard their nests, and make off from others'.

        Args:
            fishes: Rows of those that take thought, (n,).
            plan: Theirs, to which this is added.
            swimmers: All fishes.
            mood: Moods, which take the fright of fishes that are driven off.
        """
        if not self.nests:
            return
        stood = self.fans[fishes]
        self.fans[fishes], self.chases[fishes] = False, NO_FISH
        free = plan.at_ease & ~plan.pressing
        rows = np.flatnonzero(free & ~np.isnan(self.nest[fishes, 0]))
        if len(rows):
            charges = self._drive_off(rows, fishes[rows], plan, swimmers, mood)
            free[rows], rows = False, rows[~charges]
            self._stay(rows, fishes[rows], stood[rows], plan, swimmers)
        rows = np.flatnonzero(free & np.isin(fishes, self.chases[self._alive]))
        if len(rows):
            self._make_off(rows, fishes[rows], plan, swimmers)

    def _drive_off(self, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers, mood: Mood) -> np.ndarray:
        """Has them charge at the nearest of those that have come near; which do, (n,) bool.

        His mate may come, and so may those who have a nest of their own there; others may be too large for him.
        """
        middle, length, everyone = swimmers.middle, self._length, np.arange(len(self._length))
        about = norm(middle - self.nest[me][:, None]) < NEST_LENGTHS * length[me][:, None]
        about &= self._alive & ~(norm(middle - self.nest) < NEST_LENGTHS * length)
        about &= (everyone != self._mate[me][:, None]) & (length < RESPECTED_LENGTHS * length[me][:, None])
        gap = np.where(about, norm(middle - middle[me][:, None]), np.inf)
        charges, other, least = np.isfinite(gap.min(axis=1)), gap.argmin(axis=1), gap.min(axis=1)
        me, other, some = me[charges], other[charges], rows[charges]
        none = np.zeros(len(me))
        way = unit(middle[other] - middle[me])
        plan.follow(some, Moves(way, np.full(len(some), CHARGE_PACE), none.astype(bool), none))
        plan.goal[some] = self.chases[me] = other
        near = (least[charges] < CHARGE_LENGTHS * length[me]) & ~self._bold[other]
        mood.startle(other[near], middle[me[near]])
        return charges

    def _stay(self, rows: np.ndarray, me: np.ndarray, stood: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has them go to where they stand at their nests, and fan there, heads to the eggs; some `stood` there."""
        middle, length, nest = swimmers.middle[me], self._length[me], self.nest[me]
        side = unit((middle - nest) * HORIZONTAL)
        stand = nest + (FANNING_LENGTHS * length)[:, None] * unit(self._out[me] + FANNING_SLOPE * side)
        off = norm(stand - middle)
        faces = dot(unit(swimmers.ahead[me] * HORIZONTAL), -side) > FACING  # else he has to go round once more
        there = faces & (off < np.where(stood, FANNING_STRAY_LENGTHS, FANNING_REACHED_LENGTHS) * length)
        wish = np.where(there[:, None], -side, unit(stand - middle))
        pace = np.where(there, 0.0, np.minimum(slowed(off, length), 1.0))
        near = norm(middle - nest) < norm(stand - nest)  # beating fins bear him on
        back = np.where(there & near, FANNING_BACK, 0.0)
        plan.follow(rows, Moves(wish, pace, there, back))
        plan.near[rows], plan.touches[rows] = norm(nest - middle), True
        self.fans[me] = there

    def _make_off(self, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has them swim away from who charges at them; who fears it does so anyway."""
        middle, chased = swimmers.middle, (self.chases == me[:, None]) & self._alive
        gap = np.where(chased, norm(middle - middle[me][:, None]), np.inf)
        away = unit(middle[me] - middle[gap.argmin(axis=1)])
        none = np.zeros(len(me))
        plan.follow(rows, Moves(away, np.full(len(me), DRIVEN_OFF_PACE), none.astype(bool), none))
