"""The food that a fish smells, on any side and behind any obstacle, and goes for (Tu 1999, §6.3.1, §6.5.3)."""

from __future__ import annotations

import numpy as np

from ..base.nearest import Points, nearest_of_each
from ..base.vectors import norm
from ..compiled import compiled, integer, reads, reals, record, takes, values, writes
from ..habitat.growth import ReefGrowth
from ..habitat.hook import BaitedHook
from ..habitat.plankton import PlanktonCloud
from ..motor.tuning import AWRY_ANGLE, RUN_UP_LENGTHS, TURNING_CIRCLE_LENGTHS
from .browsing import Browsing
from .focuser import NO_FOOD, Focus
from .retina.sight import BAIT, RetinalSight
from .swimmers import Swimmers
from .tuning import (
    CONTENDERS,
    FOOD_TURN_COST,
    FRONT_ANGLE,
    OUTRIGHT_LEAD,
    SIDE_WEIGHT,
    SMELLED_PARTICLES,
    STAYING_LENGTHS,
)

NOSES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

NOTICING = record("Noticing", **reals("turn_cost run_up awry circle front side_weight contenders lead bait lure"))
"""Numbers that decide among morsels; the bait is its row, below 0 without a hook."""
SMELL = compiled(
    "smell",
    over="n",
    least=NOSES_A_THREAD,
    noticing=reads(NOTICING),
    fishes=takes("i8", "n"),
    nearest=takes("i8", "n", "near"),
    rows=takes("i8", "there"),
    olds=takes("i8", "n"),
    kept=reads("?", "n"),
    places=takes("f8", "morsels", 3),
    noses=takes("f8", "n", 3),
    frames=takes("f8", "n", 3, 3),
    lengths=takes("f8", "all"),
    reaches=takes("f8", "all"),
    devotions=takes("f8", "all"),
    preferences=takes("f8", "all", 6),
    foods=writes("i8", "n"),
    nearby=writes("f8", "n"),
    baited=integer(),
)


class Morsels:
    """All that may be picked: plankton, in the row after it the bait of the hook, if there is one, and then tufts.

    Attributes:
        hook: The hook; None where there is none.
        growth: Tufts that grow on what stands.
        bait_row: Row of the bait.
    """

    def __init__(self, plankton: PlanktonCloud, hook: BaitedHook | None, growth: ReefGrowth):
        """Counts the plankton as it is now."""
        self._plankton, self.hook, self.growth = plankton, hook, growth
        self.bait_row = len(plankton)

    def __bool__(self) -> bool:
        """True if there is ever any."""
        return self.bait_row > 0 or self.hook is not None or len(self.growth) > 0

    @property
    def first_tuft(self) -> int:
        """Row of the first tuft."""
        return self.bait_row + (self.hook is not None)

    @property
    def baited(self) -> bool:
        """True if there is bait in the water."""
        return self.hook is not None and self.hook.offered

    @property
    def place(self) -> np.ndarray:
        """Places in metres, (morsel, 3)."""
        place = self._plankton.place
        if self.hook is None and not len(self.growth):
            return place
        bait = np.zeros((0, 3)) if self.hook is None else self.hook.place[None]
        return np.concatenate([place, bait, self.growth.place])

    @property
    def there(self) -> np.ndarray:
        """Mask of those that are there to be eaten, (morsel,) bool."""
        there = self._plankton.alive
        if self.hook is None and not len(self.growth):
            return there
        bait = np.zeros(0, dtype=bool) if self.hook is None else np.array([self.hook.offered])
        return np.concatenate([there, bait, self.growth.there])

    def renumber(self, food: np.ndarray) -> None:
        """Counts the plankton again, of which there may be more, and renumbers all else in rows of morsels, (n,)."""
        food[food >= self.bait_row] += len(self._plankton) - self.bait_row
        self.bait_row = len(self._plankton)


class Smell:
    """The noses of all fishes."""

    def __init__(self, morsels: Morsels, drives: np.ndarray, length: np.ndarray, retinas: RetinalSight | None = None):
        """Takes over the reach of each fish's smell, and its devotion.

        Args:
            morsels: All morsels.
            drives: (fish,) with the fields `smell` and `persistence`, in lengths.
            length: Metres, (fish,).
            retinas: The eyes of those that find food by images alone; None where none do.
        """
        self._morsels, self._length, self._retinas = morsels, length, retinas
        self._reach, self._devotion = drives["smell"] * length, drives["persistence"] * length
        self._far = np.zeros(len(length))  # distance to the last particle that each weighed when it last did, squared

    def choose(
        self, fishes: np.ndarray, swimmers: Swimmers, focus: Focus, browsing: Browsing, elapsed: np.ndarray
    ) -> None:
        """Sets the most desirable food, unless a fish is devoted to what it is after (§6.5.3, §7.7.3).

        Args:
            fishes: Rows of those that smell, (n,).
            swimmers: All fishes.
            focus: Their attention, whose food, and distance of the nearest, is set.
            browsing: Who looks for what grows instead.
            elapsed: Seconds since each last took thought, (n,).
        """
        place, there, tufts = self._morsels.place, self._morsels.there, self._morsels.first_tuft
        if not len(there) or not len(fishes):
            return
        old = focus.food[fishes]
        focus.food[fishes], focus.food_distance[fishes] = NO_FOOD, np.inf
        if not there.any():
            return
        if self._retinas is not None:
            mine, rows = self._retinas.among(fishes)
            self._choose_seen(fishes[mine], rows, old[mine], swimmers, focus)
            others = np.delete(np.arange(len(fishes)), mine)
            fishes, old, elapsed = fishes[others], old[others], elapsed[others]
        kept, drifts = (old != NO_FOOD) & there[old], bool(there[:tufts].any())
        picks, bites = browsing.parted(fishes, kept, old >= tufts, elapsed, drifts)
        grows = np.arange(len(there)) >= tufts
        given = place, swimmers, focus
        self._choose_among(there & ~grows, fishes[picks], old[picks], *given, self._morsels.baited)
        self._choose_among(there & grows, fishes[bites], old[bites], *given, baited=False)

    def _choose_among(
        self,
        among: np.ndarray,
        fishes: np.ndarray,
        old: np.ndarray,
        place: np.ndarray,
        swimmers: Swimmers,
        focus: Focus,
        baited: bool,
    ) -> None:
        """`choose` for fishes (n,) that were after an old morsel each, (n,), among some of all, (morsel,) bool."""
        rows = np.flatnonzero(among)
        if not len(rows) or not len(fishes):
            return
        kept = (old != NO_FOOD) & among[old]
        nose, frames = swimmers.nose[fishes], swimmers.frames[fishes]
        ranks, far = np.arange(1, min(SMELLED_PARTICLES, len(rows)) + 1), self._far[fishes][None]
        nearest = nearest_of_each(nose, [(Points(place[rows]), ranks)], far)[0]
        self._far[fishes] = far[0]
        given = fishes, nearest, rows, old, kept, place, nose, frames
        food, focus.food_distance[fishes] = self._weigh(*given, focus.preferences, baited)
        # What grows stays where it is: who is at it turns until it has it, however awry it is.
        stays = kept & (old >= self._morsels.first_tuft)
        stays[stays] = norm(place[old[stays]] - nose[stays]) < STAYING_LENGTHS * self._length[fishes[stays]]
        focus.food[fishes] = np.where(stays, old, food)

    def _choose_seen(
        self, fishes: np.ndarray, rows: np.ndarray, old: np.ndarray, swimmers: Swimmers, focus: Focus
    ) -> None:
        """`choose` for those of these rows of `RetinalSight`, (n,), that see food: the old one is kept if listed."""
        assert self._retinas is not None
        place, there, listed = self._morsels.place, self._morsels.there, self._retinas.morsel[rows]
        near = np.where(listed == BAIT, self._morsels.bait_row, listed)
        known = (near >= 0) & (near < len(there)) & there[np.minimum(near, len(there) - 1)]
        some = known.any(axis=1)
        fishes, old, near, known = fishes[some], old[some], near[some], known[some]
        if not len(fishes):
            return
        first = np.take_along_axis(near, known.argmax(axis=1)[:, None], axis=1)
        near = np.where(known, near, first)
        kept = (near == old[:, None]).any(axis=1)
        given = fishes, near, np.arange(len(there)), old, kept, place, swimmers.nose[fishes], swimmers.frames[fishes]
        weighed = self._weigh(*given, focus.preferences, baited=False)
        focus.food[fishes], focus.food_distance[fishes] = weighed

    def _weigh(
        self,
        fishes: np.ndarray,
        nearest: np.ndarray,
        rows: np.ndarray,
        old: np.ndarray,
        kept: np.ndarray,
        place: np.ndarray,
        nose: np.ndarray,
        frames: np.ndarray,
        preferences: np.ndarray,
        baited: bool,
    ) -> tuple[np.ndarray, np.ndarray]:
        """Weighs the old morsel, the nearest, and the bait, by the contest of §6.5.3.

        A morsel costs the book's distance, and more: one off the nose a turn, as with prey, and one within the turning
        circle the way after which a fish has room to turn to it. Bait lures, and so costs less.

        Args:
            fishes: Rows of those that smell, (n,).
            nearest: The morsels nearest to each, of those that are there, (n, k); one at least.
            rows: Rows of those that are there, (r,).
            old: Morsel that each is after, (n,).
            kept: True where that is still there, (n,) bool.
            place: Places of all morsels in metres, (morsel, 3).
            nose: Metres, (n, 3).
            frames: Columns ahead, left and up, (n, 3, 3).
            preferences: M of all fishes, (fish, 6).
            baited: True to have all weigh bait that is in the water.

        Returns:
            The morsel that each goes for, (n,), and the metres to the nearest, infinite if none, (n,).
        """
        hook = self._morsels.hook
        noticing = values(
            NOTICING,
            turn_cost=FOOD_TURN_COST,
            run_up=RUN_UP_LENGTHS,
            awry=AWRY_ANGLE,
            circle=TURNING_CIRCLE_LENGTHS,
            front=FRONT_ANGLE,
            side_weight=SIDE_WEIGHT,
            contenders=CONTENDERS,
            lead=OUTRIGHT_LEAD,
            bait=-1.0 if hook is None else self._morsels.bait_row,
            lure=1.0 if hook is None else hook.description.lure,
        )
        food, distance = np.empty(len(fishes), dtype=np.int64), np.empty(len(fishes))
        SMELL(
            noticing=noticing,
            fishes=fishes,
            nearest=nearest,
            rows=rows,
            olds=old,
            kept=kept,
            places=place,
            noses=nose,
            frames=frames,
            lengths=self._length,
            reaches=self._reach,
            devotions=self._devotion,
            preferences=preferences,
            foods=food,
            nearby=distance,
            baited=baited,
        )
        return food, distance
