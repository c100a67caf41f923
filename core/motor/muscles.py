"""Rest lengths of the muscles, step by step: the beat of the swim segments and the bend of the turning ones."""

from __future__ import annotations

import numpy as np

from ..body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES, MUSCLES
from ..body.dynamics import BodyModel
from ..species import Species

ROWS = np.array([2 * (muscle // 4) + (0 if LEFT_MUSCLES[muscle] else 1) for muscle in range(12)])
"""For each muscle the row of its segment and side: front left, front right, middle left, ... back right, (12,)."""


class Muscles:
    """The muscles of a block of fishes, in the book's units.

    The documents give amplitude and rate of a contraction but not its course; ours is a cosine with the same mean
    rate, so that motion is smooth.

    Attributes:
        phase: Phase of the beat in radians, (fish,).
        bend: Contraction of the two turning segments, left positive, (2, fish).
        beat: Amplitude of the beat as a share of the best contractions, (fish,).
        lengths: Rest lengths, (12, fish).
    """

    def __init__(self, species: Species, model: BodyModel, fishes: int, dt: float):
        """Begins at rest, for steps of `dt` book units."""
        rhythm, steering = species.rhythm, species.steering
        self._natural = model.natural[MUSCLES][:, None]
        self._most = dt * BOOK_RATE / BOOK_STEP  # s_max a step of 0.055, for a step of dt
        self._anterior = rhythm.anterior * rhythm.contraction
        self._posterior = rhythm.posterior * rhythm.contraction
        self._limit = max(rhythm.contraction, steering.contraction)
        self._turning = steering.contraction
        self._release = steering.release
        self._lag = rhythm.lag
        self._dt = dt
        self.phase = np.zeros(fishes)
        self.beat = np.zeros(fishes)
        self.bend = np.zeros((2, fishes))
        self.lengths = np.repeat(self._natural, fishes, axis=1)

    def advance(
        self, frequency: np.ndarray, amplitude: np.ndarray, bend: np.ndarray, rate: np.ndarray
    ) -> np.ndarray:
        """Moves the rest lengths on by one step towards what the controllers ask for.

        Args:
            frequency: Beats a book unit of time, (fish,).
            amplitude: Share of the best contractions, (fish,).
            bend: Contraction asked of the two turning segments, left positive, (2, fish).
            rate: Full contractions a book unit of time, (fish,).

        Returns:
            Rest lengths of the muscles, (12, fish).
        """
        self.phase += 2.0 * np.pi * self._dt * frequency
        # A beat swells and fades over about one beat; a bend comes at its rate and goes more slowly.
        self.beat += np.clip(amplitude - self.beat, -self._dt * frequency, self._dt * frequency)
        fade = np.where(np.abs(bend) < np.abs(self.bend), self._release, 1.0) * (self._dt * rate)
        self.bend += np.clip(bend - self.bend, -fade, fade)

        half = 0.5 * self.beat
        front, back = half * np.sin(self.phase), half * np.sin(self.phase - self._lag)
        left, right = np.maximum(self.bend, 0.0), np.maximum(-self.bend, 0.0)
        contraction = np.empty((6, len(half)))
        contraction[0], contraction[1] = self._turning * left[0], self._turning * right[0]
        contraction[2] = self._anterior * (half + front) + self._turning * left[1]
        contraction[3] = self._anterior * (half - front) + self._turning * right[1]
        contraction[4], contraction[5] = self._posterior * (half + back), self._posterior * (half - back)
        np.minimum(contraction, self._limit, out=contraction)
        wanted = self._natural * (1.0 - contraction[ROWS])
        wanted -= self.lengths
        np.clip(wanted, -self._most, self._most, out=wanted)
        self.lengths += wanted
        return self.lengths
