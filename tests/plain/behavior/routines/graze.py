"""The moves of fishes that pick drifting food."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from artfish.core.base.elementary import arccos
from artfish.core.base.vectors import dot, norm, unit
from artfish.core.behavior.routines.chase import chase, runs_up

Array = np.ndarray


def graze(
    *,
    picking: SimpleNamespace,
    rows: Array,
    foods: Array,
    seconds: Array,
    noses: Array,
    aheads: Array,
    velocities: Array,
    lengths: Array,
    turned: Array,
    passing: Array,
    ways: Array,
    paces: Array,
    holds: Array,
) -> None:
    """Chases what does not move, turns in a glide to what lies off the nose, and swims past what it only circles."""
    offset, length, ahead = foods - noses[rows], lengths[rows], aheads[rows]
    distance, speed, before = norm(offset), dot(velocities[rows], ahead), turned[rows]
    pursuit = chase(offset, np.zeros_like(offset), ahead, speed, length, picking.sigma, False)
    off = arccos(np.clip(dot(unit(offset), ahead), -1.0, 1.0))
    nearby, close = distance < picking.picking * length, distance < picking.braking * length
    steep = close & (np.abs(offset[:, 2]) > picking.steep_sine * distance)
    weary = before > picking.patience
    leaves = runs_up(passing[rows] | steep | weary, offset, ahead, length, begins=False)
    turns = nearby & ~leaves & (off > np.where(before > 0.0, picking.facing, picking.awry))
    passing[rows], turned[rows] = leaves, np.where(turns, close * before + seconds, 0.0)
    hasty = nearby & (speed > picking.rate * (length + distance))
    slow = np.clip(distance / (picking.picking * length), picking.least_pace, 1.0)
    paces[:] = np.where(leaves, picking.passing_pace, np.where(turns | hasty, 0.0, slow))
    holds[:] = turns & close
    ways[:] = np.where(leaves[:, None], unit(ahead * (1.0, 1.0, picking.climb)), pursuit.wish)
