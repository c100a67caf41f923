"""Labriform swimming: fins that row, by the book's own fin law, while the tail trails (Korsmeyer et al. 2002).

Each stroke has a power half, in which the fins sweep backwards broadside and faster than the fish swims, and a
recovery half, in which they come forward edge on. Where a fish is to swim faster than its fins can, the tail takes
over. A species whose `stroke` is 0 has none of it, like the book's own fish.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..base.elementary import cos, exp
from ..base.state import Stateful, state
from ..base.sums import mean
from ..scene.species import Species
from .tuning import (
    BEAT_FADE_SPEED,
    MEANT_STRIDE,
    PADDLE_CHANGE,
    PADDLE_EASE_SECONDS,
    PADDLE_HASTE,
    PADDLE_HURRY,
    PADDLE_LEAST,
    PADDLE_PUSH,
    PADDLE_PUSH_GAIN,
    PADDLE_REST_RATE,
    STROKE_SAMPLES,
)


class Paddles(Stateful):
    """State of the strokes of the pectoral fins of all fishes.

    Attributes:
        able: Mask of the fishes that row at all, (fish,) bool.
        phase: Phase of the stroke in radians, 0 in the middle of its power half, (fish,).
        reach: Swing of the fins to either side of their middle, over the most, (fish,).
        tail: Share of the swimming that the tail does, 0 to 1, (fish,).
    """

    phase: np.ndarray = state("f8", "fish", unit="rad", key="stroke")
    reach: np.ndarray = state("f8", "fish", low=0, high=2, key="stroke_reach")
    tail: np.ndarray = state("f8", "fish", low=0, high=1, begin=1, key="tail_share")
    _push: np.ndarray = state("f8", "fish", begin=PADDLE_PUSH)
    _wish: np.ndarray = state("f8", "fish")

    def __init__(self, species: Sequence[Species], kind: np.ndarray, slowness: np.ndarray | float = 1.0):
        """Begins at rest.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            slowness: Factor on the time that each takes for a stroke, over that of its kind, (fish,).
        """
        fins = [s.pectoral for s in species]
        self._most = np.array([f.stroke for f in fins])[kind]
        self._rate = np.array([f.stroke_rate for f in fins])[kind] / slowness
        self._gait = np.array([f.gait_speed for f in fins])[kind]
        self.able = self._most > 0
        self._fill(fish=len(kind))
        self.tail[self.able] = 0.0

    @property
    def traits(self) -> dict[str, np.ndarray]:
        """Traits of each fish by their names in `drive.DRIVE`, (fish,) each."""
        return {"rows": self.able, "most": self._most, "rate": self._rate, "gait": self._gait}

    def speed(self, swim: np.ndarray, burst: np.ndarray, beats: np.ndarray) -> np.ndarray:
        """The speed in lengths a second that commands stand for, (fish,).

        Args:
            swim: Share of full speed, (fish,).
            burst: Share of a burst, (fish,).
            beats: Tail beats a second that both stand for, (fish,).
        """
        rowed = self._gait * (PADDLE_LEAST + (1.0 - PADDLE_LEAST) * swim) * np.minimum(swim / BEAT_FADE_SPEED, 1.0)
        return np.where(burst > 0.0, np.maximum(rowed, MEANT_STRIDE * beats), rowed)

    def advance(self, wish: np.ndarray, along: np.ndarray, dt: float) -> np.ndarray:
        """Moves the strokes on by `dt` seconds.

        Args:
            wish: Speed that is meant in lengths a second, (fish,).
            along: Speed ahead in lengths a second, (fish,).
            dt: Seconds.

        Returns:
            Speed at which each fish's fins push against the water in lengths a second, its root mean square over this
            time, (fish,); 0 in recovery.
        """
        wish = wish * self.able
        share = 1.0 - exp(-dt / PADDLE_EASE_SECONDS)
        over = np.clip((wish - self._gait) / (PADDLE_CHANGE * np.maximum(self._gait, 1e-9)), 0.0, 1.0)
        self.tail += share * (np.where(self.able, over, 1.0) - self.tail)
        self._wish += share * (np.minimum(wish, self._gait) - self._wish)
        lack = self._wish - along
        pace = (self._wish + PADDLE_HURRY * np.clip(lack, 0.0, 1.0)) / np.maximum(self._gait, 1e-9)
        rate = self._rate * (PADDLE_REST_RATE + (1.0 - PADDLE_REST_RATE) * pace)
        turned = 2.0 * np.pi * rate * dt * self.able
        rows = self.able & (self._wish > 0.0)
        self._push += np.where(rows, PADDLE_PUSH_GAIN * dt * np.clip(lack, -0.5, 0.5), 0.0)
        np.clip(self._push, 0.0, 4.0 * PADDLE_PUSH, out=self._push)
        excess = np.sqrt(np.maximum(self._push * np.square(self._wish) + PADDLE_HASTE * lack, 0.0))
        swiftest = 2.0 * np.pi * rate * self._most
        sweep = np.where(rows, np.minimum(np.maximum(along, 0.0) + excess, swiftest), 0.0) * (1.0 - self.tail)
        self.reach += share * (sweep / np.maximum(swiftest, 1e-9) - self.reach)
        angles = self.phase + turned * ((np.arange(STROKE_SAMPLES) + 0.5) / STROKE_SAMPLES)[:, None]
        self.phase = (self.phase + turned) % (2.0 * np.pi)
        power = np.maximum(sweep * cos(angles) - along, 0.0) * self.able
        return np.sqrt(mean(np.square(power), axis=0))
