"""Relations of fishes to others in particular: fear, trust, like and dislike (Tu 1999, §11.6.1; ours).

A fish must see the other. Who is feared is fled from as a predator is, from as much nearer as the fear is less, and
kept away from wherever it is in sight; what a trusted one has of a predator is left out as far as it is trusted. Who is
at ease swims after one that it likes, and drives off one that it dislikes: for that it also leaves food or a mate that
it wants less than that. Who is charged gives way, unless it dislikes the other as well and is no smaller.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..base.state import Stateful, Together, state
from ..base.sums import total, weighted
from ..base.vectors import norm, unit
from ..perception.sightings import Sighting, Sightings
from ..perception.swimmers import NO_FISH, Swimmers
from ..perception.tuning import STARTLE_LENGTHS
from ..scene.relation import DISLIKE, FEAR, LIKE, TRUST
from .grudges import Grudges
from .intention import EAT, ENABLED, ESCAPE, MATE
from .mental_state import fear
from .plan import Plan
from .routines.moves import Moves
from .routines.tuning import CHARGE_LENGTHS, DRIVEN_OFF_PACE, RESPECTED_LENGTHS
from .ties import AFFECTION, ALARM, AXIS_OF, Ties, prevailing
from .tuning import (
    DISLIKED_LENGTHS,
    DRIVING_PACE,
    DRIVING_REST_SECONDS,
    DRIVING_SECONDS,
    LIKED_EASE,
    LIKED_LENGTHS,
    LIKED_PACE,
    RELATED_FISHES,
)


class Relations(Stateful):
    """The relations of all fishes, those that are written and those that have come by themselves.

    Attributes:
        grudges: Those that come by themselves; None where none do.
        charges: Row of the fish that each drives off, for whatever reason, NO_FISH without, (fish,).
        zeal: Readiness of each to drive off who it dislikes, 1 fresh to 0 when it has enough, (fish,).
        follows: Fishes that are on their way to one that they like, (fish,) bool.
        flees: Fishes that flee whom they fear by what is written, whatever their type, (fish,) bool.
        foe: Row of the one that each fears most of those it fears in particular, NO_FISH without, (fish,).
    """

    charges: np.ndarray = state("i8", "fish", low=-1, high="fish", begin=NO_FISH)
    zeal: np.ndarray = state("f8", "fish", low=0, high=1, begin=1)
    follows: np.ndarray = state("?", "fish")

    def __init__(
        self,
        ties: Ties,
        sightings: Sightings,
        alive: np.ndarray,
        types: np.ndarray,
        drives: np.ndarray,
        length: np.ndarray,
    ):
        """Begins with what is written.

        Args:
            ties: The relations that are.
            sightings: The eyes of all fishes.
            alive: Mask of the fishes that are there; read again each time, (fish,) bool.
            types: Rows of ENABLED, (fish,).
            drives: (fish,) with the fields D0, looming and book_metres.
            length: Metres, (fish,).
        """
        self._ties, self._sightings, self._alive, self._drives, self._length = ties, sightings, alive, drives, length
        self.grudges = Grudges(len(length)) if ties.grudges else None
        self.flees = ties.who(FEAR)
        self._bold = self.flees & ~ENABLED[types, ESCAPE]
        self._written = {kind: ties.who(kind) for kind in AXIS_OF}
        grown = {FEAR, DISLIKE} if ties.grudges else set()
        self._has = {kind: kind in grown or bool(who.any()) for kind, who in self._written.items()}
        self.foe, self._away = np.full(len(length), NO_FISH), np.zeros((len(length), 3))
        self._fill(fish=len(length))

    @property
    def saved(self) -> Together:
        """All that changes with time."""
        return Together(self) if self.grudges is None else Together(self, self.grudges)

    def regard(self, axis: int, me: np.ndarray, others: np.ndarray) -> np.ndarray:
        """The relation of fishes (n,) to others (n, k) on an axis, -1 to 1; what is written wins over what comes."""
        found = self._ties.regard(axis, me, others)
        return found if self.grudges is None else prevailing(found, self.grudges.regard(axis, me, others))

    def feels(self, kind: str, fishes: np.ndarray) -> np.ndarray:
        """Mask of those of these fishes, (n,), that have a kind of relation to anybody, (n,) bool."""
        found = self._written[kind][fishes]
        return found if self.grudges is None else found | self.grudges.holds(kind, fishes)

    def sight(self, kind: str, me: np.ndarray, swimmers: Swimmers) -> tuple[Sighting, np.ndarray]:
        """The others that fishes, (n,), see to which they have a kind of relation, and its strengths, (n, k)."""

        def near(fishes: np.ndarray, among: np.ndarray) -> np.ndarray:
            return self._sightings.near(fishes, among, RELATED_FISHES + 1, swimmers)  # itself may be one

        found = self._ties.candidates(kind, me, near)
        if self.grudges is not None and kind in (FEAR, DISLIKE):
            found = np.concatenate((found, self.grudges.candidates(kind, me)), axis=1)
        for column in range(1, found.shape[1]):  # nobody counts twice
            twice = (found[:, :column] == found[:, column : column + 1]).any(axis=1)
            found[twice, column] = me[twice]
        axis, side = AXIS_OF[kind]
        strength = np.maximum(side * self.regard(axis, me, found), 0.0)
        found = np.where(strength > 0.0, found, me[:, None])
        seen, distance = self._sightings.look(me, found, swimmers)
        seen &= found != me[:, None]
        return Sighting(found, seen, np.where(seen, distance, np.inf), seen), np.where(seen, strength, 0.0)

    # Alarm

    def weigh(
        self, fishes: np.ndarray, sighting: Sighting, each: np.ndarray, swimmers: Swimmers
    ) -> tuple[Sighting, np.ndarray, np.ndarray]:
        """The fear of predators and of those that are feared in particular.

        Args:
            fishes: Rows of those that take thought, (n,).
            sighting: The predators that they know of, (n, p).
            each: Their fear of these as of any predator, 0 to 1, (n, p).
            swimmers: All fishes.

        Returns:
            All of whom they may fear, (n, k), the fear of each, (n, k), and of all together, (n,), both 0 to 1.
        """
        each = np.where(self._bold[fishes][:, None], 0.0, each)
        if self._has[TRUST]:
            each = each * (1.0 - np.maximum(-self.regard(ALARM, fishes, sighting.fish), 0.0))
        self.foe[fishes], self._away[fishes] = NO_FISH, 0.0
        rows = np.flatnonzero(self.feels(FEAR, fishes))
        if len(rows):
            sighting, each = self._dread(fishes, rows, sighting, each, swimmers)
        return sighting, each, np.minimum(total(each, axis=1), 1.0)

    def _dread(
        self, fishes: np.ndarray, rows: np.ndarray, sighting: Sighting, each: np.ndarray, swimmers: Swimmers
    ) -> tuple[Sighting, np.ndarray]:
        """The same with those that some of them, rows (m,), fear in particular: a predator among these is feared more.

        Of one in d book lengths that is s D0 / d by the strength s, as of a predator of that menace (Tu 1999, §7.4).
        """
        me, of = fishes[rows], self._drives[fishes[rows]]
        seen, strength = self.sight(FEAR, me, swimmers)
        menace = np.maximum(strength * self._sightings.looms(seen.fish, of["looming"], swimmers), 1e-9)
        own, _ = fear(seen.distance / of["book_metres"][:, None] / menace, seen.seen, of["D0"])
        before = each[rows]
        for column in range(before.shape[1]):
            same = (seen.fish == sighting.fish[rows, column][:, None]) & seen.seen
            own = np.minimum(own + np.where(same, before[:, column : column + 1], 0.0), 1.0)
            before[:, column] = np.where(same.any(axis=1), 0.0, before[:, column])
        each[rows] = before
        worst = np.arange(len(me)), own.argmax(axis=1)
        self.foe[me] = np.where(own[worst] > 0.0, seen.fish[worst], NO_FISH)
        away = weighted(strength, unit(swimmers.nose[me][:, None] - swimmers.middle[seen.fish]))
        self._away[me] = away / np.maximum(norm(away), 1.0)[:, None]
        shape = len(fishes), seen.fish.shape[1]
        more = [np.repeat(fishes[:, None], shape[1], axis=1), np.zeros(shape, dtype=bool), np.full(shape, np.inf)]
        for array, found in zip(more, (seen.fish, seen.seen, seen.distance), strict=True):
            array[rows] = found
        who, sees, distance = more
        fears = np.zeros(shape)
        fears[rows] = own
        both = Sighting(
            np.concatenate((sighting.fish, who), axis=1),
            np.concatenate((sighting.known, sees), axis=1),
            np.concatenate((sighting.distance, distance), axis=1),
            np.concatenate((sighting.seen, sees), axis=1),
        )
        return both, np.concatenate((each, fears), axis=1)

    def unmet(self, fishes: np.ndarray, sighting: Sighting) -> Sighting:
        """The same without those that these fishes, (n,), trust or fear in particular: nobody mobs them."""
        if not (self._has[TRUST] or self._has[FEAR]):
            return sighting
        return replace(sighting, seen=sighting.seen & (self.regard(ALARM, fishes, sighting.fish) == 0.0))

    def threatens(self, me: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Share of their threat that others, (n, k), have for fishes, (n,), by their trust, 0 to 1, (n, k)."""
        return 1.0 - np.maximum(-self.regard(ALARM, me, others), 0.0)

    def spares(self, hunters: np.ndarray, prey: np.ndarray) -> np.ndarray:
        """Factor on the distance of prey, (n, k), as hunters, (n,), that like or fear it see it, 1 or more, (n, k)."""
        liked = np.maximum(self.regard(AFFECTION, hunters, prey), self.regard(ALARM, hunters, prey))
        left = 1.0 - np.maximum(liked, 0.0)
        return np.divide(1.0, left, out=np.full(left.shape, np.inf), where=left > 0.0)

    def alarms(self, alarming: np.ndarray, swimmers: Swimmers) -> np.ndarray:
        """Masks of fishes that one feared in particular may alarm, and to which it is close, (2, fish) bool.

        Args:
            alarming: Distance at which a predator alarms each in metres, (fish,).
            swimmers: All fishes.
        """
        alarms = np.zeros((2, len(alarming)), dtype=bool)
        me = np.flatnonzero(self._alive)
        me = me[self.feels(FEAR, me)]
        if not len(me):
            return alarms

        def near(fishes: np.ndarray, among: np.ndarray) -> np.ndarray:
            return self._sightings.nearest(fishes, among, swimmers.middle, 2)

        found = self._ties.candidates(FEAR, me, near)
        if self.grudges is not None:
            found = np.concatenate((found, self.grudges.candidates(FEAR, me)), axis=1)
        strength = np.maximum(self.regard(ALARM, me, found), 0.0) * self._alive[found]
        gap = norm(swimmers.middle[found] - swimmers.nose[me][:, None])
        alarms[0, me] = (gap < strength * alarming[me][:, None]).any(axis=1)
        alarms[1, me] = ((gap < STARTLE_LENGTHS * self._length[me][:, None]) & (strength > 0.0)).any(axis=1)
        return alarms

    # What they do about it

    def act(
        self,
        fishes: np.ndarray,
        plan: Plan,
        swimmers: Swimmers,
        wants: np.ndarray,
        awake: np.ndarray,
        elapsed: np.ndarray,
    ) -> None:
        """Has fishes give way, drive others off, go to those they like, and keep away from those they fear.

        Args:
            fishes: Rows of those that take thought, (n,).
            plan: Theirs, to which this is added.
            swimmers: All fishes.
            wants: Hunger and libido of each, (n, 2).
            awake: Those that do not sleep, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        eats, mates = plan.intention == EAT, plan.intention == MATE
        idle = awake & plan.at_ease & ~plan.pressing
        want = np.where(eats, wants[:, 0], np.where(mates, wants[:, 1], np.where(idle, 0.0, np.inf)))
        want[~awake] = np.inf
        gives_way = self._give_way(fishes, plan, swimmers, awake & (idle | eats))
        want[gives_way], idle[gives_way] = np.inf, False
        charged = self.charges[fishes]
        self.charges[fishes] = NO_FISH
        if self._has[DISLIKE]:
            idle &= ~self._drive_off(fishes, plan, swimmers, want, charged, elapsed)
        if self._has[LIKE]:
            self._keep_near(fishes, plan, swimmers, idle)
        away = self._away[fishes]
        rows = np.flatnonzero(idle & ~plan.pressing & away.any(axis=1))
        if len(rows):
            wish = plan.wish[rows] + away[rows]
            plan.wish[rows] = wish / np.maximum(norm(wish), 1.0)[:, None]

    def note(self, fishes: np.ndarray, plan: Plan, hunted: np.ndarray, fed: np.ndarray, elapsed: np.ndarray) -> None:
        """Notes whom these fishes, (n,), drive off by their plans, and who chases them.

        Args:
            fishes: Rows of those that take thought, (n,).
            plan: Theirs.
            hunted: Row of the predator that is after each and that it flees from, NO_FISH without, (n,).
            fed: Whether each is feeding, or had to stop it, (n,) bool.
            elapsed: Seconds since each last took thought, (n,).
        """
        eats, mates = plan.intention == EAT, plan.intention == MATE
        hostile = plan.pressing & ((~eats & ~mates & (plan.intention != ESCAPE)) | (self.charges[fishes] == plan.goal))
        self.charges[fishes] = np.where(hostile, plan.goal, NO_FISH)
        if self.grudges is not None:
            driven = self._chargers()[fishes]
            chaser = np.where(driven != NO_FISH, driven, hunted)
            self.grudges.notice(fishes, chaser, fed & (driven != NO_FISH), plan.intention != ESCAPE, elapsed)

    def forget(self, fishes: np.ndarray) -> None:
        """Takes these fishes, (n,), which have died, out of everybody's mind."""
        self.charges[np.isin(self.charges, fishes)] = self.charges[fishes] = NO_FISH
        if self.grudges is not None:
            self.grudges.forget(fishes)

    def _chargers(self) -> np.ndarray:
        """Row of a fish that charges at each, NO_FISH without, (fish,)."""
        found, who = np.full(len(self.charges), NO_FISH), np.flatnonzero((self.charges != NO_FISH) & self._alive)
        _, first = np.unique(self.charges[who], return_index=True)
        found[self.charges[who[first]]] = who[first]
        return found

    def _give_way(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, may: np.ndarray) -> np.ndarray:
        """Has those that are charged make off; rows of the plan, (m,)."""
        by = self._chargers()[fishes]
        rows = np.flatnonzero(may & (by != NO_FISH))
        me, other = fishes[rows], by[rows]
        hates = self.regard(AFFECTION, me, other[:, None])[:, 0] < 0.0
        mine, theirs = self._length[me], self._length[other]
        stands = hates & ((mine > theirs) | ((mine == theirs) & (me < other)))
        rows, me, other = rows[~stands], me[~stands], other[~stands]
        if len(rows):
            way = swimmers.middle[me] - swimmers.middle[other]
            close = norm(way) < CHARGE_LENGTHS * self._length[other]
            self._press(rows, unit(way), np.where(close, DRIVING_PACE, DRIVEN_OFF_PACE), plan)
        return rows

    @staticmethod
    def _press(rows: np.ndarray, way: np.ndarray, pace: np.ndarray, plan: Plan) -> None:
        """Makes these rows of the plan, (n,), go along unit vectors, (n, 3), and mind no food.

        Who leaves its food for that does not burst, or it would be taken for one that strikes at it.
        """
        none, eats = np.zeros(len(rows)), plan.intention[rows] == EAT
        plan.follow(rows, Moves(way, np.where(eats, np.minimum(pace, 1.0), pace), none > 0.0, none))
        plan.goal[rows], plan.near[rows], plan.touches[rows] = NO_FISH, np.inf, False

    def _drive_off(
        self,
        fishes: np.ndarray,
        plan: Plan,
        swimmers: Swimmers,
        want: np.ndarray,
        charged: np.ndarray,
        elapsed: np.ndarray,
    ) -> np.ndarray:
        """Has fishes charge at the nearest that they dislike more than they want anything else; which do, (n,) bool."""
        goes = np.zeros(len(fishes), dtype=bool)
        rows = np.flatnonzero(self.feels(DISLIKE, fishes) & (want < 1.0))
        if len(rows):
            me, length = fishes[rows], self._length
            sighting, strength = self.sight(DISLIKE, me, swimmers)
            gap = norm(swimmers.middle[sighting.fish] - swimmers.middle[me][:, None])
            near = gap < DISLIKED_LENGTHS * strength * length[me][:, None]
            near &= (strength > want[rows][:, None]) & (length[sighting.fish] < RESPECTED_LENGTHS * length[me][:, None])
            gap = np.where(near, gap, np.inf)
            nearest = np.arange(len(me)), gap.argmin(axis=1)
            ready = np.where(charged[rows] == NO_FISH, self.zeal[me] >= 1.0, self.zeal[me] > 0.0)
            some = np.flatnonzero(np.isfinite(gap[nearest]) & ready)
            rows, me, other = rows[some], me[some], sighting.fish[nearest][some]
            way = unit(swimmers.middle[other] - swimmers.middle[me])
            self._press(rows, way, np.full(len(rows), DRIVING_PACE), plan)
            plan.goal[rows] = other
            self.charges[me], goes[rows] = other, True
        spent = np.where(goes, -1.0 / DRIVING_SECONDS, 1.0 / DRIVING_REST_SECONDS)
        self.zeal[fishes] = np.clip(self.zeal[fishes] + elapsed * spent, 0.0, 1.0)
        return goes

    def _keep_near(self, fishes: np.ndarray, plan: Plan, swimmers: Swimmers, idle: np.ndarray) -> None:
        """Has fishes at ease, (n,) bool, close up to the nearest that they like, each to its own distance."""
        rows = np.flatnonzero(idle & self._written[LIKE][fishes])
        follows = np.zeros(len(fishes), dtype=bool)
        if len(rows):
            me = fishes[rows]
            sighting, strength = self.sight(LIKE, me, swimmers)
            size = 0.5 * (self._length[me][:, None] + self._length[sighting.fish])
            keep = LIKED_LENGTHS * size / np.maximum(strength, 1e-9)
            offset = swimmers.middle[sighting.fish] - swimmers.middle[me][:, None]
            gap = norm(offset)
            far = np.where(sighting.seen, gap / keep, np.inf)
            best = np.arange(len(me)), far.argmin(axis=1)
            goes = np.isfinite(far[best]) & (far[best] > np.where(self.follows[me], LIKED_EASE, 1.0))
            some, which = rows[goes], (best[0][goes], best[1][goes])
            beyond = np.clip(far[which] - LIKED_EASE, 0.0, 1.0)
            self._press(some, unit(offset[which]), LIKED_PACE + (1.0 - LIKED_PACE) * beyond, plan)
            follows[some] = True
        self.follows[fishes] = follows
