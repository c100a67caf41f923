"""Rest lengths of the muscles, step by step: the beat of the swim segments and the bend of the turning ones."""

from __future__ import annotations

import numpy as np

from ..body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES, MUSCLES
from ..body.dynamics import BodyModel
from ..species import Species


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
        self._shortening = natural * _contractions(species)
        self._natural = np.repeat(natural, fishes, axis=1)
        self._shortest = self._natural * (1.0 - max(rhythm.contraction, steering.contraction))
        self._most = dt * BOOK_RATE / BOOK_STEP  # s_max a step of 0.055, for a step of dt
        self._state, self._asked, self._pace = (np.zeros((3, fishes)) for _ in range(3))
        self._waves, self._change = np.empty((7, fishes)), np.empty((12, fishes))
        self.phase = np.zeros(fishes)
        self.beat, self.bend = self._state[0], self._state[1:]
        self.lengths = self._natural.copy()

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
        waves, change = self._waves, self._change
        np.maximum(self.bend, 0.0, out=waves[0:2])
        np.subtract(waves[0:2], self.bend, out=waves[2:4])
        np.multiply(0.5, self.beat, out=waves[4])
        np.subtract(self.phase, self._lags, out=waves[5:])
        np.sin(waves[5:], out=waves[5:])
        waves[5:] *= waves[4]
        np.matmul(self._shortening, waves, out=change)
        np.subtract(self._natural, change, out=change)
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
        state, asked, pace = self._state, self._asked, self._pace
        asked[0], asked[1:] = amplitude, bend
        pace[0], pace[1:] = turn, np.where(np.abs(bend) < np.abs(self.bend), self._release * reach, reach)
        asked -= state
        np.minimum(asked, pace, out=asked)
        np.negative(pace, out=pace)
        np.maximum(asked, pace, out=asked)
        state += asked


def _contractions(species: Species) -> np.ndarray:
    """How far each muscle contracts in each of seven motions, (12, 7).

    The motions are the bends of the front and the back turning segment to the left, the same to the right, half
    the beat's amplitude, and the two swim segments' waves around it.
    """
    rhythm, steering = species.rhythm, species.steering
    anterior, posterior = rhythm.anterior * rhythm.contraction, rhythm.posterior * rhythm.contraction
    contractions = np.zeros((3, 4, 7))
    for left, side in ((True, 1.0), (False, -1.0)):
        own = LEFT_MUSCLES[:4] == left
        bends = [0, 1] if left else [2, 3]
        contractions[0, own, bends[0]] = steering.contraction
        contractions[1, own, bends[1]] = steering.contraction
        contractions[1, own, 4:6] = anterior, side * anterior
        contractions[2, own, 4], contractions[2, own, 6] = posterior, side * posterior
    return contractions.reshape(12, 7)
