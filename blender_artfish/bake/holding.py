"""A fish that stops for a while: its place and heading stay, its tail goes on beating in place, more gently.

What bends the body repeats the beat before the stop, a whole number of times, so that it is where it was when the fish
goes on.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum, auto

import numpy as np

from .key_table import CONSTANT, KeyTable
from .nudging import DIFFERENCE
from .timing import Course, Stop

SHORTEST_BEAT, LONGEST_BEAT = 3, 36
"""Frames of the motion as baked that a beat may take."""
COMPARED_FRAMES = 12
"""Frames over which a body is compared with itself a beat earlier."""
MIDDLE_SHARES = 16
"""Moments of a beat whose mean is its middle."""
GENTLE = 0.6
"""Beat of the tail of a fish that stops, as a share of its beat before."""


class CurvePart(IntEnum):
    """The part of a fish that a curve moves."""

    RIDE = auto()
    """Place and heading of the fish, and what it feels: they stop."""
    BODY = auto()
    """Its body, fins, mouth and eyes, in its own frame: they go on."""
    PACE = auto()
    """Its speed, as a number."""
    MOMENT = auto()
    """The moment at which its body is read from a file: it goes to and fro."""


def with_stops(plain: KeyTable, shown: KeyTable, course: Course, parts: np.ndarray) -> KeyTable:
    """A table of keys in the film with the stops of a course.

    Args:
        plain: The keys as baked.
        shown: The same keys at their times in the film.
        course: Timing and stops.
        parts: The `CurvePart` of each curve, (curves,).
    """
    rows = np.flatnonzero(plain.moving & (parts > 0))
    times = plain.points[:, 0, 0].astype(float)
    cut = course.cuts(times) & np.isin(plain.curve, rows)
    moved = parts[rows]
    on, reads = moved == CurvePart.BODY, moved == CurvePart.MOMENT
    stops = ~(on | reads)
    ride, body = plain.of(rows[stops]), plain.of(rows[on])
    curves, places, slopes = [], [], []
    start = float(course.film(times.min(keepdims=True))[0])
    for stop in course.stops:
        begin, end = stop.window
        begin = max(begin, start)
        at = np.linspace(begin, end, int(np.ceil(end - begin)) + 1)
        three = np.concatenate([at - DIFFERENCE, at, at + DIFFERENCE])
        found = np.empty((len(rows), len(three)))
        found[stops] = _stopping(ride, course, stop, three, moved[stops] == CurvePart.PACE)
        beat = beat_of(body, stop.moment)
        found[on] = _beating(body, course, stop, three, beat)
        if reads.any():
            found[reads] = _reading(course, stop, three, beat)
        before, here, after = np.split(found, 3, axis=1)
        curves.append(np.repeat(rows, len(at)))
        places.append(np.stack([np.broadcast_to(at, here.shape), here], axis=-1).reshape(-1, 2))
        slopes.append(((after - before) / (2 * DIFFERENCE)).ravel())
    return shown.merged(~cut, np.concatenate(curves), np.concatenate(places), np.concatenate(slopes))


def _stopping(ride: KeyTable, course: Course, stop: Stop, at: np.ndarray, pace: np.ndarray) -> np.ndarray:
    """Values of the curves that stop, at times in the film, (curves, times); some of them are a pace."""
    speed = course.timing.speed
    found = ride.sample(stop.moment + speed * stop.passed(at))
    found[pace] *= speed * stop.rate(at)
    return found


def _beating(
    body: KeyTable, course: Course, stop: Stop, at: np.ndarray, beat: tuple[float, float] | None
) -> np.ndarray:
    """Values of the curves of a body about a stop: it beats on in place, by that beat."""
    speed, moment = course.timing.speed, stop.moment
    gone = np.where(at < stop.begin, at - stop.begin, np.maximum(at - stop.end, 0.0))
    if beat is None:
        return body.sample(moment + speed * gone)
    inside = (at > stop.begin) & (at < stop.end)
    start, long = beat
    rounds = max(1, round(stop.frames * speed / long))
    passed = (at[inside] - stop.begin) / stop.frames * rounds % 1.0
    times = moment + speed * gone
    times[inside] = start + long * passed
    shares = np.arange(MIDDLE_SHARES) / MIDDLE_SHARES
    found, beat_long, ends = np.split(
        body.sample(np.concatenate([times, start + long * shares, [moment, start, start + long]])),
        [len(at), len(at) + len(shares)],
        axis=1,
    )
    closing = (ends[:, :1] - ends[:, 1:2]) * (1 - passed) + (ends[:, :1] - ends[:, 2:]) * passed
    middle = beat_long.mean(axis=1, keepdims=True)
    ramp = max(min(stop.frames / 2, 2 * stop.ease), 1e-6)
    share = np.clip(np.minimum(at[inside] - stop.begin, stop.end - at[inside]) / ramp, 0.0, 1.0)
    gentle = 1 - (1 - GENTLE) * share**2 * (3 - 2 * share)
    found[:, inside] = middle + gentle * (found[:, inside] + closing - middle)
    return found


def _reading(course: Course, stop: Stop, at: np.ndarray, beat: tuple[float, float] | None) -> np.ndarray:
    """Moments as baked at which a body is read, at times in the film about a stop, (times,).

    At the stop they go back by half a beat and forth again, which sways the tail from one side to the other and back.
    """
    gone = np.where(at < stop.begin, at - stop.begin, np.maximum(at - stop.end, 0.0))
    times = stop.moment + course.timing.speed * gone
    if beat is None:
        return times
    rounds = max(1, round(stop.frames * course.timing.speed / beat[1]))
    passed = np.clip((at - stop.begin) / stop.frames, 0.0, 1.0)
    return times - 0.25 * beat[1] * (1.0 - np.cos(2.0 * np.pi * rounds * passed))


def beat_of(body: KeyTable, moment: float) -> tuple[float, float] | None:
    """Where a beat about a moment begins, and how long it is, in frames as baked; None where there is no room for one.

    The beat is the time after which the body is most like itself; the one before the moment is taken, or else the one
    after it.
    """
    if not len(body.counts):
        return None
    first, last = float(body.points[:, 0, 0].min()), float(body.points[:, 0, 0].max())
    back = moment - first >= SHORTEST_BEAT
    room = min(moment - first if back else last - moment, LONGEST_BEAT)
    if room < SHORTEST_BEAT:
        return None
    lags = np.arange(SHORTEST_BEAT, int(room) + 1)
    reach = np.arange(COMPARED_FRAMES + 1) - COMPARED_FRAMES / 2
    side, middle = -1 if back else 1, LONGEST_BEAT + COMPARED_FRAMES
    times = moment + np.arange(-middle, middle + 1.0)
    values = body.sample(times)
    scale = np.ptp(values, axis=1)
    scale = np.divide(1.0, scale, out=np.zeros_like(scale), where=scale > 0)
    values = values * scale[:, None]
    here = (middle + reach).astype(int)
    other = values[:, here[:, None] + side * lags]
    off = np.square(values[:, here, None] - other).mean(axis=(0, 1))
    best = _first_low(off)
    long = float(lags[best])
    return (moment - long if back else moment), long


def _first_low(off: np.ndarray) -> int:
    """The first low that is about as deep as the deepest."""
    lows = [place for place in range(1, len(off) - 1) if off[place] <= off[place - 1] and off[place] <= off[place + 1]]
    if not lows:
        return int(np.argmin(off))
    deep = off[lows].min() + 0.25 * (off.max() - off[lows].min())
    return next(place for place in lows if off[place] <= deep)


def in_film(plain: KeyTable, course: Course) -> KeyTable:
    """The table at its times in the film, without what happens at the stops; keys that hold their value only move."""
    times = plain.points[:, 0, 0].astype(float)
    if course.timing.as_baked and not course.stops:
        return plain
    points = plain.points.copy()
    late = course.film(times) - course.timing.shift(times)
    for part in range(3):
        shown = course.timing.shift(points[:, part, 0]) + late
        points[:, part, 0] = shown.astype(np.float32)
    return replace(plain, points=points)


def is_discrete(table: KeyTable) -> np.ndarray:
    """Which curves hold their values from key to key, (curves,) bool."""
    if not len(table.shapes):
        return np.zeros(len(table.counts), dtype=bool)
    return table.shapes[np.minimum(table.begins, len(table.shapes) - 1), 0] == CONSTANT
