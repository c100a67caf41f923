"""Hiding: behind what stands, out of the sight of a foe, and kept so as it moves (Funge 1999, ch. 12: the merman).

A fish makes for the far side of an obstacle as the foe sees it, along that side of it that is the shorter way there and
so leads away from the foe; as the foe comes round, it goes round before it. Chased, it makes for a gap between two
obstacles into which the foe does not fit, and which leads away from it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...base.constants import constant
from ...base.elementary import arctan2, sin_and_cos
from ...base.vectors import dot, norm, unit, wrap
from ...habitat.ground import Ground
from ...habitat.obstacles import Obstacles
from ...habitat.tank import WaterBox
from ...perception.collision import Antenna
from ...perception.tuning import GIRTH_LENGTHS
from ...perception.vision import blocks
from ..spots import Spots
from .moves import Moves
from .travel import slowed
from .tuning import (
    GAP_AT_HAND_LENGTHS,
    GAP_REACHED_LENGTHS,
    GAP_ROOM_LENGTHS,
    GAPS_REACH_LENGTHS,
    HIDDEN_STATIONS,
    HIDING_AWAY_ANGLE,
    HIDING_BERTH_LENGTHS,
    HIDING_CHARGED_SPEED,
    HIDING_CHASED_LENGTHS,
    HIDING_CREEPING_PACE,
    HIDING_CROSSING,
    HIDING_FOE_CRUISES,
    HIDING_HEAD_STARTS,
    HIDING_HURRY,
    HIDING_KEPT,
    HIDING_PACE,
    HIDING_PASSING_LENGTHS,
    HIDING_ROOM_LENGTHS,
    HIDING_SPEED,
    HIDING_SPRINTED_LENGTHS,
    HIDING_THERE_LENGTHS,
    RING_POINTS,
    RING_STEPS,
)

NO_SHELTER = -1
"""In place of the row of an obstacle, of who hides behind none."""
LATE = 1e6
"""Metres that count for a way on which the foe would come first."""
_TURNS = constant(2.0 * np.pi * np.arange(RING_POINTS) / RING_POINTS)
_ROUND = constant(np.stack((*sin_and_cos(_TURNS)[::-1], np.zeros(RING_POINTS)), axis=1))


@dataclass(frozen=True)
class Searchers:
    """Those from whom n fishes hide, where each takes its own to be.

    Attributes:
        eye: From where it looks in metres, (n, 3).
        length: Metres, (n,).
        speed: Speeds in m/s, (n,).
    """

    eye: np.ndarray
    length: np.ndarray
    speed: np.ndarray

    def of(self, rows: np.ndarray) -> Searchers:
        """Some of them, (m,)."""
        return Searchers(self.eye[rows], self.length[rows], self.speed[rows])

    def seconds(self, way: np.ndarray) -> np.ndarray:
        """Time in which they come so many metres, (n,), at the speed that they have, or cruise at, (n,)."""
        return way / np.maximum(self.speed, HIDING_FOE_CRUISES * self.length)


@dataclass(frozen=True)
class Hideout:
    """Places behind obstacles, of n fishes.

    Attributes:
        behind: Row of the obstacle of each, NO_SHELTER without one, (n,).
        place: The next place on its way there in metres, (n, 3).
        left: Metres of the way that are left, (n,).
        hidden: Whether the place where it is now is out of sight, (n,) bool.
        late: Whether the foe would be there before it, (n,) bool.
    """

    behind: np.ndarray
    place: np.ndarray
    left: np.ndarray
    hidden: np.ndarray
    late: np.ndarray


class Hiding:
    """The places behind obstacles, and the gaps between them."""

    def __init__(self, spots: Spots, tank: WaterBox, obstacles: Obstacles, antenna: Antenna):
        """Takes over what stands in the water, and the feelers of fishes."""
        self._spots, self._obstacles, self._antenna = spots, obstacles, antenna
        self._ground = Ground(tank, obstacles)

    def moves(
        self,
        me: np.ndarray,
        place: np.ndarray,
        ahead: np.ndarray,
        length: np.ndarray,
        searchers: Searchers,
        known: np.ndarray,
        behind: np.ndarray,
        flees: np.ndarray,
    ) -> tuple[Moves, np.ndarray, np.ndarray]:
        """The moves of fishes that hide.

        Args:
            me: Rows of n fishes, (n,).
            place: Metres, (n, 3).
            ahead: Headings, (n, 3).
            length: Metres, (n,).
            searchers: The one from whom each hides.
            known: Obstacles behind which it may hide, (n, obstacle) bool.
            behind: Row of the obstacle behind which it hid last, NO_SHELTER without, (n,).
            flees: Those that would flee otherwise, and do so rather than be late, (n,) bool.

        Returns:
            The moves; rows of the obstacles behind which they hide, (n,); and which of them have nowhere to hide and
            do as they would without, (n,) bool.
        """
        hideout = self.choose(me, place, ahead, length, searchers, known, behind)
        near = norm(searchers.eye - place) < HIDING_CHASED_LENGTHS * searchers.length
        charged = near | (searchers.speed > HIDING_CHARGED_SPEED * searchers.length)
        late = (hideout.behind == NO_SHELTER) | (hideout.late & flees)
        off, way = np.full(len(me), np.inf), np.zeros(place.shape)
        chased = np.flatnonzero(~hideout.hidden & near)
        if len(chased):
            off[chased], way[chased] = self.through_gap(place[chased], length[chased], searchers.of(chased))
        through = off < np.where(late, GAPS_REACH_LENGTHS, GAP_AT_HAND_LENGTHS) * length
        rests = hideout.hidden & (hideout.left < HIDING_ROOM_LENGTHS * length) & ~through
        far = hideout.left > HIDING_SPRINTED_LENGTHS * length
        calm = np.minimum(np.maximum(slowed(hideout.left, length), HIDING_CREEPING_PACE), 1.0)
        pace = np.where(hideout.hidden & ~near, calm, np.where(far, np.where(charged, 2.0, HIDING_PACE), 1.0))
        pace = np.where(through, 2.0, np.where(rests, 0.0, pace))
        wish = np.where(through[:, None], way, np.where(rests[:, None], ahead, unit(hideout.place - place)))
        return Moves(wish, pace, rests, np.zeros(len(me))), hideout.behind, late & ~through

    def choose(
        self,
        me: np.ndarray,
        place: np.ndarray,
        ahead: np.ndarray,
        length: np.ndarray,
        searchers: Searchers,
        known: np.ndarray,
        behind: np.ndarray,
    ) -> Hideout:
        """The obstacle behind which each had best hide, and the way there; see `moves`."""
        fishes, count = len(me), len(self._spots.solids)
        cost, left = np.full((fishes, count), np.inf), np.full((fishes, count), np.inf)
        nexts = np.zeros((fishes, count, 3))
        for row in range(count):
            some = np.flatnonzero(known[:, row])
            if not len(some):
                continue
            of = searchers.of(some)
            hides, place_of, way, end = self._round(me[some], row, place[some], length[some], of)
            its = norm(end - of.eye)
            apart = dot(unit(place_of - place[some]), unit(of.eye - place[some]))
            near = norm(of.eye - place[some])
            crosses = np.maximum(apart, 0.0) * np.clip(2.0 - near / np.maximum(way, 1e-9), 0.0, 1.0)
            keeps = behind[some] == row
            ease, most = HIDING_HEAD_STARTS
            rest = np.maximum(way - np.where(keeps, HIDING_THERE_LENGTHS, 0.0) * length[some], 0.0)
            seconds = rest / (HIDING_SPEED * length[some])
            hurry = np.clip((seconds / np.maximum(of.seconds(its), 1e-9) - ease) / (most - ease), 0.0, 1.0)
            late = hurry >= 1.0
            worth = way * np.where(keeps, HIDING_KEPT, 1.0 + HIDING_CROSSING * crosses + HIDING_HURRY * hurry)
            cost[some, row] = np.where(hides, worth + np.where(late, LATE, 0.0), np.inf)
            left[some, row], nexts[some, row] = way, place_of
        best, rows = cost.argmin(axis=1), np.arange(fishes)
        found = np.isfinite(cost[rows, best])
        hidden = self.out_of_sight(place, ahead, length, searchers)
        goal = np.where(found[:, None], nexts[rows, best], place)
        return Hideout(
            np.where(found, best, NO_SHELTER),
            goal,
            np.where(found, left[rows, best], np.inf),
            hidden,
            cost[rows, best] >= LATE,
        )

    def ring(self, row: int, place: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Places round an obstacle at the height of each fish and at its clearance, and whether it has room there.

        Args:
            row: Row of the obstacle.
            place: Places of n fishes in metres, (n, 3).
            length: Metres, (n,).

        Returns:
            Metres, (n, k, 3), and (n, k) bool.
        """
        spots, solid = self._spots, self._spots.solids[row]
        middle, reach = spots.middle[spots.marks + row], float(spots.reach[spots.marks + row])
        low, high = (float(ends[row]) for ends in spots.heights)
        clear = HIDING_BERTH_LENGTHS * length
        height = np.clip(place[:, 2], low, np.maximum(high - 0.5 * length, low))
        out = np.broadcast_to((reach + clear)[:, None], (len(place), RING_POINTS)).copy()
        foot = np.stack((np.full(len(place), middle[0]), np.full(len(place), middle[1]), height), axis=1)
        for _ in range(RING_STEPS):
            gap = solid.distance(foot[:, None] + out[..., None] * _ROUND)[0]
            out = np.maximum(out - (gap - clear[:, None]), 0.0)
        points = foot[:, None] + out[..., None] * _ROUND
        least = HIDING_PASSING_LENGTHS * length[:, None]
        room = self._ground.room(points) > least
        return points, room

    def out_of_sight(self, place: np.ndarray, way: np.ndarray, length: np.ndarray, searchers: Searchers) -> np.ndarray:
        """Mask of bodies at places (n, 3), along unit vectors (n, 3), that searchers do not see, (n,) bool."""
        stations = place[:, None] + (length[:, None] * HIDDEN_STATIONS)[..., None] * way[:, None]
        eyes = np.broadcast_to(searchers.eye[:, None], stations.shape)
        return blocks(eyes.reshape(-1, 3), stations.reshape(-1, 3), self._obstacles).reshape(len(place), -1).all(axis=1)

    def _round(
        self, me: np.ndarray, row: int, place: np.ndarray, length: np.ndarray, searchers: Searchers
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Mask of those, (n,), that an obstacle hides; the next place on the way, the metres of it, and its end."""
        points, room = self.ring(row, place, length)
        middle = self._spots.middle[self._spots.marks + row]
        n, everyone = len(place), np.arange(len(place))
        along = np.roll(points, -1, axis=1) - np.roll(points, 1, axis=1)
        size = (n * RING_POINTS, 3)
        each = searchers.of(np.repeat(everyone, RING_POINTS))
        dark = self.out_of_sight(points.reshape(size), unit(along.reshape(size)), np.repeat(length, RING_POINTS), each)
        dark = dark.reshape(n, RING_POINTS) & room
        its, mine = (_azimuth(at - middle) for at in (searchers.eye, place))
        opposite = wrap(_TURNS - (its + np.pi)[:, None])
        best = np.where(dark, np.abs(opposite), np.inf).argmin(axis=1)
        hides = dark[everyone, best]
        # Near enough to the far side it stays where it is, if nobody sees it there.
        at = np.rint(mine / (2.0 * np.pi / RING_POINTS)).astype(int) % RING_POINTS
        stays = dark[everyone, at] & (np.abs(opposite[everyone, at]) < HIDING_AWAY_ANGLE)
        best = np.where(stays, at, best)
        steps = (best - at + RING_POINTS // 2) % RING_POINTS - RING_POINTS // 2
        ranks = np.minimum(np.arange(1, RING_POINTS // 2 + 1), np.abs(steps)[:, None])
        legs = points[everyone[:, None], (at[:, None] + np.where(steps < 0, -1, 1)[:, None] * ranks) % RING_POINTS]
        offset = legs - place[:, None]
        far = norm(offset)
        berth = HIDING_PASSING_LENGTHS * np.ones(n)
        free = self._antenna.of(me).free_path(place, place[:, None], unit(offset), length, berth=berth) >= far
        last = np.where(free, np.arange(free.shape[1]), 0).max(axis=1)
        step = norm(points - np.roll(points, 1, axis=1)).max(axis=1)
        rest = step * np.maximum(np.abs(steps) - (last + 1), 0)
        return hides, legs[everyone, last], far[everyone, last] + rest, points[everyone, best]

    def through_gap(self, place: np.ndarray, length: np.ndarray, searchers: Searchers) -> tuple[np.ndarray, np.ndarray]:
        """Metres to the nearest gap to flee through that foes do not fit into, infinite without; ways, (n, 3)."""
        wish = np.zeros(place.shape)
        least = np.full(len(place), np.inf)
        for one, other in self._pairs:
            middle, width, axis = self._between(one, other, place)
            across = unit(np.stack((-axis[:, 1], axis[:, 0], np.zeros(len(axis))), axis=1))
            arm = middle - place
            side = np.where(dot(arm, across) < 0.0, -1.0, 1.0)
            onward = side[:, None] * across
            off = norm(arm)
            fits = (width > 2.0 * GAP_ROOM_LENGTHS * length) & (width < 2.0 * GIRTH_LENGTHS * searchers.length)
            behind = dot(middle - searchers.eye, onward) > 0.0
            seconds = off / (HIDING_SPEED * length)
            first = seconds < HIDING_HEAD_STARTS[1] * searchers.seconds(norm(middle - searchers.eye))
            may = fits & behind & first & (off < least)
            inside = off < GAP_REACHED_LENGTHS * length
            way = unit(np.where(inside[:, None], onward, arm + (0.5 * length)[:, None] * onward))
            wish, least = np.where(may[:, None], way, wish), np.where(may, off, least)
        return least, wish

    @property
    def _pairs(self) -> list[tuple[int, int]]:
        """Pairs of obstacles that are near each other."""
        spots = self._spots
        middle, reach = spots.middle[spots.marks :], spots.reach[spots.marks :]
        gap = norm((middle[:, None] - middle)[..., :2]) - reach[:, None] - reach
        return [(int(a), int(b)) for a, b in zip(*np.nonzero(gap < 0.5 * reach.max(initial=0.0)), strict=True) if a < b]

    def _between(self, one: int, other: int, place: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Middle of the gap between two obstacles at the heights of places (n, 3), its width, (n,), and its axis."""
        spots = self._spots
        first, second = spots.solids[one], spots.solids[other]
        at = 0.5 * (spots.middle[spots.marks + one] + spots.middle[spots.marks + other])
        at = np.stack((np.full(len(place), at[0]), np.full(len(place), at[1]), place[:, 2]), axis=1)
        width, axis = np.zeros(len(place)), np.zeros(place.shape)
        level = np.array([1.0, 1.0, 0.0])
        for _ in range(RING_STEPS):
            (near, out), (far, back) = first.distance(at), second.distance(at)
            axis, width = unit((out - back) * level), near + far
            at = at + 0.5 * (far - near)[:, None] * axis
        return at, width, axis


def _azimuth(arm: np.ndarray) -> np.ndarray:
    """Azimuths of arms (n, 3) in radians, (n,)."""
    return arctan2(arm[:, 1], arm[:, 0])
