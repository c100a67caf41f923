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
from ..base.elementary import cube_root
from ..base.keys import at_time
from ..base.state import Stateful, state
from ..base.sums import mean
from ..base.sums import total as summed
from ..base.vectors import norm, unit
from ..motor.commands import Commands
from ..perception.swimmers import Swimmers
from ..scene.direction import Arrival, Curve, Direction, Leader, Led, Region, Shape, Target, goal_name
from ..scene.scene import Scene
from .guidance import Guidance, approach, keep, turned_off
from .mood import MOOD_NAMES
from .parties import part
from .routines.travel import Goal, Journeys
from .shapes import Members, census, shape_of, whims
from .timing import Swum, Timekeeping, is_timed, seconds_along
from .tuning import (
    BORDER_FORESIGHT_SECONDS,
    CURVE_AHEAD_LENGTHS,
    CURVE_END_LENGTHS,
    SHAPE_EASY_DENSITY,
    SHAPE_STRENGTH,
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
        keeps: Fishes whose pace is kept in time, by prolonged swimming where that takes it, (n,) bool.
    """

    strength: np.ndarray
    wish: np.ndarray
    pace: np.ndarray
    mild: np.ndarray
    comfort: np.ndarray
    keeps: np.ndarray


@dataclass(frozen=True)
class DirectedFishes:
    """The director's view of all fishes.

    Attributes:
        place: Metres, (fish, 3).
        ahead: Their headings, (fish, 3).
        velocity: Velocities in m/s, (fish, 3).
        length: Metres, (fish,).
        alive: Fishes that are there, (fish,) bool.
        reserve: Reserves of strength, 1 rested and 0 spent, (fish,).
    """

    place: np.ndarray
    ahead: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    alive: np.ndarray
    reserve: np.ndarray

    @classmethod
    def of(cls, swimmers: Swimmers, length: np.ndarray, alive: np.ndarray) -> DirectedFishes:
        """The view of fishes of lengths in metres, (fish,), of which those of the mask are there, (fish,) bool."""
        reserve = np.ones(len(length)) if swimmers.reserve is None else swimmers.reserve
        return cls(swimmers.place, swimmers.ahead, swimmers.velocity, length, alive, reserve)

    def some(self, fishes: np.ndarray) -> Swum:
        """The fishes of these rows, (n,)."""
        of = self.place, self.ahead, self.velocity, self.length, self.reserve
        return Swum(fishes, *(array[fishes] for array in of))


class Director(Stateful):
    """Leads the fishes of a scene.

    Attributes:
        along: Distance of each fish along each entry's curve in metres, NaN before it is on it, (entry, fish); of
            shapes, some number for their own fishes, and NaN for all others.
        journeys: Searches for ways to targets; None where no target asks for one.
        timing: The times that are kept; None where no entry says when.
    """

    along: np.ndarray = state("f8", "entry", "fish", unit="m", unset=np.nan)

    def __init__(self, scene: Scene, dice: Dice | None = None):
        """Takes over the scene's direction and wants; without a stream for each fish it leads to no shape."""

        def rows(group: int, member: int | None) -> np.ndarray:
            return np.array(scene.rows_of(group, member))

        def led(entry: Led) -> np.ndarray:
            whom = np.zeros(scene.count, dtype=bool)
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
        self._fill(entry=len(self._entries), fish=scene.count)
        self.journeys: Journeys | None = None
        self.timing: Timekeeping | None = None

    @property
    def timed(self) -> bool:
        """True if an entry says when, or how fast."""
        return any(is_timed(entry) for entry, _ in self._entries)

    @property
    def goals(self) -> list[Goal]:
        """The targets to which fishes find a way, in the order in which they are visited."""
        return [
            Goal(row, goal_name(entry, row), entry.radius, entry.way == "sought", whom)
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
        for row, (entry, whom) in enumerate(self._entries):
            if not isinstance(entry, Shape) and at_time(entry.strength, t) > 0.0 and self._at_work(row, t):
                found |= whom
        return found

    def leading(self, t: float, fish: int) -> list[tuple[Direction, float]]:
        """The entries that lead a fish, each with its strength, the strongest first; without those of no strength."""
        rows = [row for row, (_, led) in enumerate(self._entries) if led[fish] and self._at_work(row, t)]
        found = [(entry, at_time(entry.strength, t)) for entry, _ in (self._entries[row] for row in rows)]
        found = [(entry, strength) for entry, strength in found if strength > 0.0]
        return sorted(found, key=lambda one: -one[1])

    def keyed(self, t: float, fish: int) -> list[str]:
        """Names of the drives, of hunger, libido and fear, that are keyed for a fish at `t` seconds."""
        felt = np.full((self.along.shape[1], 3), np.nan)
        self.moods(t, felt)
        return [word for word, value in zip(MOOD_NAMES, felt[fish], strict=True) if not np.isnan(value)]

    def keep_pace(self, fishes: np.ndarray, kept: np.ndarray) -> None:
        """Takes note of which of these fishes, (n,), keep the pace that they are led at, (n,) bool."""
        if self.timing is not None:
            self.timing.pacing.kept[fishes] = kept

    def prolonged(self, commands: Commands) -> Commands:
        """The same commands, but that fishes which keep a pace do so by prolonged swimming."""
        return commands if self.timing is None else self.timing.pacing.prolonged(commands)

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
        keeps = np.zeros(number, dtype=bool)
        for rows in self._schools:
            self._part(rows, t, seen)
        self._keep_time(t, seen)
        self.keep_pace(fishes, keeps)
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
            elif self.timing is not None and isinstance(entry, Arrival):
                some = some[self.timing.awaited(row, t, fishes[some])]
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
            if is_timed(entry):
                keeps[some] |= pulls > 0.0
            paces = pulls * ~np.isnan(pace)
            hurry[some] += paces * np.where(np.isnan(pace), 0.0, pace)
            paced[some] += paces
        if not total.any():
            return None
        for some, pulls, wish in borders:
            pull[some] = turned_off(pull[some], pulls, wish, seen.ahead[fishes[some]])
        pace = np.where(paced > 0.0, hurry / np.where(paced > 0.0, paced, 1.0), np.nan)
        return Lead(total, unit(pull), pace, mild, comfort, keeps)

    def _wish(
        self, row: int, entry: Any, t: float, fishes: np.ndarray, seen: DirectedFishes
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The wish of one entry for these fishes (n, 3), its need now (n,), and the pace (n,)."""
        place, length = seen.place[fishes], seen.length[fishes]
        if isinstance(entry, Region):
            return keep(entry, place, place + BORDER_FORESIGHT_SECONDS * seen.velocity[fishes], length)
        if isinstance(entry, Arrival):
            assert self.timing is not None
            return self.timing.arrive(row, t, seen.some(fishes))
        if isinstance(entry, Curve):
            return self._follow(row, entry, t, fishes, seen)
        if row in self._shapes:
            assert self._dice is not None
            of = Members(fishes, place, seen.velocity[fishes], length, whims(self._dice, t, fishes))
            everyone = np.flatnonzero(~np.isnan(self.along[row]))
            school = census(everyone, seen.place, seen.ahead, seen.length)
            found = self._shapes[row].wish(t, school, of, self.along[row])
            if self.timing is None or not is_timed(entry):
                return found
            return *found[:2], self.timing.swim(t, entry, found, seen.some(fishes))
        if isinstance(entry, Target):
            goal = np.array(entry.at if entry.at is not None else moved(entry.path, t), dtype=float)
            if entry.way != "straight" and self.journeys is not None:
                found = self.journeys.travel(row, fishes, goal, place, seen.ahead[fishes])
            else:
                found = approach(goal - place, np.zeros(3), entry.radius, length, seen.ahead[fishes])
            return self._hastened(entry, t, found, norm(goal - place), 0.0, seen.some(fishes))
        heads = self._leaders[row]
        assert heads is not None
        there = heads[seen.alive[heads]]
        if not len(there):
            return np.zeros_like(place), np.zeros(len(fishes)), np.full(len(fishes), np.nan)
        offset = mean(seen.place[there], axis=0) - place
        found = approach(offset, mean(seen.velocity[there], axis=0), entry.radius, length, seen.ahead[fishes])
        if len(heads) == 1:  # a leader does not follow itself
            found[1][fishes == heads[0]] = 0.0
        drift = float(norm(mean(seen.velocity[there], axis=0)))
        found = self._hastened(entry, t, found, norm(offset), drift, seen.some(fishes))
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
        if not self._at_work(row, t):
            return np.zeros_like(place), np.zeros(len(fishes)), np.full(len(fishes), np.nan)
        if is_timed(entry):
            assert self.timing is not None
            along = self.along[row, fishes]
            found = self.timing.follow(row, t, way, along, seen.some(fishes))
            self.along[row, fishes] = along
            return found
        now = self.along[row, fishes] = way.nearest(self.along[row, fishes], place, length)
        aim = way.at(now + CURVE_AHEAD_LENGTHS * length)
        pace = np.full(len(fishes), np.nan)
        need = np.where((now > way.length - CURVE_END_LENGTHS * length) & (not entry.closed), 0.0, 1.0)
        return unit(aim - place), need, pace

    def _at_work(self, row: int, t: float) -> bool:
        """True if an entry may lead at `t` seconds: a curve from its start on, and until it is over."""
        entry, way = self._entries[row][0], self._ways[row]
        if isinstance(entry, Arrival):
            if self.timing is None:
                return t <= entry.time + entry.stay
            return bool(self.timing.awaited(row, t, np.flatnonzero(self._entries[row][1])).any())
        if not isinstance(entry, Curve) or way is None:
            return True
        seconds = seconds_along(entry, way.length)
        return t >= entry.start and (seconds is None or entry.closed or t <= entry.start + seconds)

    def _keep_time(self, t: float, seen: DirectedFishes) -> None:
        """Has fishes set out that are to be somewhere, and notes where those are whose time has come."""
        if self.timing is None:
            return
        for row, (entry, led) in enumerate(self._entries):
            if not isinstance(entry, Arrival | Curve) or not is_timed(entry) or at_time(entry.strength, t) == 0.0:
                continue
            there, way = seen.some(np.flatnonzero(led & seen.alive)), self._ways[row]
            if way is None:
                self.timing.set_out(row, t, there)
                self.timing.note(row, t, there)
            else:
                self.timing.end(row, t, way, there)

    def _hastened(self, entry: Any, t: float, guidance: Guidance, gap: np.ndarray, drift: float, of: Swum) -> Guidance:
        """The same guidance at the speed that the entry says, if it does."""
        if self.timing is None or entry.speed is None:
            return guidance
        return *guidance[:2], self.timing.hasten(t, entry, guidance, gap, drift, of)
