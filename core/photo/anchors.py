"""Anchors: nodes of a grid that the animator fixes to places in the photograph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ..form.surfaces import BELLY_ROW, BODY_COLUMNS, BODY_ROWS
from .segmentation import KnownPlaces

Anchors = dict[tuple[int, int], tuple[float, float]]
"""Places (x, y) in pixels by node (row, column)."""


def read_anchors(anchors: Iterable, shape: tuple[int, int]) -> Anchors:
    """Anchors (row, column, x, y), or ((row, column), (x, y)), by their nodes.

    Raises:
        ValueError: If one is no node of a grid of this shape, or no place.
    """
    places: Anchors = {}
    if isinstance(anchors, Mapping):
        anchors = anchors.items()
    for anchor in anchors:
        try:
            row, column, x, y = np.concatenate([np.ravel(part) for part in anchor]).astype(float)
        except ValueError:
            raise ValueError(f"anchors: found {anchor!r}, allowed (row, column, x, y)") from None
        if not (0 <= row < shape[0] and 0 <= column < shape[1] and row % 1 == column % 1 == 0):
            allowed = f"rows 0 to {shape[0] - 1} and columns 0 to {shape[1] - 1}"
            raise ValueError(f"anchors: found node ({row:g}, {column:g}), allowed {allowed}")
        if not np.isfinite([x, y]).all():
            raise ValueError(f"anchors: found place ({x}, {y}), allowed finite numbers")
        places[int(row), int(column)] = (float(x), float(y))
    return places


def known_by(anchors: Anchors) -> KnownPlaces:
    """The outline's known points among the anchors of the body's grid."""

    def places(nodes: Iterable[tuple[int, int]]) -> np.ndarray:
        return np.array([anchors[node] for node in nodes], dtype=float).reshape(-1, 2)

    nose = places(node for node in anchors if node[1] == 0)
    last = BODY_COLUMNS - 1
    upper, lower, middle = (
        places(node for node in anchors if node == (row, last)) for row in (0, BELLY_ROW, BODY_ROWS // 2)
    )
    tail = None
    if len(middle):
        tail = middle[0]
    elif len(upper) and len(lower):
        tail = 0.5 * (upper[0] + lower[0])
    back = places(node for node in anchors if node[0] == 0 and node[1] > 0)
    belly = places(node for node in anchors if node[0] == BELLY_ROW and node[1] > 0)
    return KnownPlaces(nose.mean(axis=0) if len(nose) else None, tail, back, belly)
