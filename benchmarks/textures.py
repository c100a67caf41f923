"""Textures for the background and the skin of drawn fishes: noise, stones, gratings, leaves and blades.

A texture is (h, w), 0 to 1; a palette (n, 3) is a row of colours between which a texture chooses.
"""

from __future__ import annotations

import numpy as np
from scipy.spatial import cKDTree

LEAF, BLADE, POLYGON = 1, 2, 3
"""Kinds of scattered shapes; 0 is an ellipse."""


def texture(dice: np.random.Generator, height: int, width: int) -> np.ndarray:
    """A texture of any family."""
    kind = dice.random()
    if kind < 0.3:
        made = cells(dice, height, width)
    elif kind < 0.42:
        made = grating(dice, height, width)
    else:
        made = noise(dice, height, width)
    ending = dice.random()
    if ending < 0.2:
        return 1.0 - np.abs(2.0 * made - 1.0)  # ridges
    if ending < 0.4:
        return np.clip((made - dice.uniform(0.35, 0.65)) * dice.uniform(3.0, 15.0) + 0.5, 0.0, 1.0)
    return made


def noise(dice: np.random.Generator, height: int, width: int, slope: float | None = None) -> np.ndarray:
    """Noise whose spectrum falls with this power of the frequency, stretched in some direction."""
    slope = dice.uniform(0.8, 2.2) if slope is None else slope
    down, right = np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)
    stretch, turn = np.exp(dice.normal(0.0, 0.5)), dice.uniform(0.0, np.pi)
    along = right * np.cos(turn) + down * np.sin(turn)
    across = (down * np.cos(turn) - right * np.sin(turn)) * stretch
    frequency = np.hypot(along, across) + 0.6 / max(height, width)
    waves = (dice.normal(size=frequency.shape) + 1j * dice.normal(size=frequency.shape)) * frequency**-slope
    waves[0, 0] = 0.0
    made = np.fft.irfft2(waves, (height, width))
    return np.clip(0.5 + made / (4.5 * made.std() + 1e-9), 0.0, 1.0)


def cells(dice: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Stones: the cells of random points, each of random brightness, with gaps between them."""
    count = int(np.exp(dice.uniform(np.log(15), np.log(500))))
    stretch = np.exp(dice.normal(0.0, 0.3))
    points = dice.random((count, 2)) * [height, width * stretch]
    rows, columns = np.mgrid[0:height, 0:width].astype(float)
    warp = dice.uniform(0.0, 0.05) * width
    rows, columns = (at + warp * (noise(dice, height, width, 1.8) - 0.5) for at in (rows, columns))
    found = cKDTree(points).query(np.stack([rows.ravel(), stretch * columns.ravel()], axis=1), k=2)
    near, which = (np.asarray(each) for each in found)
    near, size = near.reshape(height, width, 2), np.sqrt(height * width / count)
    value = dice.random(count)[which[:, 0]].reshape(height, width)
    gap = np.clip((near[..., 1] - near[..., 0]) / (size * dice.uniform(0.03, 0.4)), 0.0, 1.0) ** dice.uniform(0.4, 1.0)
    dome, light = 1.0 - np.clip(near[..., 0] / size, 0.0, 1.0) ** 2, dice.uniform(0.0, 0.6)
    stones = value * (1.0 - light) + light * dome
    return np.clip(stones * gap if dice.random() < 0.8 else stones, 0.0, 1.0)


def grating(dice: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Stripes or a weave of two, warped a little."""
    y, x = np.mgrid[0:height, 0:width] / width
    warp = noise(dice, height, width, dice.uniform(1.5, 2.2)) * dice.uniform(0.0, 0.25)
    turn, count = dice.uniform(0.0, np.pi), np.exp(dice.uniform(np.log(4), np.log(45)))
    made = 0.5 + 0.5 * np.sin(2 * np.pi * count * (x * np.cos(turn) + y * np.sin(turn) + warp))
    if dice.random() < 0.4:
        across = count * dice.uniform(0.5, 1.5) * (y * np.cos(turn) - x * np.sin(turn) + warp)
        other = 0.5 + 0.5 * np.sin(2 * np.pi * across)
        made = np.maximum(made, other) if dice.random() < 0.5 else ((made > 0.5) ^ (other > 0.5)).astype(float)
    return np.clip((made - 0.5) * dice.uniform(1.0, 6.0) + 0.5, 0.0, 1.0)


def palette(dice: np.random.Generator, base: np.ndarray) -> np.ndarray:
    """Four colours (4, 3) near one: mostly its lights and shades."""
    spread = dice.uniform(0.06, 0.4)
    if dice.random() < 0.6:
        light = np.linspace(-1.0, 1.0, 4)[:, None] * dice.uniform(0.1, 0.45) * dice.choice([-1.0, 1.0])
        return np.clip(base + light + dice.normal(0.0, 0.35 * spread, (4, 3)), 0.0, 1.0)
    return np.clip(base + dice.normal(0.0, spread, (4, 3)), 0.0, 1.0)


def painted(made: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """A texture (h, w) in the colours of a palette, (h, w, 3)."""
    steps = np.linspace(0.0, 1.0, len(colours))
    return np.stack([np.interp(made, steps, band) for band in colours.T], axis=-1)


def strew(dice: np.random.Generator, picture: np.ndarray, colours: np.ndarray, count: int, largest: float) -> None:
    """Lay ellipses, leaves, blades and polygons over a picture (h, w, 3), each over those before it.

    Args:
        dice: Random generator.
        picture: The picture, changed in place.
        colours: Their possible colours, (n, 3).
        count: Number of shapes.
        largest: The greatest half length, over the picture's width.
    """
    height, width = picture.shape[:2]
    kinds, least = dice.dirichlet([1.0, 1.0, 1.0, 0.7]), 0.012
    for _ in range(count):
        kind = int(dice.choice(4, p=kinds))
        size = width * least * (largest / least) ** (dice.random() ** dice.uniform(1.0, 2.5))
        flat, turn = dice.uniform(0.08, 1.0), dice.uniform(0.0, np.pi)
        if kind == BLADE:
            flat, size = dice.uniform(0.02, 0.09), min(3.0 * size, 0.6 * width)
            turn = turn if dice.random() < 0.4 else 0.5 * np.pi + dice.normal(0.0, 0.3)
        middle = dice.random(2) * [width, height]
        low = np.maximum(middle - 1.05 * size, 0).astype(int)
        high = np.minimum(middle + 1.05 * size, [width - 1, height - 1]).astype(int) + 1
        if (high <= low).any():
            continue
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]]
        x, y = x - middle[0], y - middle[1]
        along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        u = along / size
        v = across / (size * flat) - dice.normal(0.0, 0.5) * u * u
        cover = np.clip((1.0 - _far(dice, kind, u, v)) * size * flat + 0.5, 0.0, 1.0) * dice.uniform(0.6, 1.0)
        shade = 1.0 - dice.uniform(0.0, 0.5) * v * (dice.random() < 0.6)
        if dice.random() < 0.3:
            shade = shade * (1.0 + 0.3 * np.sin(dice.uniform(5, 30) * u + dice.uniform(0, 3) * v))
        paint = dice.choice(colours) * dice.uniform(0.75, 1.25) * np.clip(shade, 0.3, 1.7)[..., None]
        part = picture[low[1] : high[1], low[0] : high[0]]
        part += cover[..., None] * (paint - part)


def _far(dice: np.random.Generator, kind: int, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Distance of a point from the middle of a shape, 1 at its rim."""
    if kind == LEAF:
        return np.abs(v) + u * u
    if kind == BLADE:
        return np.maximum(np.abs(u), np.abs(v) + 0.6 * np.maximum(u, 0.0))
    if kind == POLYGON:
        corner = 2 * np.pi / dice.integers(3, 7)
        angle = (np.arctan2(v, u) + dice.uniform(0.0, 6.0)) % corner - 0.5 * corner
        return np.hypot(u, v) * np.cos(angle) / np.cos(0.5 * corner) * 1.1
    return np.hypot(u, v)
