"""Where a fish is in a photograph: a first guess for the snake grid.

A network tells how likely each pixel is body; back and belly are the two curves that part what it takes for body from
all else best, follow edges, bend little and are of a form that backs and bellies have. Lengths along the fish run from
the nose at 0 to the root of the tail at 1; heights are in the same unit, upwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage
from scipy.interpolate import PchipInterpolator
from scipy.special import expit

from ..scene.species import Form
from .colours import likeness
from .lines import LINE_STATIONS, chances, line_forms, sizes, station_grid, unlikeness
from .segmentation import Known, Segments, segments, sightings
from .view import View, look, look_closer

HALF_LEVELS = 72
SHORTEST_BODY_PIXELS = 8.0
"""Least length from nose to tail's root that anchors may tell, in pixels of the picture looked at."""
LESS_DOUBTFUL_SHARE, LOST_DOUBT = 0.6, 0.9
"""By what factor a body that was not seen first is to be less doubtful to be believed, and how doubtful one is that a
closer look does not show."""
MOST_SEEN_ODDS, MOST_BODY_ODDS = 5.0, 4.0
"""The most that the network has to say of a pixel, and the most that it counts in all, as the logarithm of its odds."""
BESIDE_HEIGHTS, BESIDE_PIXELS = 0.5, 4.0
"""How far around a body, over its height, and at least, in pixels, colours tell what is beside it."""
FORM_WEIGHT, SELDOM_CHANCE = 1.8, 1e-3
"""How much the forms count that go through known points; and how likely what none of them has is nevertheless."""
REFUTED_MISS, REFUTED_FORM_WEIGHT = 0.2, 2.0
"""By how much, as a logarithm of its height, what was seen misses a known point if it is refuted; and how much more
the forms count then, over `FORM_WEIGHT`."""
BEND_PRICE = 0.14
"""What a bend of back or belly costs, squared in steps of `DEPARTURE_STEP`."""
BODY_WORTH, EDGE_WORTH = 1.6, 0.12
"""What body between the lines is worth, and an edge along them."""
RUNNING_EDGE_WORTH, RUNNING_STATIONS = 0.5, 4.0
"""What an edge is worth that runs along the line, and over how many stations it is to do so."""
DEPARTURE_STEP, DEPARTURE_STEPS = 0.0125, 60
"""Steps, as logarithms of heights, in which back and belly depart from a form, and how many there are either way."""
STRAY_PRICE, STRAY_LOGARITHM = 0.1, 0.12
"""What it costs if a line departs from its form by as much as the second, a logarithm of its height."""
KNOWN_STRAY_PRICE, KNOWN_REACH_LENGTHS = 0.3, 0.25
"""What departing as much costs besides at a point that the line is known to go through, squared in the departure, and
how far along the body, in lengths, the point tells about the line."""
UNLIKENESS_PRICE, UNLIKENESS_KNEE = 600.0, 0.03
"""What it costs if back and belly are of unlike forms, for a mean square difference of 1, both as high as 1; and the
difference from which on more of it costs little more."""
FORM_SCALES = 10
"""In how many sizes a form is tried where no point tells its height."""
USUAL_HEIGHT_LENGTHS, HEIGHT_PRICE = 0.15, 8.0
"""The usual height of back and belly in lengths, and what it costs to be e times as high or as flat."""
CLOSER_LOOK_LENGTHS = 0.25
"""How far around a body the second look reaches, in lengths."""
FRONTIER_HEIGHTS = 0.04
"""How far from where the outline was found edges may still draw it, as a share of the body's height."""
UNSEEN_END_WIDTHS = 0.35
"""Where nothing is seen: how far from the middle the ends of a fish are thought, over the picture's width."""


@dataclass(frozen=True)
class Outline:
    """A body in the photograph.

    Attributes:
        nose: Tip (2,) in pixels, x to the right and y down.
        tail: Middle (2,) of the tail's root.
        up: 1 where the back is to the left of who goes from nose to tail as seen in the picture; -1 on the other side.
        stations: Rising (n,), from 0 to 1.
        back: Heights (n,) of the back over the line from nose to tail.
        belly: Heights (n,) of the belly.
    """

    nose: np.ndarray
    tail: np.ndarray
    up: int
    stations: np.ndarray
    back: np.ndarray
    belly: np.ndarray

    def points(self, along: np.ndarray, above: np.ndarray) -> np.ndarray:
        """Pixel positions (..., 2) of places along the fish and above its line."""
        axis = self.tail - self.nose
        return self.nose + along[..., None] * axis + above[..., None] * self.up * np.array([axis[1], -axis[0]])

    def places(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far along and how far above pixel positions (..., 2) are."""
        axis = self.tail - self.nose
        square = axis @ axis
        away = points - self.nose
        return away @ axis / square, away @ (self.up * np.array([axis[1], -axis[0]])) / square

    def heights(self, along: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Back and belly at stations; smooth in the root of the station, as a round snout is."""
        root, places = np.sqrt(np.clip(along, 0.0, 1.0)), np.sqrt(self.stations)
        return np.interp(root, places, self.back), np.interp(root, places, self.belly)

    @property
    def length(self) -> float:
        """From the nose to the tail's root, in pixels."""
        return float(np.hypot(*(self.tail - self.nose)))


def first_guess(image: np.ndarray, known: Known, facing: str) -> tuple[Outline, View]:
    """The body in a photograph, in the photograph's pixels, and what was looked at.

    The part of the picture that holds the fish is looked at once more, as closely as the picture allows. If there are
    two places where it may be, that is where it is which is the less doubtful then, by far if it was not seen first.
    """
    view = look(image)
    here = _here(view, known)
    found, least = (_usual(view, here, facing), view), np.inf
    for seen in sightings(view, here, facing):
        outline, near, doubt = _closer(image, view, seen, known, facing)
        if doubt < LESS_DOUBTFUL_SHARE * least:
            found, least = (outline, near), doubt
    outline, view = found
    view = replace(view, frontier=_frontier(outline, view.colour.shape[:2]))
    return replace(outline, nose=view.to_image(outline.nose), tail=view.to_image(outline.tail)), view


def _here(view: View, known: Known) -> Known:
    """What is known of a photograph (in its pixels), in those of what is looked at."""
    ends = [None if end is None else view.to_view(np.asarray(end, float)) for end in (known.nose, known.tail)]
    here = Known(ends[0], ends[1], view.to_view(known.back), view.to_view(known.belly))
    apart = np.inf if here.nose is None or here.tail is None else float(np.hypot(*(here.nose - here.tail)))
    if apart < SHORTEST_BODY_PIXELS:
        given, least = (f"{pixels * view.step:.3g}" for pixels in (apart, SHORTEST_BODY_PIXELS))
        raise ValueError(f"anchors: found nose and tail's root {given} pixels apart, allowed {least} or more")
    return here


def _closer(image: np.ndarray, view: View, seen: Segments, known: Known, facing: str) -> tuple[Outline, View, float]:
    """A body that was seen, anew in a closer look if there is one, that look, and how doubtful it is."""
    found = _outlined(view, seen, _here(view, known))
    near = _near(image, view, found, known)
    if near is None:
        return found, view, seen.doubt
    here = _here(near, known)
    again = segments(near, here, facing)
    if again is None:
        return found, view, LOST_DOUBT
    return _outlined(near, again, here), near, again.doubt


def _near(image: np.ndarray, view: View, found: Outline, known: Known) -> View | None:
    """A closer look at the surroundings of a body that was found, or None where there is no more to be seen."""
    s = station_grid()
    lines = [view.to_image(found.points(s, line)) for line in (found.back, found.belly)]
    at = np.concatenate([*lines, known.back, known.belly])
    rim = CLOSER_LOOK_LENGTHS * found.length * view.step
    return look_closer(image, view, at.min(axis=0) - rim, at.max(axis=0) + rim)


def _outlined(view: View, seen: Segments, known: Known) -> Outline:
    """The body where it was seen, in what is looked at."""
    rough = _between_edges(_flat(seen.nose, seen.tail), _main_part(seen.body > 0.0))
    return _curves(view, _likely(view, seen.body, rough, known), rough, known)


def _likely(view: View, odds: np.ndarray, rough: Outline, known: Known) -> np.ndarray:
    """How much each pixel (h, w) speaks for body, -`MOST_BODY_ODDS` to `MOST_BODY_ODDS`.

    The network has its say, as logarithms of odds (h, w), and the colours that the picture has where it says body,
    and beside that. Where points of back and belly are known, so have the usual forms that go through them: backs as
    dark as the background are not seen by any.
    """
    body = expit(odds)
    reach = BESIDE_HEIGHTS * rough.length * float((rough.back - rough.belly).max())
    near = ndimage.distance_transform_edt(body < 0.5) < max(reach, BESIDE_PIXELS)
    favour = np.clip(odds, -MOST_SEEN_ODDS, MOST_SEEN_ODDS) + likeness(view.colour, body, near)
    if known.nose is not None and known.tail is not None:
        favour = favour + _of_form(rough, known, odds.shape)
    favour = np.clip(favour, -MOST_BODY_ODDS, MOST_BODY_ODDS)
    if view.alpha is not None:
        favour = np.where(view.alpha > 0.5, favour, -MOST_BODY_ODDS)
    return favour


def _of_form(rough: Outline, known: Known, shape: tuple[int, ...]) -> np.ndarray:
    """How likely bodies of the usual forms through known points reach each pixel (h, w), as the logarithm of odds.

    It counts for more on a side where the body as it was seen, the rough one, misses the points.
    """
    along, above = _places(rough, shape)
    station = np.interp(along, station_grid(), np.arange(LINE_STATIONS))
    odds = np.zeros(shape)
    for points, seen, side in ((known.back, rough.back, 1), (known.belly, -rough.belly, -1)):
        at, height = _on_line(rough, points, side)
        if not len(at):
            return np.zeros(shape)
        table, gap = chances(at, height)
        chance = ndimage.map_coordinates(table, [station, side * above / gap], order=1)
        likely = np.clip(
            np.log((chance + SELDOM_CHANCE) / (1.0 - chance + SELDOM_CHANCE)), -MOST_BODY_ODDS, MOST_BODY_ODDS
        )
        missed = np.abs(np.log(np.interp(at, rough.stations, seen).clip(1e-3) / height)).max()
        odds = np.where(
            side * above > 0.0, (1.0 + REFUTED_FORM_WEIGHT * min(missed / REFUTED_MISS, 1.0)) * likely, odds
        )
    return FORM_WEIGHT * odds * ((along > 0.0) & (along < 1.0))


def _usual(view: View, known: Known, facing: str) -> Outline:
    """Where nothing is seen: a body of the usual form, as good a guess as any, in the middle but for what is known."""
    height, width = view.colour.shape[:2]
    middle, reach = (
        0.5 * (np.array([width, height]) - 1.0),
        UNSEEN_END_WIDTHS * width * (-1.0 if facing == "right" else 1.0),
    )
    nose = middle - (reach, 0.0) if known.nose is None else known.nose
    tail = middle + (reach, 0.0) if known.tail is None else known.tail
    return usual_form(replace(known, nose=nose, tail=tail))


def usual_form(known: Known) -> Outline:
    """A body of the usual form between a nose and a tail, as high and deep as it is known to be."""
    assert known.nose is not None and known.tail is not None
    s, form = station_grid(), Form()
    flat = _flat(known.nose, known.tail)
    lines = {}
    for name, side in (("back", 1), ("belly", -1)):
        rows = np.array(getattr(form, name)) / form.back[-1][0]
        usual = PchipInterpolator(np.sqrt(rows[:, 0]), side * rows[:, 1])
        line = usual(np.sqrt(s))
        points = getattr(known, name)
        if len(points):
            along, above = flat.places(points)
            use = (along > 0.02) & (side * above > 0.005)
            along, above = np.clip(along[use], 0.02, 1.0), side * above[use]
            order = np.argsort(along)
            if len(order):
                factor = above[order] / usual(np.sqrt(along[order]))
                line = line * np.interp(s, along[order], factor)
        lines[name] = side * line
    return replace(flat, back=lines["back"], belly=lines["belly"])


def _flat(nose: np.ndarray, tail: np.ndarray) -> Outline:
    """The line between nose and tail's root, with the back above it in the picture."""
    s = station_grid()
    return Outline(nose, tail, 1 if tail[0] >= nose[0] else -1, s, 0 * s, 0 * s)


def _main_part(mask: np.ndarray) -> np.ndarray:
    """The largest connected part (h, w) bool, without holes."""
    parts, count = ndimage.label(mask)
    if count == 0:
        return mask
    areas = np.bincount(parts.ravel())
    return ndimage.binary_fill_holes(parts == 1 + np.argmax(areas[1:]))


def _between_edges(outline: Outline, mask: np.ndarray) -> Outline:
    """All of the mask (h, w) between nose and tail's root."""
    s = station_grid()
    y, x = np.nonzero(mask)
    places, heights = outline.places(np.stack([x, y], axis=1).astype(float))
    back, belly = np.zeros_like(s), np.zeros_like(s)
    edges = np.concatenate([[0], 0.5 * (s[1:] + s[:-1]), [1.0]])
    bins = np.digitize(places, edges) - 1
    for k in range(len(s)):
        here = heights[bins == k]
        if len(here):
            back[k], belly[k] = here.max(), here.min()
        elif k:
            back[k], belly[k] = back[k - 1], belly[k - 1]
    return replace(outline, back=np.maximum(back, 0.0), belly=np.minimum(belly, 0.0))


# Back and belly


def _raster(outline: Outline, tallest: float) -> tuple[np.ndarray, np.ndarray]:
    """Places (x, y), each (stations, levels), from the line of the fish up to `tallest` and down as far."""
    above = np.linspace(-tallest, tallest, 2 * HALF_LEVELS + 1)
    points = outline.points(station_grid()[:, None] + 0 * above, above + 0 * station_grid()[:, None])
    return points[..., 0], points[..., 1]


def _sample(field: np.ndarray, x: np.ndarray, y: np.ndarray, outside: float) -> np.ndarray:
    return ndimage.map_coordinates(field, [y, x], order=1, mode="constant", cval=outside)


def _curves(view: View, favour: np.ndarray, outline: Outline, known: Known) -> Outline:
    """Back and belly anew: of the usual forms the one that parts body from all else best, then bent a little.

    Args:
        view: What is looked at.
        favour: How much each pixel (h, w) speaks for body, `MOST_BODY_ODDS` at most, or against it.
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
        sides.append(_Side(gain, half_colour, gap, *_on_line(outline, getattr(known, name), side)))
    back, belly = (_bent(form, side) for form, side in zip(_alike(sides), sides, strict=True))
    return replace(outline, back=back, belly=-belly)


def _edges(steps: np.ndarray) -> np.ndarray:
    """How strong edges are where colours change by such steps (stations, levels, c), about 1 in the strongest."""
    strength = np.sqrt((steps**2).sum(axis=2))
    return np.minimum(strength / (np.percentile(strength, 95) + 1e-9), 1.5)


def _running(colour: np.ndarray, levels: np.ndarray) -> np.ndarray:
    """How strong edges are that run along lines at levels (stations, lines) of what is seen (stations, levels, c).

    What changes across a line in the same way from station to station adds up; what changes now so, now so, does not.
    """
    at = np.broadcast_to(np.arange(len(levels))[:, None], levels.shape), levels
    bands = [ndimage.map_coordinates(band, at, order=1, mode="nearest") for band in np.moveaxis(colour, 2, 0)]
    along = ndimage.gaussian_filter1d(np.stack(bands, axis=2), RUNNING_STATIONS, axis=0, mode="nearest")
    return _edges(ndimage.gaussian_filter1d(along, 1.5, axis=1, order=1, mode="nearest"))


@dataclass(frozen=True)
class _Side:
    """What is known about the back, or about the belly, upside down.

    Attributes:
        gain: What it is worth to pass each place, by station and level (stations, levels).
        colour: What is seen there (stations, levels, c).
        gap: From level to level, in lengths.
        along: Stations (n,) of points that it goes through.
        above: Their heights (n,) in lengths.
    """

    gain: np.ndarray
    colour: np.ndarray
    gap: float
    along: np.ndarray
    above: np.ndarray


def _alike(sides: list[_Side]) -> list[np.ndarray]:
    """Of the usual forms those two, in lengths, that part body from all else best and are like each other."""
    (back, high), (belly, deep) = (_scaled(side) for side in sides)
    total = back[:, None] + belly - UNLIKENESS_PRICE * unlikeness() / (1.0 + unlikeness() / UNLIKENESS_KNEE)
    one, other = np.unravel_index(np.argmax(total), total.shape)
    return [line_forms()[one] * high[one], line_forms()[other] * deep[other]]


def _scaled(side: _Side) -> tuple[np.ndarray, np.ndarray]:
    """What each of the usual forms gains (forms,), and how high it is then in lengths (forms,)."""
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


def _on_line(outline: Outline, points: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Stations (n,) and heights (n,) of those points (m, 2) that tell about the back, side 1, or the belly, side -1."""
    along, above = outline.places(points)
    use = (along > 0.02) & (along <= 1.05) & (side * above > 0.005)
    return along[use], side * above[use]


def _frontier(outline: Outline, shape: tuple[int, ...]) -> np.ndarray:
    """How much of an edge at each pixel may be the body's outline (h, w), 0 to 1: what was found is near."""
    inside = _inside(outline, shape)
    away = np.where(inside, ndimage.distance_transform_edt(inside), ndimage.distance_transform_edt(~inside))
    reach = max(FRONTIER_HEIGHTS * float((outline.back - outline.belly).max()) * outline.length, 1.5)
    return np.exp(-0.5 * (away / reach) ** 2)


def _places(outline: Outline, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """How far along the fish and how high above its line each pixel is, (h, w) each."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    return outline.places(np.stack([columns, rows], axis=-1).astype(float))


def _inside(outline: Outline, shape: tuple[int, ...]) -> np.ndarray:
    """Where the body is, (h, w) bool."""
    along, above = _places(outline, shape)
    back, belly = outline.heights(along)
    return (along > 0.0) & (along < 1.0) & (above < back) & (above > belly)
