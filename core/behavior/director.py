"""The director: leads fishes to targets, along curves, into and out of regions and after leaders, and keys their wants.

The book wishes for it (Tu 1999, §11.6.1) and says no more. The mind stays in charge: direction is one more wish, which
is mixed with what a fish would do by itself in proportion to its strength. A fish that flees for its life obeys only a
strength of `OBEYED_STRENGTH` and more, and none is led into walls, pillars or others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dice import Dice
from ..base.elementary import cube_root, sin_and_cos
from ..base.keys import at_time
from ..base.state import Stateful, state
from ..base.sums import mean
from ..base.sums import total as summed
from ..base.vectors import dot, local, norm, unit
from ..scene.direction import Curve, Direction, Leader, Led, Region, Shape, Target
from ..scene.scene import Scene
from .mood import MOOD_NAMES
from .parties import part
from .routines.travel import Goal, Journeys
from .shapes import Members, census, shape_of, whims
from .tuning import (
    BORDER_FORESIGHT_SECONDS,
    BORDER_LENGTHS,
    BORDER_SHARE,
    CURVE_AHEAD_LENGTHS,
    CURVE_CATCH_UP_PACE,
    CURVE_END_LENGTHS,
    CURVE_JOINED_LENGTHS,
    CURVE_LOST_LENGTHS,
    CURVE_PACE,
    CURVE_STRAYED_LENGTHS,
    LEAST_CURVE_PACE,
    LED_AT_EASE_PACE,
    LED_DRIFT_PACE,
    LED_HURRY_LENGTHS,
    SHAPE_EASY_DENSITY,
    SHAPE_STRENGTH,
    TURNABLE_COSINE,
    TURNABLE_LENGTHS,
)
from .wants import Wants
from .ways import WayCurve, moved


@dataclass
class Lead:
    """The director's lead of n fishes.

    Attributes:
        strength: 0 to 1, (n,).
        wish: Unit vector where each is to go; nothing where it may go anywhere, (n, 3).
        pace: Share of full speed, NaN where it is free, (n,).
        mild: Fishes led by the shapes of their schools alone, which give way to every other want, (n,) bool.
        comfort: Size of the sensitivity box of each in its school, over that at ease, (n,).
    """

    strength: np.ndarray
    wish: np.ndarray
    pace: np.ndarray
    mild: np.ndarray
    comfort: np.ndarray


@dataclass(frozen=True)
class DirectedFishes:
    """The director's view of all fishes.

    Attributes:
        place: Metres, (fish, 3).
        ahead: Their headings, (fish, 3).
        velocity: Velocities in m/s, (fish, 3).
        length: Metres, (fish,).
        alive: Fishes that are there, (fish,) bool.
    """

    place: np.ndarray
    ahead: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    alive: np.ndarray


class Director(Stateful):
    """Leads the fishes of a scene.

    Attributes:
        along: Distance of each fish along each entry's curve in metres, NaN before it is on it, (entry, fish); of
            shapes, some number for their own fishes, and NaN for all others.
        journeys: Searches for ways to targets; None where no target asks for one.
    """

    along: np.ndarray = state("f8", "entry", "fish", unit="m", unset=np.nan)

    def __init__(self, scene: Scene, dice: Dice | None = None):
        """Takes over the scene's direction and wants; without a stream for each fish it leads to no shape."""
        counts = [group.count for group in scene.fishes]
        begins = np.cumsum([0, *counts])

        def rows(group: int, member: int | None) -> np.ndarray:
            everyone = np.arange(begins[group], begins[group + 1])
            return everyone if member is None else everyone[member : member + 1]

        def led(entry: Led) -> np.ndarray:
            whom = np.zeros(begins[-1], dtype=bool)
            whom[rows(entry.fishes, entry.member)] = True
            return whom

        self._entries = [(entry, led(entry)) for entry in scene.direction]
        self._ways = [
            WayCurve(entry.points, entry.closed) if isinstance(entry, Curve) else None for entry, _ in self._entries
        ]
        self._leaders = [
            rows(entry.leader, entry.leader_member) if isinstance(entry, Leader) else None for entry, _ in self._entries
        ]
        self._shapes = {
            row: shape_of(entry)
            for row, (entry, _) in enumerate(self._entries)
            if isinstance(entry, Shape) and dice is not None
        }
        schools: dict[tuple[int, int | None], list[int]] = {}
        for row in self._shapes:
            schools.setdefault((scene.direction[row].fishes, scene.direction[row].member), []).append(row)
        self._schools, self._dice = list(schools.values()), dice
        self._wants = Wants(scene.wants, rows)
        self._fill(entry=len(self._entries), fish=int(begins[-1]))
        self.journeys: Journeys | None = None

    @property
    def goals(self) -> list[Goal]:
        """The targets to which fishes find a way, in the order in which they are visited."""
        return [
            Goal(row, entry.name or f"direction[{row}]", entry.radius, entry.way == "sought", whom)
            for row, (entry, whom) in enumerate(self._entries)
            if isinstance(entry, Target) and entry.way != "straight"
        ]

    @property
    def pursuits(self) -> list[tuple[int, str, np.ndarray]]:
        """Rows of the entries by which fishes follow others by a way, that way, and those fishes, (fish,) bool."""
        return [
            (row, entry.way, whom)
            for row, (entry, whom) in enumerate(self._entries)
            if isinstance(entry, Leader) and entry.way != "straight"
        ]

    @property
    def idle(self) -> bool:
        """True if no fish is ever led."""
        return not self._entries

    @property
    def keys(self) -> bool:
        """True if any want is keyed."""
        return len(self._wants) > 0

    def moods(self, t: float, keyed: np.ndarray) -> None:
        """Sets what keys say of hunger, libido and fear at `t` seconds, NaN where they say nothing, (fish, 3)."""
        self._wants.moods(t, keyed)

    def led(self, t: float) -> np.ndarray:
        """Mask of fishes led by anything but the shape of a school at `t` seconds, (fish,) bool."""
        found = np.zeros(self.along.shape[1], dtype=bool)
        for entry, whom in self._entries:
            if not isinstance(entry, Shape) and at_time(entry.strength, t) > 0.0 and _at_work(entry, t):
                found |= whom
        return found

    def leading(self, t: float, fish: int) -> list[tuple[Direction, float]]:
        """The entries that lead a fish, each with its strength, the strongest first; without those of no strength."""
        found = [(entry, at_time(entry.strength, t)) for entry, led in self._entries if led[fish]]
        found = [(entry, strength) for entry, strength in found if strength > 0.0 and _at_work(entry, t)]
        return sorted(found, key=lambda one: -one[1])

    def keyed(self, t: float, fish: int) -> list[str]:
        """Names of the drives, of hunger, libido and fear, that are keyed for a fish at `t` seconds."""
        felt = np.full((self.along.shape[1], 3), np.nan)
        self.moods(t, felt)
        return [word for word, value in zip(MOOD_NAMES, felt[fish], strict=True) if not np.isnan(value)]

    def lead(self, t: float, fishes: np.ndarray, seen: DirectedFishes) -> Lead | None:
        """The lead of these fishes.

        Where several entries lead a fish, each counts by its strength; together they are as strong as the strongest.

        Args:
            t: Seconds since the film begins.
            fishes: Their rows, (n,).
            seen: The director's view of all fishes.

        Returns:
            None where nobody is led.
        """
        number, mild, comfort = len(fishes), np.zeros(len(fishes), dtype=bool), np.ones(len(fishes))
        for rows in self._schools:
            self._part(rows, t, seen)
        total, pull, hurry, paced = np.zeros(number), np.zeros((number, 3)), np.zeros(number), np.zeros(number)
        borders: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for row, (entry, led) in enumerate(self._entries):
            strength = at_time(entry.strength, t)
            some = np.flatnonzero(led[fishes] & (strength > 0.0))
            if row in self._shapes:
                some = some[~np.isnan(self.along[row, fishes[some]])]
            elif self.journeys is not None and isinstance(entry, Target) and entry.way != "straight":
                some = some[self.journeys.bound_for(row, fishes[some])]
            elif self.journeys is not None and isinstance(entry, Leader) and entry.way != "straight":
                some = some[~self.journeys.kept[fishes[some]]]
            if not len(some):
                continue
            wish, need, pace = self._wish(row, entry, t, fishes[some], seen)
            if row in self._shapes:
                comfort[some] = self._comfort(row, t, seen)
            pulls = strength * need
            if row in self._shapes:
                pulls *= SHAPE_STRENGTH
            mild[some] = (mild[some] | (total[some] == 0.0)) if row in self._shapes else mild[some] & (pulls == 0.0)
            total[some] = np.maximum(total[some], pulls)
            if isinstance(entry, Region):
                borders.append((some, pulls, wish))
            else:
                pull[some] += pulls[:, None] * wish
            paces = pulls * ~np.isnan(pace)
            hurry[some] += paces * np.where(np.isnan(pace), 0.0, pace)
            paced[some] += paces
        if not total.any():
            return None
        for some, pulls, wish in borders:
            pull[some] = _turned_off(pull[some], pulls, wish, seen.ahead[fishes[some]])
        pace = np.where(paced > 0.0, hurry / np.where(paced > 0.0, paced, 1.0), np.nan)
        return Lead(total, unit(pull), pace, mild, comfort)

    def _wish(
        self, row: int, entry: Any, t: float, fishes: np.ndarray, seen: DirectedFishes
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The wish of one entry for these fishes (n, 3), its need now (n,), and the pace (n,)."""
        place, length = seen.place[fishes], seen.length[fishes]
        if isinstance(entry, Region):
            return _keep(entry, place, place + BORDER_FORESIGHT_SECONDS * seen.velocity[fishes], length)
        if isinstance(entry, Curve):
            return self._follow(row, entry, t, fishes, seen)
        if row in self._shapes:
            assert self._dice is not None
            of = Members(fishes, place, seen.velocity[fishes], length, whims(self._dice, t, fishes))
            everyone = np.flatnonzero(~np.isnan(self.along[row]))
            school = census(everyone, seen.place, seen.ahead, seen.length)
            return self._shapes[row].wish(t, school, of, self.along[row])
        if isinstance(entry, Target):
            goal = np.array(entry.at if entry.at is not None else moved(entry.path, t), dtype=float)
            if entry.way != "straight" and self.journeys is not None:
                return self.journeys.travel(row, fishes, goal, place, seen.ahead[fishes])
            offset = goal - place
            return _approach(offset, np.zeros(3), entry.radius, length, seen.ahead[fishes])
        heads = self._leaders[row]
        assert heads is not None
        there = heads[seen.alive[heads]]
        if not len(there):
            return np.zeros_like(place), np.zeros(len(fishes)), np.full(len(fishes), np.nan)
        offset = mean(seen.place[there], axis=0) - place
        found = _approach(offset, mean(seen.velocity[there], axis=0), entry.radius, length, seen.ahead[fishes])
        if len(heads) == 1:  # a leader does not follow itself
            found[1][fishes == heads[0]] = 0.0
        if entry.way != "straight" and self.journeys is not None:
            return self._pursue(entry, fishes, there, seen, found)
        return found

    def _pursue(
        self,
        entry: Leader,
        fishes: np.ndarray,
        heads: np.ndarray,
        seen: DirectedFishes,
        straight: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Guidance for fishes, (n,), after others, (k,), by ways; those near enough swim with them as if straight."""
        assert self.journeys is not None
        wish, need, pace = straight
        far = np.flatnonzero((need >= 1.0) & ~np.isin(fishes, heads))
        if len(far):
            some, middle = fishes[far], mean(seen.place[heads], axis=0)
            way, has, slow = self.journeys.follow(
                some, heads, entry.way == "sought", middle, seen.place[some], seen.ahead[some]
            )
            wish[far], need[far] = way, has
            pace[far] = np.where(np.isnan(slow), pace[far], slow)
        return wish, need, pace

    def _comfort(self, row: int, t: float, seen: DirectedFishes) -> float:
        """Size of sensitivity boxes in a shape, over that at ease."""
        fishes = np.flatnonzero(~np.isnan(self.along[row]))
        density = self._shapes[row].density(t, len(fishes), float(mean(seen.length[fishes])))
        return float(cube_root(SHAPE_EASY_DENSITY / max(density, SHAPE_EASY_DENSITY)))

    def _part(self, rows: list[int], t: float, seen: DirectedFishes) -> None:
        """Has as many fishes belong to each of these entries' shapes as they should at `t` seconds."""
        entries: list[Any] = [self._entries[row][0] for row in rows]
        there = self._entries[rows[0]][1] & seen.alive
        shares = [at_time(entry.share, t) if at_time(entry.strength, t) > 0.0 else 0.0 for entry in entries]
        along = self.along[rows]
        whole = max(float(summed(np.array(shares))), 1e-9)
        length = float(mean(seen.length[there])) if there.any() else 1.0

        def gap(row: int, fishes: np.ndarray) -> np.ndarray:
            number = round(np.count_nonzero(there) * shares[row] / whole)
            return self._shapes[rows[row]].gap(t, number, length, seen.place[fishes])

        part(shares, along, there, gap)
        self.along[rows] = along

    def _follow(
        self, row: int, entry: Curve, t: float, fishes: np.ndarray, seen: DirectedFishes
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same for a curve: a fish makes for a place on it that keeps ahead of it."""
        way, place, length = self._ways[row], seen.place[fishes], seen.length[fishes]
        assert way is not None
        none = np.zeros_like(place), np.zeros(len(fishes)), np.full(len(fishes), np.nan)
        if not _at_work(entry, t):
            return none
        if entry.duration is None:
            now = self.along[row, fishes] = way.nearest(self.along[row, fishes], place, length)
            aim = way.at(now + CURVE_AHEAD_LENGTHS * length)
            pace = np.full(len(fishes), np.nan)
            need = np.where((now > way.length - CURVE_END_LENGTHS * length) & (not entry.closed), 0.0, 1.0)
            return unit(aim - place), need, pace
        gone = way.length * (t - entry.start) / entry.duration
        offset = way.at(np.full(len(fishes), gone)) - place
        now = self.along[row, fishes]
        now = np.where(np.isnan(now) & (norm(offset) < CURVE_JOINED_LENGTHS * length), way.wrapped(gone), now)
        with_it = norm(way.at(np.nan_to_num(now)) - place) < CURVE_STRAYED_LENGTHS * length
        with_it &= np.abs(way.gap(gone, now)) < CURVE_LOST_LENGTHS * length  # False where it is nowhere yet
        some = np.flatnonzero(with_it)
        now[~with_it] = np.nan
        now[some] = way.nearest(now[some], place[some], length[some])
        self.along[row, fishes] = now
        aim = np.where(with_it[:, None], way.at(np.nan_to_num(now) + CURVE_AHEAD_LENGTHS * length) - place, offset)
        lag = np.nan_to_num(way.gap(gone, now)) / length
        pace = np.where(with_it, np.clip(CURVE_PACE + CURVE_CATCH_UP_PACE * lag, LEAST_CURVE_PACE, 1.0), 1.0)
        return unit(aim), np.ones(len(fishes)), pace


def _at_work(entry: Direction, t: float) -> bool:
    """True if an entry may lead at `t` seconds: a curve from its start on, and until it is over."""
    if not isinstance(entry, Curve):
        return True
    over = entry.duration is not None and not entry.closed and t > entry.start + entry.duration
    return t >= entry.start and not over


def _approach(
    offset: np.ndarray, motion: np.ndarray, radius: float, length: np.ndarray, ahead: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Guidance to a place and for staying there.

    Args:
        offset: Vectors to the place in metres, (n, 3).
        motion: Velocity of the place in m/s, (3,).
        radius: Metres within which a fish is there.
        length: Metres, (n,).
        ahead: Headings, (n, 3).

    Returns:
        Wish, need and pace; see `Director._wish`.
    """
    distance = norm(offset)
    beyond = np.maximum(distance - radius, 0.0) / length
    # Half of the way from the middle to the rim already counts for something, or all would end up on the rim.
    need = np.clip(2.0 * distance / radius - 1.0, 0.0, 1.0)
    drift = norm(motion) / length
    pace = np.minimum(
        LED_AT_EASE_PACE + (1.0 - LED_AT_EASE_PACE) * beyond / LED_HURRY_LENGTHS + LED_DRIFT_PACE * drift, 1.0
    )
    off_course = (dot(unit(offset), ahead) < TURNABLE_COSINE) & (distance < radius + TURNABLE_LENGTHS * length)
    return unit(offset), need, np.where(off_course, np.minimum(pace, 2.0 * LED_AT_EASE_PACE), pace)


def _keep(
    region: Region, place: np.ndarray, soon: np.ndarray, length: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Guidance into a region or out of it; see `Director._wish`. It leaves the pace free.

    Args:
        region: The region.
        place: Metres, (n, 3).
        soon: Places that they reach before they have turned, in metres, (n, 3).
        length: Metres, (n,).
    """
    side = 1.0 if region.inside else -1.0
    distance, outward = _border(region, place)
    wrong = side * distance  # above 0 on the wrong side
    after = side * _border(region, soon)[0]
    reach = BORDER_LENGTHS * length
    if region.inside:  # a small region has no room for so wide a border
        half = 0.5 * min(region.size) if region.size is not None else region.radius or 0.0
        reach = np.minimum(reach, BORDER_SHARE * half)
    need = np.clip(1.0 + np.maximum(wrong, np.minimum(after, wrong + reach)) / reach, 0.0, 1.0)
    return -side * outward, need, np.full(len(place), np.nan)


def _turned_off(pull: np.ndarray, strength: np.ndarray, wish: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """The pull of other entries on fishes (n, 3), turned along a border that it would lead them across, (n, 3).

    Args:
        pull: The pull of other entries, (n, 3).
        strength: Strength of the region for each, (n,).
        wish: The way off its border, (n, 3).
        ahead: Headings, (n, 3).
    """
    across = np.minimum(2.0 * strength, 1.0) * np.minimum(dot(pull, wish), 0.0)
    beside = unit(ahead - dot(ahead, wish)[:, None] * wish)
    return pull - across[:, None] * (wish + beside) + 2.0 * strength[:, None] * wish


def _border(region: Region, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distance to a region's border in metres, below 0 inside, (n,), and the way out of it, (n, 3)."""
    arm = place - np.array(region.at)
    if region.size is None:
        away = norm(arm)
        return away - region.radius, np.where(away[:, None] > 1e-9, unit(arm), (0.0, 0.0, 1.0))
    up, along = sin_and_cos(region.turn)
    turned = np.array([[along, -up, 0.0], [up, along, 0.0], [0.0, 0.0, 1.0]])
    own = local(turned, arm)
    off = np.abs(own) - 0.5 * np.array(region.size, dtype=float)
    beyond = np.maximum(off, 0.0)
    outside = norm(beyond)
    rows, nearest = np.arange(len(own)), off.argmax(axis=1)
    inner = np.zeros_like(own)
    inner[rows, nearest] = 1.0
    way = np.where(outside[:, None] > 0.0, beyond, inner) * np.where(own < 0.0, -1.0, 1.0)
    return np.where(outside > 0.0, outside, off[rows, nearest]), local(turned.T, unit(way))
