"""The reach of bodies."""

from __future__ import annotations

import numpy as np


def extents(*, nodes: np.ndarray, lows: np.ndarray, highs: np.ndarray) -> None:
    """The least and the greatest of x, y and z of the nodes of each fish."""
    lows[:], highs[:] = nodes.min(axis=1), nodes.max(axis=1)
