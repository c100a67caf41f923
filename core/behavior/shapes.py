"""Shapes of schools: balls, meshes that are filled, and streams, as animators ask of crowds.

A shape is a wish on course and pace and nothing more: it keeps fishes from swimming out of it, makes those swim in
that are not, has them make room where they are too many, and says how alike they head and how much they mill about.
All else, such as what each keeps off the next, comes from the fishes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..base.dice import Dice
from ..base.elementary import cube_root
from ..base.keys import at_time
from ..base.sums import mean, total
from ..base.vectors import cross, dot, norm, unit, vector
from ..geometry.mesh_field import MeshField
from ..scene.direction import Ball, Fill, Stream
from .school_form import SchoolForm, Stretch
from .tuning import (
    BORDER_FORESIGHT_SECONDS,
    BORDER_LENGTHS,
    BORDER_SHARE,
    CURVE_AHEAD_LENGTHS,
    CURVE_END_LENGTHS,
    LED_DRIFT_PACE,
    LED_HURRY_LENGTHS,
    SHAPE_ALIKE,
    SHAPE_ALIKE_END,
    SHAPE_CATCH_UP_PACE,
    SHAPE_CELL_FISHES,
    SHAPE_FORESIGHT_SECONDS,
    SHAPE_HOMING,
    SHAPE_INWARD,
    SHAPE_LATITUDE,
    SHAPE_MOST_CELLS,
    SHAPE_SLOW_ORDER,
    SHAPE_SLOW_PACE,
    SHAPE_WHIM_SECONDS,
    SHAPE_WHIM_SLOPE,
    STREAM_CATCH_UP_PACE,
    STREAM_PACE,
    STREAM_PACES,
)
from .ways import WayCurve, moved

_UP = np.array((0.0, 0.0, 1.0))
_BALL = 4.0 / 3.0 * np.pi  # volume of a ball over the third power of its radius
_WHIM_TURNS = 2**40  # turns of the dice from here on are whims


@dataclass(frozen=True)
class ShapedSchool:
    """The fishes of a shape, m of them.

    Attributes:
        fishes: Their rows, (m,).
        place: Metres, (m, 3).
        heading: The mean of their headings, (3,).
        length: The mean of their lengths in metres.
    """

    fishes: np.ndarray
    place: np.ndarray
    heading: np.ndarray
    length: float


@dataclass(frozen=True)
class Members:
    """The members of a school, n of them, that take thought.

    Attributes:
        fishes: Their rows, (n,).
        place: Metres, (n, 3).
        velocity: Velocities in m/s, (n, 3).
        length: Metres, (n,).
        whim: Unit vectors where each would go by itself, (n, 3).
    """

    fishes: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    length: np.ndarray
    whim: np.ndarray


class ShapeOrder(Protocol):
    """The interface of a shape."""

    def gap(self, t: float, number: int, length: float, place: np.ndarray) -> np.ndarray:
        """Distances of places (n, 3) in metres from it, (n,), for `number` fishes of a `length` in metres."""
        ...

    def density(self, t: float, number: int, length: float) -> float:
        """The wanted number of these fishes in the cube of their length; 0 if left open."""
        ...

    def wish(
        self, t: float, school: ShapedSchool, of: Members, along: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The wishes of some of its fishes (n, 3), their need (n,), and the pace, NaN where free, (n,).

        Args:
            t: Seconds since the film begins.
            school: All of its fishes.
            of: Members to evaluate.
            along: Distance of all fishes along it in metres, (fish,); a stream updates that of these members.
        """
        ...


def shape_of(entry: Ball | Fill | Stream) -> ShapeOrder:
    """The shape that an entry of a scene's direction describes."""
    if isinstance(entry, Stream):
        return _Stream(entry)
    return _Volume(entry)


def whims(dice: Dice, t: float, fishes: np.ndarray) -> np.ndarray:
    """The whims of fishes (n,) of a swarm at `t` seconds: unit vectors, (n, 3)."""
    begins = (dice.keys[fishes] >> np.uint64(44)) * 2.0**-20  # of a whim, different for each
    thrown = dice.shares(fishes, _WHIM_TURNS + np.floor(t / SHAPE_WHIM_SECONDS + begins), 2)
    return vector(2.0 * np.pi * thrown[:, 0], SHAPE_WHIM_SLOPE * (2.0 * thrown[:, 1] - 1.0))


def heading(order: float, milling: float, common: np.ndarray, about: np.ndarray, whim: np.ndarray) -> np.ndarray:
    """The headings of fishes that are in order, mill about, or neither.

    Args:
        order: Alignment of their headings, 0 to 1.
        milling: Share of circling, -1 to 1.
        common: Unit vectors where all head, (n, 3) or (3,).
        about: Unit vectors anticlockwise round, (n, 3).
        whim: Unit vectors where each would go by itself, (n, 3).

    Returns:
        Unit vectors, (n, 3).
    """
    turning = abs(milling)
    side = 1.0 if milling > 0.0 else -1.0
    return unit(_over_whims(order * (1.0 - turning)) * common + side * _over_whims(turning) * about + whim)


def _over_whims(share: float) -> float:
    """Weight of a heading over whims that makes the mean of all about as long as this share."""
    return SHAPE_ALIKE * share / (SHAPE_ALIKE_END - share * share * share)


class _Volume:
    """A ball, or a mesh that is filled."""

    def __init__(self, entry: Ball | Fill):
        self._entry = entry
        self._field: MeshField | None = None
        if isinstance(entry, Fill):
            self._field = entry.field
            depths = np.sort(self._field.samples, axis=None)
            self._depths = depths[depths < 0.0]
            cell = self._field.cell
            self._volume = len(self._depths) * (cell * cell * cell)
        self._formed: tuple[tuple[float, int, float], SchoolForm] | None = None
        self._placed: dict[float, tuple[np.ndarray, np.ndarray]] = {}

    def gap(self, t: float, number: int, length: float, place: np.ndarray) -> np.ndarray:
        """See `ShapeOrder.gap`; below 0 inside."""
        return self._form(t, number, length).distance(place)[0]

    def density(self, t: float, number: int, length: float) -> float:
        """See `ShapeOrder.density`."""
        radius = self._form(t, number, length).radius
        return number * length * length * length / (_BALL * radius * radius * radius)

    def wish(
        self, t: float, school: ShapedSchool, of: Members, along: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `ShapeOrder.wish`."""
        entry, form = self._entry, self._form(t, len(school.fishes), school.length)
        soon = self._moved(t + SHAPE_FORESIGHT_SECONDS) - self._moved(t)
        distance, out = form.distance(of.place)
        after = distance + BORDER_FORESIGHT_SECONDS * dot(of.velocity, out)
        back = form.middle + soon - mean(school.place, axis=0)
        ahead = self._ahead(t)
        common = unit((school.heading if ahead is None else ahead) + SHAPE_HOMING * back / form.radius)
        about = unit(cross(np.broadcast_to(_UP, of.place.shape), of.place - form.middle))
        order, milling = at_time(entry.order, t), at_time(entry.milling, t)
        travels = order * (1.0 - abs(milling))
        wish = heading(order, milling, common, about, of.whim)
        wish += form.evening(school.place, of.place)
        reach = np.minimum(BORDER_LENGTHS * of.length, BORDER_SHARE * form.narrow)
        near = np.clip(1.0 + np.maximum(distance, np.minimum(after, distance + reach)) / reach, 0.0, 1.0)
        wish = _kept_in(wish, out, (1.0 - SHAPE_LATITUDE * travels) * near, distance / of.length - travels)
        drift = norm(soon) / SHAPE_FORESIGHT_SECONDS / of.length
        beyond = np.maximum(distance, 0.0) / of.length / LED_HURRY_LENGTHS
        pace = SHAPE_SLOW_PACE + (1.0 - SHAPE_SLOW_PACE) * beyond + LED_DRIFT_PACE * drift
        pace += SHAPE_CATCH_UP_PACE * np.maximum(dot(back, unit(soon)), 0.0) / of.length
        if ahead is not None and drift.max() == 0.0:  # it keeps its place, as against a current
            pace = np.maximum(pace + SHAPE_CATCH_UP_PACE * dot(back, ahead) / of.length, 0.0)
        free = (distance <= 0.0) & (drift == 0.0) & (travels < SHAPE_SLOW_ORDER)
        return wish, np.ones(len(of.fishes)), np.where(free, np.nan, np.minimum(pace, 1.0))

    def _ahead(self, t: float) -> np.ndarray | None:
        """Unit vector where a school is to head, (3,); None where it may go where it likes."""
        entry = self._entry
        if not isinstance(entry, Ball) or not entry.headed:
            return None
        return vector(np.array(at_time(entry.turn, t)), np.array(at_time(entry.climb, t)))

    def _moved(self, t: float) -> np.ndarray:
        """The middle of a ball in metres, or the displacement of a mesh, (3,)."""
        entry = self._entry
        if entry.path is not None:
            return moved(entry.path, t)
        return np.array(entry.at if isinstance(entry, Ball) else np.zeros(3), dtype=float)

    def _form(self, t: float, number: int, length: float) -> SchoolForm:
        """Its form for `number` fishes of a `length` in metres at a time."""
        if self._formed is None or self._formed[0] != (t, number, length):
            density = None if self._entry.density is None else at_time(self._entry.density, t)
            room = None if density is None else max(number, 1) * length * length * length / density
            made = self._ball(t, number, room) if isinstance(self._entry, Ball) else self._filled(t, number, room)
            self._formed = (t, number, length), made
        return self._formed[1]

    def _ball(self, t: float, number: int, room: float | None) -> SchoolForm:
        """A ball for so many fishes with so much room in m³."""
        entry, middle = self._entry, self._moved(t)
        assert isinstance(entry, Ball)
        most = np.inf if entry.radius is None else at_time(entry.radius, t)
        radius = most if room is None else min(float(cube_root(room / _BALL)), most)
        many = int(np.clip(np.rint(cube_root(6.0 / np.pi * number / SHAPE_CELL_FISHES)), 1, SHAPE_MOST_CELLS))
        cell = 2.0 * radius / many
        if many not in self._placed:
            at = (np.arange(many) + 0.5) * (2.0 / many) - 1.0
            far = norm(np.stack(np.meshgrid(at, at, at, indexing="ij"), axis=-1))
            self._placed = {many: (far, np.clip(0.5 - (far - 1.0) * (0.5 * many), 0.0, 1.0))}
        how = (at_time(number, t) for number in (entry.elongation, entry.flatness, entry.turn, entry.climb))
        return SchoolForm(middle, radius, middle - radius, cell, self._placed[many][1], stretch=Stretch.of(*how))

    def _filled(self, t: float, number: int, room: float | None) -> SchoolForm:
        """The inside of a mesh for so many fishes with so much room in m³."""
        field, offset = self._field, self._moved(t)
        assert field is not None
        volume, inset = self._volume, 0.0
        if room is not None and room < volume:
            inset = -float(self._depths[int(room / volume * (len(self._depths) - 1))])
            volume = room
        size = field.region.high - field.region.low
        edge = float(cube_root(self._volume * SHAPE_CELL_FISHES / max(number, 1)))
        cell = max(edge, float(size.max()) / SHAPE_MOST_CELLS)
        if cell not in self._placed:
            counts = np.ceil(size / cell).astype(int)
            axes = [low + cell * (np.arange(many) + 0.5) for low, many in zip(field.region.low, counts, strict=True)]
            at = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
            self._placed = {cell: (at, field.distance(at.reshape(-1, 3))[0].reshape(at.shape[:-1]))}
        at, depth = self._placed[cell]
        share = np.clip(0.5 - (depth + inset) / cell, 0.0, 1.0)
        whole = max(float(total(share.reshape(-1))), 1e-9)
        middle = total((share[..., None] * at).reshape(-1, 3), axis=0) / whole
        radius = float(cube_root(volume / _BALL))
        return SchoolForm(middle + offset, radius, field.region.low + offset, cell, share, field, inset, offset)


class _Stream:
    """A curve along which fishes stream."""

    def __init__(self, entry: Stream):
        self._entry, self._way = entry, WayCurve(entry.points, entry.closed)

    def gap(self, t: float, number: int, length: float, place: np.ndarray) -> np.ndarray:
        """See `ShapeOrder.gap`."""
        return norm(self._way.at(self._way.anywhere(place)) - place)

    def density(self, t: float, number: int, length: float) -> float:
        """See `ShapeOrder.density`."""
        return 0.0 if self._entry.density is None else at_time(self._entry.density, t)

    def wish(
        self, t: float, school: ShapedSchool, of: Members, along: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `ShapeOrder.wish`."""
        entry, way, half = self._entry, self._way, 0.5 * at_time(self._entry.width, t)
        now = along[of.fishes] = way.nearest(along[of.fishes], of.place, of.length, half)
        arm = of.place - way.at(now)
        onward = unit(way.at(now + CURVE_AHEAD_LENGTHS * of.length) - way.at(now))
        away = norm(arm)
        out = unit(arm)
        distance = away - half
        after = distance + BORDER_FORESIGHT_SECONDS * dot(of.velocity, out)
        order, milling = at_time(entry.order, t), at_time(entry.milling, t)
        wish = heading(order, milling, onward, unit(cross(onward, arm)), of.whim)
        reach = np.minimum(BORDER_LENGTHS * of.length, BORDER_SHARE * half)
        near = np.clip(1.0 + np.maximum(distance, np.minimum(after, distance + reach)) / reach, 0.0, 1.0)
        wish = _kept_in(wish, out, near, distance / of.length)
        ends = (not entry.closed) & (now > way.length - CURVE_END_LENGTHS * of.length)
        return wish, np.where(ends, 0.0, 1.0), self._pace(t, school, of, along, half)

    def _pace(self, t: float, school: ShapedSchool, of: Members, along: np.ndarray, half: float) -> np.ndarray:
        """The pace that keeps all as close behind each other as they should be, NaN where it is free."""
        entry, way, number = self._entry, self._way, len(school.fishes)
        if entry.density is None and not entry.closed:
            return np.full(len(of.fishes), np.nan)
        each = way.length / number
        if entry.density is not None:
            room = school.length * school.length * school.length / at_time(entry.density, t)
            each = room / (np.pi * half * half)
        if entry.closed:
            each = min(each, way.length / number)
        where = along[school.fishes]
        order = np.argsort(where, kind="stable")
        line = where[order]
        if entry.closed:  # it is cut where it has its widest gap
            gaps = np.diff(line, append=line[0] + way.length)
            cut = (int(gaps.argmax()) + 1) % number
            order, line = np.roll(order, -cut), np.roll(line, -cut)
            line = np.where(line < line[0], line + way.length, line)
        due = (np.arange(number) - 0.5 * (number - 1)) * each + mean(line)
        lag = np.full(len(along), np.nan)
        lag[school.fishes[order]] = due - line
        return np.clip(STREAM_PACE + STREAM_CATCH_UP_PACE * lag[of.fishes] / of.length, *STREAM_PACES)


def _kept_in(wish: np.ndarray, out: np.ndarray, near: np.ndarray, beyond: np.ndarray) -> np.ndarray:
    """Wishes (n, 3) that lead none out of its shape, and those outside back in, (n, 3).

    Args:
        wish: Wishes of fishes in it, (n, 3).
        out: Unit vectors out of it, (n, 3).
        near: Nearness of each to its border, now or soon, 0 to 1, (n,).
        beyond: Distance outside it in lengths, below 0 inside, (n,).
    """
    wish = wish - (near * np.maximum(dot(wish, out), 0.0))[:, None] * out
    inward = SHAPE_INWARD * np.clip(1.0 + beyond, 0.0, LED_HURRY_LENGTHS)
    return unit(wish - inward[:, None] * out)


def census(fishes: np.ndarray, place: np.ndarray, ahead: np.ndarray, length: np.ndarray) -> ShapedSchool:
    """The school of these rows, (m,), of all fishes' places, headings and lengths."""
    return ShapedSchool(fishes, place[fishes], mean(ahead[fishes], axis=0), float(mean(length[fishes])))
