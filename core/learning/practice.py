"""Practice: bodies without a mind swim by candidate controls, side by side, and their senses tell how they fared."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..base.vectors import unit
from ..body.anatomy import MASS_SHARES, NOSE_NODE
from ..body.dynamics import FIRST_NODES, SECOND_NODES, BodyModel
from ..body.kernel import BLOCK_MULTIPLE, mover
from ..body.tuning import LONGEST_BOOK_STEP
from ..motor.mover import Mover
from ..replicas.tuning import CAPTURE_FPS, CAPTURE_SUBSTEPS
from ..scene.species import Species
from .learned import Learned, contractions
from .tuning import PRACTICE_LOOKS, PRACTICE_UNITS


@dataclass(frozen=True, eq=False)
class SensedMotion:
    """The sensed motion of practising bodies, at even times, in body lengths from their start.

    Attributes:
        units: Time of the whole film, in the book's units.
        middle: Centers of mass, (looks, candidate, 3).
        nose: Tips of their snouts from where those began, (looks, candidate, 3).
        upright: Upright part of their up direction: 1 is level, (looks, candidate).
    """

    units: float
    middle: np.ndarray
    nose: np.ndarray
    upright: np.ndarray


@dataclass(frozen=True, eq=False)
class CandidateSwim:
    """The swimming of candidates in the second half of a film, step by step.

    Attributes:
        nodes: Body lengths, (samples, candidate, 23, 3).
        step: Seconds from one sample to the next.
        work: Net work of the muscles on the body, in the book's units, (candidate,).
        speed: Lengths a second straight from beginning to end, (candidate,).
    """

    nodes: np.ndarray
    step: float
    work: np.ndarray
    speed: np.ndarray

    @property
    def effort(self) -> np.ndarray:
        """Work over distance, in the book's units a length, (candidate,)."""
        return self.work / np.maximum(self.speed * self.step * (len(self.nodes) - 1), 1e-9)


class Practice:
    """Runs bodies of one species through the water, from rest, level, heading along x; fins are still and level."""

    def __init__(self, species: Species, candidates: int, current: float = 0.0, units: float = PRACTICE_UNITS):
        """Prepares for so many at once.

        Args:
            species: Theirs.
            candidates: Number of candidates.
            current: Current of the water towards them, in lengths a book unit of time.
            units: Time of a film in the book's units.
        """
        self.species, self.candidates = species, candidates
        self.model = BodyModel(species.body)
        self._size = -(-candidates // BLOCK_MULTIPLE) * BLOCK_MULTIPLE
        step = 1.0 / (CAPTURE_FPS * CAPTURE_SUBSTEPS) / species.time_scale  # as in a scene
        self._mover = Mover.of(species, self.model, self._size, step, LONGEST_BOOK_STEP, mover)
        self.dt = self._mover.dt
        self.steps = round(units / self.dt)
        self.natural = self.model.natural[self.model.muscles]
        self._water = np.zeros((3, self._size))
        self._water[0] = -current * species.body.book_length

    @property
    def muscles(self) -> int:
        """Number of muscles of a body."""
        return len(self.natural)

    def lengths(self, samples: np.ndarray, durations: np.ndarray, interpolation: str) -> np.ndarray:
        """Rest lengths of the muscles, (steps, m, candidate).

        Args:
            samples: (candidate, m, 15).
            durations: Time that all samples take, in the book's units, (candidate,).
            interpolation: Interpolation between them.
        """
        times = (np.arange(self.steps) + 1.0) * self.dt
        course = contractions(samples, durations, times, interpolation)
        return self.shortened(course.transpose(0, 2, 1))

    def lengths_of(self, learned: Learned) -> np.ndarray:
        """Rest lengths of the muscles, (steps, m, candidate), where all repeat the learned motion."""
        samples = np.repeat(np.array(learned.samples)[None], self.candidates, axis=0)
        durations = np.full(self.candidates, learned.duration / self.species.time_scale)
        return self.lengths(samples, durations, learned.interpolation)

    def shortened(self, shares: np.ndarray) -> np.ndarray:
        """Rest lengths of muscles, (steps, m, candidate), that contract by shares of theirs, (candidate, m, steps)."""
        return np.ascontiguousarray((self.natural[:, None] * (1.0 - shares)).transpose(2, 1, 0))

    def film(self, lengths: np.ndarray) -> SensedMotion:
        """Has all swim by these rest lengths of their muscles, (steps, m, candidate)."""
        cuts = np.linspace(0, self.steps, PRACTICE_LOOKS + 1).astype(int)
        x, v, lengths = self._begin(lengths)
        begin, scale = x.copy(), 1.0 / self.species.body.book_length
        middle, nose, upright = (np.empty((PRACTICE_LOOKS, *shape, self._size)) for shape in ((3,), (3,), ()))
        for look, (first, last) in enumerate(zip(cuts[:-1], cuts[1:], strict=True)):
            self._mover.integrator.advance(x, v, lengths[first:last], self._water)
            middle[look] = (MASS_SHARES[:, None, None] * (x - begin)).sum(axis=0) * scale
            nose[look] = (x - begin)[NOSE_NODE] * scale
            upright[look] = unit((x[5] + x[6] - x[7] - x[8]).T)[:, 2]
        own = slice(0, self.candidates)
        return SensedMotion(
            self.steps * self.dt,
            middle.transpose(0, 2, 1)[:, own],
            nose.transpose(0, 2, 1)[:, own],
            upright[:, own],
        )

    def swim(self, lengths: np.ndarray) -> CandidateSwim:
        """The same, looked at in every step of the second half: slower, for figures."""
        x, v, lengths = self._begin(lengths)
        units = self.model.muscles
        ends, elasticity = (FIRST_NODES[units], SECOND_NODES[units]), self.model.elasticity[units, None]
        half, places, work = self.steps // 2, [], np.zeros(self._size)
        self._mover.integrator.advance(x, v, lengths[:half], self._water)
        for last, rest in pairwise(lengths[half - 1 :]):
            before = _spans(x, ends)
            self._mover.integrator.advance(x, v, rest[None], self._water)
            # A spring gains -c (length - rest) for what its rest length changes.
            stretch = 0.5 * (before + _spans(x, ends) - last - rest)
            work -= (elasticity * stretch * (rest - last)).sum(axis=0)
            places.append(x.transpose(2, 0, 1)[: self.candidates] / self.species.body.book_length)
        nodes, second = np.array(places), self.dt * self.species.time_scale
        middle = np.einsum("n,tfnc->tfc", MASS_SHARES, nodes[[0, -1]])
        speed = np.linalg.norm(middle[1] - middle[0], axis=-1) / (second * (len(nodes) - 1))
        return CandidateSwim(nodes, second, work[: self.candidates], speed)

    def _begin(self, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Bodies at rest, and rest lengths for as many as there is room for."""
        x, more = self.model.resting(self._size), self._size - lengths.shape[2]
        if more:
            lengths = np.concatenate([lengths, np.repeat(lengths[:, :, :1], more, axis=2)], axis=2)
        return x, np.zeros_like(x), lengths


def _spans(x: np.ndarray, ends: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Lengths of units, (m, fish)."""
    first, second = ends
    return np.sqrt(np.square(x[second] - x[first]).sum(axis=1))
