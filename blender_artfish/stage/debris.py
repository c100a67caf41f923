"""Debris of a ship about its wreck, as vertices and faces in metres."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .shapes import Shape, grid, join, tube

Draws = np.random.Generator


def plank(draws: Draws) -> Shape:
    """A plank 1 m long, worn at its ends, lying on the sand."""
    half = np.array([0.5, 0.07, 0.02])
    x = np.linspace(-1.0, 1.0, 9)
    ring = np.array([[1, 1], [-1, 1], [-1, -1], [1, -1]], dtype=float)
    points = np.array([[[along, *corner] for corner in ring] for along in x]) * half
    points[[0, -1], :, 1] *= 0.55
    points += 0.006 * draws.normal(size=points.shape)
    caps = np.array([[3, 2, 1, 0], [32, 33, 34, 35]])
    return points.reshape(-1, 3) + (0, 0, 0.02), np.concatenate([grid(9, 4, closed=True), caps])


def rib(draws: Draws) -> Shape:
    """A rib of a hull, 1 m high, standing in the sand and bent inwards."""
    turn = np.linspace(-0.2, 1.25, 12)
    path = np.stack([np.cos(turn) - 0.95, 0.03 * np.sin(3.0 * turn), np.sin(turn)], axis=-1)
    wide = 0.05 * np.linspace(1.2, 0.6, 12) * (1.0 + 0.15 * draws.normal(size=12))
    return tube(path, wide, 5)


def barrel(draws: Draws) -> Shape:
    """A barrel 1 m long lying on its side, half sunk in, with staves and hoops."""
    x = np.array([-0.5, -0.5, -0.49, -0.3, -0.27, 0.0, 0.27, 0.3, 0.49, 0.5, 0.5])
    radius = np.array([0.001, 0.24, 0.27, 0.325, 0.335, 0.35, 0.335, 0.325, 0.27, 0.24, 0.001])
    angle = np.linspace(0.0, 2 * np.pi, 26, endpoint=False)
    staves = 1.0 + 0.012 * np.cos(13 * angle)
    ring = np.stack([np.cos(angle) * staves, np.sin(angle) * staves], axis=-1)
    points = np.concatenate(
        [np.broadcast_to(x[:, None, None], (11, 26, 1)), radius[:, None, None] * ring], axis=-1
    ).reshape(-1, 3)
    return points + (0.0, 0.0, 0.22 + 0.02 * draws.normal()), grid(11, 26, closed=True)


def anchor(draws: Draws) -> Shape:
    """An anchor 1 m long leaning on its arms."""
    shank = np.stack([np.zeros(5), np.zeros(5), np.linspace(0.0, 1.0, 5)], axis=-1)
    turn = np.linspace(-1.25, 1.25, 13)
    arms = np.stack([0.42 * np.sin(turn), 0.0 * turn, 0.42 - 0.42 * np.cos(turn)], axis=-1)
    stock = np.stack([0.0 * turn, np.linspace(-0.38, 0.38, 13), np.full(13, 0.86)], axis=-1)
    loop = np.linspace(0.0, 2 * np.pi, 14)
    ring = np.stack([0.07 * np.sin(loop), 0.0 * loop, 1.06 + 0.07 * np.cos(loop)], axis=-1)
    thick = 0.035 * np.concatenate([[0.3], np.ones(11), [0.3]])
    flukes = [
        tube(
            arms[end] + np.linspace(0.0, 0.16, 3)[:, None] * np.array([side, 0, 0.9]), np.array([0.07, 0.06, 0.005]), 4
        )
        for end, side in ((1, 0.5), (-2, -0.5))
    ]
    bars = [tube(shank, np.full(5, 0.035), 8), tube(arms, thick, 8), tube(stock, 0.8 * thick, 8)]
    points, faces = join([*bars, tube(ring, np.full(14, 0.014), 6), *flukes])
    lean = 0.95 + 0.15 * draws.uniform()
    cos, sin = np.cos(lean), np.sin(lean)
    leaning = points @ np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    return leaning - (0, 0, leaning[:, 2].min() + 0.05), faces


def plate(draws: Draws) -> Shape:
    """A bent plate of a hull, 1 m long, lying on the sand, its edge corroded."""
    x, y = np.meshgrid(np.linspace(-0.5, 0.5, 14), np.linspace(-0.32, 0.32, 10), indexing="ij")
    edge = 1.0 + 0.08 * draws.normal(size=x.shape) * ((np.abs(x) > 0.45) | (np.abs(y) > 0.28))
    z = 0.06 + 0.16 * x**2 + 0.22 * np.abs(y) * draws.uniform(0.5, 1.2)
    points = np.stack([x * edge, y * edge, z], axis=-1).reshape(-1, 3)
    return points, grid(14, 10)


DEBRIS: dict[str, tuple[Callable[[Draws], Shape], tuple[float, float], float]] = {
    "Plank": (plank, (0.5, 1.4), 5.0),
    "Rib": (rib, (0.4, 0.9), 1.5),
    "Barrel": (barrel, (0.35, 0.5), 1.2),
    "Plate": (plate, (0.4, 1.0), 2.0),
    "Anchor": (anchor, (0.8, 0.9), 0.0),
}
"""Debris by name: its shape, its least and largest size in metres, and its relative frequency."""
