"""Test pictures kept out of training: twelve real fishes, drawn from knowledge, on real grounds.

Everything is done differently from `fish_pictures` and `fish_scenes`, to test the snake grid on fishes
it does not know: outlines and fins go through points given for each kind, areas are filled as polygons at twice the
size, stones are balls in the light, corals branch, planks have grain. Lengths are those of the body, nose at (0, 0).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline, PchipInterpolator
from scipy.ndimage import gaussian_filter, map_coordinates, shift, zoom

from .fish_pictures import FishPicture, within

Points = Sequence[tuple[float, float]]
Skin = Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]
GROUNDS = ("reef", "gravel", "weeds", "planks", "leaves", "cloth")
PLAIN = ("water", "paper", "studio")
TWICE = 2


@dataclass(frozen=True)
class ForeignFish:
    """A real kind of fish.

    Attributes:
        back: Points of its back, from the nose to the tail's root at 1.
        belly: Points of its belly, likewise.
        fins: Outlines of fins, each beginning and ending inside the body.
        skin: Colours (n, 3) at stations and places from belly, -1, to back, 1.
        fin: Colour of the fins.
        clear: Their transparency.
    """

    back: Points
    belly: Points
    fins: Sequence[Points]
    skin: Skin
    fin: tuple[float, float, float]
    clear: float


def _tinted(*stops: tuple[float, tuple[float, float, float]]) -> Skin:
    """Colours from belly to back."""
    at, colours = np.array([stop for stop, _ in stops]), np.array([colour for _, colour in stops])
    return lambda dice, s, up: np.stack([np.interp(up, at, band) for band in colours.T], axis=-1)


def _laid(base: Skin, colour: tuple[float, float, float], where: Skin) -> Skin:
    """A skin with another colour blended in by a mask (n,)."""

    def skin(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        under = base(dice, s, up)
        return under + np.clip(where(dice, s, up), 0.0, 1.0)[..., None] * (np.array(colour) - under)

    return skin


def _bars(at: Sequence[float], wide: float, lean: float = 0.0, down_to: float = -1.0) -> Skin:
    def where(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        off = np.min([np.abs(s - place - lean * up) for place in at], axis=0)
        return np.clip((wide - off) * 60.0 + 0.5, 0.0, 1.0) * np.clip((up - down_to) * 6.0 + 0.5, 0.0, 1.0)

    return where


def _dots(count: float, share: float, above: float = -1.0) -> Skin:
    def where(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        middles = dice.uniform((0.1, -1.0), (1.0, 1.0), (int(count), 2))
        size = share * dice.uniform(0.5, 1.3, int(count))
        far = np.full(s.shape, 9.0)
        for (along, height), radius in zip(middles, size, strict=True):
            if height > above:
                far = np.minimum(far, np.hypot(s - along, 0.18 * (up - height)) / radius)
        return np.clip((1.0 - far) * 4.0 + 0.5, 0.0, 1.0)

    return where


def _waves(count: float, above: float) -> Skin:
    def where(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        bent = s + 0.02 * np.sin(7.0 * up + dice.uniform(0, 6)) + 0.012 * np.sin(40.0 * s)
        return np.clip(2.0 * np.sin(2 * np.pi * count * bent), 0.0, 1.0) * np.clip(4.0 * (up - above), 0.0, 1.0)

    return where


def _patches(cells: int, share: float) -> Skin:
    def where(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        coarse = zoom(dice.random((cells // 2 + 3, cells + 3)), 8, order=3)
        places = np.stack([(up + 1.1) / 2.2 * (coarse.shape[0] - 1), np.clip(s, 0, 1) * (coarse.shape[1] - 1)])
        return np.clip((map_coordinates(coarse, places, order=1, mode="nearest") - 1.0 + share) * 12.0, 0.0, 1.0)

    return where


def _stripe(middle: float, wide: float, first: float = 0.0, last: float = 1.0) -> Skin:
    def where(dice: np.random.Generator, s: np.ndarray, up: np.ndarray) -> np.ndarray:
        return np.clip((wide - np.abs(up - middle)) * 12.0 + 0.5, 0, 1) * np.clip((s - first) * 30, 0, 1) * (s < last)

    return where


FORKED = [
    (0.97, 0.04),
    (1.1, 0.1),
    (1.3, 0.21),
    (1.22, 0.06),
    (1.17, 0.0),
    (1.22, -0.06),
    (1.3, -0.2),
    (1.1, -0.1),
    (0.97, -0.04),
]
ROUND = [(0.97, 0.06), (1.1, 0.11), (1.22, 0.11), (1.28, 0.0), (1.22, -0.11), (1.1, -0.11), (0.97, -0.06)]
LUNATE = [
    (0.97, 0.02),
    (1.08, 0.09),
    (1.2, 0.25),
    (1.13, 0.08),
    (1.1, 0.0),
    (1.13, -0.08),
    (1.2, -0.25),
    (1.08, -0.09),
    (0.97, -0.02),
]
CUT = [(0.97, 0.05), (1.12, 0.11), (1.25, 0.15), (1.22, 0.0), (1.25, -0.15), (1.12, -0.11), (0.97, -0.05)]

KINDS: dict[str, ForeignFish] = {
    "trout": ForeignFish(
        [(0.03, 0.035), (0.15, 0.095), (0.4, 0.135), (0.7, 0.1), (0.92, 0.05), (1, 0.05)],
        [(0.03, -0.035), (0.15, -0.085), (0.42, -0.13), (0.7, -0.1), (0.92, -0.05), (1, -0.05)],
        [
            [(0.42, 0.1), (0.46, 0.22), (0.56, 0.2), (0.6, 0.08)],
            [(0.82, 0.05), (0.87, 0.11), (0.9, 0.1), (0.88, 0.04)],
            [(0.7, -0.06), (0.75, -0.2), (0.82, -0.17), (0.83, -0.04)],
            [(0.5, -0.1), (0.54, -0.2), (0.6, -0.18), (0.58, -0.09)],
            CUT,
        ],
        _laid(
            _laid(
                _tinted((-1, (0.9, 0.87, 0.75)), (0, (0.7, 0.66, 0.45)), (1, (0.3, 0.32, 0.2))),
                (0.1, 0.09, 0.08),
                _dots(60, 0.012, -0.2),
            ),
            (0.75, 0.2, 0.15),
            _stripe(0.05, 0.12, 0.2),
        ),
        (0.5, 0.45, 0.3),
        0.25,
    ),
    "perch": ForeignFish(
        [(0.03, 0.03), (0.14, 0.1), (0.32, 0.2), (0.6, 0.15), (0.88, 0.055), (1, 0.05)],
        [(0.03, -0.03), (0.15, -0.1), (0.4, -0.16), (0.65, -0.11), (0.88, -0.05), (1, -0.05)],
        [
            [(0.3, 0.15), (0.31, 0.24), (0.36, 0.34), (0.44, 0.33), (0.52, 0.27), (0.58, 0.17), (0.55, 0.1)],
            [(0.6, 0.12), (0.61, 0.24), (0.7, 0.23), (0.8, 0.1), (0.76, 0.06)],
            [(0.64, -0.07), (0.68, -0.2), (0.77, -0.17), (0.8, -0.05)],
            [(0.34, -0.12), (0.42, -0.25), (0.48, -0.22), (0.45, -0.13)],
            CUT,
        ],
        _laid(
            _tinted((-1, (0.93, 0.9, 0.7)), (0, (0.65, 0.66, 0.3)), (1, (0.25, 0.32, 0.15))),
            (0.12, 0.17, 0.1),
            _bars((0.28, 0.4, 0.52, 0.64, 0.76, 0.88), 0.022, 0.01, -0.4),
        ),
        (0.85, 0.35, 0.15),
        0.2,
    ),
    "clownfish": ForeignFish(
        [(0.02, 0.06), (0.12, 0.17), (0.35, 0.24), (0.65, 0.19), (0.9, 0.09), (1, 0.085)],
        [(0.02, -0.05), (0.12, -0.15), (0.38, -0.23), (0.68, -0.17), (0.9, -0.085), (1, -0.085)],
        [
            [(0.28, 0.18), (0.34, 0.31), (0.46, 0.32), (0.54, 0.26), (0.66, 0.34), (0.8, 0.28), (0.84, 0.1)],
            [(0.6, -0.13), (0.68, -0.3), (0.8, -0.26), (0.84, -0.08)],
            [(0.33, -0.19), (0.42, -0.36), (0.48, -0.31), (0.45, -0.18)],
            ROUND,
        ],
        _laid(
            _laid(
                _tinted((-1, (0.98, 0.55, 0.15)), (1, (0.9, 0.36, 0.05))),
                (0.05, 0.04, 0.04),
                _bars((0.25, 0.55, 0.93), 0.066, 0.02),
            ),
            (0.97, 0.96, 0.94),
            _bars((0.25, 0.55, 0.93), 0.05, 0.02),
        ),
        (0.92, 0.42, 0.08),
        0.05,
    ),
    "blue tang": ForeignFish(
        [(0.03, 0.05), (0.12, 0.18), (0.35, 0.28), (0.65, 0.23), (0.9, 0.06), (1, 0.05)],
        [(0.03, -0.04), (0.13, -0.16), (0.38, -0.26), (0.66, -0.21), (0.9, -0.06), (1, -0.05)],
        [
            [(0.2, 0.2), (0.3, 0.34), (0.55, 0.34), (0.8, 0.25), (0.89, 0.17), (0.86, 0.06)],
            [(0.42, -0.22), (0.5, -0.33), (0.7, -0.3), (0.88, -0.17), (0.86, -0.06)],
            CUT,
        ],
        _laid(_tinted((-1, (0.15, 0.3, 0.85)), (1, (0.1, 0.22, 0.75))), (0.02, 0.02, 0.08), _stripe(0.45, 0.25, 0.18)),
        (0.12, 0.25, 0.8),
        0.0,
    ),
    "mackerel": ForeignFish(
        [(0.04, 0.03), (0.18, 0.075), (0.4, 0.1), (0.7, 0.07), (0.93, 0.018), (1, 0.02)],
        [(0.04, -0.03), (0.18, -0.075), (0.42, -0.1), (0.7, -0.065), (0.93, -0.018), (1, -0.02)],
        [
            [(0.32, 0.08), (0.34, 0.17), (0.4, 0.14), (0.46, 0.08)],
            [(0.6, 0.06), (0.62, 0.13), (0.67, 0.09), (0.7, 0.05)],
            [(0.62, -0.06), (0.65, -0.12), (0.69, -0.09), (0.71, -0.05)],
            FORKED,
        ],
        _laid(
            _tinted(
                (-1, (0.92, 0.93, 0.93)), (0, (0.75, 0.8, 0.83)), (0.35, (0.2, 0.45, 0.5)), (1, (0.08, 0.25, 0.33))
            ),
            (0.03, 0.08, 0.13),
            _waves(16, 0.15),
        ),
        (0.55, 0.6, 0.62),
        0.4,
    ),
    "koi": ForeignFish(
        [(0.03, 0.05), (0.15, 0.11), (0.38, 0.15), (0.68, 0.12), (0.92, 0.06), (1, 0.06)],
        [(0.03, -0.05), (0.15, -0.105), (0.4, -0.15), (0.68, -0.11), (0.92, -0.055), (1, -0.06)],
        [
            [(0.36, 0.12), (0.42, 0.25), (0.55, 0.21), (0.74, 0.16), (0.76, 0.07)],
            [(0.72, -0.08), (0.77, -0.2), (0.83, -0.18), (0.84, -0.05)],
            [(0.46, -0.12), (0.53, -0.23), (0.6, -0.2), (0.55, -0.11)],
            FORKED,
        ],
        _laid(
            _laid(_tinted((-1, (0.95, 0.92, 0.88)), (1, (0.96, 0.94, 0.92))), (0.88, 0.25, 0.08), _patches(5, 0.5)),
            (0.08, 0.07, 0.08),
            _patches(7, 0.28),
        ),
        (0.95, 0.9, 0.86),
        0.3,
    ),
    "discus": ForeignFish(
        [(0.02, 0.06), (0.1, 0.22), (0.35, 0.42), (0.62, 0.38), (0.9, 0.12), (1, 0.09)],
        [(0.02, -0.05), (0.1, -0.2), (0.36, -0.4), (0.62, -0.36), (0.9, -0.12), (1, -0.09)],
        [
            [(0.3, 0.36), (0.42, 0.5), (0.65, 0.52), (0.88, 0.38), (0.93, 0.2), (0.88, 0.1)],
            [(0.36, -0.36), (0.48, -0.49), (0.66, -0.5), (0.88, -0.36), (0.93, -0.2), (0.88, -0.1)],
            [(0.3, -0.34), (0.36, -0.6), (0.42, -0.5), (0.4, -0.36)],
            ROUND,
        ],
        _laid(
            _laid(_tinted((-1, (0.2, 0.5, 0.6)), (1, (0.75, 0.4, 0.2))), (0.1, 0.6, 0.7), _waves(9, -1.2)),
            (0.1, 0.08, 0.1),
            _bars((0.13, 0.95), 0.02),
        ),
        (0.25, 0.5, 0.55),
        0.1,
    ),
    "cod": ForeignFish(
        [(0.03, 0.05), (0.15, 0.11), (0.35, 0.14), (0.65, 0.085), (0.92, 0.03), (1, 0.035)],
        [(0.03, -0.05), (0.15, -0.1), (0.33, -0.14), (0.62, -0.08), (0.92, -0.03), (1, -0.035)],
        [
            [(0.28, 0.11), (0.33, 0.24), (0.42, 0.16), (0.44, 0.1)],
            [(0.46, 0.1), (0.5, 0.2), (0.6, 0.14), (0.64, 0.07)],
            [(0.67, 0.06), (0.71, 0.15), (0.8, 0.1), (0.84, 0.03)],
            [(0.48, -0.09), (0.52, -0.19), (0.62, -0.13), (0.64, -0.06)],
            [(0.66, -0.06), (0.7, -0.15), (0.8, -0.1), (0.82, -0.03)],
            CUT,
        ],
        _laid(
            _laid(
                _tinted((-1, (0.88, 0.86, 0.8)), (0, (0.6, 0.56, 0.42)), (1, (0.36, 0.34, 0.24))),
                (0.3, 0.26, 0.16),
                _dots(80, 0.01, -0.3),
            ),
            (0.93, 0.92, 0.86),
            _stripe(0.25, 0.06),
        ),
        (0.48, 0.44, 0.32),
        0.15,
    ),
    "barracuda": ForeignFish(
        [(0.05, 0.018), (0.2, 0.05), (0.45, 0.07), (0.75, 0.055), (0.95, 0.028), (1, 0.03)],
        [(0.05, -0.022), (0.2, -0.055), (0.45, -0.068), (0.75, -0.05), (0.95, -0.028), (1, -0.03)],
        [
            [(0.42, 0.06), (0.44, 0.13), (0.5, 0.1), (0.52, 0.06)],
            [(0.74, 0.04), (0.77, 0.13), (0.82, 0.08), (0.83, 0.04)],
            [(0.74, -0.04), (0.77, -0.12), (0.82, -0.08), (0.83, -0.04)],
            FORKED,
        ],
        _laid(
            _tinted((-1, (0.93, 0.94, 0.95)), (0.2, (0.7, 0.74, 0.77)), (1, (0.3, 0.37, 0.4))),
            (0.25, 0.3, 0.33),
            _bars(tuple(np.linspace(0.25, 0.9, 14)), 0.009, 0.0, 0.1),
        ),
        (0.35, 0.4, 0.42),
        0.1,
    ),
    "butterflyfish": ForeignFish(
        [(0.08, 0.03), (0.18, 0.11), (0.45, 0.34), (0.68, 0.32), (0.92, 0.09), (1, 0.07)],
        [(0.08, -0.02), (0.18, -0.1), (0.42, -0.28), (0.68, -0.26), (0.92, -0.08), (1, -0.07)],
        [
            [(0.36, 0.24), (0.44, 0.42), (0.62, 0.45), (0.84, 0.42), (0.95, 0.28), (0.9, 0.1)],
            [(0.56, -0.24), (0.68, -0.38), (0.86, -0.36), (0.94, -0.22), (0.9, -0.09)],
            CUT,
        ],
        _laid(
            _laid(
                _tinted((-1, (0.98, 0.9, 0.5)), (1, (0.98, 0.82, 0.15))),
                (0.05, 0.05, 0.05),
                _bars((0.2,), 0.035, -0.04),
            ),
            (0.3, 0.25, 0.2),
            _waves(11, -0.4),
        ),
        (0.97, 0.8, 0.15),
        0.05,
    ),
    "catfish": ForeignFish(
        [(0.02, 0.045), (0.1, 0.08), (0.25, 0.115), (0.5, 0.1), (0.88, 0.045), (1, 0.045)],
        [(0.02, -0.045), (0.1, -0.085), (0.28, -0.13), (0.5, -0.1), (0.88, -0.045), (1, -0.045)],
        [
            [(0.3, 0.1), (0.33, 0.23), (0.39, 0.18), (0.4, 0.1)],
            [(0.76, 0.05), (0.8, 0.1), (0.86, 0.09), (0.86, 0.04)],
            [(0.56, -0.08), (0.62, -0.18), (0.8, -0.16), (0.86, -0.04)],
            [(0.24, -0.1), (0.32, -0.2), (0.37, -0.16), (0.34, -0.1)],
            FORKED,
        ],
        _laid(
            _tinted((-1, (0.85, 0.82, 0.75)), (0, (0.45, 0.43, 0.38)), (1, (0.22, 0.22, 0.2))),
            (0.12, 0.12, 0.11),
            _dots(25, 0.018),
        ),
        (0.32, 0.3, 0.27),
        0.05,
    ),
    "goldfish": ForeignFish(
        [(0.03, 0.07), (0.14, 0.17), (0.4, 0.25), (0.7, 0.19), (0.92, 0.075), (1, 0.07)],
        [(0.03, -0.06), (0.14, -0.16), (0.42, -0.26), (0.7, -0.19), (0.92, -0.07), (1, -0.07)],
        [
            [(0.34, 0.2), (0.4, 0.42), (0.5, 0.42), (0.66, 0.3), (0.74, 0.14)],
            [(0.68, -0.16), (0.78, -0.35), (0.86, -0.3), (0.84, -0.08)],
            [(0.42, -0.22), (0.52, -0.4), (0.6, -0.34), (0.56, -0.2)],
            [
                (0.96, 0.05),
                (1.12, 0.2),
                (1.4, 0.34),
                (1.55, 0.2),
                (1.36, 0.06),
                (1.5, -0.1),
                (1.52, -0.3),
                (1.3, -0.33),
                (1.1, -0.18),
                (0.96, -0.05),
            ],
        ],
        _tinted((-1, (0.99, 0.72, 0.35)), (0, (0.96, 0.5, 0.1)), (1, (0.85, 0.33, 0.04))),
        (0.97, 0.6, 0.25),
        0.35,
    ),
}


def draw_foreign(seed: int, plain: bool = False, width: int = 480) -> FishPicture:
    """A picture of one of the kinds of fish on a ground that it may well be photographed on.

    Args:
        seed: Draws everything.
        plain: Whether the ground is even.
        width: Width in pixels.
    """
    dice = np.random.default_rng((seed, 818))
    kind = KINDS[str(dice.choice(list(KINDS)))]
    s, back, belly = _lines(dice, kind)
    fins = [smooth(np.array(fin) * [1.0, dice.uniform(0.85, 1.15)] + dice.normal(0, 0.006, 2)) for fin in kind.fins]
    every = np.concatenate([*fins, np.stack([s, back], axis=1), np.stack([s, belly], axis=1)])
    tilt, way = dice.normal(0.0, 0.1), float(dice.choice([-1.0, 1.0]))
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]]) @ np.diag([way, -1.0])
    low, high = (every @ turn.T).min(axis=0), (every @ turn.T).max(axis=0)
    height = int(width * dice.choice([0.5625, 0.667, 0.75]))
    length = min(dice.uniform(0.5, 0.9) * width / (high - low)[0], 0.94 * height / (high - low)[1])
    spare = np.array([width, height]) - length * (high - low)
    corner = spare * dice.uniform(0.2, 0.8, 2) - length * low

    def place(points: np.ndarray) -> np.ndarray:
        return corner + length * points @ turn.T

    ground = ground_of(dice, str(dice.choice(PLAIN if plain else GROUNDS)), height, width)
    y, x = np.mgrid[0:height, 0:width].astype(float)
    local = (np.stack([x, y], axis=-1) - corner) @ np.linalg.inv(turn).T / length
    line = np.stack([s, back], axis=1), np.stack([s, belly], axis=1)
    body = filled(place(np.concatenate([line[0], line[1][::-1]])), height, width)
    finned = np.max([filled(place(fin), height, width) for fin in fins], axis=0)
    skin = _painted(dice, kind, s, back, belly, local)
    image = _together(dice, ground, skin, kind, body, finned, local, length)
    image = _developed(dice, image, ground, plain, length)
    ends = place(np.array([(1.0, back[-1]), (1.0, belly[-1])]))
    solid = body > 0.5
    facing = "left" if way > 0 else "right"
    fins_seen = (finned > 0.5) & ~solid
    return FishPicture(
        image, solid, facing, place(np.zeros((1, 2)))[0], ends, place(line[0]), place(line[1]), fins_seen
    )


def _lines(dice: np.random.Generator, kind: ForeignFish) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stations, back and belly (n,) of one fish of the kind, a little higher or flatter than another."""
    s = np.linspace(0.0, 1.0, 151) ** 2
    made = []
    for points in (kind.back, kind.belly):
        along, above = np.array([(0.0, 0.0), *points]).T
        varied = above * dice.uniform(0.9, 1.12) * (1.0 + dice.normal(0.0, 0.03, len(above)))
        made.append(PchipInterpolator(np.sqrt(along), varied)(np.sqrt(s)))
    return s, made[0], made[1]


def smooth(points: np.ndarray) -> np.ndarray:
    """A curve (n, 2) through points."""
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    return CubicSpline(way, points)(np.linspace(0.0, way[-1], 60))


def filled(outline: np.ndarray, height: int, width: int) -> np.ndarray:
    """Coverage of each pixel (h, w) by a polygon (n, 2)."""
    large = within((outline + 0.5) * TWICE - 0.5, TWICE * height, TWICE * width).astype(float)
    return large.reshape(height, TWICE, width, TWICE).mean(axis=(1, 3))


def _painted(
    dice: np.random.Generator, kind: ForeignFish, s: np.ndarray, back: np.ndarray, belly: np.ndarray, local: np.ndarray
) -> np.ndarray:
    """The skin of a body (h, w, 3), with eye, mouth, gill and light from above."""
    along, above = local[..., 0], local[..., 1]
    upper, lower = np.interp(along, s, back), np.interp(along, s, belly)
    up = np.clip(2.0 * (above - lower) / np.maximum(upper - lower, 1e-4) - 1.0, -1.2, 1.2)
    paint = kind.skin(dice, along, up) * dice.uniform(0.85, 1.15, 3)
    paint = paint * (0.85 + 0.25 * np.sqrt(np.clip(1.0 - (up - 0.3) ** 2 / 1.8, 0.0, 1.0)) + 0.08 * up)[..., None]
    net = np.cos(90.0 * along + 60.0 * above) * np.cos(90.0 * along - 60.0 * above)
    paint = paint * (1.0 + dice.uniform(0.0, 0.1) * net * (along > 0.22))[..., None]
    station = dice.uniform(0.085, 0.115)
    height = np.interp(station, s, back) - np.interp(station, s, belly)
    eye = np.hypot(along - station, above - np.interp(station, s, belly) - 0.62 * height)
    radius = dice.uniform(0.1, 0.15) * height
    gill = np.abs(np.hypot(along - 0.1, 0.8 * above) - 0.12) < 0.004
    paint[gill & (along > 0.14) & (np.abs(up) < 0.75)] *= 0.6
    paint[(np.abs(above + 0.25 * along) < 0.004) & (along < 0.06)] *= 0.4
    paint[eye < radius] = (0.85, 0.8, 0.55)
    paint[eye < 0.6 * radius] = 0.03
    return np.clip(paint, 0.0, 1.0)


def _together(
    dice: np.random.Generator,
    ground: np.ndarray,
    skin: np.ndarray,
    kind: ForeignFish,
    body: np.ndarray,
    finned: np.ndarray,
    local: np.ndarray,
    length: float,
) -> np.ndarray:
    """Ground, shadow, fins and body composited, (h, w, 3)."""
    if dice.random() < 0.4:
        off = np.abs(dice.normal(0.0, 0.03, 2)) * length
        thrown = gaussian_filter(shift(np.maximum(body, finned), off, order=1), 0.02 * length)
        ground = ground * (1.0 - dice.uniform(0.2, 0.5) * thrown)[..., None]
    away = local - (0.5, 0.0)
    rays = 0.88 + 0.12 * np.sin(70.0 * np.arctan2(away[..., 1], away[..., 0] + 0.15))
    fin = np.array(kind.fin) * dice.uniform(0.85, 1.15, 3) * rays[..., None]
    clear = np.clip(kind.clear + dice.normal(0.0, 0.08), 0.0, 0.6)
    image = ground + (finned * (1.0 - clear))[..., None] * (fin - ground)
    image = image + body[..., None] * (skin - image)
    paddle = np.hypot((local[..., 0] - 0.32) / 0.075, (local[..., 1] + 0.03 + 0.4 * (local[..., 0] - 0.3)) / 0.03) < 1.0
    return np.where((paddle & (body > 0.5))[..., None], 0.55 * image + 0.45 * fin, image)


def _developed(
    dice: np.random.Generator, image: np.ndarray, ground: np.ndarray, plain: bool, length: float
) -> np.ndarray:
    """The picture (h, w, 3) with a photograph's contrast, haze, blur, grain and tint."""
    if dice.random() < 0.3:
        veil = dice.uniform((0.05, 0.3, 0.4), (0.3, 0.6, 0.7))
        image = image + dice.uniform(0.1, 0.45) * (veil - image)
    if plain and dice.random() < 0.3:
        image = ground + dice.uniform(0.3, 1.0) * (image - ground)
    blur = dice.uniform(0.4, 1.0) * np.clip(length / 350, 0.5, 4.0)
    image = gaussian_filter(image * dice.uniform(0.8, 1.15, 3), (blur, blur, 0.0))
    image = image + dice.normal(0.0, dice.uniform(0.003, 0.025), image.shape)
    if dice.random() < 0.12:
        image = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2)
    return np.clip(image, 0.0, 1.0).astype(np.float32)


# Grounds


def ground_of(dice: np.random.Generator, kind: str, height: int, width: int) -> np.ndarray:
    """The background of the fish, (h, w, 3)."""
    y, x = np.mgrid[0 : height / width : height * 1j, 0 : 1 : width * 1j]
    return {
        "water": _water,
        "paper": _paper,
        "studio": _studio,
        "reef": _reef,
        "gravel": _gravel,
        "weeds": _weeds,
        "planks": _planks,
        "leaves": _leaves,
        "cloth": _cloth,
    }[kind](dice, x, y)


def _rough(dice: np.random.Generator, x: np.ndarray, cells: int, octaves: int = 4) -> np.ndarray:
    """Noise (h, w), about -1 to 1, of several octaves."""
    total = np.zeros(x.shape)
    for octave in range(octaves):
        count = cells * 2**octave
        lattice = dice.uniform(-1.0, 1.0, (int(count * x.shape[0] / x.shape[1]) + 3, count + 3))
        at = np.meshgrid(
            *(np.linspace(0.5, n - 1.5, m) for n, m in zip(lattice.shape, x.shape, strict=True)), indexing="ij"
        )
        total += map_coordinates(lattice, at, order=2) * 0.6**octave
    return total


def _water(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    top, bottom = dice.uniform((0.1, 0.5, 0.6), (0.5, 0.85, 0.95)), dice.uniform((0.0, 0.12, 0.25), (0.1, 0.4, 0.6))
    depth = np.clip(y / y.max() + 0.06 * _rough(dice, x, 2, 2), 0.0, 1.0)[..., None]
    return top + depth * (bottom - top)


def _paper(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    tone = dice.uniform(0.7, 0.97) * np.array([1.0, 0.98, 0.93])
    return (
        tone
        + 0.012 * _rough(dice, x, 60, 2)[..., None]
        - dice.uniform(0.0, 0.12) * np.hypot(x - 0.4, y - 0.2)[..., None]
    )


def _studio(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    tone, spot = dice.uniform(0.05, 0.7, 3), dice.random(2)
    return tone * (1.0 + dice.uniform(0.0, 0.6) * np.exp(-3.0 * ((x - spot[0]) ** 2 + (y - spot[1]) ** 2)))[..., None]


def _balls(
    dice: np.random.Generator,
    image: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    count: int,
    sizes: tuple,
    tints: np.ndarray,
) -> None:
    """Stones as flattened balls in light from above, over each other."""
    wide = x.shape[1]
    for _ in range(count):
        radius, flat, turn = dice.uniform(*sizes), dice.uniform(0.6, 1.0), dice.uniform(0.0, np.pi)
        cx, cy = dice.random(), dice.random() * y.max()
        rows = slice(max(int((cy - radius) * wide), 0), int((cy + radius) * wide) + 2)
        columns = slice(max(int((cx - radius) * wide), 0), int((cx + radius) * wide) + 2)
        dx, dy = x[rows, columns] - cx, y[rows, columns] - cy
        a = (dx * np.cos(turn) + dy * np.sin(turn)) / radius
        b = (dy * np.cos(turn) - dx * np.sin(turn)) / (radius * flat)
        square = a * a + b * b
        light = 0.45 + 0.65 * np.sqrt(np.clip(1.0 - square, 0.0, 1.0)) - 0.35 * dy / radius
        cover = np.clip((1.0 - square) * radius * wide * 0.5, 0.0, 1.0)[..., None]
        part = image[rows, columns]
        part += cover * (dice.choice(tints) * dice.uniform(0.75, 1.2) * light[..., None] - part)


def _gravel(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    image = np.full((*x.shape, 3), 0.12)
    tints = np.clip(dice.uniform(0.3, 0.8) * dice.uniform(0.85, 1.1, (6, 3)), 0.0, 1.0)
    size = dice.uniform(0.008, 0.03)
    _balls(dice, image, x, y, int(min(0.9 / size**2, 4000)), (0.6 * size, 1.6 * size), tints)
    return image


def _reef(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    image = _water(dice, x, y)
    tints = dice.uniform((0.2, 0.12, 0.1), (0.85, 0.6, 0.6), (7, 3))
    _balls(dice, image, x, y, dice.integers(25, 60), (0.04, 0.16), 0.6 * tints)
    image *= (1.0 + 0.25 * _rough(dice, x, 25, 3))[..., None]
    for _ in range(dice.integers(5, 14)):
        _coral(
            dice,
            image,
            x,
            y,
            dice.random(),
            y.max() * dice.uniform(0.5, 1.05),
            -0.5 * np.pi,
            dice.uniform(0.06, 0.14),
            dice.choice(tints),
            4,
        )
    return image


def _coral(
    dice: np.random.Generator,
    image: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    cx: float,
    cy: float,
    turn: float,
    length: float,
    tint: np.ndarray,
    depth: int,
) -> None:
    """Draw a branch and its branches."""
    tip = cx + length * np.cos(turn), cy + length * np.sin(turn)
    _stroke(image, x, y, np.array([(cx, cy), tip]), 0.11 * length + 0.002, tint * (0.6 + 0.1 * (4 - depth)))
    if depth:
        for off in dice.uniform((-0.9, 0.15), (-0.15, 0.9)):
            _coral(dice, image, x, y, *tip, turn + off, length * dice.uniform(0.6, 0.8), tint, depth - 1)


def _stroke(image: np.ndarray, x: np.ndarray, y: np.ndarray, line: np.ndarray, wide: float, tint: np.ndarray) -> None:
    """Draw a line (n, 2) of some width, shaded as round."""
    size = x.shape[1]
    low, high = ((line.min(axis=0) - wide) * size).astype(int), ((line.max(axis=0) + wide) * size).astype(int) + 2
    rows, columns = slice(max(low[1], 0), max(high[1], 0)), slice(max(low[0], 0), max(high[0], 0))
    px, py = x[rows, columns], y[rows, columns]
    if not px.size:
        return
    far = np.full(px.shape, 9.0)
    for (ax, ay), (bx, by) in zip(line[:-1], line[1:], strict=True):
        vx, vy = bx - ax, by - ay
        t = np.clip(((px - ax) * vx + (py - ay) * vy) / (vx * vx + vy * vy + 1e-12), 0.0, 1.0)
        far = np.minimum(far, np.hypot(px - ax - t * vx, py - ay - t * vy))
    cover = np.clip((wide - far) * size + 0.5, 0.0, 1.0)[..., None]
    light = 0.6 + 0.5 * np.sqrt(np.clip(1.0 - (far / wide) ** 2, 0.0, 1.0))
    part = image[rows, columns]
    part += cover * (tint * light[..., None] - part)


def _weeds(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    image = _water(dice, x, y) * np.array([0.7, 0.9, 0.7])
    greens = dice.uniform((0.05, 0.25, 0.03), (0.45, 0.65, 0.25), (5, 3))
    for depth in np.linspace(0.4, 1.0, dice.integers(25, 70)):
        foot, sway, reach = dice.random(), dice.normal(0.0, 0.08), dice.uniform(0.3, 1.0) * y.max()
        t = np.linspace(0.0, 1.0, 9)
        bend = np.stack(
            [foot + sway * t**1.5 + 0.012 * np.sin(9.0 * t + dice.uniform(0, 6)), y.max() - reach * t], axis=1
        )
        _stroke(image, x, y, bend, dice.uniform(0.003, 0.012), dice.choice(greens) * depth)
    return image


def _planks(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    tone = dice.uniform((0.3, 0.2, 0.1), (0.75, 0.58, 0.42))
    across, along = (x, y) if dice.random() < 0.3 else (y, x)
    wide = dice.uniform(0.08, 0.2)
    number = np.floor(across / wide).astype(int)
    own = dice.uniform(0.75, 1.15, 40)[np.clip(number, 0, 39)]
    grain = np.sin(2 * np.pi * (across * 60.0 + 1.4 * _rough(dice, x, 3, 2) + 3.0 * own * np.sin(2.0 * along)))
    gap = np.clip(np.abs(across / wide - number - 0.5) * 2.0 - 0.965, 0.0, 0.035) / 0.035
    shade = own * (1.0 + 0.12 * grain + 0.08 * _rough(dice, x, 40, 2)) * (1.0 - 0.8 * gap)
    return tone * shade[..., None]


def _leaves(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    image = np.full((*x.shape, 3), 0.1) * (1.0 + 0.5 * _rough(dice, x, 30, 2))[..., None]
    tints = dice.uniform((0.3, 0.18, 0.05), (0.8, 0.5, 0.25), (6, 3))
    for _ in range(dice.integers(120, 260)):
        size, turn = dice.uniform(0.025, 0.08), dice.uniform(0.0, 2 * np.pi)
        t = np.linspace(0.0, 2 * np.pi, 30)
        leaf = np.stack([np.cos(t), 0.38 * np.sin(t) * np.abs(np.sin(t)) ** 0.4 * (1.0 + 0.12 * np.cos(9 * t))], axis=1)
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        outline = (leaf @ spin.T * size + dice.random(2) * [1.0, y.max()]) * x.shape[1]
        low = np.maximum(outline.min(axis=0).astype(int) - 1, 0)
        high = np.minimum(outline.max(axis=0).astype(int) + 2, x.shape[::-1])
        if (high <= low).any():
            continue
        cover = filled(outline - low, *(high - low)[::-1])[..., None]
        part = image[low[1] : high[1], low[0] : high[0]]
        part += cover * (dice.choice(tints) * dice.uniform(0.6, 1.15) - part)
    return image


def _cloth(dice: np.random.Generator, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    one, other = dice.random((2, 3))
    turn, count = dice.uniform(0.0, np.pi), dice.uniform(6.0, 18.0)
    fold = 0.03 * _rough(dice, x, 2, 2)
    u, v = x * np.cos(turn) + y * np.sin(turn) + fold, y * np.cos(turn) - x * np.sin(turn) + fold
    checks = 0.5 * (np.sin(2 * np.pi * count * u) > 0) + 0.5 * (np.sin(2 * np.pi * count * v) > 0) * (
        dice.random() < 0.7
    )
    thread = 1.0 + 0.06 * np.sin(2 * np.pi * 110 * u) * np.sin(2 * np.pi * 110 * v) + 4.0 * fold
    return np.clip((one + checks[..., None] * (other - one)) * thread[..., None], 0.0, 1.0)
