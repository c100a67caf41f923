"""Rest lengths of the muscles, step by step: the beat of the swim segments and the bend of the turning ones."""

from __future__ import annotations

from copy import copy

import numpy as np

from ..base.state import Stateful, state
from ..body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES
from ..body.dynamics import BodyModel
from ..compiled import Kept, compiled, integer, keep, part, reals, record, takes, writes
from ..scene.species import Species
from .learned import pattern_of
from .tuning import MOST_CONTRACTION, SWIFTEST_BEND

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

SINEWS = record(
    "Sinews",
    **reals("dt most bending release swiftest"),
    lag=takes("f8", "segments"),
    beating=takes("f8", "segments"),
    natural=takes("f8", "muscles"),
    shortest=takes("f8", "muscles"),
    curling=takes("f8", "muscles"),
    left=takes("f8", "muscles"),
    pattern=takes("f8", "coefficients"),
)
"""The muscles of a species for one length of the step. The pattern is that of a species that learned to swim; its first
number is 0 for all others."""
_MUSCLES = compiled(
    "muscles",
    over="fishes",
    least=FISHES_A_THREAD,
    sinews=part(SINEWS),
    rates=takes("f8", 2, "fishes"),
    aims=takes("f8", 3, "fishes"),
    curls=takes("f8", 2, "fishes"),
    phase=takes("f8", "fishes"),
    swing=takes("f8", 3, "fishes"),
    curl=takes("f8", "fishes"),
    before=takes("f8", "sinews.muscles", "fishes"),
    states=writes("f8", 5, "fishes"),
    lengths=writes("f8", "steps", "sinews.muscles", "fishes"),
    curling=integer(),
    hurrying=integer(),
)


class Muscles(Stateful):
    """The muscles of a block of fishes, in the book's units.

    The documents give amplitude and rate of a contraction but not its course; ours is a cosine with the same mean
    rate, so that motion is smooth. In the book two segments beat; where a species says so, the shoulder before them
    and the peduncle behind them beat too, each with a phase of its own, so that a wave runs down the body. A fish
    that learned to swim contracts them as its `Pattern` says.

    Attributes:
        phase: Phase of the beat in radians, (fish,).
        bend: Contraction of the two turning segments, left positive, (2, fish).
        beat: Amplitude of the beat as a share of the best contractions, (fish,).
        curl: Contraction of a whole side in a C-start, left positive, (fish,).
        lengths: Rest lengths, (m, fish), 12 in the book, 16 where the peduncle has muscles.
    """

    phase: np.ndarray = state("f8", "column", unit="rad")
    _swing: np.ndarray = state("f8", 3, "column")  # beat, and bends
    lengths: np.ndarray = state("f8", "muscle", "column")
    curl: np.ndarray = state("f8", "column")

    def __init__(self, species: Species, model: BodyModel, fishes: int, dt: float):
        """Begins at rest, for steps of `dt` book units."""
        rhythm, steering = species.rhythm, species.steering
        natural = model.natural[model.muscles][:, None]
        segments = len(natural) // 4
        self._dt, self._natural = dt, natural
        lefts = np.resize(LEFT_MUSCLES, len(natural))
        lags = -rhythm.shoulder_lead, 0.0, rhythm.lag, rhythm.lag + rhythm.peduncle_lag
        beats = rhythm.shoulder, rhythm.anterior, rhythm.posterior, rhythm.peduncle
        beating = np.array(beats)[:segments]
        # Beat and bend together shorten a muscle no farther than the stronger of them alone.
        beat = rhythm.contraction * max(rhythm.burst_width, 1.0) * np.repeat(beating, 4)
        bend = steering.contraction * (np.arange(len(natural)) < 8)
        pattern = pattern_of(species)
        if pattern:
            beat = np.full(len(natural), min(pattern.most * max(rhythm.burst_width, 1.0), MOST_CONTRACTION))
            bend = beat
        shortest = natural[:, 0] * (1.0 - np.maximum(beat, bend))
        self._most = dt * BOOK_RATE / BOOK_STEP  # s_max a step of 0.055, for a step of dt
        curling = rhythm.start * natural[:, 0] * (np.arange(len(natural)) < 12)  # a peduncle only follows
        self._farthest = (natural[:, 0] - shortest).max()  # no muscle has to go farther than this
        self._fill(muscle=len(natural), column=fishes)
        self.beat, self.bend = self._swing[0], self._swing[1:]
        self.lengths[:] = natural
        self._sinews = keep(
            SINEWS,
            dt=dt,
            most=self._most,
            bending=steering.contraction,
            release=steering.release,
            swiftest=dt * SWIFTEST_BEND,
            lag=np.array(lags)[:segments],
            beating=0.5 * rhythm.contraction * beating,
            natural=natural[:, 0],
            shortest=shortest,
            curling=np.where(lefts, -1.0, 1.0) * curling,
            left=lefts.astype(float),
            pattern=np.zeros(1) if pattern is None else np.asarray(pattern.constants),
        )

    def advance(
        self, rates: np.ndarray, swing: np.ndarray, steps: int = 1, curl: np.ndarray | None = None
    ) -> np.ndarray:
        """Moves the rest lengths on towards what the controllers set.

        Args:
            rates: Beats, and full contractions of a turning segment, a book unit of time, (2, fish).
            swing: Amplitude of the beat as a share of the best contractions, then the contractions of the two
                turning segments, left positive, (3, fish).
            steps: Number of steps.
            curl: Of a C-start: contraction of a whole side, left positive, and full contractions a book unit of time,
                (2, fish).

        Returns:
            Rest lengths of the muscles after each step, (steps, m, fish).
        """
        fishes, lengths = len(self.phase), np.empty((steps, *self.lengths.shape))
        curls, hurries = np.zeros((2, fishes)) if curl is None else curl, bool(self._most < self._farthest)
        states = np.empty((5, fishes))
        _MUSCLES(
            sinews=self._sinews,
            rates=rates,
            aims=swing,
            curls=curls,
            phase=self.phase,
            swing=self._swing,
            curl=self.curl,
            before=self.lengths,
            states=states,
            lengths=lengths,
            curling=curl is not None,
            hurrying=hurries,
        )
        self.phase[:], self._swing[:], self.curl[:] = states[0], states[1:4], states[4]
        self.lengths[:] = lengths[-1]
        return lengths

    def some(self, columns: np.ndarray, dt: float) -> Muscles:
        """The muscles of the fishes of these columns, (n,), in their present state, for steps of `dt` book units."""
        own = copy(self)
        own._most, own._dt = self._most if dt == self._dt else self._most * dt / self._dt, dt
        pace = {"dt": dt, "most": own._most, "swiftest": dt * SWIFTEST_BEND}
        own._sinews = keep(SINEWS, **{**self._sinews.values, **pace})
        own.phase, own.curl, own._swing = self.phase[columns], self.curl[columns], self._swing.take(columns, axis=1)
        own.beat, own.bend, own.lengths = own._swing[0], own._swing[1:], self.lengths.take(columns, axis=1)
        return own

    def tables(self, dt: float) -> tuple[Kept, bool]:
        """Their data for muscles.h for steps of `dt` book units, and True if any muscle can be too slow."""
        own = self.some(np.zeros(0, dtype=int), dt)
        return own._sinews, bool(own._most < own._farthest)

    @property
    def natural(self) -> np.ndarray:
        """Natural length of each muscle, (m, 1)."""
        return self._natural

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """The arrays that change with time, kept for good: phase, beat and bends (3, fish), curl, and lengths."""
        return self.phase, self._swing, self.curl, self.lengths

    def put(self, columns: np.ndarray, some: Muscles) -> None:
        """Takes over the state of some muscles, as those of the fishes of these columns, (n,)."""
        self.phase[columns], self.curl[columns], self._swing[:, columns] = some.phase, some.curl, some._swing
        self.lengths[:, columns] = some.lengths

    def tense(self, columns: np.ndarray, phase: np.ndarray, swing: np.ndarray) -> None:
        """Sets the muscles of the fishes of these columns, (n,), as if they had long moved so, without a C-start.

        Args:
            columns: Columns of the fishes, (n,).
            phase: Of their beats in radians, (n,).
            swing: Amplitude of the beat and bends of the two turning segments, left positive, (3, n).
        """
        own = self.some(columns, self._dt)
        own.phase, own.curl, own._swing[:] = np.array(phase), np.zeros(len(columns)), swing
        own.lengths = own.pulled(own._swing, own.phase)
        self.put(columns, own)

    def pulled(self, swing: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Rest lengths of muscles that have long moved so, without a C-start, (m, n).

        Args:
            swing: Amplitude of the beat and bends of the two turning segments, left positive, (3, n).
            phase: Of the beats in radians, (n,).
        """
        lengths, still = np.empty((1, len(self._natural), len(phase))), np.zeros((2, len(phase)))
        _MUSCLES(
            sinews=self._sinews,
            rates=still,
            aims=swing,
            curls=still,
            phase=phase,
            swing=swing,
            curl=still[0],
            before=np.empty(lengths.shape[1:]),
            states=np.empty((5, len(phase))),
            lengths=lengths,
            curling=False,
            hurrying=False,
        )
        return lengths[0]
