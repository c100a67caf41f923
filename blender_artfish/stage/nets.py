"""Nets: the faces of a mesh as twines, flat strips that cross."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from .shapes import Shape, join

NET_COLOUR = 0.05, 0.07, 0.06
"""Linear red, green and blue of a net that has no colour of its own."""
TWINE_SHARE, MOST_TWINE_METRES = 0.08, 0.005
"""Thickness of a twine over the width of a mesh, and the most that it is."""
MOST_TWINES = 240
"""Most twines across a face, so that a large one has wider meshes."""


def woven(vertices: np.ndarray, faces: Iterable[Sequence[int]], weave: float) -> Shape:
    """The twines of faces.

    Args:
        vertices: (n, 3) in metres.
        faces: Vertices of each face; those of more than four corners are cut into triangles.
        weave: Width of the net's meshes in metres.
    """
    twine = min(TWINE_SHARE * weave, MOST_TWINE_METRES)
    strips = []
    for face in faces:
        for corners in _quads(np.asarray(vertices, dtype=float)[list(face)]):
            a, b, c, d = corners
            strips += _across(a, b, d, c, weave, twine)
            strips += _across(a, d, b, c, weave, twine)
    return join(strips)


def _quads(corners: np.ndarray) -> list[np.ndarray]:
    """A face as fours of corners, of which a triangle has one twice."""
    if len(corners) == 4:
        return [corners]
    return [corners[[0, row, row + 1, row + 1]] for row in range(1, len(corners) - 1)]


def _across(a: np.ndarray, b: np.ndarray, d: np.ndarray, c: np.ndarray, weave: float, twine: float) -> list[Shape]:
    """Twines from the edge a to b to the edge d to c."""
    wide = max(float(np.linalg.norm(b - a)), float(np.linalg.norm(c - d)))
    count = int(min(max(round(wide / weave), 1), MOST_TWINES))
    found: list[Shape] = []
    for share in np.arange(count + 1) / count:
        begin, end = a + share * (b - a), d + share * (c - d)
        side = (1.0 - share) * (b - a) + share * (c - d)
        size = float(np.linalg.norm(side))
        if size == 0.0 or (begin == end).all():
            continue
        half = 0.5 * twine * side / size
        found.append((np.stack([begin - half, begin + half, end + half, end - half]), np.arange(4)[None]))
    return found
