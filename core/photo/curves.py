"""Back and belly: the two curves that best separate body from everything else in a picture.

They follow edges, bend little and are of a form that backs and bellies have. Each is searched for on a raster of
stations along the fish and levels over its line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage

from .lines import LINE_STATIONS, line_forms, sizes, station_grid, unlikeness
from .outline import Outline, known_points
from .segmentation import KnownPlaces
from .view import ReducedPhotograph

HALF_LEVELS = 72
"""Levels of the raster on either side of the fish's line."""
MOST_BODY_ODDS = 4.0
"""The most that a pixel counts for or against body, as the logarithm of its odds."""
BEND_PRICE = 0.14
"""Price of a bend of back or belly, squared in steps of `DEPARTURE_STEP`."""
BODY_WORTH, EDGE_WORTH = 1.6, 0.12
"""Worth of body between the lines, and of an edge along them."""
RUNNING_EDGE_WORTH, RUNNING_STATIONS = 0.5, 4.0
"""Worth of an edge that runs along the line, and the number of stations over which it is to do so."""
DEPARTURE_STEP, DEPARTURE_STEPS = 0.0125, 60
"""Steps, as logarithms of heights, in which back and belly depart from a form, and how many there are either way."""
STRAY_PRICE, STRAY_LOGARITHM = 0.1, 0.12
"""Price of a line's departure from its form by as much as the second number, a logarithm of its height."""
KNOWN_STRAY_PRICE, KNOWN_REACH_LENGTHS = 0.3, 0.25
"""Extra price of the same departure at a known point of the line, squared in the departure, and the reach of that
knowledge along the body, in lengths."""
UNLIKENESS_PRICE, UNLIKENESS_KNEE = 600.0, 0.03
"""Price of back and belly of unlike forms, for a mean square difference of 1, both as high as 1; and the difference
from which on more of it costs little more."""
FORM_SCALES = 10
"""In how many sizes a form is tried where no point tells its height."""
USUAL_HEIGHT_LENGTHS, HEIGHT_PRICE = 0.15, 8.0
"""The usual height of back and belly in lengths, and the price of a body e times as high or as flat."""


def back_and_belly(view: ReducedPhotograph, favour: np.ndarray, outline: Outline, known: KnownPlaces) -> Outline:
    """Back and belly anew: of the usual forms the one that parts body from all else best, then bent a little.

    Args:
        view: The view.
        favour: Evidence of each pixel (h, w) for body, `MOST_BODY_ODDS` at most, or against it.
        outline: A rough one, in the view's pixels.
        known: Places in the view's pixels.
    """
    tallest = 1.35 * max(outline.back.max(), -outline.belly.min(), 0.05)
    x, y = _raster(outline, tallest)
    favour = _sample(ndimage.gaussian_filter(favour, 0.7), x, y, -MOST_BODY_ODDS)
    bands = [_sample(ndimage.gaussian_filter(band, 0.8), x, y, 0.0) for band in np.moveaxis(view.colour, 2, 0)]
    colour = np.stack(bands, axis=-1)
    jump = _edges(np.gradient(colour, axis=1))
    gap = tallest / HALF_LEVELS
    half = max(0.5 * float((outline.back - outline.belly).max()), gap)
    pull = favour * gap / half
    weight = np.gradient(station_grid()) * LINE_STATIONS
    sides = []
    for name, side in (("back", 1), ("belly", -1)):
        half_pull, half_jump, half_colour = (
            every[:, HALF_LEVELS:] if side > 0 else every[:, HALF_LEVELS::-1] for every in (pull, jump, colour)
        )
        # Past the middle some pixels of the other side decide nothing: the curve starts on the fish's line.
        gain = weight[:, None] * (np.cumsum(half_pull, axis=1) * BODY_WORTH + EDGE_WORTH * half_jump)
        sides.append(_Side(gain, half_colour, gap, *known_points(outline, getattr(known, name), side)))
    back, belly = (_bent(form, side) for form, side in zip(_alike(sides), sides, strict=True))
    return replace(outline, back=back, belly=-belly)


def _raster(outline: Outline, tallest: float) -> tuple[np.ndarray, np.ndarray]:
    """Places (x, y), each (stations, levels), from the line of the fish up to `tallest` and down as far."""
    above = np.linspace(-tallest, tallest, 2 * HALF_LEVELS + 1)
    points = outline.points(station_grid()[:, None] + 0 * above, above + 0 * station_grid()[:, None])
    return points[..., 0], points[..., 1]


def _sample(field: np.ndarray, x: np.ndarray, y: np.ndarray, outside: float) -> np.ndarray:
    return ndimage.map_coordinates(field, [y, x], order=1, mode="constant", cval=outside)


def _edges(steps: np.ndarray) -> np.ndarray:
    """The strength of edges whose colours change by such steps (stations, levels, c), about 1 in the strongest."""
    strength = np.sqrt((steps**2).sum(axis=2))
    return np.minimum(strength / (np.percentile(strength, 95) + 1e-9), 1.5)


def _running(colour: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """The strength of edges along lines at levels (stations, lines) of a picture (stations, levels, c).

    Changes across a line that are the same from station to station add up; those that vary do not.
    """
    at = np.broadcast_to(np.arange(len(levels))[:, None], levels.shape), levels
    bands = [ndimage.map_coordinates(band, at, order=1, mode="nearest") for band in np.moveaxis(colour, 2, 0)]
    along = ndimage.gaussian_filter1d(np.stack(bands, axis=2), RUNNING_STATIONS, axis=0, mode="nearest")
    return _edges(ndimage.gaussian_filter1d(along, 1.5, axis=1, order=1, mode="nearest"))


@dataclass(frozen=True)
class _Side:
    """The evidence for the back, or for the belly, upside down.

    Attributes:
        gain: Gain for passing each place, by station and level (stations, levels).
        colour: Colours there (stations, levels, c).
        gap: Distance from level to level, in lengths.
        along: Stations (n,) of points that it goes through.
        above: Their heights (n,) in lengths.
    """

    gain: np.ndarray
    colour: np.ndarray
    gap: float
    along: np.ndarray
    above: np.ndarray


def _alike(sides: list[_Side]) -> list[np.ndarray]:
    """The two usual forms, in lengths, that part body from all else best and are like each other."""
    (back, high), (belly, deep) = (_scaled(side) for side in sides)
    total = back[:, None] + belly - UNLIKENESS_PRICE * unlikeness() / (1.0 + unlikeness() / UNLIKENESS_KNEE)
    one, other = np.unravel_index(np.argmax(total), total.shape)
    return [line_forms()[one] * high[one], line_forms()[other] * deep[other]]


def _scaled(side: _Side) -> tuple[np.ndarray, np.ndarray]:
    """The gain of each of the usual forms (forms,), and its height then in lengths (forms,)."""
    forms, s = line_forms(), station_grid()
    count = side.gain.shape[1]
    if len(side.along):
        scales = sizes(side.along, side.above)[:, None]
    else:
        scales = np.broadcast_to(side.gap * count * np.geomspace(0.25, 1.0, FORM_SCALES), (len(forms), FORM_SCALES))
    levels = forms[:, None, :] * scales[..., None] / side.gap
    soft = ndimage.gaussian_filter1d(side.gain, 1.5, axis=1, mode="nearest")
    within = np.minimum(levels, count - 1.001)
    low, station = within.astype(int), np.arange(len(s))
    value = soft[station, low] + (within - low) * (soft[station, low + 1] - soft[station, low])
    value = (value - 0.5 * (levels - within)).sum(axis=2) - HEIGHT_PRICE * np.log(scales / USUAL_HEIGHT_LENGTHS) ** 2
    best, every = value.argmax(axis=1), np.arange(len(forms))
    return value[every, best], scales[every, best]


def _bent(form: np.ndarray, side: _Side) -> np.ndarray:
    """Heights (n,) in lengths of the line near a form (n,) with the greatest gain.

    Edges that run along the form are worth something besides: markings and weeds seldom do.
    """
    s, levels = station_grid(), np.arange(side.gain.shape[1])
    steps = np.arange(-DEPARTURE_STEPS, DEPARTURE_STEPS + 1)
    at = form[:, None] / side.gap * np.exp(DEPARTURE_STEP * steps)
    gain = np.stack([np.interp(at[k], levels, side.gain[k]) for k in range(len(s))])
    gain += RUNNING_EDGE_WORTH * np.gradient(s)[:, None] * LINE_STATIONS * _running(side.colour, at)
    gain -= (
        STRAY_PRICE
        * np.gradient(s)[:, None]
        * LINE_STATIONS
        * 2.0
        * (np.hypot(1.0, DEPARTURE_STEP * steps / STRAY_LOGARITHM) - 1.0)
    )
    if len(side.along):
        near = np.exp(-0.5 * ((s[:, None] - side.along) / KNOWN_REACH_LENGTHS) ** 2).max(axis=1, keepdims=True)
        gain -= (
            KNOWN_STRAY_PRICE
            * near
            * np.gradient(s)[:, None]
            * LINE_STATIONS
            * (DEPARTURE_STEP * steps / STRAY_LOGARITHM) ** 2
        )
    for station, height in zip(side.along, side.above, strict=True):
        k = max(int(np.argmin(np.abs(s - station))), 1)
        gain[k] -= 3.0 * (steps - np.log(height / form[k]) / DEPARTURE_STEP) ** 2
    taken = _best_path(gain, BEND_PRICE) - DEPARTURE_STEPS
    return form * np.exp(DEPARTURE_STEP * ndimage.gaussian_filter1d(taken.astype(float), 1.0, mode="nearest"))


def _best_path(gain: np.ndarray, stiffness: float, steepest: int = 10, sharpest: int = 3) -> np.ndarray:
    """The levels (n,) of the path with the greatest gain, (n, levels), less what its bends cost (Viterbi).

    The state is a level and the step that led to it, so that bends, the differences of steps, can be priced.
    """
    count, levels = gain.shape
    steps = np.arange(-steepest, steepest + 1)
    level = np.arange(levels)
    before = level[:, None] - steps  # (levels, steps)
    valid = (before >= 0) & (before < levels)
    before = np.clip(before, 0, levels - 1)
    bends = np.arange(-sharpest, sharpest + 1)
    old_step = np.arange(len(steps))[:, None] - bends  # (steps, bends)
    fits = (old_step >= 0) & (old_step < len(steps))
    old_step = np.clip(old_step, 0, len(steps) - 1)
    price = np.where(fits, stiffness * bends.astype(float) ** 2, np.inf)
    score = np.repeat(gain[0][:, None], len(steps), axis=1)
    choice = np.zeros((count, levels, len(steps)), dtype=np.int8)
    for k in range(1, count):
        ways = score[before[:, :, None], old_step[None]] - price
        ways[~valid] = -1e9
        choice[k] = ways.argmax(axis=2)
        score = np.take_along_axis(ways, choice[k][..., None].astype(int), axis=2)[..., 0] + gain[k][:, None]
    path = np.zeros(count, dtype=int)
    at, step = np.unravel_index(np.argmax(score), score.shape)
    for k in range(count - 1, -1, -1):
        path[k] = at
        if k:
            bend = choice[k, at, step]
            at, step = before[at, step], old_step[step, bend]
    return path
