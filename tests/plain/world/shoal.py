"""Bodies of those that do not move by themselves."""

from __future__ import annotations

import numpy as np

from artfish.core.world.shoal import PLAYED, RESTING

Array = np.ndarray


def stand(
    *,
    how: Array,
    rested: Array,
    nodes: Array,
    origins: Array,
    frames: Array,
    rests: Array,
    kinds: Array,
    lengths: Array,
    velocities: Array,
    metres: Array,
    speeds: Array,
    places: Array,
    motions: Array,
    seconds: float,
) -> None:
    """Puts whoever is not as it is where it is shown, or at rest; it moves as it came, but for a jump into a pose."""
    rest, own = rests[kinds], frames[:, None]
    arms = (own[..., 0] * rest[..., :1] + own[..., 1] * rest[..., 1:2]) + own[..., 2] * rest[..., 2:]
    resting, moved = how == RESTING, (how == RESTING) | (how == PLAYED)
    at = np.where(resting[:, None, None], origins[:, None] + lengths[:, None, None] * arms, nodes)
    metre, jumps = metres[:, None, None], (rested | resting)[:, None, None]
    fast = np.where(jumps, velocities[:, None], (at - places * metre) / seconds)
    motions[moved] = (fast * speeds[:, None, None])[moved]
    places[moved] = (at / metre)[moved]
    rested[moved] = resting[moved]
