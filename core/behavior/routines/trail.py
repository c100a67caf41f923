"""Following a smell: upstream while it lasts, and across the stream when it is lost (Vickers 2000; numbers are ours).

As moths and sharks do: who smells it turns against the water that brings it, and to the side where it smells more; who
has lost it casts across the stream, farther each time, until it comes upon it again or gives up. In still water there
is only the side to go by.
"""

from __future__ import annotations

import numpy as np

from ...base.vectors import norm, unit
from ...perception.scent import Scent
from ...perception.swimmers import Swimmers
from .moves import Moves
from .tuning import (
    CAST_SECONDS,
    CASTING_UPSTREAM,
    FELT_STREAM_SPEED,
    SEARCHING_PACE,
    TRAIL_PACE,
    TRAIL_PULL,
    TRAIL_SLOPE,
)


def trail(me: np.ndarray, swimmers: Swimmers, scent: Scent) -> Moves:
    """The moves of fishes on a trail of smell.

    Args:
        me: Rows of n fishes that are on one, (n,).
        swimmers: All fishes.
        scent: Their noses.
    """
    level = np.array([1.0, 1.0, 0.0])
    water, frames = scent.plume.water(swimmers.nose[me]) * level, swimmers.frames[me]
    flows = norm(water) > FELT_STREAM_SPEED
    up = unit(np.where(flows[:, None], -water, frames[:, :, 0] * level))
    across = np.stack((-up[:, 1], up[:, 0], np.zeros(len(me))), axis=1)
    side, lost = scent.side[me], scent.lost[me]
    searches = lost > 0.0
    follows = up + (TRAIL_PULL * side)[:, None] * (frames[:, :, 1] * level)
    # Each leg takes twice as long as the one before, and leads to the other side, and down where the one before led up.
    turned = 1.0 - 2.0 * ((np.frexp(1.0 + lost / CAST_SECONDS)[1] - 1) % 2)
    casts = CASTING_UPSTREAM * up + (turned * np.where(side < 0.0, -1.0, 1.0))[:, None] * across
    wish = unit(np.where(searches[:, None], casts, follows))
    wish[:, 2] = TRAIL_SLOPE * scent.rise[me] * np.where(searches, -turned, 1.0)
    wish /= np.sqrt(1.0 + TRAIL_SLOPE * TRAIL_SLOPE)
    none = np.zeros(len(me))
    return Moves(wish, np.where(flows, TRAIL_PACE, SEARCHING_PACE), none.astype(bool), none)
