"""A first guess of a fish's place in a photograph, for the snake grid.

A network says how likely each pixel is body; back and belly are the two curves that best separate what it takes for
body from everything else. The part of the picture that holds the fish is looked at once more, as closely as the picture
allows.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import ndimage
from scipy.special import expit

from .colours import likeness
from .curves import MOST_BODY_ODDS, back_and_belly
from .lines import LINE_STATIONS, chances, station_grid
from .outline import Outline, enclosing, frontier, known_points, main_part, pixel_places, straight, usual_form
from .segmentation import KnownPlaces, Segments, segments, sightings
from .silhouette import tail_fin
from .view import ReducedPhotograph, look, look_closer

SHORTEST_BODY_PIXELS = 8.0
"""Least length from nose to tail's root that anchors may tell, in pixels of the picture looked at."""
LESS_DOUBTFUL_SHARE, LOST_DOUBT = 0.6, 0.9
"""Largest ratio of doubt at which a body that was not seen first is believed, and the doubt of a body that a closer
look does not show."""
MOST_SEEN_ODDS = 5.0
"""The most that the network has to say of a pixel, as the logarithm of its odds."""
BESIDE_HEIGHTS, BESIDE_PIXELS = 0.5, 4.0
"""Reach of the surroundings of a body, over its height, and the least reach, in pixels."""
FORM_WEIGHT, SELDOM_CHANCE = 1.8, 1e-3
"""Weight of the forms that go through known points; and the chance of body where none of them has it."""
REFUTED_MISS, REFUTED_FORM_WEIGHT = 0.2, 2.0
"""Miss of a known point, as a logarithm of its height, at which a sighting is refuted; and the extra weight of the
forms then, over `FORM_WEIGHT`."""
CLOSER_LOOK_LENGTHS = 0.25
"""Reach of the second look around a body, in lengths."""
ROOT_MISS_LENGTHS = 0.12
"""Largest distance of a believable tail from the root of a cut-out's tail fin, in lengths."""
UNSEEN_END_WIDTHS = 0.35
"""Distance of a fish's ends from the middle if nothing is seen, over the picture's width."""


def first_guess(image: np.ndarray, known: KnownPlaces, facing: str) -> tuple[Outline, ReducedPhotograph]:
    """The body in a photograph, in the photograph's pixels, and the view of it.

    The part of the picture that holds the fish is looked at once more, as closely as the picture allows. If there are
    two places where it may be, that is where it is which is the less doubtful then, by far if it was not seen first.

    A cut-out faces away from its tail fin, and where its tail is seen elsewhere the fin's root is taken for it.
    """
    view = look(image)
    fin = None
    if view.alpha is not None and facing == "auto" and known.nose is None and known.tail is None:
        fin = tail_fin(view.alpha)
    if fin is None:
        return _best(image, view, known, facing)
    outline, near = _best(image, view, known, fin.facing)
    root = view.to_image(fin.root)
    if np.hypot(*(outline.tail - root)) <= ROOT_MISS_LENGTHS * outline.length:
        return outline, near
    return _best(image, view, replace(known, tail=root), fin.facing)


def _best(
    image: np.ndarray, view: ReducedPhotograph, known: KnownPlaces, facing: str
) -> tuple[Outline, ReducedPhotograph]:
    """The least doubtful of the bodies in a view, in the photograph's pixels, and the look at it."""
    here = _here(view, known)
    found, least = (_usual(view, here, facing), view), np.inf
    for seen in sightings(view, here, facing):
        outline, near, doubt = _closer(image, view, seen, known, facing)
        if doubt < LESS_DOUBTFUL_SHARE * least:
            found, least = (outline, near), doubt
    outline, view = found
    view = replace(view, frontier=frontier(outline, view.colour.shape[:2]))
    return replace(outline, nose=view.to_image(outline.nose), tail=view.to_image(outline.tail)), view


def _here(view: ReducedPhotograph, known: KnownPlaces) -> KnownPlaces:
    """The known points of a photograph (in its pixels), in the view's pixels."""
    ends = [None if end is None else view.to_view(np.asarray(end, float)) for end in (known.nose, known.tail)]
    here = KnownPlaces(ends[0], ends[1], view.to_view(known.back), view.to_view(known.belly))
    apart = np.inf if here.nose is None or here.tail is None else float(np.hypot(*(here.nose - here.tail)))
    if apart < SHORTEST_BODY_PIXELS:
        given, least = (f"{pixels * view.step:.3g}" for pixels in (apart, SHORTEST_BODY_PIXELS))
        raise ValueError(f"anchors: found nose and tail's root {given} pixels apart, allowed {least} or more")
    return here


def _closer(
    image: np.ndarray, view: ReducedPhotograph, seen: Segments, known: KnownPlaces, facing: str
) -> tuple[Outline, ReducedPhotograph, float]:
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


def _near(image: np.ndarray, view: ReducedPhotograph, found: Outline, known: KnownPlaces) -> ReducedPhotograph | None:
    """A closer look at the surroundings of a body that was found, or None where there is no more to be seen."""
    s = station_grid()
    lines = [view.to_image(found.points(s, line)) for line in (found.back, found.belly)]
    at = np.concatenate([*lines, known.back, known.belly])
    rim = CLOSER_LOOK_LENGTHS * found.length * view.step
    return look_closer(image, view, at.min(axis=0) - rim, at.max(axis=0) + rim)


def _outlined(view: ReducedPhotograph, seen: Segments, known: KnownPlaces) -> Outline:
    """The body where it was seen, in the view."""
    rough = enclosing(straight(seen.nose, seen.tail), main_part(seen.body > 0.0))
    return back_and_belly(view, _likely(view, seen.body, rough, known), rough, known)


def _likely(view: ReducedPhotograph, odds: np.ndarray, rough: Outline, known: KnownPlaces) -> np.ndarray:
    """The evidence of each pixel (h, w) for body, -`MOST_BODY_ODDS` to `MOST_BODY_ODDS`.

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


def _of_form(rough: Outline, known: KnownPlaces, shape: tuple[int, ...]) -> np.ndarray:
    """The log odds that bodies of the usual forms through known points reach each pixel (h, w).

    It counts for more on a side where the body as it was seen, the rough one, misses the points.
    """
    along, above = pixel_places(rough, shape)
    station = np.interp(along, station_grid(), np.arange(LINE_STATIONS))
    odds = np.zeros(shape)
    for points, seen, side in ((known.back, rough.back, 1), (known.belly, -rough.belly, -1)):
        at, height = known_points(rough, points, side)
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


def _usual(view: ReducedPhotograph, known: KnownPlaces, facing: str) -> Outline:
    """A body of the usual form for pictures in which nothing is seen: in the middle but for what is known."""
    height, width = view.colour.shape[:2]
    middle, reach = (
        0.5 * (np.array([width, height]) - 1.0),
        UNSEEN_END_WIDTHS * width * (-1.0 if facing == "right" else 1.0),
    )
    nose = middle - (reach, 0.0) if known.nose is None else known.nose
    tail = middle + (reach, 0.0) if known.tail is None else known.tail
    return usual_form(replace(known, nose=nose, tail=tail))
