"""Rocks of many faces: the cost of sampling one grows no faster than its number of faces."""

from __future__ import annotations

import numpy as np

from ..core.geometry import triangles
from ..core.geometry.mesh_field import MeshField
from .table import Row, explains
from .timing import race

FEW, MANY = 12, 36
"""Rings of balls of some 500 and 5,000 triangles."""


def ball(rings: int) -> tuple[np.ndarray, list[list[int]]]:
    """A ball of twice as many sides as rings: vertices (n, 3) and the triangles at its poles and between its rings."""
    sides = 2 * rings
    polar, turn = np.meshgrid(
        np.linspace(0, np.pi, rings + 1)[1:-1], 2 * np.pi * np.arange(sides) / sides, indexing="ij"
    )
    around = np.stack([np.sin(polar) * np.cos(turn), np.sin(polar) * np.sin(turn), np.cos(polar)], axis=-1)
    vertices = np.concatenate([[[0, 0, 1]], around.reshape(-1, 3), [[0, 0, -1]]])
    faces = []
    for side in range(sides):
        following, last = (side + 1) % sides, len(vertices) - 1
        faces.append([0, 1 + side, 1 + following])
        for start in range(1, 1 + (rings - 2) * sides, sides):
            faces.append([start + side, start + sides + side, start + sides + following, start + following])
        faces.append([last, last - sides + following, last - sides + side])
    return vertices, faces


@explains("rocks")
def rows(quick: bool = False) -> list[Row]:
    """Seconds to sample a rock of many faces, and their growth from one of few."""
    few, many = (triangles.closed(*ball(rings)) for rings in (FEW, FEW + 2 if quick else MANY))
    seconds = race({"few": lambda: MeshField(few), "many": lambda: MeshField(many)}, 1 if quick else 5)
    faces = len(many.triangles) / len(few.triangles)
    ratio = float(np.median(seconds["many"] / seconds["few"]))
    return [
        Row("sampling a rock", float(seconds["many"].min()), "s", note=f"{len(many.triangles):,} triangles"),
        Row(
            "growth of it over that of its faces",
            ratio / faces,
            "",
            "<= 1",
            f"{len(few.triangles):,} to {len(many.triangles):,}",
        ),
    ]
