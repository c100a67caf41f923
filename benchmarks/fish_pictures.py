"""Pictures of fishes with known outlines, to test the snake grid.

A picture is drawn point by point: every pixel has coordinates along the fish and above its axis. Body,
fins, markings, light, clutter, blur and noise are drawn from a seed, so there are as many pictures as there are seeds.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import PchipInterpolator
from scipy.ndimage import gaussian_filter, zoom

from ..core.scene.species import Species

BACKGROUNDS = ("transparent", "plain", "shaded", "cluttered")
PATTERNS = ("none", "bars", "stripes", "spots", "mottling")
ROWS_AT_ONCE = 256
FORMS = (
    "blue_tang",
    "butterflyfish",
    "cardinalfish",
    "clownfish",
    "emperor_angelfish",
    "grouper",
    "parrotfish",
    "reef_shark",
    "sardine",
    "thesis",
)
"""Species whose outlines fishes may have; a seed's picture does not change as presets are added."""


@dataclass(frozen=True)
class FishPicture:
    """A drawn fish.

    Attributes:
        image: (h, w, 3 or 4), or (h, w) for a grey one; floats from 0 to 1, or 16 bit.
        body: Mask of the body, without fins, (h, w) bool.
        facing: Direction of the nose, "left" or "right".
        nose: Pixel position (2,), x to the right and y down, of the nose's tip.
        tail: Upper and lower end (2, 2) of the tail's root.
        back: The back's line (n, 2), from the nose to the tail's root.
        belly: The belly's line, likewise.
        fins: Mask of the fins visible beside the body, (h, w) bool.
    """

    image: np.ndarray
    body: np.ndarray
    facing: str
    nose: np.ndarray
    tail: np.ndarray
    back: np.ndarray
    belly: np.ndarray
    fins: np.ndarray

    def at(self, line: np.ndarray, share: float) -> np.ndarray:
        """The point (2,) of back or belly at this share of the way from the nose to the tail's root."""
        axis = self.tail.mean(axis=0) - self.nose
        along = (line - self.nose) @ axis / (axis @ axis)
        return np.array([np.interp(share, along, line[:, k]) for k in range(2)])


def within(rim: np.ndarray, height: int, width: int) -> np.ndarray:
    """Pixels (h, w) inside a polygon (n, 2), by its crossings with each row."""
    inside = np.zeros((height, width), dtype=bool)
    start, end = rim, np.roll(rim, -1, axis=0)
    for row in range(height):
        cross = (start[:, 1] > row) != (end[:, 1] > row)
        one, two = start[cross], end[cross]
        x = np.sort(one[:, 0] + (row - one[:, 1]) / (two[:, 1] - one[:, 1]) * (two[:, 0] - one[:, 0]))
        for left, right in zip(x[::2], x[1::2], strict=False):
            inside[row, max(0, int(np.ceil(left))) : max(0, int(np.floor(right)) + 1)] = True
    return inside


@dataclass(frozen=True)
class _Fish:
    """Outlines and fins in lengths of the body: s from the nose at 0 to the tail's root at 1, h upwards."""

    stations: np.ndarray
    back: np.ndarray
    belly: np.ndarray
    dorsal: tuple
    anal: tuple
    caudal: tuple
    pectoral: tuple
    eye: tuple
    bend: float


def draw(
    seed: int,
    background: str = "plain",
    width: int = 480,
    facing: str | None = None,
    contrast: float = 1.0,
    grey: bool = False,
    deep: bool = False,
    fins: bool = True,
    pattern: str | None = None,
    blunt: bool = False,
    depth: float = 1.0,
) -> FishPicture:
    """A picture of a new fish.

    Args:
        seed: Draws everything that the other arguments leave open.
        background: One of `BACKGROUNDS`.
        width: Width in pixels; the height follows from the fish.
        facing: "left", "right" or None for either.
        contrast: Scales the differences of colour between fish and even background, or in clutter all of them, but not
            the grain; 1 for a well-lit photograph.
        grey: Whether to drop the colour and the axis of channels.
        deep: Whether to give 16-bit numbers.
        fins: Whether it has fins other than those on its flank.
        pattern: One of `PATTERNS`, or None for any.
        blunt: Whether its forehead and chin are steep.
        depth: Depth of its body, over the seed's.
    """
    dice = np.random.default_rng((seed, 77))
    fish = _fish(dice, fins)
    if blunt:
        fish = _with_blunt_head(fish)
    fish = replace(fish, back=depth * fish.back, belly=depth * fish.belly)
    facing = facing or ("left", "right")[dice.integers(2)]
    tilt = dice.uniform(-0.2, 0.2)
    tall = max(fish.back.max() - fish.belly.min(), 0.3)
    height = int(width * np.clip(dice.uniform(1.5, 1.9) * tall * 0.7 + 0.15, 0.45, 1.0))
    reach = 1.0 + fish.caudal[0]
    length = min(dice.uniform(0.72, 0.9) * width / reach, 0.8 * height / (tall + abs(np.sin(tilt)) * reach))
    spare = np.array([width, height]) - length * np.array([reach, tall + 0.2])
    centre = 0.5 * np.array([width, height]) + dice.uniform(-0.25, 0.25, 2) * np.maximum(spare, 0.0)
    turn = np.array([[np.cos(tilt), np.sin(tilt)], [-np.sin(tilt), np.cos(tilt)]])
    flip = 1.0 if facing == "left" else -1.0
    middle = np.array([0.5 * reach, 0.5 * (fish.back.max() + fish.belly.min())])

    def to_fish(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        across, down = (x - centre[0]) / length, (y - centre[1]) / length
        along = flip * (turn[0, 0] * across + turn[0, 1] * down) + middle[0]
        up = -(turn[1, 0] * across + turn[1, 1] * down) + middle[1]
        return along, up - fish.bend * (along - 0.4) ** 2

    def to_image(s: np.ndarray, h: np.ndarray) -> np.ndarray:
        h = h + fish.bend * (s - 0.4) ** 2
        local = np.stack([flip * (s - middle[0]), -(h - middle[1])], axis=-1)
        return centre + length * local @ turn

    skin = _skin(dice, grey)
    skin["pattern"] = pattern or skin["pattern"]
    scenery = _scenery(dice, background, height, width, skin["colours"])
    colour = np.empty((height, width, 3), dtype=np.float32)
    body, alpha = np.empty((height, width), dtype=bool), np.empty((height, width), dtype=np.float32)
    for top in range(0, height, ROWS_AT_ONCE):
        rows = slice(top, min(top + ROWS_AT_ONCE, height))
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(rows.start, rows.stop, dtype=np.float32))
        s, h = to_fish(x, y)
        paint, cover, inside = _paint(fish, skin, s, h, 1.0 / length)
        # Against an even background the fish pales into it; in clutter all of the picture pales.
        seen = 1.0 if background == "cluttered" else contrast
        mixed = scenery[rows] + cover[..., None] * seen * (paint - scenery[rows])
        colour[rows], body[rows], alpha[rows] = mixed, inside, cover
    if background == "transparent":
        colour = np.where(alpha[..., None] > 0, colour, 0.0)
    elif background == "cluttered":
        colour = 0.4 + contrast * (colour - 0.4)
    colour = _film(dice, colour, length)
    station = np.linspace(0.0, 1.0, 401) ** 2
    back, belly = _outlines(fish, station)
    image = np.clip(colour, 0.0, 1.0)
    if grey:
        image = image.mean(axis=2)
    elif background == "transparent":
        image = np.dstack([image, alpha])
    ends = to_image(np.ones(2), np.array([back[-1], belly[-1]]))
    return FishPicture(
        (image * 65535).astype(np.uint16) if deep else image,
        body,
        facing,
        to_image(np.zeros(1), np.zeros(1))[0],
        ends,
        to_image(station, back),
        to_image(station, belly),
        (alpha > 0.5) & ~body,
    )


def cut_out(picture: FishPicture) -> FishPicture:
    """A fish on a transparent ground, in a picture cropped to the fish."""
    rows, columns = (np.flatnonzero((picture.image[..., 3] > 0.0).any(axis=axis)) for axis in (1, 0))
    part = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    first = np.array([columns[0], rows[0]])
    arrays = {name: getattr(picture, name)[part] for name in ("image", "body", "fins")}
    points = {name: getattr(picture, name) - first for name in ("nose", "tail", "back", "belly")}
    return replace(picture, **arrays, **points)


def with_eyespot(picture: FishPicture) -> FishPicture:
    """The same fish with a large dark spot, ringed with white, on the rear of its flank, and its own eye hidden.

    Butterflyfishes have these: a bar through the eye, and a false eye at the rear.
    """
    image, bar = picture.image.copy(), picture.image[..., :3].mean()
    axis = picture.tail.mean(axis=0) - picture.nose
    length = float(np.hypot(*axis))
    y, x = np.mgrid[0 : image.shape[0], 0 : image.shape[1]]
    along = ((x - picture.nose[0]) * axis[0] + (y - picture.nose[1]) * axis[1]) / length**2
    image[picture.body & (np.abs(along - 0.11) < 0.045), :3] = 0.3 * bar
    spot = 0.7 * picture.at(picture.back, 0.85) + 0.3 * picture.at(picture.belly, 0.85)
    away = np.hypot(x - spot[0], y - spot[1]) / length
    for reach, light in ((0.04, 0.95), (0.028, 0.02)):
        image[picture.body & (away < reach), :3] = light
    return replace(picture, image=image)


def _fish(dice: np.random.Generator, fins: bool) -> _Fish:
    """A body of its own form, or that of a preset, with fins."""
    s = np.linspace(0.0, 1.0, 201) ** 2
    if dice.random() < 0.4:
        form = Species.load(dice.choice(FORMS)).form
        end, back, belly = form.back[-1][0], np.array(form.back), np.array(form.belly)
        upper, lower = (PchipInterpolator(np.sqrt(r[:, 0] / end), r[:, 1] / end)(np.sqrt(s)) for r in (back, belly))
        start = upper[0]
        upper, lower = upper - start, lower - start
    else:
        depth, peak = dice.uniform(0.22, 0.62), dice.uniform(0.28, 0.5)
        root = dice.uniform(0.04, 0.075) + 0.05 * depth
        share = dice.uniform(0.4, 0.6)
        power = dice.uniform(0.5, 0.85)
        hump = dice.uniform(0.8, 1.1, 2)
        lines = []
        for part, wave in ((share, hump[0]), (1 - share, hump[1])):
            top = depth * part
            knots = [0.0, 0.25 * peak, peak, peak + 0.35 * (1 - peak), 0.9, 1.0]
            values = [0.0, wave * top * 0.25**power, top, top * dice.uniform(0.75, 0.9), root * 0.5, root * 0.5]
            lines.append(PchipInterpolator(np.sqrt(knots), values)(np.sqrt(s)))
        upper, lower = lines[0], -lines[1]
    deep = (upper - lower).max()
    has = dice.random(3) < (0.85 if fins else -1.0)
    # Beginning and end of fins, their height, the place of the maximum, and the sharpness of their rear.
    dorsal = (dice.uniform(0.25, 0.42), dice.uniform(0.6, 0.9), dice.uniform(0.2, 0.5) * deep * has[0], dice.random())
    anal = (dice.uniform(0.55, 0.68), dice.uniform(0.8, 0.93), dice.uniform(0.15, 0.4) * deep * has[1], dice.random())
    caudal = (dice.uniform(0.15, 0.3) if fins else 0.0, dice.uniform(0.5, 0.8) * deep**0.6 * 0.5, dice.uniform(0, 0.7))
    pectoral = (dice.uniform(0.28, 0.34), dice.uniform(-0.25, 0.05) * deep, dice.uniform(0.08, 0.17), has[2])
    eye = (dice.uniform(0.09, 0.13), dice.uniform(0.04, 0.14) * deep, dice.uniform(0.015, 0.03))
    return _Fish(s, upper, lower, dorsal, anal, caudal, pectoral, eye, dice.uniform(-0.04, 0.04))


def _with_blunt_head(fish: _Fish) -> _Fish:
    """The same fish with back and belly at a tenth of the length nearly as high as anywhere."""
    lines = []
    for line in (fish.back, fish.belly):
        high = line[np.abs(line).argmax()]
        steep = PchipInterpolator(
            [0.0, 0.015, 0.06, 0.15, 0.35, 0.6, 1.0], np.array([0.2, 0.6, 0.87, 1, 1, 0.8, 0]) * high
        )
        rear = np.clip((fish.stations - 0.6) / 0.4, 0.0, 1.0)
        lines.append(steep(fish.stations) + rear * line[-1])
    return replace(fish, back=lines[0], belly=lines[1])


def _outlines(fish: _Fish, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Heights of back and belly at stations."""
    root = np.sqrt(np.clip(s, 0.0, 1.0))
    place = np.sqrt(fish.stations)
    return np.interp(root, place, fish.back), np.interp(root, place, fish.belly)


def _skin(dice: np.random.Generator, grey: bool) -> dict:
    """Colours and markings."""
    flank = dice.uniform(0.15, 0.9, 3)
    other = np.clip(flank + dice.choice([-1, 1]) * dice.uniform(0.2, 0.5, 3), 0.03, 0.97)
    fin = np.clip(flank * dice.uniform(0.5, 1.2) + dice.uniform(-0.35, 0.35, 3), 0.02, 0.98)
    if grey:  # differences in colour alone would be invisible
        flank, other, fin = (np.full(3, colour.mean()) for colour in (flank, other, fin))
    if np.abs(fin - flank).max() < 0.25:
        fin = np.where(flank > 0.5, flank - 0.4, flank + 0.4)
    return {
        "colours": np.stack([flank, other, fin]),
        "pattern": dice.choice(PATTERNS),
        "count": dice.uniform(4, 9),
        "shade": dice.uniform(0.0, 0.35),
        "phase": dice.uniform(0, 6, 8),
        "clear": dice.uniform(0.0, 0.35),
    }


def _paint(
    fish: _Fish, skin: dict, s: np.ndarray, h: np.ndarray, pixel: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Colour (h, w, 3), coverage of the pixel by the fish (h, w), and where the body is (h, w)."""
    flank, other, fin = skin["colours"]
    back, belly = _outlines(fish, s)
    inside = (s >= 0) & (s <= 1) & (h <= back) & (h >= belly)
    middle, half = 0.5 * (back + belly), np.maximum(0.5 * (back - belly), 1e-6)
    up = np.clip((h - middle) / half, -1, 1)
    count, phase = skin["count"], skin["phase"]
    wobble = 0.12 * np.sin(9 * s + phase[0]) * np.cos(7 * h + phase[1])
    wave = {
        "none": np.full_like(s, -1.0),
        "bars": np.sin(2 * np.pi * count * (s + 0.15 * h + wobble * 0.3)),
        "stripes": np.sin(2 * np.pi * (0.3 * count * up + wobble)),
        "spots": np.cos(14 * count * 0.4 * s + phase[2]) * np.cos(14 * count * 0.4 * h + phase[3]) * 2 - 0.6,
        "mottling": np.sin(17 * s + phase[4]) + np.sin(23 * h + 8 * s + phase[5]) + np.sin(31 * s - 19 * h + phase[6]),
    }[skin["pattern"]]
    mark = np.clip(0.5 + 3 * wave, 0, 1)[..., None]
    paint = (1 - mark) * flank + mark * other
    light = 1.0 - skin["shade"] * up + 0.15 * np.sqrt(1 - np.minimum(up * up, 1.0)) - 0.1
    paint = paint * light[..., None]
    gill = np.abs(s - 0.24 + 0.25 * (h - middle) ** 2 / half) < 0.006
    paint = np.where((gill & (np.abs(up) < 0.75))[..., None], 0.6 * paint, paint)
    # The pectoral fin lies on the flank.
    px, ph, reach, there = fish.pectoral
    across = (s - px - 0.5 * reach) / (0.5 * reach), (h - ph + 0.3 * (s - px)) / (0.22 * reach)
    if there:
        paint = np.where((across[0] ** 2 + across[1] ** 2 < 1)[..., None], 0.5 * paint + 0.5 * fin, paint)
    ex, eh, er = fish.eye
    away = np.hypot(s - ex, h - eh - np.interp(ex, fish.stations, 0.5 * (fish.back + fish.belly)))
    paint = np.where((away < er)[..., None], 0.85, paint)
    paint = np.where((away < 0.6 * er)[..., None], 0.02, paint)
    fins = _on_fins(fish, s, h, back, belly)
    rays = 0.85 + 0.15 * np.sin(140 * (s + 0.4 * h) + phase[7])
    paint = np.where(inside[..., None], paint, rays[..., None] * fin)
    # A pixel at the rim is part fish: the height above the outline in pixels, and the clearness of fins.
    outside = np.maximum(np.maximum(h - back, belly - h), np.maximum(-s, s - 1.0)) / pixel
    whole = np.clip(0.5 - outside, 0.0, 1.0)
    cover = np.where(inside | (whole > 0), np.maximum(whole, inside), 0.0)
    return paint, np.maximum(cover, fins * (1.0 - skin["clear"])).astype(np.float32), inside


def _on_fins(fish: _Fish, s: np.ndarray, h: np.ndarray, back: np.ndarray, belly: np.ndarray) -> np.ndarray:
    """Where the median and caudal fins are."""
    on = np.zeros(s.shape, dtype=bool)
    for (begin, end, reach, sharp), above in ((fish.dorsal, h - back), (fish.anal, belly - h)):
        root = s - 0.5 * np.maximum(above, 0.0)  # rays lean back
        t = np.clip((root - begin) / (end - begin), 0.0, 1.0)
        profile = np.minimum(t / 0.25, 1.0) ** 0.7 * (1.0 - t ** (2 + 6 * sharp)) * reach
        on |= (above > 0) & (above < profile) & (s < 1.1)
    reach, half, fork = fish.caudal
    if reach > 0:
        t = (s - 1.0) / reach
        middle = 0.5 * (fish.back[-1] + fish.belly[-1])
        root = 0.5 * (fish.back[-1] - fish.belly[-1])
        spread = root + (half - root) * np.clip(t, 0, 1) ** 0.8
        rear = 1.0 - fork * (1.0 - np.minimum(np.abs(h - middle) / half, 1.0))
        on |= (t >= 0) & (t <= rear) & (np.abs(h - middle) <= spread)
    return on


def _scenery(dice: np.random.Generator, background: str, height: int, width: int, colours: np.ndarray) -> np.ndarray:
    """The background of the fish, (h, w, 3)."""
    flank = colours[0]
    ground = dice.uniform(0.05, 0.95, 3)
    while np.abs(ground - flank).max() < 0.35:
        ground = dice.uniform(0.0, 1.0, 3)
    if np.ptp(flank) == 0.0:  # a grey fish, on the ground least like its skin and markings
        greys = np.linspace(0.05, 0.95, 19)
        ground[:] = greys[np.argmax(np.abs(greys - colours[:2, :1]).min(axis=0))]
    picture = np.empty((height, width, 3), dtype=np.float32)
    picture[:] = ground
    if background in ("plain", "transparent"):
        return picture
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j].astype(np.float32)
    slope = dice.uniform(-0.15, 0.15, (2, 3))
    picture += (x - 0.5)[..., None] * slope[0] + (y - 0.5)[..., None] * slope[1]
    if background == "shaded":
        return picture
    # Stones, weeds and shades of both, as strong in contrast as the fish and partly in its own colours.
    picture += 0.25 * _cloud(dice, height, width, 6)[..., None] * dice.uniform(-1, 1, 3)
    aspect = height / width
    for _ in range(dice.integers(40, 70)):
        tint = np.clip(ground + dice.normal(0, 0.22, 3), 0, 1) if dice.random() < 0.9 else colours[dice.integers(3)]
        cx, cy, size = dice.random(), dice.random() * aspect, dice.uniform(0.015, 0.09)
        turn, flat = dice.uniform(0, np.pi), dice.uniform(0.25, 1.0)
        if dice.random() < 0.35:
            size, flat, turn = dice.uniform(0.1, 0.35), dice.uniform(0.03, 0.08), np.pi / 2 + dice.normal(0, 0.3)
        dx, dy = x - cx, y * aspect - cy
        a, b = dx * np.cos(turn) + dy * np.sin(turn), -dx * np.sin(turn) + dy * np.cos(turn)
        bend = b - 4 * flat * a * a
        ratio = (a / size) ** 2 + (bend / (size * flat)) ** 2
        picture[ratio < 1] = tint * dice.uniform(0.8, 1.0)
    return picture + 0.06 * _cloud(dice, height, width, 60)[..., None]


def _cloud(dice: np.random.Generator, height: int, width: int, cells: int) -> np.ndarray:
    """Smooth noise, about -1 to 1, with so many cells across."""
    coarse = dice.uniform(-1, 1, (max(int(cells * height / width), 2) + 2, cells + 2))
    fine = zoom(coarse, (height / coarse.shape[0] + 1, width / coarse.shape[1] + 1), order=1)
    return fine[:height, :width].astype(np.float32)


def _film(dice: np.random.Generator, colour: np.ndarray, length: float) -> np.ndarray:
    """Blur and grain of a photograph; both grow with its size up to a point, as in real ones."""
    blur = dice.uniform(0.3, 1.0) * np.clip(length / 400, 0.5, 4.0)
    grain = dice.uniform(0.003, 0.03)
    colour = gaussian_filter(colour, (blur, blur, 0), truncate=3.0)
    return colour + dice.normal(0, 1, colour.shape).astype(np.float32) * grain
