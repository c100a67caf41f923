"""Where a fish is in a photograph: a first guess for the snake grid, and colours to tell body from fins and scenery.

Back and belly are found within the silhouette as two curves that part the body's colours from all others, follow edges
and bend little, so that fins stay out. Lengths along the fish run from the nose at 0 to the root of the tail at 1;
heights are in the same unit, upwards.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage
from scipy.interpolate import PchipInterpolator

from ..species import Form
from .lines import STATIONS, chances, line_forms, sizes, station_grid, unlikeness
from .silhouette import CLUSTERS, closed, information, log_ratio, palette, silhouette, unshaded
from .view import View, look, look_closer

LEVELS = 72
SHORTEST = 8.0
"""Least length from nose to tail's root that anchors may tell, in pixels of the picture looked at."""
TURNS = 8
SPECK = 0.004
"""Share of a picture below which what was found is no fish."""
REAR = 58
"""Where the tail's root is at the foremost, in hundredths of the length with fins; a gap ahead of it is one of fins."""
UPRIGHT = 4.0
"""How much longer than broad, squared, a fish must be to be seen as one that swims up or down."""
HEAD = 0.2
"""Share of the length from the nose on that is free of fins but for those on the flank."""
STOUT = 0.15
"""What is thinner than twice this share of the root of the silhouette's area may be weeds."""
FEW = 0.02
"""Share of the body's area below which fins are too few to tell what they look like."""
HEART = 0.6
"""What is farther from a silhouette's rim than this share of the farthest is its heart."""
AWAY = 0.1
"""Share of the body's height from its outline from which on a silhouette shows what fins look like."""
BITE = 0.06
"""What is narrower than twice this share of the root of its area, in a silhouette's rim, may be body all the same."""
BENDS = 2.5
"""How fast what a body tells about colours loses worth as its outline bends; fins' edges bend more than a body's."""
LOWER = (0.8, 0.62)
"""How high some beginnings are, over a silhouette that can be trusted: fins above and below may be as long as it."""
SMOOTH, WHOLE, USUAL, ODD = 5.4, 5.0, 0.8, 1.3
"""How fast a body in such a silhouette loses worth as its outline bends and as its heart is left out; the share of it,
ahead of the tail's root, that a body usually has, and how fast others lose worth."""
AROUND, RIM, CUT = 0.5, 0.06, 0.7
"""In clutter: how far around a body, over its height, what is there shows what fins and scenery look like, what of
it is too near to tell, and how much less like body is what the silhouette leaves out."""
NEIGHBOURS = 12
"""The width of a picture over how far around a silhouette in clutter colours are sorted into kinds."""
STIFF = (0.45, 0.3, 0.22, 0.15)
"""What a bend of back or belly costs, squared in steps of `BENT`, turn by turn."""
PULL, EDGE, ODDS = 1.6, 0.12, 0.3
"""What body's colours between the lines are worth, and an edge along them; the last in clutter."""
RUN, GO = 0.8, 4.0
"""In clutter: what an edge is worth that runs along the line, and over how many stations it is to do so."""
BENT, BAND = 0.0125, 36
"""Steps, as logarithms of heights, in which back and belly depart from a form, and how many there are either way."""
LOOSE, STRAY = 0.1, 0.12
"""What it costs if a line departs from its form by as much as the second, a logarithm of its height."""
HOLD, ROUND = 0.3, 0.25
"""What departing as much costs besides at a point that the line is known to go through, squared in the departure, and
how far along the body, in lengths, the point tells about the line."""
ALIKE, KIN = 600.0, 0.03
"""What it costs if back and belly are of unlike forms, for a mean square difference of 1, both as high as 1; and the
difference from which on more of it costs little more."""
SCALES = 10
"""In how many sizes a form is tried where no point tells its height."""
HIGH, SIZE = 0.15, 8.0
"""The usual height of back and belly in lengths, and what it costs to be e times as high or as flat."""
CORE, SNOUT = 0.08, 0.3
"""What is further inside the form that anchors tell than the first, a share of its height, is body whatever it looks
like, but for the snout, whose length is the second: it may be much thinner."""
DOUBT, WIDER = -0.8, 0.1
"""How little like body is what a silhouette leaves out of the form that anchors tell, grown by this share of its
height: backs as dark as the background are not seen in it."""
ENDS = 0.5
"""How fast, a pixel, what looks like body must end where the outline is."""
SURROUNDINGS = 0.25
"""How far around a body the second look reaches, in lengths."""
NEAR, NEARER = 0.1, 0.04
"""How far from where the outline was found edges may still draw it, as a share of the body's height; the second where
anchors have told it in clutter, in which the edges of much else are about."""


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


@dataclass(frozen=True)
class Known:
    """What is known about the outline, as places in the picture.

    Attributes:
        nose: (2,) or None.
        tail: Middle of the tail's root (2,) or None.
        back: Points (n, 2) through which the back's line goes.
        belly: Likewise.
    """

    nose: np.ndarray | None
    tail: np.ndarray | None
    back: np.ndarray
    belly: np.ndarray


@dataclass(frozen=True)
class Told:
    """What is told of a body by where its nose, its tail's root and points of back and belly are.

    Attributes:
        chance: How likely each pixel is body (h, w), 0 to 1, if it has any of the usual forms.
        core: What is body whatever it looks like (h, w) bool.
        doubted: Where a silhouette may be wrong (h, w) bool.
    """

    chance: np.ndarray
    core: np.ndarray
    doubted: np.ndarray


# The way it lies


def lie(mask: np.ndarray, facing: str, nose: np.ndarray | None, tail: np.ndarray | None, thinnest: float) -> Outline:
    """Nose, tail's root and rough outline from a silhouette with or without fins.

    Args:
        mask: (h, w) bool.
        facing: "left", "right", or "auto".
        nose: Where the nose is (2,), if known.
        tail: Where the middle of the tail's root is (2,), if known.
        thinnest: What is thinner is left out, over the root of the silhouette's area.
    """
    solid = _opened(mask, 0.12)
    y, x = np.nonzero(solid)
    middle = np.array([x.mean(), y.mean()])
    values, vectors = np.linalg.eigh(np.cov(np.stack([x, y])))
    longest = vectors[:, 1]
    if abs(longest[0]) < abs(longest[1]) and values[1] < UPRIGHT * values[0]:
        longest = vectors[:, 0]  # a deep fish with high fins, which still swims across the picture
    axis = longest * np.sign(longest[0] or 1.0)  # to the right
    sides = {"left": (1,), "right": (-1,)}.get(facing, (1, -1))
    for end, sign in ((nose, -1), (tail, 1)):
        if end is not None:
            sides = (1,) if sign * ((end - middle) @ axis) > 0 else (-1,)
    guesses = [_one_way(_opened(mask, thinnest), middle, axis * side) for side in sides]
    return max(guesses, key=lambda guess: guess[0])[1]


def usual_form(known: Known) -> Outline | None:
    """A body of the usual form where nose and tail are known, as high and deep as it is known to be."""
    if known.nose is None or known.tail is None:
        return None
    s, form = station_grid(), Form()
    flat = Outline(known.nose, known.tail, 1 if known.tail[0] >= known.nose[0] else -1, s, 0 * s, 0 * s)
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


def _opened(mask: np.ndarray, share: float) -> np.ndarray:
    """The mask without what is thinner than this share of the root of its area."""
    radius = share * np.sqrt(mask.sum())
    padded = np.pad(mask, 1)
    core = ndimage.distance_transform_edt(padded) > radius
    if not core.any():
        return mask
    return (ndimage.distance_transform_edt(~core) <= radius)[1:-1, 1:-1]


def _one_way(mask: np.ndarray, middle: np.ndarray, axis: np.ndarray) -> tuple[float, Outline]:
    """The outline if the fish looks against `axis`, and how likely that is."""
    up = 1 if axis[0] >= 0 else -1  # the back is above in the picture
    y, x = np.nonzero(mask)
    along = (np.stack([x, y], axis=1) - middle) @ axis
    begin, end = along.min(), along.max()
    stations = np.linspace(begin, end, 101)
    count = np.histogram(along, np.linspace(begin, end, 102))[0] / ((end - begin) / 101)
    width = ndimage.gaussian_filter1d(count, 1.2)
    thick = width.max()
    # The peduncle: the narrowest place of the rear, if the tail flares out behind it.
    rear = np.arange(REAR, 97)
    beyond = np.array([width[i:].max() for i in rear])
    flare = beyond / np.maximum(width[rear], 0.02 * thick)
    deep = np.log(np.maximum(flare, 1.0)) * (width[rear] < 0.75 * thick)
    waist = int(rear[np.argmax(deep)])
    if deep.max() > np.log(1.25):
        waist += int(np.argmax(width[waist:] > 1.12 * width[waist]))
        root = stations[waist]
    else:
        root = end
    front = float((width * np.arange(101)).sum() / width.sum() / 100)
    likely = min(float(deep.max()), 1.2) + 2.0 * (0.5 - front)
    nose_y, nose_x = y[along < begin + 0.02 * (end - begin)], x[along < begin + 0.02 * (end - begin)]
    near_root = np.abs(along - root) < 0.015 * (end - begin) + 1
    nose = np.array([nose_x.mean(), nose_y.mean()])
    nose -= ((nose - middle) @ axis - begin) * axis
    tail = np.array([x[near_root].mean(), y[near_root].mean()]) if near_root.any() else middle + root * axis
    tail += (root - (tail - middle) @ axis) * axis
    s = station_grid()
    outline = Outline(nose, tail, up, s, np.zeros_like(s), np.zeros_like(s))
    return likely, _between_edges(outline, mask)


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
    return replace(outline, stations=s, back=np.maximum(back, 0.0), belly=np.minimum(belly, 0.0))


# Back and belly


def best_body(
    view: View,
    groups: np.ndarray,
    outlines: list[Outline],
    mask: np.ndarray,
    sure: bool,
    known: Known,
    usual: Outline | None = None,
    told: Told | None = None,
) -> Outline:
    """The body without its fins, the best of what comes of several beginnings; arguments else as of `body`.

    From each of the outlines one begins with everything between the silhouette's edges, another with what lies as
    high as deep: fins above and below seldom stand at the same station, and where they do others begin lower. In
    clutter some leave out what is thin, such as weeds that look like the fish. If nose and tail's root are known,
    one begins with the usual form between them, and if back and belly are known too, with nothing else. The best
    one's inside tells most about colours.
    """
    solid = mask if sure else _opened(mask, STOUT)
    starts = [] if usual is None else [usual]
    if usual is not None:
        outlines = [] if len(known.back) and len(known.belly) else [_between_edges(usual, solid)]
    elif not sure:
        starts = [_between_edges(outline, solid) for outline in outlines]
    for outline in outlines:
        half = np.minimum(outline.back, -outline.belly)
        starts += [outline, replace(outline, back=half, belly=-half)]
        if sure and usual is None:
            starts += [replace(outline, back=low * outline.back, belly=low * outline.belly) for low in LOWER]
    ends = [body(view, groups, start, mask, sure, known, told) for start in starts]
    if len(ends) == 1:
        return ends[0]
    around = mask | np.any([_inside(end, _places(end, mask.shape), 0.25) for end in ends], axis=0)
    if sure:
        heart = _heart(mask)
        scores = [_worth(end, groups, mask, heart, around) for end in ends]
    else:
        # A share is taken off for bends, not an amount: else the smaller of two that tell little wins, as straighter.
        scores = [
            _tells(groups, _inside(end, _places(end, mask.shape)), around) * np.exp(-BENDS * _bending(end))
            for end in ends
        ]
    return ends[int(np.argmax(scores))]


def _worth(outline: Outline, groups: np.ndarray, mask: np.ndarray, heart: np.ndarray, around: np.ndarray) -> float:
    """How good a body is in a silhouette (h, w) that can be trusted.

    It tells about the colours around, and about those of the silhouette ahead of the tail, bends little, has the
    stoutest part of the silhouette, however unlike the rest that is, and leaves about as much for fins as others do.
    """
    places = _places(outline, mask.shape)
    inside = _inside(outline, places)
    ahead = mask & (places[0] < 1.0)
    share = inside[ahead].mean() if ahead.any() else 0.0
    unsure = -(share * np.log(share + 1e-9) + (1.0 - share) * np.log(1.0 - share + 1e-9))
    from_fins = max(_tells(groups, inside, ahead), 1e-4) / max(unsure, 0.05)
    off = SMOOTH * _bending(outline) + ODD * abs(share - USUAL)
    return _tells(groups, inside, around) * from_fins * np.exp(-off) * inside[heart].mean() ** WHOLE


def _tells(groups: np.ndarray, inside: np.ndarray, where: np.ndarray) -> float:
    """What being inside (h, w) tells about the kinds of colours there (h, w), in nats a pixel."""
    kinds, there = groups[where], inside[where]
    total, both = (np.bincount(some, minlength=CLUSTERS)[:, None] for some in (kinds, kinds[there]))
    return float(information(both, total, max(there.sum(), 1), max(len(kinds), 1))[0])


def _heart(mask: np.ndarray) -> np.ndarray:
    """The stoutest part of a silhouette, (h, w) bool."""
    depth = ndimage.distance_transform_edt(mask)
    return depth > HEART * depth.max()


def _bending(outline: Outline) -> float:
    """How much back and belly bend."""
    scale = (outline.back - outline.belly).max()
    if scale <= 0.0:  # it shrank to nothing
        return np.inf
    lines = np.stack([outline.back, outline.belly]) / scale
    return float((np.diff(lines[:, 2:], 2, axis=1) ** 2).sum()) * STATIONS


def body(
    view: View,
    groups: np.ndarray,
    outline: Outline,
    mask: np.ndarray,
    sure: bool,
    known: Known,
    told: Told | None = None,
) -> Outline:
    """The body without its fins.

    Args:
        view: What is looked at.
        groups: Kinds of its colours, (h, w).
        outline: A rough one, in the view's pixels.
        mask: The silhouette with fins (h, w) bool.
        sure: Whether it can be trusted.
        known: Places in the view's pixels.
        told: What anchors tell, if they tell nose, tail's root, back and belly.
    """
    outline = _pinned(outline, known)
    for turn in range(TURNS):
        favour = _favour(groups, outline, mask, sure, told)
        outline = _curves(view, favour, outline, known, STIFF[min(turn, len(STIFF) - 1)], sure)
        if turn < TURNS - 1:
            outline = _pinned(_ends(_favour(groups, outline, mask, sure, told), outline, known, sure), known)
    return outline


def _pinned(outline: Outline, known: Known) -> Outline:
    """The outline with nose and tail's root where they are known to be."""
    nose = outline.nose if known.nose is None else known.nose
    tail = outline.tail if known.tail is None else known.tail
    return replace(outline, nose=nose, tail=tail)


def _places(outline: Outline, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """How far along the fish and how high above its line each pixel is, (h, w) each."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    return outline.places(np.stack([columns, rows], axis=-1).astype(float))


def _inside(outline: Outline, places: tuple[np.ndarray, np.ndarray], grow: float = 0.0) -> np.ndarray:
    """Where the body is of such places, (h, w) bool, grown all round by a share of its greatest height."""
    along, above = places
    back, belly = outline.heights(along)
    rim = grow * float((outline.back - outline.belly).max())
    return (along > -rim) & (along < 1 + rim) & (above < back + rim) & (above > belly - rim)


def _favour(groups: np.ndarray, outline: Outline, mask: np.ndarray, sure: bool, told: Told | None) -> np.ndarray:
    """How much each pixel (h, w) looks like body rather than fin, -2 to 2; -3 beyond the silhouette.

    Of a silhouette that can be trusted the head is all body, however much its shades are like those of fins. In clutter
    a body is told from all that is around it, for its silhouette leaves out some of it and takes in what is none. If
    anchors tell the form, the silhouette's edge is doubted near it, or in clutter all of it, and what counts as body is
    what the usual forms have in common, not what was found, which would confirm itself. Above and below the body's
    middle each have their own colours then: backs are darker than bellies.
    """
    places = _places(outline, mask.shape)
    if not sure and told is not None:
        others = (1.0 - told.chance) * _inside(outline, places, AROUND)
        return _either_side(functools.partial(log_ratio, limit=2.0), groups, outline, places, told.chance, others)
    inner = _inside(outline, places, -0.06)
    if not sure:
        around = _inside(outline, places, AROUND) & ~_inside(outline, places, RIM)
        looks = _likeness(groups, inner, around)
        return np.where(mask, looks, looks - CUT)
    fins = mask & ~_inside(outline, places, AWAY)
    beyond = -3.0 if told is None else np.where(told.doubted, DOUBT, -3.0)
    head = mask & (places[0] < HEAD)
    fins &= ~head
    if fins.sum() < FEW * inner.sum():
        return np.where(mask, 1.0, beyond)
    if told is None:
        looks = _likeness(groups, inner, fins)
    else:
        looks = _either_side(_likeness, groups, outline, places, inner, fins)
    return np.where(mask, np.where(head, np.maximum(looks, 1.0), looks), beyond)


def _either_side(
    compare: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
    groups: np.ndarray,
    outline: Outline,
    places: tuple[np.ndarray, np.ndarray],
    body: np.ndarray,
    other: np.ndarray,
) -> np.ndarray:
    """What a comparison of colours (h, w) says of what is above the body's middle and below apart."""
    upper = _upper(outline, places)
    above, below = (compare(groups, body * side, other * side) for side in (upper, ~upper))
    return np.where(upper, above, below)


def _likeness(groups: np.ndarray, inner: np.ndarray, fins: np.ndarray) -> np.ndarray:
    """How much more each pixel's colour (h, w) is the body's than the fins', -2 to 2; 1 if there are hardly any."""
    if fins.sum() < max(FEW * inner.sum(), 1.0):
        return np.ones(groups.shape)
    # Where there is little of fins, what a few pixels of them look like says little.
    rather = 0.5 * np.log(max(inner.sum(), 1) / fins.sum())
    return np.clip(rather + log_ratio(groups, inner, fins), -2.0, 2.0)


def _upper(outline: Outline, places: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """What is nearer to the back than to the belly, (h, w) bool."""
    along, above = places
    back, belly = outline.heights(along)
    return above > 0.5 * (back + belly)


def _frontier(outline: Outline, shape: tuple[int, ...], favour: np.ndarray | None = None) -> np.ndarray:
    """How much of an edge at each pixel may be the body's outline (h, w), 0 to 1.

    The outline that was found is near, nearer yet if that is all that counts. Else what looks like body, as `favour`
    (h, w) tells, must end there: edges of markings are not meant.
    """
    inside = _inside(outline, _places(outline, shape))
    away = np.where(inside, ndimage.distance_transform_edt(inside), ndimage.distance_transform_edt(~inside))
    near = NEARER if favour is None else NEAR
    reach = max(near * float((outline.back - outline.belly).max()) * outline.length, 1.5)
    close = np.exp(-0.5 * (away / reach) ** 2)
    if favour is None:
        return close
    return close * np.minimum(np.hypot(*np.gradient(ndimage.gaussian_filter(favour, 1.5))) / ENDS, 1.0)


def _on_line(outline: Outline, points: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Stations (n,) and heights (n,) of those points (m, 2) that tell about the back, side 1, or the belly, side -1."""
    along, above = outline.places(points)
    use = (along > 0.02) & (along <= 1.05) & (side * above > 0.005)
    return along[use], side * above[use]


def _tell(outline: Outline, known: Known, shape: tuple[int, ...]) -> Told | None:
    """What is told of the body in a picture (h, w) by the points of back and belly, or None if it is too little.

    Args:
        outline: The usual form between the nose and the tail's root that are known.
        known: Places in the picture.
        shape: Of the picture.
    """
    places = along, above = _places(outline, shape)
    station = np.interp(along, station_grid(), np.arange(STATIONS))
    likely = []
    for points, side in ((known.back, 1), (known.belly, -1)):
        at = _on_line(outline, points, side)
        if not len(at[0]):
            return None
        table, gap = chances(*at)
        likely.append(ndimage.map_coordinates(table, [station, side * above / gap], order=1))
    chance = np.where(above > 0.0, likely[0], likely[1]) * ((along >= 0.0) & (along <= 1.0))
    core = _inside(outline, places, -CORE) & (along > SNOUT)
    return Told(chance, core, _inside(outline, places, WIDER))


def _raster(outline: Outline, tallest: float) -> tuple[np.ndarray, np.ndarray]:
    """Places (x, y), each (stations, levels), from the line of the fish up to `tallest` and down as far."""
    above = np.linspace(-tallest, tallest, 2 * LEVELS + 1)
    points = outline.points(station_grid()[:, None] + 0 * above, above + 0 * station_grid()[:, None])
    return points[..., 0], points[..., 1]


def _sample(field: np.ndarray, x: np.ndarray, y: np.ndarray, outside: float) -> np.ndarray:
    return ndimage.map_coordinates(field, [y, x], order=1, mode="constant", cval=outside)


def _curves(view: View, favour: np.ndarray, outline: Outline, known: Known, stiff: float, sure: bool) -> Outline:
    """Back and belly anew: of the usual forms the one that parts body from all else best, then bent a little.

    In clutter, where colours tell less, edges count for more.
    """
    tallest = 1.35 * max(outline.back.max(), -outline.belly.min(), 0.05)
    x, y = _raster(outline, tallest)
    favour = _sample(ndimage.gaussian_filter(favour, 0.7), x, y, -3.0)
    bands = [_sample(ndimage.gaussian_filter(band, 0.8), x, y, 0.0) for band in np.moveaxis(view.colour, 2, 0)]
    colour = np.stack(bands, axis=-1)
    jump = _edges(np.gradient(colour, axis=1))
    gap = tallest / LEVELS
    half = 0.5 * float((outline.back - outline.belly).max())
    pull = favour * gap / half
    weight = np.gradient(station_grid()) * STATIONS
    sides = []
    for name, side in (("back", 1), ("belly", -1)):
        half_pull, half_jump, half_colour = (
            every[:, LEVELS:] if side > 0 else every[:, LEVELS::-1] for every in (pull, jump, colour)
        )
        # Past the middle some pixels of the other side decide nothing: the curve starts on the fish's line.
        gain = weight[:, None] * (np.cumsum(half_pull, axis=1) * PULL + (EDGE if sure else ODDS) * half_jump)
        sides.append(_Side(gain, half_colour, gap, *_on_line(outline, getattr(known, name), side)))
    run = 0.0 if sure else RUN
    back, belly = (_bent(form, side, stiff, run) for form, side in zip(_alike(sides), sides, strict=True))
    return replace(outline, stations=station_grid(), back=back, belly=-belly)


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
    along = ndimage.gaussian_filter1d(np.stack(bands, axis=2), GO, axis=0, mode="nearest")
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
    total = back[:, None] + belly - ALIKE * unlikeness() / (1.0 + unlikeness() / KIN)
    one, other = np.unravel_index(np.argmax(total), total.shape)
    return [line_forms()[one] * high[one], line_forms()[other] * deep[other]]


def _scaled(side: _Side) -> tuple[np.ndarray, np.ndarray]:
    """What each of the usual forms gains (forms,), and how high it is then in lengths (forms,)."""
    forms, s = line_forms(), station_grid()
    count = side.gain.shape[1]
    if len(side.along):
        scales = sizes(side.along, side.above)[:, None]
    else:
        scales = np.broadcast_to(side.gap * count * np.geomspace(0.25, 1.0, SCALES), (len(forms), SCALES))
    levels = forms[:, None, :] * scales[..., None] / side.gap
    soft = ndimage.gaussian_filter1d(side.gain, 1.5, axis=1, mode="nearest")
    within = np.minimum(levels, count - 1.001)
    low, station = within.astype(int), np.arange(len(s))
    value = soft[station, low] + (within - low) * (soft[station, low + 1] - soft[station, low])
    value = (value - 0.5 * (levels - within)).sum(axis=2) - SIZE * np.log(scales / HIGH) ** 2
    best, every = value.argmax(axis=1), np.arange(len(forms))
    return value[every, best], scales[every, best]


def _bent(form: np.ndarray, side: _Side, stiff: float, run: float) -> np.ndarray:
    """Heights (n,) in lengths of the line near a form (n,) with the greatest gain.

    Edges that run along the form are worth something besides: markings and weeds seldom do.
    """
    s, levels = station_grid(), np.arange(side.gain.shape[1])
    steps = np.arange(-BAND, BAND + 1)
    at = form[:, None] / side.gap * np.exp(BENT * steps)
    gain = np.stack([np.interp(at[k], levels, side.gain[k]) for k in range(len(s))])
    if run:
        gain += run * np.gradient(s)[:, None] * STATIONS * _running(side.colour, at)
    gain -= LOOSE * np.gradient(s)[:, None] * STATIONS * 2.0 * (np.hypot(1.0, BENT * steps / STRAY) - 1.0)
    if len(side.along):
        near = np.exp(-0.5 * ((s[:, None] - side.along) / ROUND) ** 2).max(axis=1, keepdims=True)
        gain -= HOLD * near * np.gradient(s)[:, None] * STATIONS * (BENT * steps / STRAY) ** 2
    for station, height in zip(side.along, side.above, strict=True):
        k = max(int(np.argmin(np.abs(s - station))), 1)
        gain[k] -= 3.0 * (steps - np.log(height / form[k]) / BENT) ** 2
    taken = _best_path(gain, stiff) - BAND
    return form * np.exp(BENT * ndimage.gaussian_filter1d(taken.astype(float), 1.0, mode="nearest"))


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


def _ends(favour: np.ndarray, outline: Outline, known: Known, sure: bool) -> Outline:
    """Nose and tail's root anew, along the middle of the body."""
    favour = ndimage.gaussian_filter(favour, 0.7)
    middle = 0.5 * (outline.back + outline.belly)
    half = 0.5 * (outline.back - outline.belly)
    grid = station_grid()
    across = np.linspace(-0.6, 0.6, 9)
    # The tail: as far as the peduncle goes on in the body's colours.
    s = np.linspace(0.8, 1.2, 81)
    near = (grid > 0.8) & (grid < 0.97)
    slope = np.polyfit(grid[near], middle[near], 1)
    thick = max(float(half[near].min()), 0.01)
    level = np.polyval(slope, s)[:, None] + across * thick
    points = outline.points(s[:, None] + 0 * level, level)
    looks = _sample(favour, points[..., 0], points[..., 1], -3.0).mean(axis=1)
    if not sure:
        looks = np.clip(looks, -1.5, 1.5)
    gain = np.cumsum(looks) * (s[1] - s[0]) - 0.8 * (s - 1.0) ** 2
    root = float(s[np.argmax(gain)])
    # The nose: where what looks like body begins, on the line that its front takes.
    s = np.linspace(-0.15, 0.12, 91)
    thickness = np.clip(0.5 * np.interp(0.12, grid, half) * np.sqrt(np.clip((s + 0.1) / 0.3, 0.0, 1.0)), 0.008, None)
    level = np.interp(0.05, grid, middle) * np.clip(s / 0.05, 0.0, 1.0)
    level = level[:, None] + across * 0.35 * thickness[:, None]
    points = outline.points(s[:, None] + 0 * level, level)
    looks = np.clip(_sample(favour, points[..., 0], points[..., 1], -3.0).mean(axis=1), -1.5, 1.5)
    gain = np.cumsum(looks[::-1])[::-1] * (s[1] - s[0]) - 0.8 * s**2
    tip = float(s[np.argmax(gain)])
    rise = float(np.interp(0.04, grid, middle)) if known.nose is None else 0.0
    nose = outline.points(np.array(tip), np.array(0.3 * rise))
    tail = outline.points(np.array(root), np.array(float(np.polyval(slope, root))))
    return _moved(outline, nose, tail)


def _moved(outline: Outline, nose: np.ndarray, tail: np.ndarray) -> Outline:
    """The same body told from another nose and root."""
    s = station_grid()
    fresh = replace(outline, nose=nose, tail=tail)
    flat = fresh.points(s, np.zeros_like(s))
    along, base = outline.places(flat)
    back, belly = outline.heights(along)
    scale = outline.length / fresh.length
    return replace(
        fresh, stations=s, back=np.maximum((back - base) * scale, 0.0), belly=np.minimum((belly - base) * scale, 0.0)
    )


def first_guess(image: np.ndarray, known: Known, facing: str) -> tuple[Outline, View]:
    """The body in a photograph, in the photograph's pixels, and what was looked at.

    Where nose and tail's root are known, or the background is plain, the part of the picture that holds the fish is
    looked at once more, as closely as the picture allows. What was guessed in clutter a closer look would confirm,
    right or wrong.
    """
    view = look(image)
    found, frontier, sure = _search(view, known, facing)
    sure_of_ends = sure or (known.nose is not None and known.tail is not None)
    near = _near(image, view, found, known) if sure_of_ends else None
    if near is not None:
        again, line, plain = _search(near, known, facing)
        if plain == sure:  # what is plain as a whole may be cluttered close by
            view, found, frontier = near, again, line
    view = replace(view, frontier=frontier)
    return replace(found, nose=view.to_image(found.nose), tail=view.to_image(found.tail)), view


def _near(image: np.ndarray, view: View, found: Outline, known: Known) -> View | None:
    """A closer look at the surroundings of a body that was found, or None where there is no more to be seen."""
    s = station_grid()
    lines = [view.to_image(found.points(s, line)) for line in (found.back, found.belly)]
    at = np.concatenate([*lines, known.back, known.belly])
    rim = SURROUNDINGS * found.length * view.step
    return look_closer(image, view, at.min(axis=0) - rim, at.max(axis=0) + rim)


def _search(view: View, known: Known, facing: str) -> tuple[Outline, np.ndarray, bool]:
    """The body in what is looked at, in its pixels, its `_frontier` (h, w), and whether the background is plain.

    Args:
        view: What is looked at.
        known: In the photograph's pixels.
        facing: As of `fit_grid`.
    """
    ends = [None if end is None else view.to_view(np.asarray(end, float)) for end in (known.nose, known.tail)]
    here = Known(ends[0], ends[1], view.to_view(known.back), view.to_view(known.belly))
    apart = np.inf if here.nose is None or here.tail is None else float(np.hypot(*(here.nose - here.tail)))
    if apart < SHORTEST:
        given, least = (f"{pixels * view.step:.3g}" for pixels in (apart, SHORTEST))
        raise ValueError(f"anchors: found nose and tail's root {given} pixels apart, allowed {least} or more")
    coarse = view.halved()
    usual = usual_form(here)
    nose, tail = (None if end is None else coarse.to_view(view.to_image(end)) for end in (here.nose, here.tail))
    seed = None
    if usual is not None and nose is not None and tail is not None:
        there = replace(usual, nose=nose, tail=tail)
        seed = _inside(there, _places(there, coarse.colour.shape[:2]))
    mask, _, sure = silhouette(coarse, seed)
    if mask.sum() < SPECK * mask.size:  # nothing there: a fish in the middle is as good a guess as any
        rows, columns = (np.linspace(-1, 1, count) for count in mask.shape)
        mask = (rows[:, None] / 0.4) ** 2 + (columns / 0.7) ** 2 < 1
    large = ndimage.zoom(mask, 2, order=0)
    large = np.pad(large, [(0, whole - half) for whole, half in zip(view.colour.shape, large.shape, strict=False)])
    if sure and view.alpha is None:
        large = unshaded(large, view)
        mask = large[: 2 * mask.shape[0] : 2, : 2 * mask.shape[1] : 2]
        large = closed(large, BITE)
    rough = [lie(mask, facing, nose, tail, thinnest) for thinnest in ((0.04,) if sure else (0.04, 0.09))]
    fine = [
        replace(each, nose=view.to_view(coarse.to_image(each.nose)), tail=view.to_view(coarse.to_image(each.tail)))
        for each in rough
    ]
    told = None
    if usual is not None and view.alpha is None:  # opacity leaves nothing of the silhouette to doubt
        told = _tell(usual, here, large.shape)
    if told is not None:
        large |= told.core
    near = large if sure else ndimage.binary_dilation(large, iterations=large.shape[1] // NEIGHBOURS)
    groups = palette(view.colour, near)
    found = best_body(view, groups, fine, large, sure, here, usual, told)
    favour = _favour(groups, found, large, sure, told) if sure or told is None else None
    return found, _frontier(found, large.shape, favour), sure
