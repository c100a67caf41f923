"""Cycles mixed for fishes between paces and turns."""

from __future__ import annotations

import numpy as np

from artfish.core.base.sums import total

Array = np.ndarray


def between(values: Array, knots: Array) -> tuple[Array, Array]:
    """The first of the two knots between which values lie, and their shares of the way between, 0 to 1, (n,) each.

    Of a single knot they are at that.
    """
    if len(knots) == 1:
        return np.zeros(len(values), int), np.zeros(len(values))
    row = np.clip(np.searchsorted(knots, values, side="right") - 1, 0, len(knots) - 2)
    return row, np.clip((values - knots[row]) / (knots[row + 1] - knots[row]), 0.0, 1.0)


def mix(
    *,
    kinds: Array,
    pace: Array,
    turn: Array,
    pace_knots: Array,
    turn_knots: Array,
    grid: Array,
    motions: Array,
    corners: Array,
    shares: Array,
    mixed: Array,
) -> None:
    """The four corners between which fishes are, the share of each, and the motion of them together."""
    (row, down), (column, across) = between(pace, pace_knots), between(turn, turn_knots)
    for corner, (lower, farther) in enumerate(((0, 0), (0, 1), (1, 0), (1, 1))):
        paces, turns = np.minimum(row + lower, len(pace_knots) - 1), np.minimum(column + farther, len(turn_knots) - 1)
        corners[:, corner] = grid[kinds, paces, turns]
        shares[:, corner] = (down if lower else 1.0 - down) * (across if farther else 1.0 - across)
    mixed[:] = total(shares[:, :, None] * motions[corners], axis=1)
