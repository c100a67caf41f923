"""Tasks of fishes that are told to go somewhere, to stay, or to do something for another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.state import Stateful, state
from ..base.vectors import dot, norm, unit
from ..perception.navigation.navigator import LOST, Navigator
from ..perception.swimmers import NO_FISH, Swimmers
from ..scene.instruction import (
    EnterPlace,
    FollowOther,
    GoTo,
    GuardPlace,
    LeadOther,
    LeavePlace,
    SwapSides,
    Visit,
    WaitAt,
)
from .character import Cast
from .conditions import nearest_of
from .mood import Mood
from .plan import Plan
from .routines.hide import Hiding
from .routines.moves import Moves
from .routines.travel import slowed
from .spots import Spots
from .tuning import (
    AT_SPOT_LENGTHS,
    GUARD_CHARGE_LENGTHS,
    LEADING_AHEAD,
    SPOT_LEFT_LENGTHS,
    SWAPPED_LENGTHS,
    SWAPPING_BERTH_LENGTHS,
)

NO_SPOT = -1
"""In place of the row of a spot, of who is bound for none."""


class Tasks(Stateful):
    """The tasks of fishes: to go somewhere, to stay, or to do something for another.

    Attributes:
        bound: Row of the spot that each goes to or is at, NO_SPOT without, (fish,).
        there: Time when it came there in seconds, NaN before, (fish,).
        goal: Where it stays, or changes places to, in metres, NaN without, (fish, 3).
        visited: Time when each was last at each spot, NaN if never, (spot, fish).
    """

    bound: np.ndarray = state("i8", "fish", low=-1, high="frame", begin=NO_SPOT)
    there: np.ndarray = state("f8", "fish", unit="s", unset=np.nan)
    goal: np.ndarray = state("f8", "fish", 3, unit="m", unset=np.nan)
    visited: np.ndarray = state("f8", "spot", "fish", unit="s", unset=np.nan)
    _waits: np.ndarray = state("?", "fish")

    def __init__(
        self,
        spots: Spots,
        hiding: Hiding,
        navigator: Navigator | None,
        cast: Cast,
        rows: Callable[[int, int | None], np.ndarray],
        group: np.ndarray,
        restless: np.ndarray,
    ):
        """Begins with nobody bound for anywhere.

        Args:
            spots: The named places.
            hiding: Places round obstacles.
            navigator: Finds ways of those that remember what they see; None where nobody does.
            cast: The fishes.
            rows: Gives the rows of the fishes of a group, or of one of it.
            group: Group of each fish, (fish,).
            restless: Fishes that have to swim to breathe, (fish,) bool.
        """
        self._spots, self._hiding, self._navigator, self._rows, self._group = spots, hiding, navigator, rows, group
        self._alive, self._length, self._restless = cast.alive, np.array(cast.length, dtype=float), restless
        self._fill(fish=len(group), spot=spots.count)

    def begin(self, fishes: np.ndarray, swimmers: Swimmers) -> None:
        """Has these, (n,), begin something else: where they are now is where they are to stay."""
        self.bound[fishes], self.there[fishes], self._waits[fishes] = NO_SPOT, np.nan, False
        self.goal[fishes] = swimmers.place[fishes]

    def do(
        self, entry: Any, t: float, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers, mood: Mood
    ) -> None:
        """Has fishes do what an instruction says.

        Args:
            entry: The instruction, any but to hide.
            t: Time in seconds.
            rows: Their rows in the plan, (n,).
            me: Their rows, (n,).
            plan: Plans, replaced where there is something to do.
            swimmers: All fishes.
            mood: Moods, which take the fright of those that are driven off.

        Raises:
            TypeError: It is to do something else.
        """
        match entry:
            case Visit():
                self._visit(entry, t, rows, me, plan, swimmers)
            case WaitAt() if entry.place is None:
                self._stay(entry, rows, me, self.goal[me], norm(self.goal[me] - swimmers.place[me]), plan, swimmers)
            case WaitAt() | GoTo() | EnterPlace():
                self._be_at(entry, rows, me, plan, swimmers)
            case LeavePlace():
                self._leave(entry, rows, me, plan, swimmers)
            case FollowOther():
                self._follow(entry, rows, me, plan, swimmers)
            case LeadOther():
                self._lead(entry, rows, me, plan, swimmers)
            case GuardPlace():
                self._guard(entry, rows, me, plan, swimmers, mood)
            case SwapSides():
                self._swap(entry, rows, me, plan, swimmers)
            case _:
                raise TypeError(f"found {type(entry).__name__}, allowed an act")

    def _visit(self, entry: Visit, t: float, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        among, place = self._spots.rows(entry.among), swimmers.place[me]
        gaps = self._spots.gap(among, place)
        self._choose(entry, me, among, gaps)
        column = (self.bound[me][:, None] == among).argmax(axis=1)
        gap = gaps[np.arange(len(me)), column]
        near = gap < AT_SPOT_LENGTHS * self._length[me]
        self.there[me] = np.where(near & np.isnan(self.there[me]), t, self.there[me])
        came = ~np.isnan(self.there[me])
        self.visited[self.bound[me[came]], me[came]] = t
        self._stay(entry, rows, me, self._place_of(self.bound[me], me, place), gap, plan, swimmers)
        done = came & (t - self.there[me] >= entry.stay)
        self.bound[me[done]], self.there[me[done]] = NO_SPOT, np.nan

    def _choose(self, entry: Visit, me: np.ndarray, among: np.ndarray, gaps: np.ndarray) -> None:
        """Sets for which of some spots, (k,), those of these are bound that are for none, at gaps (n, k) in metres."""
        new = np.flatnonzero(~np.isin(self.bound[me], among))
        if not len(new):
            return
        fishes = me[new]
        when = self.visited[np.ix_(among, fishes)].T
        last = np.where(np.isnan(when), -np.inf, when)
        latest = np.isfinite(last) & (last == last.max(axis=1, keepdims=True))
        if entry.order == "listed":
            after = (latest.argmax(axis=1) + 1) % len(among)
            best = np.where(latest.any(axis=1), after, 0)
        elif entry.order == "nearest":
            best = np.where(latest & (len(among) > 1), np.inf, gaps[new]).argmin(axis=1)
        else:
            oldest = last == last.min(axis=1, keepdims=True)
            best = np.where(oldest, gaps[new], np.inf).argmin(axis=1)
        self.bound[fishes], self.there[fishes] = among[best], np.nan

    def _be_at(self, entry: Any, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        """Has these, (n,), go to the nearest of the places of a name, or into it, and stay there."""
        place, among = swimmers.place[me], self._spots.rows((entry.place,))
        gaps = self._spots.gap(among, place)
        everyone, best = np.arange(len(me)), gaps.argmin(axis=1)
        self.bound[me] = among[best]
        gap, goal = gaps[everyone, best], self._place_of(among[best], me, place)
        if isinstance(entry, EnterPlace):
            goal = self._spots.middle[among[best]]
            gap = norm(goal - place) - 0.5 * self._spots.reach[among[best]]
        self._stay(entry, rows, me, goal, gap, plan, swimmers)

    def _leave(self, entry: LeavePlace, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        place, among = swimmers.place[me], self._spots.rows((entry.place,))
        gaps = self._spots.gap(among, place)
        best = gaps.argmin(axis=1)
        some = np.flatnonzero(gaps[np.arange(len(me)), best] < entry.distance)
        out = unit((place - self._spots.middle[among[best]])[some] * (1.0, 1.0, 0.2))
        self._go(entry, rows[some], me[some], out, np.full(len(some), np.inf), plan)

    def _follow(self, entry: FollowOther, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        rows, me, other = self._others(entry, rows, me, swimmers)
        offset = swimmers.place[other] - swimmers.place[me]
        gap, speed = norm(offset), norm(swimmers.velocity[other]) / self._length[me]
        near = gap < entry.radius
        moves = near & (speed > 0.3)
        wish = np.where(moves[:, None], unit(swimmers.velocity[other]), unit(offset))
        far = np.flatnonzero(~near)
        wish[far] = self._ways(me[far], swimmers.place[other[far]], swimmers, wish[far])
        hold = near & ~moves & ~self._restless[me]
        ease = np.minimum(entry.pace, 0.25 + 0.2 * speed)
        self._press(rows, Moves(wish, np.where(near, ease, entry.pace), hold, np.zeros(len(me))), plan)
        plan.goal[rows] = other

    def _lead(self, entry: LeadOther, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        rows, me, other = self._others(entry, rows, me, swimmers)
        place, among = swimmers.place[me], self._spots.rows((entry.place,))
        gaps = self._spots.gap(among, place)
        best = gaps.argmin(axis=1)
        there = gaps[np.arange(len(me)), best] < AT_SPOT_LENGTHS * self._length[me]
        gap = norm(swimmers.place[other] - place)
        waits = np.where(self._waits[me], gap > LEADING_AHEAD * entry.radius, gap > entry.radius)
        self._waits[me] = waits
        fetches = gap > 2.0 * entry.radius
        goal = self._place_of(among[best], me, place)
        goal = np.where(fetches[:, None], swimmers.place[other], goal)
        way = self._ways(me, goal, swimmers, unit(goal - place))
        rests = (waits & ~fetches) | (there & ~fetches)
        wish = np.where(rests[:, None], unit(swimmers.place[other] - place), way)
        hold = rests & ~self._restless[me]
        self._press(rows, Moves(wish, np.where(hold, 0.0, entry.pace), hold, np.zeros(len(me))), plan)

    def _guard(
        self, entry: GuardPlace, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers, mood: Mood
    ) -> None:
        charge = None
        if entry.place is not None:
            among = self._spots.rows((entry.place,))
            best = self._spots.gap(among, swimmers.place[me]).argmin(axis=1)
            middle, reach = self._spots.middle[among[best]], self._spots.reach[among[best]]
        else:
            rows, me, charge = self._others(entry, rows, me, swimmers)
            middle, reach = swimmers.place[charge], np.zeros(len(me))
        gap = norm(swimmers.middle - middle[:, None]) - reach[:, None]
        strange = self._alive & (self._group != self._group[me][:, None])
        if charge is not None:
            strange &= self._group != self._group[charge][:, None]
        gap = np.where(strange & (gap < entry.radius), gap, np.inf)
        other, drives = gap.argmin(axis=1), np.isfinite(gap.min(axis=1))
        home = norm(middle - swimmers.place[me]) - reach
        goal = np.where(drives[:, None], swimmers.middle[other], middle)
        busy = np.flatnonzero(drives | (home > 0.5 * entry.radius))
        pace = np.where(drives[busy], np.maximum(entry.pace, 1.0), entry.pace)
        way = unit((goal - swimmers.place[me])[busy])
        self._press(rows[busy], Moves(way, pace, np.zeros(len(busy), dtype=bool), np.zeros(len(busy))), plan)
        some = np.flatnonzero(drives)
        plan.goal[rows[some]] = other[some]
        offset = norm(swimmers.middle[other[some]] - swimmers.middle[me[some]])
        near = some[offset < GUARD_CHARGE_LENGTHS * self._length[me[some]]]
        mood.startle(other[near], swimmers.middle[me[near]])

    def _swap(self, entry: SwapSides, rows: np.ndarray, me: np.ndarray, plan: Plan, swimmers: Swimmers) -> None:
        rows, me, other = self._others(entry, rows, me, swimmers)
        place = swimmers.place[me]
        fresh = ~self._waits[me]
        self.goal[me[fresh]] = swimmers.place[other[fresh]]
        self._waits[me] = True
        offset = self.goal[me] - place
        left, arm = norm(offset), swimmers.place[other] - place
        self.there[me] = np.where(left < SWAPPED_LENGTHS * self._length[me], 1.0, self.there[me])
        go = np.flatnonzero(np.isnan(self.there[me]))
        way = unit(offset[go])
        across = np.stack((-way[:, 1], way[:, 0], np.zeros(len(go))), axis=1)
        meets = (dot(arm[go], way) > 0.0) & (norm(arm[go]) < left[go])
        by = SWAPPING_BERTH_LENGTHS * np.maximum(self._length[me[go]], self._length[other[go]])
        keeps = np.where(meets, np.minimum(by / np.maximum(norm(arm[go]), 1e-9), 1.0), 0.0)
        self._go(entry, rows[go], me[go], unit(way + keeps[:, None] * across), left[go], plan)

    def _stay(
        self,
        entry: Any,
        rows: np.ndarray,
        me: np.ndarray,
        goals: np.ndarray,
        gap: np.ndarray,
        plan: Plan,
        swimmers: Swimmers,
    ) -> None:
        """Has these, (n,), go to their goals, (n, 3), and hover there, gaps in metres from it, (n,).

        There those that have to swim to breathe, or have something to eat before them, do as they like.
        """
        length = self._length[me]
        self._waits[me] = gap < np.where(self._waits[me], SPOT_LEFT_LENGTHS, 0.0) * length + AT_SPOT_LENGTHS * length
        here = self._waits[me]
        go = np.flatnonzero(~here)
        way = self._ways(me[go], goals[go], swimmers, unit(goals[go] - swimmers.place[me[go]]))
        self._go(entry, rows[go], me[go], way, np.maximum(gap[go], 0.0), plan)
        rests = np.flatnonzero(here & ~self._restless[me] & ~plan.pressing[rows])
        none = np.zeros(len(rests))
        self._press(rows[rests], Moves(swimmers.ahead[me[rests]], none, none == 0.0, none), plan)

    def _ways(self, me: np.ndarray, goals: np.ndarray, swimmers: Swimmers, straight: np.ndarray) -> np.ndarray:
        """Unit vectors by which these, (n,), get to goals (n, 3): those that remember by a planned way, (n, 3)."""
        if self._navigator is None or not len(me):
            return straight
        own = self._navigator.rows(me)
        some = np.flatnonzero(own >= 0)
        place, ahead = swimmers.place[me[some]], swimmers.ahead[me[some]]
        self._navigator.look_round(own[some], place, ahead)
        courses = self._navigator.lead(own[some], goals[some], np.ones(len(some), dtype=bool), place, ahead)
        found = straight.copy()
        found[some] = np.where((courses.at != LOST)[:, None], courses.wish, straight[some])
        return found

    def _go(self, entry: Any, rows: np.ndarray, me: np.ndarray, way: np.ndarray, left: np.ndarray, plan: Plan) -> None:
        """Has these, (n,), go along unit vectors, (n, 3), with so many metres left, (n,)."""
        none = np.zeros(len(me))
        pace = np.minimum(slowed(left, self._length[me]), entry.pace)
        self._press(rows, Moves(way, pace, none > 0.0, none), plan)

    @staticmethod
    def _press(rows: np.ndarray, moves: Moves, plan: Plan) -> None:
        """Makes these rows of the plan, (n,), follow moves, and mind neither food nor others."""
        plan.follow(rows, moves)
        plan.goal[rows], plan.near[rows], plan.touches[rows] = NO_FISH, np.inf, False

    def _others(
        self, entry: Any, rows: np.ndarray, me: np.ndarray, swimmers: Swimmers
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Those of these, (n,), for whom one of the others is there: rows of the plan, fishes, and the others."""
        others = self._rows(entry.whom, entry.whom_member)
        other = nearest_of(me, others[self._alive[others]], swimmers)
        some = np.flatnonzero(other != NO_FISH)
        return rows[some], me[some], other[some]

    def _place_of(self, spots: np.ndarray, me: np.ndarray, place: np.ndarray) -> np.ndarray:
        """The places where these, (n,), go for spots, (n,): their middles, or the nearest places round them, (n, 3)."""
        goal = self._spots.middle[spots]
        for row in np.unique(spots[spots >= self._spots.marks]).tolist():
            some = np.flatnonzero(spots == row)
            points, room = self._hiding.ring(row - self._spots.marks, place[some], self._length[me[some]])
            off = np.where(room, norm(points - place[some][:, None]), np.inf)
            goal[some] = points[np.arange(len(some)), off.argmin(axis=1)]
        return goal
