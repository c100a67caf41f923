"""The outline of a body in a photograph: nose, tail's root, back and belly.

Lengths along the fish run from the nose at 0 to the root of the tail at 1; heights are in the same unit, upwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import ndimage
from scipy.interpolate import PchipInterpolator

from ..scene.species import Form
from .lines import station_grid
from .segmentation import KnownPlaces

FRONTIER_HEIGHTS = 0.04
"""Reach of the outline's edges from its first estimate, as a share of the body's height."""


@dataclass(frozen=True)
class Outline:
    """A body in the photograph.

    Attributes:
        nose: Tip (2,) in pixels, x to the right and y down.
        tail: Middle (2,) of the tail's root.
        up: 1 if the back is to the left of the way from nose to tail as seen in the picture; -1 on the other side.
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
        """The distance along and the distance above the fish's line of pixel positions (..., 2)."""
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
        """Length from the nose to the tail's root, in pixels."""
        return float(np.hypot(*(self.tail - self.nose)))


def usual_form(known: KnownPlaces) -> Outline:
    """A body of the usual form between a nose and a tail, as high and deep as it is known to be."""
    assert known.nose is not None and known.tail is not None
    s, form = station_grid(), Form()
    flat = straight(known.nose, known.tail)
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


def straight(nose: np.ndarray, tail: np.ndarray) -> Outline:
    """The line between nose and tail's root, with the back above it in the picture."""
    s = station_grid()
    return Outline(nose, tail, 1 if tail[0] >= nose[0] else -1, s, 0 * s, 0 * s)


def enclosing(outline: Outline, mask: np.ndarray) -> Outline:
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


def main_part(mask: np.ndarray) -> np.ndarray:
    """The largest connected part (h, w) bool, without holes."""
    parts, count = ndimage.label(mask)
    if count == 0:
        return mask
    areas = np.bincount(parts.ravel())
    return ndimage.binary_fill_holes(parts == 1 + np.argmax(areas[1:]))


def known_points(outline: Outline, points: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray]:
    """Stations (n,) and heights (n,) of those points (m, 2) that tell about the back, side 1, or the belly, side -1."""
    along, above = outline.places(points)
    use = (along > 0.02) & (along <= 1.05) & (side * above > 0.005)
    return along[use], side * above[use]


def frontier(outline: Outline, shape: tuple[int, ...]) -> np.ndarray:
    """The share of an edge at each pixel in the body's outline (h, w), 0 to 1, which falls with distance from it."""
    inside = _inside(outline, shape)
    away = np.where(inside, ndimage.distance_transform_edt(inside), ndimage.distance_transform_edt(~inside))
    reach = max(FRONTIER_HEIGHTS * float((outline.back - outline.belly).max()) * outline.length, 1.5)
    return np.exp(-0.5 * (away / reach) ** 2)


def pixel_places(outline: Outline, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The distance of each pixel along the fish and above its line, (h, w) each."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    return outline.places(np.stack([columns, rows], axis=-1).astype(float))


def _inside(outline: Outline, shape: tuple[int, ...]) -> np.ndarray:
    """Mask of the body, (h, w) bool."""
    along, above = pixel_places(outline, shape)
    back, belly = outline.heights(along)
    return (along > 0.0) & (along < 1.0) & (above < back) & (above > belly)
