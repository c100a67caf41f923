"""The director: leads fishes to targets, along curves, into and out of regions and after leaders, and keys their wants.

The book wishes for it (Tu 1999, §11.6.1) and says no more. The mind stays in charge: direction is one more wish, which
is mixed with what a fish would do by itself in proportion to its strength. Whoever flees for its life obeys only a
strength of `OBEYED_STRENGTH` and more, and none is led into walls, pillars or others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.elementary import interpolated, sin_and_cos
from ..base.state import Stateful
from ..base.sums import mean
from ..base.vectors import dot, local, norm, unit
from ..scene.direction import Curve, Direction, Leader, Led, Region, Target
from ..scene.scene import Scene
from .mood import MOOD_NAMES
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
    CURVE_SEARCH_LENGTHS,
    CURVE_SPACING_LENGTHS,
    CURVE_STRAYED_LENGTHS,
    LEAST_CURVE_PACE,
    LED_AT_EASE_PACE,
    LED_DRIFT_PACE,
    LED_HURRY_LENGTHS,
    TURNABLE_COSINE,
    TURNABLE_LENGTHS,
)


@dataclass
class Lead:
    """How some fishes, n of them, are led.

    Attributes:
        strength: 0 to 1, (n,).
        wish: Unit vector where each is to go; nothing where it may go anywhere, (n, 3).
        pace: Share of full speed, NaN where it is free, (n,).
    """

    strength: np.ndarray
    wish: np.ndarray
    pace: np.ndarray


@dataclass(frozen=True)
class Seen:
    """What the director knows of all fishes.

    Attributes:
        place: Metres, (fish, 3).
        ahead: Their headings, (fish, 3).
        velocity: In m/s, (fish, 3).
        length: Metres, (fish,).
        alive: Which are there, (fish,) bool.
    """

    place: np.ndarray
    ahead: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    alive: np.ndarray


class Director(Stateful):
    """Leads the fishes of a scene.

    Attributes:
        along: How far along each entry's curve each fish is in metres, NaN before it is on it, (entry, fish).
    """

    _STATE = ("along",)

    def __init__(self, scene: Scene):
        """Takes over the scene's direction and wants."""
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
        self._ways = [_Way(entry) if isinstance(entry, Curve) else None for entry, _ in self._entries]
        self._leaders = [
            rows(entry.leader, entry.leader_member) if isinstance(entry, Leader) else None for entry, _ in self._entries
        ]
        self._wants = [(want, rows(want.fishes, want.member)) for want in scene.wants]
        self.along = np.full((len(self._entries), begins[-1]), np.nan)

    @property
    def idle(self) -> bool:
        """Whether nobody is ever led."""
        return not self._entries

    @property
    def keys(self) -> bool:
        """Whether any want is keyed."""
        return bool(self._wants)

    def moods(self, t: float, keyed: np.ndarray) -> None:
        """Sets what keys say of hunger, libido and fear at `t` seconds, NaN where they say nothing, (fish, 3)."""
        keyed[:] = np.nan
        for want, rows in self._wants:
            if t >= want.begins and (want.until is None or t < want.until):
                keyed[rows, MOOD_NAMES.index(want.want)] = at_time(want.keys, t)

    def led(self, t: float) -> np.ndarray:
        """Who is led by anything at `t` seconds, (fish,) bool."""
        found = np.zeros(self.along.shape[1], dtype=bool)
        for entry, whom in self._entries:
            if at_time(entry.strength, t) > 0.0 and _at_work(entry, t):
                found |= whom
        return found

    def leading(self, t: float, fish: int) -> list[tuple[Direction, float]]:
        """What leads a fish, each with its strength, the strongest first; those of no strength left out."""
        found = [(entry, at_time(entry.strength, t)) for entry, led in self._entries if led[fish]]
        found = [(entry, strength) for entry, strength in found if strength > 0.0 and _at_work(entry, t)]
        return sorted(found, key=lambda one: -one[1])

    def keyed(self, t: float, fish: int) -> list[str]:
        """Which of hunger, libido and fear are not a fish's own at `t` seconds."""
        felt = np.full((self.along.shape[1], 3), np.nan)
        self.moods(t, felt)
        return [word for word, value in zip(MOOD_NAMES, felt[fish], strict=True) if not np.isnan(value)]

    def lead(self, t: float, fishes: np.ndarray, seen: Seen) -> Lead | None:
        """How these fishes are led.

        Where several entries lead a fish, each counts by its strength; together they are as strong as the strongest.

        Args:
            t: Seconds since the film begins.
            fishes: Their rows, (n,).
            seen: What the director knows.

        Returns:
            None where nobody is led.
        """
        number = len(fishes)
        total, pull, hurry, paced = np.zeros(number), np.zeros((number, 3)), np.zeros(number), np.zeros(number)
        borders: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        for row, (entry, led) in enumerate(self._entries):
            strength = at_time(entry.strength, t)
            some = np.flatnonzero(led[fishes] & (strength > 0.0))
            if not len(some):
                continue
            wish, need, pace = self._wish(row, entry, t, fishes[some], seen)
            pulls = strength * need
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
        return Lead(total, unit(pull), pace)

    def _wish(
        self, row: int, entry: Any, t: float, fishes: np.ndarray, seen: Seen
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where one entry would have these fishes go (n, 3), how much that matters now (n,), and how fast (n,)."""
        place, length = seen.place[fishes], seen.length[fishes]
        if isinstance(entry, Region):
            return _keep(entry, place, place + BORDER_FORESIGHT_SECONDS * seen.velocity[fishes], length)
        if isinstance(entry, Curve):
            return self._follow(row, entry, t, fishes, seen)
        if isinstance(entry, Target):
            offset = np.array(entry.at if entry.at is not None else _moved(entry.path, t)) - place
            return _approach(offset, np.zeros(3), entry.radius, length, seen.ahead[fishes])
        heads = self._leaders[row]
        assert heads is not None
        there = heads[seen.alive[heads]]
        if not len(there):
            return np.zeros_like(place), np.zeros(len(fishes)), np.full(len(fishes), np.nan)
        offset = mean(seen.place[there], axis=0) - place
        found = _approach(offset, mean(seen.velocity[there], axis=0), entry.radius, length, seen.ahead[fishes])
        if len(heads) == 1:  # who leads does not follow itself
            found[1][fishes == heads[0]] = 0.0
        return found

    def _follow(
        self, row: int, entry: Curve, t: float, fishes: np.ndarray, seen: Seen
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


def at_time(keys: float | tuple[tuple[float, float], ...], t: float) -> float:
    """A keyed number at `t` seconds: linear between keys, the first before and the last after them."""
    return float(interpolated(t, *np.array(keys, dtype=float).T)) if isinstance(keys, tuple) else float(keys)


def _at_work(entry: Direction, t: float) -> bool:
    """Whether an entry may lead at `t` seconds: a curve begins, and may come to its end."""
    if not isinstance(entry, Curve):
        return True
    over = entry.duration is not None and not entry.closed and t > entry.start + entry.duration
    return t >= entry.start and not over


def _moved(path: Any, t: float) -> tuple[float, ...]:
    """Where a moving target is."""
    moment, *place = np.array(path, dtype=float).T
    return tuple(float(interpolated(t, moment, along)) for along in place)


def _approach(
    offset: np.ndarray, motion: np.ndarray, radius: float, length: np.ndarray, ahead: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How to come to a place and to stay there.

    Args:
        offset: To the place in metres, (n, 3).
        motion: Its velocity in m/s, (3,).
        radius: Metres within which a fish is there.
        length: Metres, (n,).
        ahead: Headings, (n, 3).

    Returns:
        Wish, how much it matters, and pace; see `Director._wish`.
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
    """How to keep in a region or out of it; see `Director._wish`. It never says how fast.

    Args:
        region: Which.
        place: Metres, (n, 3).
        soon: Where they come before they have turned, in metres, (n, 3).
        length: Metres, (n,).
    """
    side = 1.0 if region.inside else -1.0
    distance, outward = _border(region, place)
    wrong = side * distance  # above 0 on the wrong side
    after = side * _border(region, soon)[0]
    reach = BORDER_LENGTHS * length
    if region.inside:  # what is small has no room for so wide a border
        half = 0.5 * min(region.size) if region.size is not None else region.radius or 0.0
        reach = np.minimum(reach, BORDER_SHARE * half)
    need = np.clip(1.0 + np.maximum(wrong, np.minimum(after, wrong + reach)) / reach, 0.0, 1.0)
    return -side * outward, need, np.full(len(place), np.nan)


def _turned_off(pull: np.ndarray, strength: np.ndarray, wish: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """What else leads fishes (n, 3), so that it leads none across a border: along it rather, as each heads, (n, 3).

    Args:
        pull: Where else they are led, (n, 3).
        strength: How strongly the region holds each, (n,).
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


class _Way:
    """A curve by its length.

    Attributes:
        length: Metres from its first point to its last, or once round.
    """

    def __init__(self, curve: Curve):
        self._closed = curve.closed
        points = np.array([*curve.points, curve.points[0]] if curve.closed else curve.points)
        self._points = points
        self._knots = np.concatenate(([0.0], norm(np.diff(points, axis=0)).cumsum()))
        self.length = float(self._knots[-1])

    def at(self, along: np.ndarray) -> np.ndarray:
        """Places in metres so far along it (n,), (n, 3); beyond an open end in the direction of the end."""
        along_once = along % self.length if self._closed else along
        inside = np.clip(along_once, 0.0, self.length)
        place = np.stack([interpolated(inside, self._knots, along) for along in self._points.T], axis=-1)
        last = unit(self._points[-1] - self._points[-2])
        return place + np.maximum(along_once - self.length, 0.0)[..., None] * last

    def wrapped(self, along: float) -> float:
        """The same place once round."""
        return along % self.length if self._closed else along

    def gap(self, to: float, since: np.ndarray) -> np.ndarray:
        """How far it is along it from some places (n,) to another in metres, the shorter way round, (n,)."""
        gap = self.wrapped(to) - since
        return (gap + 0.5 * self.length) % self.length - 0.5 * self.length if self._closed else gap

    def nearest(self, along: np.ndarray, place: np.ndarray, length: np.ndarray) -> np.ndarray:
        """How far along it fishes are.

        Args:
            along: Where they were before, NaN for somewhere, (n,).
            place: Metres, (n, 3).
            length: Metres, (n,).

        Returns:
            Metres, (n,): who is on its way only gets on, also where the curve comes near itself.
        """
        lost = np.isnan(along) | (norm(self.at(np.nan_to_num(along)) - place) > CURVE_STRAYED_LENGTHS * length)
        found = np.where(lost, self._anywhere(place), along)
        ahead = np.arange(0.0, CURVE_SEARCH_LENGTHS, CURVE_SPACING_LENGTHS) * length[:, None]
        near = found[:, None] + ahead
        near = near if self._closed else np.minimum(near, self.length)
        best = norm(self.at(near.reshape(-1)).reshape(*near.shape, 3) - place[:, None]).argmin(axis=1)
        found = near[np.arange(len(near)), best]
        return found % self.length if self._closed else found

    def _anywhere(self, place: np.ndarray) -> np.ndarray:
        """The nearest place on all of it for each of these (n, 3), in metres along it, (n,)."""
        first, link = self._points[:-1], np.diff(self._points, axis=0)
        arm = place[:, None] - first
        share = np.clip(dot(arm, link) / dot(link, link), 0.0, 1.0)
        best = norm(arm - share[..., None] * link).argmin(axis=1)
        rows = np.arange(len(place))
        return self._knots[best] + share[rows, best] * np.diff(self._knots)[best]
