"""Rest lengths of the muscles, step by step: the beat of the swim segments and the bend of the turning ones."""

from __future__ import annotations

import numpy as np

from ..body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES, MUSCLES
from ..body.dynamics import BodyModel
from ..species import Species

SWIFTEST_BEND = 0.3
"""Full contractions of a turning muscle in a book unit of time, at most; s_max alone would allow some twenty."""


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
        natural = model.natural[MUSCLES][:, None]
        self._dt, self._release = dt, steering.release
        self._lags = np.array([[0.0], [rhythm.lag]])
        self._wanted = natural * np.concatenate([-_contractions(species), np.ones((12, 1))], axis=1)
        self._shortest = np.repeat(natural * (1.0 - max(rhythm.contraction, steering.contraction)), fishes, axis=1)
        self._most = dt * BOOK_RATE / BOOK_STEP  # s_max a step of 0.055, for a step of dt
        self._motions = np.zeros((8, fishes))
        self._motions[7] = 1.0
        self._left, self._pace, self._change = (np.empty((rows, fishes)) for rows in (3, 3, 12))
        self.phase = np.zeros(fishes)
        self.beat, self.bend = self._motions[0], self._motions[1:3]
        self.lengths = np.repeat(natural, fishes, axis=1)

    def advance(self, frequency: np.ndarray, amplitude: np.ndarray, bend: np.ndarray, rate: np.ndarray) -> np.ndarray:
        """Moves the rest lengths on by one step towards what the controllers ask for.

        Args:
            frequency: Beats a book unit of time, (fish,).
            amplitude: Share of the best contractions, (fish,).
            bend: Contraction asked of the two turning segments, left positive, (2, fish).
            rate: Full contractions a book unit of time, (fish,).

        Returns:
            Rest lengths of the muscles, (12, fish).
        """
        turn = self._dt * frequency
        self._approach(amplitude, bend, turn, self._dt * rate)
        self.phase += 2.0 * np.pi * turn
        to_the_left, waves, change = self._motions[3:5], self._motions[5:7], self._change
        np.maximum(self.bend, 0.0, out=to_the_left)
        np.subtract(self.phase, self._lags, out=waves)
        np.sin(waves, out=waves)
        waves *= self.beat
        np.matmul(self._wanted, self._motions, out=change)
        np.maximum(change, self._shortest, out=change)
        change -= self.lengths
        np.minimum(change, self._most, out=change)
        np.maximum(change, -self._most, out=change)
        self.lengths += change
        return self.lengths

    def _approach(self, amplitude: np.ndarray, bend: np.ndarray, turn: np.ndarray, reach: np.ndarray) -> None:
        """Moves beat and bend towards what is asked for.

        A beat swells and fades over about one beat; a bend comes at its rate and goes more slowly.
        """
        left, pace = self._left, self._pace
        np.subtract(amplitude, self.beat, out=left[0])
        np.subtract(bend, self.bend, out=left[1:])
        reach = np.minimum(reach, self._dt * SWIFTEST_BEND)
        pace[0], pace[1:] = turn, reach
        np.multiply(pace[1:], self._release, out=pace[1:], where=np.abs(bend) < np.abs(self.bend))
        np.minimum(left, pace, out=left)
        np.negative(pace, out=pace)
        np.maximum(left, pace, out=left)
        self._motions[:3] += left


def _contractions(species: Species) -> np.ndarray:
    """How far each muscle contracts in each of seven motions, (12, 7).

    The motions are the amplitude of the beat; the bends of the front and the back turning segment, left positive;
    what of these is to the left; and the waves of the two swim segments, between plus and minus the amplitude.
    """
    rhythm, steering = species.rhythm, species.steering
    anterior, posterior = 0.5 * rhythm.anterior * rhythm.contraction, 0.5 * rhythm.posterior * rhythm.contraction
    contractions = np.zeros((3, 4, 7))
    for left, side in ((True, 1.0), (False, -1.0)):
        own = LEFT_MUSCLES[:4] == left
        for segment in (0, 1):
            # The right contracts by what a bend to the left exceeds the bend.
            contractions[segment, own, 3 + segment] = steering.contraction
            contractions[segment, own, 1 + segment] = 0.0 if left else -steering.contraction
        contractions[1, own, 0], contractions[1, own, 5] = anterior, side * anterior
        contractions[2, own, 0], contractions[2, own, 6] = posterior, side * posterior
    return contractions.reshape(12, 7)
