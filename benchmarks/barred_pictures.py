"""Small pictures of fishes with two to five bold bars, dark on pale or pale on dark, kept out of training.

Bodies and grounds are those of `foreign_pictures`; the clownfish is that of the presets. Skins and fins are flat, as in
a simple drawing, most fins have the colour of the skin, and the colour that is nearer the ground's may be near it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter

from ..core.scene.species import Species
from .fish_pictures import FishPicture
from .foreign_pictures import GROUNDS, KINDS, PLAIN, filled, ground_of, smooth

FORMS = ("clownfish", "discus", "perch", "butterflyfish", "goldfish", "koi", "blue tang", "cod", "trout")
"""Fishes whose bodies and fins are used."""
LENGTHS = (80.0, 200.0)
"""Lengths from nose to tail's root, in pixels."""
NEAREST = 0.7
"""Largest share by which the nearer colour is blended into the ground's."""
DARK, PALE_BLUE, BLUE = (0.07, 0.08, 0.12), (0.62, 0.8, 0.95), (0.2, 0.45, 0.75)
CLOWNFISH_LENGTH, CLOWNFISH_WIDTH = 110.0, 200
"""Length of a clownfish with its tail fin, and width of its picture, in pixels."""


@dataclass(frozen=True)
class BarredShape:
    """Outlines of a fish, in lengths from the nose at (0, 0) to the tail's root at 1.

    Attributes:
        back: Points (n, 2) of its back.
        belly: Points (n, 2) of its belly.
        fins: Outlines of fins, (n, 2) each.
    """

    back: np.ndarray
    belly: np.ndarray
    fins: list[np.ndarray]


@dataclass(frozen=True)
class Bars:
    """The bars of a fish and its colours.

    Attributes:
        skin: Colour (3,) of the fish.
        bar: Colour of its bars.
        fin: Colour of its fins.
        places: Stations of the bars' middles.
        half: Half a bar's width, in lengths.
        lean: Lean of a bar, over its height.
    """

    skin: np.ndarray
    bar: np.ndarray
    fin: np.ndarray
    places: np.ndarray
    half: float
    lean: float = 0.0


def draw_barred(seed: int, plain: bool = False) -> FishPicture:
    """A small picture of a barred fish.

    Args:
        seed: Draws everything but the form, which goes round.
        plain: Whether the ground is even.
    """
    dice = np.random.default_rng((seed, 5151))
    form, length, count = FORMS[seed % len(FORMS)], dice.uniform(*LENGTHS), int(dice.integers(2, 6))
    ground = str(dice.choice(PLAIN if plain else GROUNDS))
    dark = dice.uniform(0.02, 0.3) * dice.uniform(0.5, 1.2, 3)
    pale = dice.uniform(0.6, 0.97) * dice.uniform(0.75, 1.03, 3)
    near, inverse, own = dice.uniform(0.0, NEAREST), dice.random() < 0.5, dice.random() < 0.7

    def barred(mean: np.ndarray) -> Bars:
        pair = [dark, pale]
        nearer = int(np.abs(dark - mean).mean() > np.abs(pale - mean).mean())
        pair[nearer] = pair[nearer] + near * (mean - pair[nearer])
        skin, bar = pair[::-1] if inverse else pair
        places = (np.arange(count) + dice.uniform(0.3, 0.7)) / count + dice.normal(0.0, 0.02, count)
        half = dice.uniform(0.15, 0.3) / count
        return Bars(skin, bar, skin if own else bar, places, half, dice.normal(0.0, 0.1))

    kind = KINDS[form]
    back, belly = (np.array([(0.0, 0.0), *line]) for line in (kind.back, kind.belly))
    shape = BarredShape(back, belly, [smooth(np.array(fin)) for fin in kind.fins])
    return _drawn(dice, shape, length, dice.uniform(0.4, 0.85), ground, barred)


def draw_clownfish(seed: int, plain: bool = False) -> FishPicture:
    """A dark clownfish with three pale-blue bars, 110 pixels long.

    Args:
        seed: Draws its place, its turn and its background.
        plain: Whether the background is plain blue.
    """
    dice = np.random.default_rng((seed, 6161))
    ground = "blue" if plain else str(dice.choice(GROUNDS))
    form = Species.load("clownfish").form
    end = form.back[-1][0]
    back, belly = (np.array(line) / end - [0.0, form.back[0][1] / end] for line in (form.back, form.belly))
    fins = [np.concatenate([back[-1:], np.array(form.caudal) / end - [0.0, back[0, 1]], belly[-1:]])]
    for rays, line, side in ((form.dorsal, back, 1.0), (form.ventral, belly, -1.0)):
        along, out, lean = np.array(rays).T / end
        foot = np.interp(along, *line.T)
        rim, inner = (along + lean, foot + side * out), (along[::-1], 0.9 * foot[::-1])
        fins.append(np.concatenate([rim, inner], axis=1).T)
    shape = BarredShape(back, belly, fins)
    dark, pale = np.array(DARK), np.array(PALE_BLUE)
    bars = Bars(dark, pale, dark, np.array([0.33, 0.71, 0.98]), 0.06)
    return _drawn(dice, shape, CLOWNFISH_LENGTH * end, CLOWNFISH_LENGTH / CLOWNFISH_WIDTH, ground, lambda mean: bars)


def _drawn(
    dice: np.random.Generator,
    shape: BarredShape,
    length: float,
    share: float,
    ground: str,
    barred: Callable[[np.ndarray], Bars],
) -> FishPicture:
    """A fish so many pixels long that takes up this share of the picture's width."""
    s = np.linspace(0.0, 1.0, 151) ** 2
    back, belly = (PchipInterpolator(np.sqrt(line[:, 0]), line[:, 1])(np.sqrt(s)) for line in (shape.back, shape.belly))
    rim = np.concatenate([np.stack([s, back], axis=1), np.stack([s, belly], axis=1)[::-1]])
    tilt, way = dice.normal(0.0, 0.08), float(dice.choice([-1.0, 1.0]))
    turn = np.array([[np.cos(tilt), -np.sin(tilt)], [np.sin(tilt), np.cos(tilt)]]) @ np.diag([way, -1.0])
    every = length * np.concatenate([*shape.fins, rim]) @ turn.T
    low, high = every.min(axis=0), every.max(axis=0)
    width = int((high - low)[0] / share)
    height = int(max(0.667 * width, (high - low)[1] / 0.92))
    corner = ([width, height] - (high - low)) * dice.uniform(0.15, 0.85, 2) - low

    def place(points: np.ndarray) -> np.ndarray:
        return corner + length * points @ turn.T

    picture = np.broadcast_to(BLUE, (height, width, 3)) if ground == "blue" else ground_of(dice, ground, height, width)
    bars = barred(np.clip(picture.mean(axis=(0, 1)), 0.0, 1.0))
    y, x = np.mgrid[0:height, 0:width].astype(float)
    along, above = np.moveaxis((np.stack([x, y], axis=-1) - corner) @ np.linalg.inv(turn).T / length, 2, 0)
    off = np.abs((along - bars.lean * above)[..., None] - bars.places).min(axis=2)
    marked = np.clip((bars.half - off) * length + 0.5, 0.0, 1.0)[..., None]
    skin = (bars.skin + marked * (bars.bar - bars.skin)) * (1.0 + 0.3 * above[..., None])
    eye = np.hypot(along - 0.1, above - 0.25 * np.interp(0.1, s, back))
    skin = np.where((eye < 0.03)[..., None], (0.85, 0.8, 0.55), skin)
    skin = np.where((eye < 0.018)[..., None], 0.03, skin)
    body, finned = (
        filled(place(rim), height, width),
        np.max([filled(place(fin), height, width) for fin in shape.fins], axis=0),
    )
    picture = picture + finned[..., None] * (bars.fin - picture)
    picture = picture + body[..., None] * (skin - picture)
    blur = dice.uniform(0.3, 0.7)
    picture = gaussian_filter(picture, (blur, blur, 0.0)) + dice.normal(0.0, 0.01, picture.shape)
    nose, upper, lower = place(np.array([(0.0, 0.0), (1.0, back[-1]), (1.0, belly[-1])]))
    upper_line, lower_line = (place(np.stack([s, line], axis=1)) for line in (back, belly))
    image = np.clip(picture, 0.0, 1.0).astype(np.float32)
    solid = body > 0.5
    facing = "left" if way > 0 else "right"
    return FishPicture(
        image, solid, facing, nose, np.stack([upper, lower]), upper_line, lower_line, (finned > 0.5) & ~solid
    )
