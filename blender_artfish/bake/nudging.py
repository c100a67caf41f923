"""A fish's path moved at a frame, and less and less before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .key_table import KeyTable
from .timing import CLOSE

STEPS = np.linspace(-1.0, 1.0, 9)
"""Moments of a nudge at which keys are added, as shares of its falloff: cubics between them follow it to 0.05 %."""
DIFFERENCE = 0.01
"""Frames over which slopes are measured."""
LEAST_FALLOFF, MOST_FALLOFF = 1, 100_000
"""Frames of the shortest and the longest falloff."""


@dataclass(frozen=True)
class Nudge:
    """A smooth bump on a fish's path.

    Attributes:
        moment: Frame of the motion as baked at which it is whole.
        falloff: Frames before and after at which there is nothing left of it, as baked.
        move: How far the path is moved, (3,), in the channels of its place.
    """

    moment: float
    falloff: float
    move: tuple[float, float, float]

    def share(self, times: np.ndarray) -> np.ndarray:
        """Its share at times as baked, 0 to 1."""
        return 0.5 + 0.5 * np.cos(np.pi * np.clip((times - self.moment) / self.falloff, -1.0, 1.0))


def moved(nudges: Sequence[Nudge], times: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Distances that nudges move a path at times as baked, along an axis for each, (n,)."""
    found = np.zeros(len(times))
    for nudge in nudges:
        found += nudge.share(times) * np.asarray(nudge.move)[axes]
    return found


def nudged(table: KeyTable, nudges: Sequence[Nudge], rows: np.ndarray) -> KeyTable:
    """A table of keys as baked, with nudges.

    Args:
        table: The keys.
        nudges: The nudges.
        rows: The curves of the place along x, y and z, (3,).
    """
    times, curve = table.points[:, 0, 0].astype(float), table.curve
    own = np.isin(curve, rows)
    added = np.concatenate([nudge.moment + nudge.falloff * STEPS for nudge in nudges])
    over = np.zeros(len(times), dtype=bool)
    for nudge in nudges:
        over |= own & (np.abs(times - nudge.moment) <= nudge.falloff + CLOSE)
    new = [np.unique(np.round(np.concatenate([added, times[over & (curve == row)]]) / CLOSE)) * CLOSE for row in rows]
    places, slopes = [], []
    for axis, (row, at) in enumerate(zip(rows, new, strict=True)):
        part = table.of(np.array([row]))
        before, here, after = (
            part.sample(at + step)[0] + moved(nudges, at + step, np.full(len(at), axis))
            for step in (-DIFFERENCE, 0.0, DIFFERENCE)
        )
        places.append(np.stack([at, here], axis=1))
        slopes.append((after - before) / (2 * DIFFERENCE))
    every = np.repeat(rows, [len(at) for at in new])
    return table.merged(~over, every, np.concatenate(places), np.concatenate(slopes))
