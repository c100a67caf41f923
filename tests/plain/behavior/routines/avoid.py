"""The choice among a fish's ways, and pushes off neighbours and walls."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arctan2, cos, tan
from artfish.core.base.sums import weighted
from artfish.core.base.vectors import dot, norm, unit, vector, wrap

Array = np.ndarray


def fan(
    *,
    wishes: Array,
    aims: Array,
    aheads: Array,
    jitters: Array,
    lows: Array,
    highs: Array,
    spread: SimpleNamespace,
    headings: Array,
    azimuths: Array,
    climbs: Array,
    turns: Array,
    ways: Array,
) -> None:
    """The wish, the aim, and what is spread about the heading."""
    headings[:, 0] = arctan2(aheads[:, 1], aheads[:, 0])
    wished = arctan2(wishes[:, 1], wishes[:, 0])[:, None]
    level = np.clip(arctan2(wishes[:, 2], norm(wishes[:, :2]))[:, None], lows, highs)
    azimuths[:] = np.concatenate((wished, aims[:, None], headings + spread.turned + jitters[:, None]), axis=1)
    climbs[:] = np.concatenate((level, level, np.where(spread.level != 0.0, level, spread.climbed)), axis=1)
    turns[:], ways[:] = wrap(azimuths - headings), vector(azimuths, climbs)


def tangents(
    *,
    places: Array,
    aheads: Array,
    speeds: Array,
    lengths: Array,
    headings: Array,
    turns: Array,
    climbs: Array,
    straights: Array,
    weights: SimpleNamespace,
    corners: Array,
    starts: Array,
    halfways: Array,
) -> None:
    """Tangents halfway through the turns to ways; a corner is at each end of one."""
    # A fish without room slows down and turns more tightly, in the end on the spot.
    fast = np.maximum(speeds, weights.least_speed * lengths)[:, None]
    radius = np.minimum(fast / weights.turning_rate, weights.tightest * straights)
    corner = radius * tan(np.abs(turns / 2) / 2)
    corners[:] = 2 * corner
    starts[:] = places[:, None] + corner[..., None] * aheads[:, None]
    halfways[:] = vector(headings + turns / 2, climbs)


def onward(
    *,
    speeds: Array,
    lengths: Array,
    drifts: Array,
    ways: Array,
    starts: Array,
    halfways: Array,
    legs: Array,
    weights: SimpleNamespace,
    ends: Array,
    grounds: Array,
) -> None:
    """Where the rest of each way begins, and where it leads over ground."""
    # Slower than the water no way leads upstream; a fish that must can swim faster.
    able = np.maximum(np.maximum(speeds, weights.least_speed * lengths), weights.stream * norm(drifts))
    ends[:] = starts + legs[..., None] * halfways
    grounds[:] = unit(ways * able[:, None, None] + drifts[:, None])


def weigh(
    *,
    wishes: Array,
    aims: Array,
    sights: Array,
    zeals: Array,
    wounds: Array,
    straights: Array,
    azimuths: Array,
    climbs: Array,
    turns: Array,
    frees: Array,
    pressed: Array,
    ways: Array,
    weights: SimpleNamespace,
    azimuth: Array,
    climb: Array,
    detour: Array,
) -> None:
    """The way with the most merit."""
    blocked = np.maximum(1 - frees / sights[:, None], 0.0)
    longing = dot(ways, unit(wishes)[:, None])
    # The closer the danger, the more harm there is in another change of mind.
    danger = np.maximum(1 - straights / sights[:, None], 0.0)
    firmness = weights.least_firmness + weights.danger_firmness * danger
    merit = zeals[:, None] * longing - weights.blocked_cost * np.square(blocked) - weights.turn_cost * np.abs(turns / 2)
    merit += firmness * cos(azimuths - aims[:, None])
    merit -= weights.pressing_cost * pressed
    enough = (np.sign(wounds) * np.clip(np.abs(wounds) - weights.wound, 0.0, 1.0))[:, None]
    merit -= weights.dizziness * np.maximum(enough * np.clip(turns, -1.0, 1.0), 0.0)
    merit[:, 1] += weights.bonus
    best, rows = merit.argmax(axis=1), np.arange(len(merit))
    azimuth[:], climb[:] = wrap(azimuths[rows, best]), climbs[rows, best]
    detour[:] = (blocked[:, 0] > weights.detour) & (best > 0)


def keep_off(*, urgencies: Array, aways: Array, lengths: Array, own: Array, pushes: Array, push: float) -> None:
    """A push off each neighbour; the smaller of two gives way more."""
    giving_way = 2 * lengths / (own[:, None] + lengths)
    pushes[:] = weighted(push * giving_way * urgencies, aways)


def press_off(*, pushes: Array, wishes: Array, pressed: Array) -> None:
    """The push of each wall in turn, and less of what presses against it."""
    pressed[:] = wishes
    for wall in np.moveaxis(pushes, 1, 0):
        off = unit(wall)
        pressed += wall - (np.minimum(norm(wall), 1.0) * np.minimum(dot(pressed, off), 0.0))[:, None] * off
