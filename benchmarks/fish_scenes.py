"""Training pictures: fishes of all forms and skins in scenery of all sorts, as varied as possible.

The unlikely is intended, so that nothing surprises the model later. Lengths are those of the fish, its nose
at 0 and the root of its tail at 1, heights upwards.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import binary_dilation, gaussian_filter

from .fish_pictures import FishPicture
from .textures import noise, painted, palette, strew, texture

ASPECTS = (0.5, 0.625, 0.667, 0.75, 1.0)
TRIES = 6
"""Most attempts to draw a fish that can be seen."""
Placing = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True)
class Fin:
    """A fin on back or belly.

    Attributes:
        side: 1 on the back, -1 on the belly.
        begin: Beginning of its base.
        end: End of its base.
        height: Its greatest height.
        lean: Backward lean of its rays, over their height.
        seed: Seed of its form.
    """

    side: int
    begin: float
    end: float
    height: float
    lean: float
    seed: int


@dataclass(frozen=True)
class DrawnFish:
    """Form of a fish, without its skin.

    Attributes:
        stations: Stations (n,) from 0 to 1.
        back: Heights (n,) of the back.
        belly: Heights (n,) of the belly.
        fins: Fins on back and belly.
        reach: Length of the tail fin.
        half: Half its height.
        fork: Depth of its fork; negative if it is round.
        curve: Curvature of its rear and its edges.
        skew: Height of its upper lobe over that of the lower.
        bend: Bend of the fish, up or down.
    """

    stations: np.ndarray
    back: np.ndarray
    belly: np.ndarray
    fins: tuple[Fin, ...]
    reach: float
    half: float
    fork: float
    curve: float
    skew: float
    bend: float

    def heights(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Back and belly at stations."""
        root, places = np.sqrt(np.clip(s, 0.0, 1.0)), np.sqrt(self.stations)
        return np.interp(root, places, self.back), np.interp(root, places, self.belly)

    def extent(self) -> tuple[float, float]:
        """Its extent above and below the axis, with its fins."""
        highest, deepest = (
            max(line.max() + 0.8 * max((fin.height for fin in self.fins if fin.side == side), default=0.0), self.half)
            for side, line in ((1, self.back), (-1, -self.belly))
        )
        return float(highest), float(deepest)


def draw_scene(seed: int, plain: bool = False, width: int = 256, barred: bool = False) -> FishPicture:
    """A picture of a fish in scenery, or on an even ground.

    Args:
        seed: Draws everything.
        plain: Whether the ground is even.
        width: Width in pixels.
        barred: Whether it has two to five bold bars, dark on pale or pale on dark.
    """
    for attempt in range(TRIES):
        picture, seen = _scene(np.random.default_rng((seed, attempt, 4242)), plain, width, barred)
        if seen:
            break
    return picture


def _scene(dice: np.random.Generator, plain: bool, width: int, barred: bool) -> tuple[FishPicture, bool]:
    """A picture, and whether the fish stands out from its surroundings."""
    fish = draw_fish(dice, dice.random() > 0.06)
    tilt, way = dice.normal(0.0, 0.14), dice.choice([-1.0, 1.0])
    high, deep = fish.extent()
    tall, long = high + deep, 1.0 + fish.reach
    size = np.array([[np.cos(tilt), abs(np.sin(tilt))], [abs(np.sin(tilt)), np.cos(tilt)]]) @ [long, tall]
    height = int(width * np.clip(dice.choice(ASPECTS) * dice.uniform(0.95, 1.05), 0.42, 1.0))
    frame = np.array([width, height])
    length = min(dice.uniform(0.45, 0.95) * width / size[0], 0.95 * height / size[1])
    centre = 0.5 * frame + dice.uniform(-0.5, 0.5, 2) * np.maximum(frame - length * size, 0.0)
    ground, colours = scenery(dice, height, width, plain)
    if not plain:
        _others(dice, ground, fish, length, colours)
    to_fish, to_image = _placed(fish, length, tilt, way, centre)
    picture, body, fins = _put(dice, np.clip(ground, 0.0, 1.0), fish, to_fish, 1.0 / length, colours, barred)
    ring = binary_dilation(body, iterations=3) & ~body & ~fins
    seen = False
    if body.sum() > 50 and ring.any():
        apart = np.abs(picture[body].mean(axis=0) - picture[ring].mean(axis=0)).max()
        seen = barred or apart > (0.05 if plain else max(0.09, 0.35 * picture[ring].std(axis=0).max()))
    s = np.linspace(0.0, 1.0, 201) ** 1.5
    back, belly = (to_image(s, line) for line in fish.heights(s))
    image = _film(dice, picture, ground, plain, colours)
    facing = "left" if way > 0 else "right"
    return FishPicture(image, body, facing, back[0], np.stack([back[-1], belly[-1]]), back, belly, fins), bool(seen)


def _film(
    dice: np.random.Generator, picture: np.ndarray, ground: np.ndarray, plain: bool, colours: np.ndarray
) -> np.ndarray:
    """The photographed picture (h, w, 3): pale, tinted, blurred and grainy."""
    contrast = dice.uniform(0.25, 1.0) if dice.random() < 0.3 else 1.0
    picture = (ground if plain else 0.45) + contrast * (picture - (ground if plain else 0.45))
    if not plain and dice.random() < 0.05:  # a few weeds in front
        strew(dice, picture, colours, 3, 0.04)
    if dice.random() < 0.3:
        picture = picture * dice.uniform(0.6, 1.2, 3)
    blur = dice.uniform(0.25, 0.9) * picture.shape[1] / 256
    picture = gaussian_filter(picture, (blur, blur, 0))
    picture = picture + dice.normal(0.0, 1.0, picture.shape) * dice.uniform(0.0, 0.04) * dice.random()
    if dice.random() < 0.1:
        picture = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2)
    return np.clip(picture, 0.0, 1.0).astype(np.float32)


def scenery(dice: np.random.Generator, height: int, width: int, plain: bool) -> tuple[np.ndarray, np.ndarray]:
    """The background of the fish (h, w, 3), and the colours (n, 3) in it."""
    if plain:
        grey = dice.uniform(0.05, 1.0) * dice.uniform(0.85, 1.1, 3)
        base = dice.random(3) if dice.random() < 0.5 else grey
        y, x = (at[..., None] for at in np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j])
        picture = np.broadcast_to(base, (height, width, 3)).copy()
        if dice.random() < 0.6:
            picture += x * dice.normal(0.0, 0.07, 3) + y * dice.normal(0.0, 0.12, 3)
        if dice.random() < 0.3:
            picture *= 1.0 - dice.uniform(0.0, 0.2) * (x * x + y * y)
        if dice.random() < 0.3:
            grain = noise(dice, height, width, dice.uniform(0.3, 2.0))
            picture += (grain[..., None] - 0.5) * dice.uniform(0.01, 0.12)
        return picture, np.clip(base + dice.normal(0.0, 0.2, (4, 3)), 0.0, 1.0)
    base = dice.random(3)
    tints = [np.clip(base + dice.normal(0.0, dice.uniform(0.0, 0.3), 3), 0.0, 1.0) for _ in range(3)]
    palettes = [palette(dice, tint) for tint in tints]
    picture = painted(texture(dice, height, width), palettes[0])
    for colours in palettes[1 : dice.integers(1, 4)]:
        patches = noise(dice, height, width, dice.uniform(1.3, 2.2)) - dice.uniform(0.3, 0.7)
        share = np.clip(patches * dice.uniform(3.0, 20.0) + 0.5, 0.0, 1.0)[..., None]
        picture += share * (painted(texture(dice, height, width), colours) - picture)
    every = np.concatenate(palettes)
    if dice.random() < 0.65:
        tints = np.clip(every + dice.normal(0.0, 0.08, every.shape), 0.0, 1.0)
        strew(dice, picture, tints, int(np.exp(dice.uniform(np.log(8), np.log(160)))), dice.uniform(0.05, 0.3))
    if dice.random() < 0.3:
        picture *= 0.6 + 0.8 * noise(dice, height, width, 2.0)[..., None]
    if dice.random() < 0.35:
        blur = dice.uniform(0.3, 3.0) * width / 256
        picture = gaussian_filter(picture, (blur, blur, 0))
    return picture, every


def _others(
    dice: np.random.Generator, picture: np.ndarray, fish: DrawnFish, length: float, colours: np.ndarray
) -> None:
    """Add smaller fishes further away, blurred and hazy."""
    height, width = picture.shape[:2]
    for _ in range(dice.choice([0, 0, 0, 1, 2, 4])):
        other = draw_fish(dice) if dice.random() < 0.6 else fish
        small, way = length * dice.uniform(0.12, 0.45), dice.choice([-1.0, 1.0])
        to_fish, _ = _placed(other, small, dice.normal(0.0, 0.3), way, dice.random(2) * [width, height])
        picture[:] = _put(dice, picture, other, to_fish, 1.0 / small, colours)[0]
    if dice.random() < 0.4:
        blur = dice.uniform(0.3, 2.2) * width / 256
        picture[:] = gaussian_filter(picture, (blur, blur, 0))
    if dice.random() < 0.25:
        picture += dice.uniform(0.1, 0.6) * (dice.random(3) - picture)


# Form


def draw_fish(dice: np.random.Generator, fins: bool = True) -> DrawnFish:
    """A fish of any form, with or without fins."""
    s, back, belly = _outlines(dice)
    deep = float((back - belly).max())
    root = float(0.5 * (back[-1] - belly[-1]))
    size = np.exp(dice.normal(-0.9, 0.5))
    reach = dice.uniform(0.08, 0.36) * (0.6 + size)
    half = max(dice.uniform(0.08, 0.42) * deep**0.5, 1.3 * root)
    fork, curve, skew = dice.uniform(-0.25, 0.75), dice.uniform(0.5, 2.5), dice.normal(0.0, 0.12)
    some = tuple(_fins(dice, size * deep**0.7)) if fins else ()
    if not fins and dice.random() > 0.2:
        reach, half, fork = 0.02, root, 0.0
    return DrawnFish(s, back, belly, some, reach, half, fork, curve, skew, dice.normal(0.0, 0.025))


def _outlines(dice: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Stations, back and belly (n,) each."""
    s = np.linspace(0.0, 1.0, 161) ** 2
    deep, share = np.exp(dice.uniform(np.log(0.14), np.log(0.78))), np.clip(dice.normal(0.5, 0.08), 0.3, 0.7)
    thick = dice.uniform(0.15, 0.5) * deep**0.5 * 0.28 + 0.01
    blunt, peak = np.exp(dice.normal(-0.4, 0.4)), dice.uniform(0.2, 0.52)
    lines = []
    for top in (deep * share, deep * (1.0 - share)):
        here = np.clip(peak + dice.normal(0.0, 0.06), 0.15, 0.6)
        front = np.sin(0.5 * np.pi * np.minimum(s / here, 1.0)) ** (blunt * np.exp(dice.normal(0.0, 0.25)))
        fall = np.clip((s - here) / (1.0 - here) / dice.uniform(0.75, 1.0), 0.0, 1.0)
        root = min(0.5 * thick / top, 0.9)
        line = top * front * (root + (1.0 - root) * (0.5 + 0.5 * np.cos(np.pi * fall)) ** dice.uniform(0.5, 1.3))
        waves = dice.normal(0.0, 0.035, 7) * [0, 1, 1, 1, 1, 1, 0]
        line *= 1.0 + PchipInterpolator(np.linspace(0.0, 1.0, 7), waves)(np.sqrt(s))
        if dice.random() < 0.2:  # a hump behind the head, or a dent
            line *= 1.0 + dice.uniform(-0.15, 0.25) * np.exp(-0.5 * ((s - dice.uniform(0.12, 0.3)) / 0.07) ** 2)
        if dice.random() < 0.15:  # a beak
            beak = np.clip(s / dice.uniform(0.06, 0.2), 0.0, 1.0) ** dice.uniform(0.8, 2.0)
            line = np.minimum(line, top * (0.05 + 0.95 * beak))
        lines.append(line)
    middle = dice.normal(0.0, 0.06) * deep * np.sin(np.pi * s) + dice.normal(0.0, 0.015) * np.sin(2 * np.pi * s)
    return s, lines[0] + middle, middle - lines[1]


def _fins(dice: np.random.Generator, size: float) -> list[Fin]:
    """Fins on back and belly, about as high as `size`."""
    fins: list[Fin] = []

    def grow(side: int, begin: float, end: float, height: float, lean: float) -> None:
        fins.append(Fin(side, begin, min(end, 0.97), size * height * np.exp(dice.normal(0, 0.4)), lean, fins_seed()))

    def fins_seed() -> int:
        return int(dice.integers(1 << 30))

    kind = dice.random()
    if kind < 0.5:
        grow(1, dice.uniform(0.2, 0.5), dice.uniform(0.62, 0.97), 0.5, dice.uniform(0.0, 0.9))
    elif kind < 0.75:
        between = dice.uniform(0.48, 0.62)
        grow(1, dice.uniform(0.22, 0.4), between - 0.01, 0.5, dice.uniform(0.0, 0.8))
        grow(1, between + 0.02, dice.uniform(0.75, 0.95), 0.45, dice.uniform(0.1, 0.8))
    elif kind < 0.9:
        begin = dice.uniform(0.35, 0.6)
        grow(1, begin, begin + dice.uniform(0.08, 0.22), 0.6, dice.uniform(0.2, 1.1))
    if dice.random() < 0.15:  # an adipose fin
        grow(1, 0.86, 0.92, 0.15, 1.0)
    if dice.random() < 0.85:
        begin = dice.uniform(0.45, 0.75)
        grow(-1, begin, begin + dice.uniform(0.1, 0.4), 0.45, dice.uniform(0.0, 0.9))
    for first, last, chance in ((0.26, 0.5, 0.75), (0.22, 0.3, 0.3)):  # pelvic and pectoral fins
        if dice.random() < chance:
            begin = dice.uniform(first, last)
            grow(-1, begin, begin + dice.uniform(0.03, 0.08), 0.5, dice.uniform(0.4, 1.8))
    return fins


def _profile(dice: np.random.Generator, t: np.ndarray) -> np.ndarray:
    """Height of a fin, 0 to about 1, at t from 0 to 1 along its base."""
    kind = dice.integers(4)
    if kind == 0:
        rise = np.minimum(t / dice.uniform(0.08, 0.4), 1.0) ** dice.uniform(0.5, 1.2)
        made = rise * (1.0 - t ** dice.uniform(2.0, 9.0))
    elif kind == 1:
        made = (1.0 - t) ** dice.uniform(0.7, 2.0) * np.minimum(t / dice.uniform(0.05, 0.2), 1.0)
    elif kind == 2:
        made = np.sin(np.pi * t) ** dice.uniform(0.4, 1.2)
    else:
        rise = np.minimum(t / dice.uniform(0.5, 0.95), 1.0) ** dice.uniform(0.6, 1.6)
        made = rise * np.minimum((1.0 - t) / 0.08, 1.0)
    if dice.random() < 0.35:  # spines
        made = made * (1.0 - dice.uniform(0.1, 0.4) * np.abs(np.sin(np.pi * dice.uniform(4.0, 13.0) * t)))
    if dice.random() < 0.25:  # a notch
        made = made * (1.0 - 0.65 * np.exp(-0.5 * ((t - dice.uniform(0.4, 0.6)) / 0.06) ** 2))
    return np.maximum(made, 0.0)


def _on_fins(
    fish: DrawnFish, s: np.ndarray, h: np.ndarray, back: np.ndarray, belly: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Where fins are (h, w) bool, and the waves of their rays, -1 to 1."""
    on, rays = np.zeros(s.shape, dtype=bool), np.zeros(s.shape)
    for fin in fish.fins:
        dice = np.random.default_rng(fin.seed)
        above = h - back if fin.side > 0 else belly - h
        t = (s - fin.lean * np.maximum(above, 0.0) - fin.begin) / (fin.end - fin.begin)
        inside = (t > 0.0) & (t < 1.0) & (above > -0.01) & (s < 1.02)
        here = inside & (above < fin.height * _profile(dice, np.clip(t, 0.0, 1.0)))
        on |= here
        rays = np.where(here, np.sin(2 * np.pi * dice.uniform(8.0, 22.0) * t), rays)
    middle, root = (0.5 * (fish.back[-1] + sign * fish.belly[-1]) for sign in (1.0, -1.0))
    t, off = (s - 1.0) / fish.reach, h - middle
    half = fish.half * (1.0 + np.sign(off) * fish.skew)
    spread = root + (half - root) * np.clip(t, 0.0, 1.0) ** (0.5 + 0.3 * fish.curve)
    out = np.minimum(np.abs(off) / half, 1.0)
    rear = 1.0 - fish.fork * (1.0 - out**fish.curve) if fish.fork >= 0.0 else 1.0 + fish.fork * out**2
    here = (t >= -0.02) & (t <= rear) & (np.abs(off) <= spread)
    rays = np.where(here & (t > 0.0), np.sin(30.0 * np.arctan2(off, s - 0.9 + 0.2 * fish.reach)), rays)
    return on | here, rays


def _placed(fish: DrawnFish, length: float, tilt: float, way: float, centre: np.ndarray) -> tuple[Placing, Callable]:
    """Functions from pixels x, y to stations and heights, and back to pixel positions (..., 2)."""
    turn = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    high, deep = fish.extent()
    middle = 0.5 * np.array([1.0 + fish.reach, high - deep])

    def to_fish(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        across, down = (x - centre[0]) / length, (y - centre[1]) / length
        s = way * (turn[0, 0] * across + turn[0, 1] * down) + middle[0]
        h = middle[1] - turn[1, 0] * across - turn[1, 1] * down
        return s, h - 4.0 * fish.bend * (s - 0.5) ** 2

    def to_image(s: np.ndarray, h: np.ndarray) -> np.ndarray:
        h = h + 4.0 * fish.bend * (s - 0.5) ** 2
        return centre + length * np.stack([way * (s - middle[0]), middle[1] - h], axis=-1) @ turn

    return to_fish, to_image


# Skin


def _put(
    dice: np.random.Generator,
    picture: np.ndarray,
    fish: DrawnFish,
    to_fish: Placing,
    pixel: float,
    colours: np.ndarray,
    barred: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A picture (h, w, 3) with a fish in it, and masks of its body and its fins, (h, w) bool."""
    height, width = picture.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(float)
    s, h = to_fish(x, y)
    back, belly = fish.heights(s)
    inside = (s >= 0.0) & (s <= 1.0) & (h <= back) & (h >= belly)
    # A pixel at the rim is part fish: its distance outside, in pixels, by the slope of the lines.
    steep = [np.interp(s, fish.stations, np.gradient(line, fish.stations)) for line in (fish.back, fish.belly)]
    above, below = (
        away / np.hypot(1.0, np.clip(slope, -3.0, 3.0))
        for away, slope in zip((h - back, belly - h), steep, strict=True)
    )
    outside = np.maximum(np.maximum(above, below), np.maximum(-s, s - 1.0)) / pixel
    cover = np.clip(0.5 - outside, 0.0, 1.0)
    up = np.clip((h - 0.5 * (back + belly)) / np.maximum(0.5 * (back - belly), 1e-6), -1.0, 1.0)
    skin, base, other = _barred_skin(dice, s, up, colours) if barred else _skin(dice, s, h, up, colours)
    _head(dice, skin, fish, s, h, up)
    tint = _barred_fins(dice, base, other) if barred else _fin_colour(dice, base, other)
    on, rays = _on_fins(fish, s, h, back, belly)
    if dice.random() < 0.8:
        paddle = _paddle(dice, fish, s, h)
        share = dice.uniform(0.25, 0.9) * (paddle & inside)[..., None]
        skin += share * (tint - skin)
        on |= paddle & (dice.random() < 0.5)
    fins = gaussian_filter(on.astype(float), 0.5)
    fins *= 1.0 - (dice.uniform(0.0, 0.2) if dice.random() < 0.55 else dice.uniform(0.2, 0.75))
    # Many fins continue the skin's colours and markings.
    paint = skin * dice.uniform(0.7, 1.15) if dice.random() < 0.3 else tint
    paint = paint * (1.0 + dice.uniform(0.0, 0.35) * rays)[..., None]
    if dice.random() < 0.25:
        paint = paint * np.where(texture(dice, height, width) > 0.6, 0.5, 1.0)[..., None]
    if dice.random() < 0.3:  # its shadow
        off = np.array([abs(dice.normal(0.0, 0.08)), dice.normal(0.0, 0.06)]) / pixel
        thrown = np.roll(np.maximum(cover, fins), off.astype(int), axis=(0, 1))
        thrown = gaussian_filter(thrown, dice.uniform(0.005, 0.05) / pixel)
        picture = picture * (1.0 - dice.uniform(0.15, 0.65) * thrown)[..., None]
    picture = picture + fins[..., None] * (paint - picture)
    picture = picture + cover[..., None] * (skin - picture)
    if dice.random() < 0.2:  # a dark or a bright rim
        picture *= (1.0 + dice.uniform(-0.5, 0.2) * np.exp(-0.5 * (outside / 1.2) ** 2))[..., None]
    return picture, inside, on & ~inside


def _fin_colour(dice: np.random.Generator, base: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A colour (3,) for fins: near the skin's, that of its markings, or any."""
    if dice.random() < 0.65:
        return np.clip(base + dice.normal(0.0, dice.uniform(0.05, 0.3), 3), 0.0, 1.0)
    return other if dice.random() < 0.5 else dice.random(3)


def _barred_fins(dice: np.random.Generator, base: np.ndarray, other: np.ndarray) -> np.ndarray:
    """A colour (3,) for the fins of a barred fish: mostly that of its skin, so that nothing separates them."""
    luck = dice.random()
    return base if luck < 0.55 else other if luck < 0.8 else _fin_colour(dice, base, other)


def _paddle(dice: np.random.Generator, fish: DrawnFish, s: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Where a pectoral fin is, (h, w) bool."""
    deep = float((fish.back - fish.belly).max())
    ahead, up = s - dice.uniform(0.24, 0.36), h - dice.uniform(-0.35, 0.1) * deep
    long, flat, turn = dice.uniform(0.06, 0.24), dice.uniform(0.2, 0.5), dice.uniform(-1.2, 0.5)
    along, across = ahead * np.cos(turn) + up * np.sin(turn), up * np.cos(turn) - ahead * np.sin(turn)
    return (2.0 * along / long - 1.0) ** 2 + (2.0 * across / (long * flat)) ** 2 < 1.0


def _head(
    dice: np.random.Generator, skin: np.ndarray, fish: DrawnFish, s: np.ndarray, h: np.ndarray, up: np.ndarray
) -> None:
    """Draw gill cover, mouth and eye on the skin (h, w, 3)."""
    if dice.random() < 0.6:
        gill = np.abs(s - dice.uniform(0.18, 0.3) + dice.uniform(0.03, 0.12) * up * up) < dice.uniform(0.003, 0.009)
        skin[gill & (np.abs(up) < 0.8)] *= dice.uniform(0.5, 0.9)
    if dice.random() < 0.5:
        mouth = np.abs(h - dice.normal(0.0, 0.01) + dice.uniform(0.0, 0.5) * s) < 0.006
        skin[mouth & (s < dice.uniform(0.02, 0.1))] *= 0.45
    station, share = dice.uniform(0.06, 0.15), dice.uniform(0.02, 0.2)
    back, belly = (float(line) for line in fish.heights(np.array(station)))
    thick = back - belly
    radius = min(dice.uniform(0.012, 0.03) * (0.7 + float((fish.back - fish.belly).max())), 0.38 * thick)
    away = np.hypot(s - station, h - 0.5 * (back + belly) - share * thick)
    if dice.random() < 0.92:
        skin[away < radius] = dice.uniform(0.3, 1.0, 3)
        skin[away < dice.uniform(0.5, 0.8) * radius] = 0.03


def _skin(
    dice: np.random.Generator, s: np.ndarray, h: np.ndarray, up: np.ndarray, colours: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Skin (h, w, 3) with its markings, light and sheen, its colour and that of the markings (3,)."""
    height, width = s.shape
    kind = dice.random()
    if kind < 0.3:  # one of the scenery's
        base = dice.choice(colours) + dice.normal(0.0, 0.1, 3)
    else:
        base = dice.uniform(0.1, 0.9) * dice.uniform(0.8, 1.15, 3) if kind < 0.6 else dice.random(3)
    base = np.clip(base, 0.0, 1.0)
    other = np.clip(base + dice.normal(0.0, 0.3, 3), 0.0, 1.0) if dice.random() < 0.6 else dice.choice(colours)
    skin = np.broadcast_to(base, (height, width, 3)).copy()
    if dice.random() < 0.6:  # back and belly of other colours
        parted = np.clip((up - dice.uniform(-0.6, 0.7)) / dice.uniform(0.08, 0.6) + 0.5, 0.0, 1.0)[..., None]
        skin += dice.uniform(0.4, 1.0) * parted * (dice.normal(0.0, 0.3, 3) + base - skin)
    for _ in range(dice.choice([0, 1, 1, 2])):
        marks = np.clip(0.5 + _markings(dice, s, h, up) * dice.uniform(1.0, 5.0), 0.0, 1.0)[..., None]
        skin += dice.uniform(0.3, 1.0) * marks * ((other if dice.random() < 0.7 else dice.random(3)) - skin)
    if dice.random() < 0.45:  # scales
        count = dice.uniform(40.0, 130.0)
        skin *= (1.0 + dice.uniform(0.02, 0.15) * np.cos(count * s) * np.cos(1.2 * count * h))[..., None]
    if dice.random() < 0.4:
        skin *= (1.0 + dice.uniform(0.05, 0.4) * (texture(dice, height, width) - 0.5))[..., None]
    light = 1.0 - dice.uniform(-0.05, 0.27) * up + dice.uniform(0.0, 0.25) * np.sqrt(1.0 - up * up)
    skin *= light[..., None]
    if dice.random() < 0.3:  # sheen
        sheen = np.exp(-0.5 * ((up - dice.uniform(0.1, 0.6)) / dice.uniform(0.05, 0.25)) ** 2)
        skin += dice.uniform(0.1, 0.6) * sheen[..., None] * dice.uniform(0.7, 1.0, 3)
    if dice.random() < 0.3:  # the lateral line
        skin *= (1.0 - 0.35 * np.exp(-0.5 * ((up - dice.uniform(-0.1, 0.3) + 0.1 * s) / 0.03) ** 2))[..., None]
    return np.clip(skin, 0.0, 1.0), base, other


def _barred_skin(
    dice: np.random.Generator, s: np.ndarray, up: np.ndarray, colours: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Skin (h, w, 3) with two to five bold bars, its colour and that of the bars (3,).

    One is dark, the other pale, and either may be close to a colour (n, 3) of the scenery.
    """
    dark = dice.uniform(0.02, 0.35) * dice.uniform(0.4, 1.3, 3)
    pale = dice.uniform(0.55, 1.0) * dice.uniform(0.6, 1.1, 3)
    if dice.random() < 0.3:
        pale = dice.random(3)
    pair = [np.clip(colour, 0.0, 1.0) for colour in (dark, pale)]
    ground = dice.choice(colours)
    near = int(np.abs(pair[0] - ground).mean() > np.abs(pair[1] - ground).mean())
    pair[near] = pair[near] + dice.uniform(0.0, 0.95) * (ground - pair[near])
    base, other = pair if dice.random() < 0.5 else pair[::-1]
    count = int(dice.integers(2, 6))
    places = (np.arange(count) + dice.uniform(0.1, 0.9)) / count + dice.normal(0.0, 0.15 / count, count)
    halves = dice.uniform(0.12, 0.32) / count * np.exp(dice.normal(0.0, 0.2, count))
    bent = s + dice.normal(0.0, 0.02) * up + dice.normal(0.0, 0.02) * up * up
    inside = (halves - np.abs(bent[..., None] - places)).max(axis=-1)
    sharp = dice.uniform(25.0, 150.0)
    skin = base + np.clip(0.5 + sharp * inside, 0.0, 1.0)[..., None] * (other - base)
    if dice.random() < 0.3:  # rims of the bars
        rim = np.exp(-0.5 * (inside / dice.uniform(0.004, 0.012)) ** 2)
        skin += rim[..., None] * ((0.03 if dice.random() < 0.6 else dice.random(3)) - skin)
    if dice.random() < 0.7:
        light = 1.0 - dice.uniform(-0.05, 0.27) * up + dice.uniform(0.0, 0.25) * np.sqrt(1.0 - up * up)
        skin *= light[..., None]
    return np.clip(skin, 0.0, 1.0), base, other


def _markings(dice: np.random.Generator, s: np.ndarray, h: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Mask of markings (h, w), positive inside, of one of many sorts."""
    height, width = s.shape
    kind = dice.choice(["bars", "stripes", "spots", "patches", "halves", "band", "texture"])
    wobble = dice.uniform(0.0, 0.25) * (noise(dice, height, width, 1.8) - 0.5)
    if kind == "bars":
        waves = dice.uniform(3.0, 12.0) * (s + dice.uniform(-0.03, 0.03) * up + 0.3 * wobble)
        return np.sin(2 * np.pi * waves) - dice.uniform(-0.5, 0.7)
    if kind == "stripes":
        waves = dice.uniform(0.3, 3.0) * up + 2.0 * wobble + dice.random()
        return np.sin(2 * np.pi * waves) - dice.uniform(-0.5, 0.8)
    if kind == "spots":
        count = dice.uniform(15.0, 60.0)
        along, across = np.cos(count * s + dice.uniform(0.0, 6.0)), np.cos(count * h + dice.uniform(0.0, 6.0))
        return 2.0 * along * across - dice.uniform(0.2, 1.4)
    if kind == "patches":
        return 8.0 * (noise(dice, height, width, dice.uniform(1.2, 2.2)) - dice.uniform(0.4, 0.65))
    if kind == "halves":
        return dice.choice([-15.0, 15.0]) * (s - dice.uniform(0.1, 0.9) + 0.1 * wobble)
    if kind == "band":
        return 20.0 * (dice.uniform(0.03, 0.12) - np.abs(s - dice.uniform(0.2, 0.8) + 0.1 * dice.normal() * up))
    return (texture(dice, height, width) - 0.5) * dice.uniform(1.0, 6.0)
