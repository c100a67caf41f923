"""Timing: leading fishes so that they are where they were told to be in time (Tu 1999, §11.6.1 wishes for direction).

A fish that is to be somewhere in time goes as fast as the rest of its way takes in the rest of its time, and so makes
up for what holds it up. It sets out as late as it can while it cruises, and slows down to arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.elementary import arccos, cube_root
from ..base.keys import at_time
from ..base.state import Stateful, state
from ..base.sums import mean
from ..base.vectors import dot, norm, unit
from ..motor.tuning import TURNING_RATE
from ..perception.swimmers import NO_FISH
from ..scene.direction import Arrival, Ball, Curve, Leader, Target, goal_name
from ..scene.scene import Scene
from .guidance import Guidance
from .pacing import Pacing, Vigor
from .tuning import (
    ARRIVED_LENGTHS,
    ARRIVING_BEATS,
    ARRIVING_PACE,
    CURVE_AHEAD_LENGTHS,
    CURVE_AHEAD_SECONDS,
    CURVE_JOINED_LENGTHS,
    CURVE_LAG_SECONDS,
    CURVE_LOST_LENGTHS,
    CURVE_STRAYED_LENGTHS,
    ENDURING_SECONDS,
    HEADED_SHARE,
    HEADING_COSINE,
    LEAST_SETTING_OUT_PACE,
    LEAST_SWING_COSINE,
    LED_AT_EASE_PACE,
    PACING_FORESIGHT_BEATS,
    SETTING_OUT_PACE,
    SHOAL_ARRIVES_LENGTHS,
    SWINGING_SHARE,
    TURNABLE_COSINE,
    TURNABLE_LENGTHS,
)
from .ways import WayCurve


@dataclass(frozen=True)
class Swum:
    """The fishes that are led, as they are.

    Attributes:
        fishes: Their rows, (n,).
        place: Metres, (n, 3).
        ahead: Headings, (n, 3).
        velocity: Velocities over ground in m/s, (n, 3).
        length: Metres, (n,).
        reserve: Reserves of strength, (n,).
    """

    fishes: np.ndarray
    place: np.ndarray
    ahead: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    reserve: np.ndarray

    @property
    def speed(self) -> np.ndarray:
        """Speeds over ground in lengths a second, (n,)."""
        return norm(self.velocity) / self.length

    def along(self, way: np.ndarray) -> np.ndarray:
        """Speeds along ways, unit vectors (n, 3), in lengths a second, NaN of those that head elsewhere, (n,)."""
        made = dot(self.velocity, way) / self.length
        return np.where(dot(self.ahead, way) > HEADING_COSINE, made, np.nan)


def seconds_along(curve: Curve, length: float) -> float | None:
    """Time in seconds from the first to the last point of a curve of a length in metres; None if it is free."""
    return length / curve.speed if curve.speed is not None else curve.duration


def is_timed(entry: Any) -> bool:
    """True if an entry of a scene's direction says when, or how fast."""
    if isinstance(entry, Arrival):
        return True
    if isinstance(entry, Curve):
        return entry.duration is not None or entry.speed is not None
    return isinstance(entry, Target | Leader | Ball) and entry.speed is not None


class Timekeeping(Stateful):
    """The times of all entries that say when fishes are where.

    Attributes:
        out: Fishes that have set out for each entry, (entry, fish) bool.
        offset: Place of each in its shoal, from the middle of that, in metres, (entry, fish, 3).
        there: Time when each was there in seconds, NaN before, (entry, fish).
        off: How far each was off when it was to be there, in lengths, NaN before, (entry, fish).
        pacing: The keeping of speeds.
        happened: Arrivals that nobody has taken note of yet, as in `Recording.events` but for the frame.
    """

    out: np.ndarray = state("?", "entry", "fish")
    offset: np.ndarray = state("f8", "entry", "fish", 3, unit="m")
    there: np.ndarray = state("f8", "entry", "fish", unit="s", unset=np.nan)
    off: np.ndarray = state("f8", "entry", "fish", unit="lengths", unset=np.nan)

    def __init__(self, scene: Scene, vigor: Vigor, beat: np.ndarray):
        """Begins with nobody on the way.

        Args:
            scene: The scene.
            vigor: The strength of all fishes.
            beat: Their tail beats a second at full command, (fish,).
        """
        self.pacing, self.happened = Pacing(vigor), list[dict[str, Any]]()
        self._direction: tuple[Any, ...] = scene.direction
        self._beat, self._slowing = 1.0 / beat, ARRIVING_BEATS / beat  # seconds
        self._end = np.where(vigor.restless, 1.0, ARRIVING_PACE)
        self._fill(entry=len(scene.direction), fish=len(beat))

    def awaited(self, row: int, t: float, fishes: np.ndarray) -> np.ndarray:
        """Mask of fishes (n,) that an arrival leads at `t` seconds: from setting out until they have stayed, (n,)."""
        entry: Arrival = self._direction[row]
        there = self.there[row, fishes]
        over = t > np.fmax(there, entry.time) + entry.stay
        return self.out[row, fishes] & ~(over & ~np.isnan(there))

    def set_out(self, row: int, t: float, everyone: Swum) -> None:
        """Has the fishes of an arrival that are there set out together, where it is time for one and not too late."""
        entry: Arrival = self._direction[row]
        fishes = everyone.fishes
        if not len(fishes) or t >= entry.time or (entry.start is not None and t < entry.start):
            return
        if self.out[row, fishes].all():
            return
        new = np.flatnonzero(~self.out[row, fishes])
        middle = mean(everyone.place, axis=0)
        offset = everyone.place - middle
        reach = np.maximum(entry.radius, SHOAL_ARRIVES_LENGTHS * everyone.length.max() * cube_root(len(fishes)))
        offset *= min(1.0, reach / max(float(norm(offset).max()), 1e-9))
        if len(new) == len(fishes):
            _, left, way = self._rest(entry, offset, everyone)
            about = arccos(np.clip(dot(everyone.ahead, way), -1.0, 1.0)) / TURNING_RATE
            slowing = 0.5 * (1.0 - self._end[fishes]) * self._slowing[fishes]
            needed = left / np.maximum(entry.time - t - about - slowing, 1e-3)
            share = SETTING_OUT_PACE if entry.start is None else LEAST_SETTING_OUT_PACE
            if not (needed >= share * self.pacing.vigor.full[fishes]).any():
                return
        self.out[row, fishes[new]] = True
        self.offset[row, fishes[new]] = offset[new]

    def _rest(self, entry: Arrival, offset: np.ndarray, of: Swum) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rest of ways to an arrival: to their places in metres (n, 3), lengths (n,), and where to go."""
        gap = np.array(entry.at) + offset - of.place
        distance = norm(gap)
        if entry.heading is None:
            return gap, distance / of.length, unit(gap)
        run = HEADED_SHARE * distance[:, None] * unit(np.array(entry.heading, dtype=float))
        return gap, (norm(gap - run) + norm(run)) / of.length, unit(gap - run)

    def arrive(self, row: int, t: float, of: Swum) -> Guidance:
        """Guidance to an arrival for fishes that are on their way there, or there."""
        entry: Arrival = self._direction[row]
        gap, left, way = self._rest(entry, self.offset[row, of.fishes], of)
        there, rest = ~np.isnan(self.there[row, of.fishes]), entry.time - t
        # A body is a moment behind its beats: they are for where it is then.
        soon = np.minimum(PACING_FORESIGHT_BEATS * self._beat[of.fishes], 0.5 * max(rest, 0.0))
        left_then = np.maximum(left - soon * np.nan_to_num(of.along(way)), 0.0)
        slow = self._slowing[of.fishes], self._end[of.fishes]
        speed = _in_time(left_then, np.maximum(rest - soon, 1e-3), *slow)
        speed = np.where(rest > 0.0, speed, self.pacing.vigor.top[of.fishes])
        way = self._longer(way, left, speed, of)
        lasting = np.where(rest > 0.0, max(rest, 0.0), left / self.pacing.vigor.full[of.fishes])
        pace = self.pacing.keep(t, of.fishes, speed, of.along(way), of.speed, lasting, of.reserve)
        distance = norm(gap)
        near = (dot(way, of.ahead) < TURNABLE_COSINE) & (distance < TURNABLE_LENGTHS * of.length)
        pace = np.where(there | (near & (rest <= 0.0)), np.minimum(pace, 2.0 * LED_AT_EASE_PACE), pace)
        stays = np.clip(2.0 * distance / entry.radius - 1.0, 0.0, 1.0)
        need = np.where(there, stays if entry.stay > 0.0 or rest > 0.0 else 0.0, 1.0)
        return way, need, pace

    def _longer(self, way: np.ndarray, left: np.ndarray, speed: np.ndarray, of: Swum) -> np.ndarray:
        """The ways of fishes, (n, 3), turned aside for those that would be too early, since they cannot go slowly.

        Who keeps a place at the same angle off its course spirals there, on a way that is longer by one over its
        cosine.
        """
        own = of.speed
        swings = self.pacing.vigor.restless[of.fishes] & (own > SWINGING_SHARE * speed)
        swings &= (speed < self.pacing.vigor.full[of.fishes]) & (left > TURNABLE_LENGTHS)
        share = np.clip(speed / np.maximum(own, 1e-9), LEAST_SWING_COSINE, 1.0)
        left = np.stack([-way[:, 1], way[:, 0], np.zeros(len(way))], axis=-1)
        side = np.where(dot(left, of.ahead) < 0.0, -1.0, 1.0) * np.sqrt(1.0 - share * share)
        swung = unit(share[:, None] * way + side[:, None] * left)
        return np.where(swings[:, None], swung, way)

    def note(self, row: int, t: float, everyone: Swum) -> None:
        """Notes which fishes of an arrival have come there, and how far off all are when it is time."""
        entry: Arrival = self._direction[row]
        rows = np.flatnonzero(self.out[row, everyone.fishes])
        rows = rows[np.isnan(self.there[row, everyone.fishes[rows]] + self.off[row, everyone.fishes[rows]])]
        if not len(rows):
            return
        fishes, velocity, length = everyone.fishes[rows], everyone.velocity[rows], everyone.length[rows]
        gap = np.array(entry.at) + self.offset[row, fishes] - everyone.place[rows]
        distance, forward = norm(gap), dot(gap, everyone.ahead[rows])
        speed = np.maximum(dot(velocity, everyone.ahead[rows]), 1e-3 * length)
        passes = (forward <= 0.0) | (distance < ARRIVED_LENGTHS * length)
        came = np.isnan(self.there[row, fishes]) & passes & (distance < np.maximum(entry.radius, length))
        ago = np.clip(-forward / speed, -1.0, 1.0)  # when it passed, or is about to
        self.there[row, fishes[came]] = (t - ago)[came]
        late = t - entry.time
        due = np.isnan(self.off[row, fishes]) & (late >= 0.0)
        then = norm(gap + min(max(late, 0.0), 1.0) * velocity) / length
        self.off[row, fishes[due]] = then[due]
        for fish in fishes[~np.isnan(self.there[row, fishes] + self.off[row, fishes])].tolist():
            self._tell(row, fish, self.there[row, fish] - entry.time)

    def _tell(self, row: int, fish: int, late: float) -> None:
        goal = goal_name(self._direction[row], row)
        event = {"kind": "arrived", "fish": fish, "other": NO_FISH, "goal": goal, "run": 1}
        self.happened.append({**event, "late": round(float(late), 3), "off": round(float(self.off[row, fish]), 3)})

    def follow(self, row: int, t: float, way: WayCurve, along: np.ndarray, of: Swum) -> Guidance:
        """Guidance along a curve that is timed, for fishes at some places along it.

        Args:
            row: Row of the entry.
            t: Time in seconds.
            way: The curve.
            along: Places along it in metres, NaN of those that are not with it, (n,); they are set anew.
            of: The fishes.
        """
        entry: Curve = self._direction[row]
        seconds = seconds_along(entry, way.length)
        assert seconds is not None
        rate = way.length / seconds
        gone = rate * (t - entry.start)
        offset = way.at(np.full(len(along), gone)) - of.place
        near = np.isnan(along) & (norm(offset) < CURVE_JOINED_LENGTHS * of.length)
        along[near] = way.wrapped(gone)
        with_it = norm(way.at(np.nan_to_num(along)) - of.place) < CURVE_STRAYED_LENGTHS * of.length
        with_it &= np.abs(way.gap(gone, along)) < CURVE_LOST_LENGTHS * of.length + rate * CURVE_LAG_SECONDS
        some = np.flatnonzero(with_it)
        along[~with_it] = np.nan
        along[some] = way.nearest(along[some], of.place[some], of.length[some])
        ahead = np.maximum(CURVE_AHEAD_LENGTHS * of.length, CURVE_AHEAD_SECONDS * rate)
        aim = np.where(with_it[:, None], way.at(np.nan_to_num(along) + ahead) - of.place, offset)
        lag = np.where(with_it, np.nan_to_num(way.gap(gone, along)), norm(offset))
        speed = np.maximum(rate + lag / CURVE_LAG_SECONDS, 0.0) / of.length
        left = ENDURING_SECONDS if entry.closed else entry.start + seconds - t
        pace = self.pacing.keep(
            t, of.fishes, speed, of.along(unit(aim)), of.speed, np.full(len(along), max(left, 1.0)), of.reserve
        )
        return unit(aim), np.ones(len(along)), pace

    def end(self, row: int, t: float, way: WayCurve, everyone: Swum) -> None:
        """Notes where the fishes of a timed curve that are there are when it comes to its end, if it has one."""
        entry: Curve = self._direction[row]
        seconds = seconds_along(entry, way.length)
        assert seconds is not None
        since = t - entry.start - seconds
        new = np.flatnonzero(np.isnan(self.there[row, everyone.fishes]))
        if entry.closed or since < 0.0 or not len(new):
            return
        last = np.array(entry.points[-1], dtype=float)
        gap = last - (everyone.place[new] - min(since, 1.0) * everyone.velocity[new])
        toward = unit(last - np.array(entry.points[-2], dtype=float))
        fishes = everyone.fishes[new]
        self.off[row, fishes], self.there[row, fishes] = norm(gap) / everyone.length[new], t
        for fish, lack in zip(fishes.tolist(), dot(gap, toward).tolist(), strict=True):
            self._tell(row, fish, lack * seconds / way.length)

    def hasten(self, t: float, entry: Any, guidance: Guidance, gap: np.ndarray, drift: float, of: Swum) -> np.ndarray:
        """Paces of fishes on their way to a target or after a leader that says how fast.

        Args:
            t: Time in seconds.
            entry: The entry.
            guidance: Guidance as it would be without.
            gap: Distances from it in metres, (n,).
            drift: Speed of the target itself in m/s.
            of: The fishes.
        """
        way, _, pace = guidance
        beyond = np.maximum(gap - entry.radius, 0.0)
        meant = np.minimum(np.maximum(entry.speed, drift), drift + beyond / CURVE_LAG_SECONDS) / of.length
        lasting = np.maximum(beyond / entry.speed, 1.0)
        kept = self.pacing.keep(t, of.fishes, meant, of.along(way), of.speed, lasting, of.reserve)
        return np.where((beyond > 0.0) & (meant > LED_AT_EASE_PACE * self.pacing.vigor.full[of.fishes]), kept, pace)

    def swim(self, t: float, entry: Ball, guidance: Guidance, of: Swum) -> np.ndarray:
        """Paces of the fishes of a school that says how fast they swim in it, of guidance as it would be without."""
        speed = at_time(entry.speed, t) / of.length
        lasting = np.full(len(speed), ENDURING_SECONDS)
        kept = self.pacing.keep(t, of.fishes, speed, of.along(guidance[0]), of.speed, lasting, of.reserve)
        return np.fmax(kept, guidance[2])


def _in_time(left: np.ndarray, rest: np.ndarray, slowing: np.ndarray, end: np.ndarray) -> np.ndarray:
    """The speeds that lead fishes to their places in time, and slow them down at the end of their ways.

    Args:
        left: Lengths that are left, (n,).
        rest: Seconds that are left, (n,).
        slowing: Seconds before the end in which each comes from its speed to a share of that, (n,).
        end: That share, (n,).
    """
    last = end * rest + (1.0 - end) * rest * rest / (2.0 * slowing)  # over the speed before
    cruise = np.where(rest > slowing, rest - 0.5 * (1.0 - end) * slowing, last)
    return left / cruise * np.minimum(end + (1.0 - end) * rest / slowing, 1.0)
