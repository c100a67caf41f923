"""Points strewn evenly over surfaces."""

from __future__ import annotations

import numpy as np

from ..base.elementary import cos, sin
from ..base.vectors import cross, norm, unit
from .pillar import Pillar


def on_pillar(pillar: Pillar, throws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points on the mantle and the top of an upright cylinder, as many on a square metre of either.

    Args:
        pillar: The cylinder.
        throws: Evenly spread over 0 to 1, (n, 3).

    Returns:
        The points in metres, (n, 3), and the unit vectors outwards, (n, 3).
    """
    mantle = 2.0 * pillar.height / (2.0 * pillar.height + pillar.radius)
    around, beside = 2.0 * np.pi * throws[:, 0], throws[:, 2] < mantle
    out = np.stack((cos(around), sin(around), np.zeros(len(throws))), axis=1)
    reach = pillar.radius * np.where(beside, 1.0, np.sqrt(throws[:, 1]))
    place = pillar.at + reach[:, None] * out
    place[:, 2] += pillar.height * np.where(beside, throws[:, 1], 1.0)
    return place, np.where(beside[:, None], out, (0.0, 0.0, 1.0))


def pillar_area(pillar: Pillar) -> float:
    """Square metres of the mantle and the top of an upright cylinder."""
    return float(np.pi * pillar.radius * (2.0 * pillar.height + pillar.radius))


def on_mesh(vertices: np.ndarray, triangles: np.ndarray, throws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points on a mesh, as many on a square metre anywhere.

    Args:
        vertices: Metres, (v, 3).
        triangles: Vertices of each triangle, which faces outwards, (t, 3).
        throws: Evenly spread over 0 to 1, (n, 3).

    Returns:
        The points in metres, (n, 3), and the unit vectors outwards, (n, 3).
    """
    corners = vertices[triangles]
    ends = np.cumsum(_areas(corners))
    which = np.minimum(np.searchsorted(ends, throws[:, 0] * ends[-1], side="right"), len(corners) - 1)
    # Even over a triangle: a root for the way from the first corner, and anywhere between the other two.
    along, across = np.sqrt(throws[:, 1])[:, None], throws[:, 2, None]
    a, b, c = corners[which].transpose(1, 0, 2)
    return (1.0 - along) * a + along * ((1.0 - across) * b + across * c), unit(cross(b - a, c - a))


def mesh_area(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """Square metres of a mesh of triangles, (t, 3), with vertices in metres, (v, 3)."""
    return float(np.cumsum(_areas(vertices[triangles]))[-1])


def _areas(corners: np.ndarray) -> np.ndarray:
    """Square metres of triangles with corners in metres, (t, 3, 3)."""
    return 0.5 * norm(cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
