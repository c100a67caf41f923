"""Keeping with one's own kind: heading as they do and closing up (after Reynolds 1987, as Tu 1999, §7.9.2)."""

from __future__ import annotations

import numpy as np

from ...perception.neighbours import Neighbours
from ...vectors import dot, norm

SIGHT = 15.0  # lengths


def keep_together(
    neighbours: Neighbours, ahead: np.ndarray, speed: np.ndarray, length: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The pull of kin in sight on each of n fishes.

    Args:
        neighbours: Of those fishes.
        ahead: Their headings, (n, 3).
        speed: In m/s, (n,).
        length: In metres, (n,).

    Returns:
        A vector towards where kin head and are, of length 2 at most, (n, 3); and how much faster to swim in order
        to keep up with them, as a share of the pace, -0.6 to 0.6, (n,). Both 0 without kin.
    """
    heeded = (neighbours.kin & (norm(neighbours.offset) < SIGHT * length[:, None])).astype(float)
    share = heeded / np.maximum(heeded.sum(axis=1, keepdims=True), 1.0)
    heading, middle, gain = (
        np.einsum("nk,nki->ni", share, of) for of in (neighbours.ahead, neighbours.offset, neighbours.motion)
    )
    closing = middle / np.maximum(norm(middle), 2 * length)[:, None]
    lead = dot(gain, ahead) / np.maximum(speed, length)
    lag = dot(closing, ahead)
    return heading + closing, np.clip(0.4 * lead + 0.4 * lag, -0.6, 0.6)
