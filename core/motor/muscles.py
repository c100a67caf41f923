"""Rest lengths of the muscles, step by step: the beat of the swim segments and the bend of the turning ones."""

from __future__ import annotations

from copy import copy

import numpy as np

from ..base.elementary import sin
from ..base.state import Stateful, state
from ..body.anatomy import BOOK_RATE, BOOK_STEP, LEFT_MUSCLES
from ..body.dynamics import BodyModel
from ..compiled import Kept, compiled, integer, keep, part, reals, record, takes, writes
from ..scene.species import Species
from .learned import pattern_of
from .tuning import MOST_CONTRACTION, SWIFTEST_BEND

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""
BEATING_SEGMENTS = 4
"""Segments of four muscles that can beat: the shoulder, the two that swim in the book, and the peduncle."""
_SEGMENTS, _SIDES = (
    np.repeat(np.arange(BEATING_SEGMENTS), 4),
    np.where(np.resize(LEFT_MUSCLES, 4 * BEATING_SEGMENTS), 0, 1),
)

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
        self._dt, self._release = dt, steering.release
        self._lefts, self._natural = np.resize(LEFT_MUSCLES, len(natural)), natural
        lags = -rhythm.shoulder_lead, 0.0, rhythm.lag, rhythm.lag + rhythm.peduncle_lag
        beats = rhythm.shoulder, rhythm.anterior, rhythm.posterior, rhythm.peduncle
        self._lags, beating = np.array(lags)[:segments, None], np.array(beats)[:segments]
        self._bending = steering.contraction
        self._beating = 0.5 * rhythm.contraction * beating[:, None]
        # Beat and bend together shorten a muscle no farther than the stronger of them alone.
        beat = rhythm.contraction * max(rhythm.burst_width, 1.0) * np.repeat(beating, 4)
        bend = steering.contraction * (np.arange(len(natural)) < 8)
        self._pattern = pattern_of(species)
        if self._pattern:
            beat = np.full(len(natural), min(self._pattern.most * max(rhythm.burst_width, 1.0), MOST_CONTRACTION))
            bend = beat
        self._shortest = np.repeat(natural * (1.0 - np.maximum(beat, bend)[:, None]), fishes, axis=1)
        self._most = dt * BOOK_RATE / BOOK_STEP  # s_max a step of 0.055, for a step of dt
        self._curling = rhythm.start * natural * (np.arange(len(natural)) < 12)[:, None]  # a peduncle only follows
        self._farthest = (natural - self._shortest).max()  # no muscle has to go farther than this
        self._fill(muscle=len(natural), column=fishes)
        self.beat, self.bend = self._swing[0], self._swing[1:]
        self.lengths[:] = natural
        # Constants are spread over the fishes, for NumPy is fastest on arrays of one shape.
        self._nothing, self._swiftest = np.zeros((2, fishes)), np.full(fishes, dt * SWIFTEST_BEND)
        self._make_room(1)
        self._signs = np.where(self._lefts, -1.0, 1.0)[:, None]
        self._sinews = keep(
            SINEWS,
            dt=dt,
            most=self._most,
            bending=self._bending,
            release=self._release,
            swiftest=dt * SWIFTEST_BEND,
            lag=self._lags[:, 0],
            beating=self._beating[:, 0],
            natural=natural[:, 0],
            shortest=natural[:, 0] * (1.0 - np.maximum(beat, bend)),
            curling=(self._signs * self._curling)[:, 0],
            left=self._lefts.astype(float),
            pattern=np.zeros(1) if self._pattern is None else np.asarray(self._pattern.constants),
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
        done = _MUSCLES(
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
        if done:
            self.phase[:], self._swing[:], self.curl[:] = states[0], states[1:4], states[4]
            self.lengths[:] = lengths[-1]
            return lengths
        if len(self._swings) != steps:
            self._make_room(steps)
        paces, swings = self._dt * rates, self._swings
        turn = paces[0]
        self._approach(swing, paces, swings)
        phase = self._angles * turn
        phase += self.phase
        lengths = self.pulled(swings, phase)
        self._swing[:] = swings[-1]
        self.phase[:] = phase[-1, 0]
        if curl is not None:
            self._flung(lengths, curl)
        if hurries:
            self._hurry(lengths)
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
        own._shortest = self._shortest.take(columns, axis=1)
        own._nothing, own._swiftest = np.zeros((2, len(columns))), np.full(len(columns), dt * SWIFTEST_BEND)
        own._make_room(1)
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
        own.lengths = own.pulled(own._swing[None], own.phase[None, None])[0]
        self.put(columns, own)

    def _make_room(self, steps: int) -> None:
        """Makes room for so many steps at once."""
        self._ordinals = np.arange(1.0, steps + 1.0)[:, None, None]
        self._angles = 2.0 * np.pi * self._ordinals
        self._swings = np.zeros((steps, 3, len(self.phase)))

    def pulled(self, swings: np.ndarray, phase: np.ndarray) -> np.ndarray:
        """Rest lengths of the muscles, (steps, m, fish), by beat and bends (steps, 3, fish), phase (steps, 1, fish)."""
        if self._pattern:
            lengths = self._natural * (1.0 - self._pattern.contractions(swings[:, 0], swings[:, 1], phase[:, 0]))
        else:
            waves = sin(phase - self._lags)
            waves *= swings[:, :1]
            lengths = self._contracted(swings[:, :1], swings[:, 1:], waves)
        return np.maximum(lengths, self._shortest, out=lengths)

    def _contracted(self, beat: np.ndarray, bend: np.ndarray, waves: np.ndarray) -> np.ndarray:
        """Rest lengths of the muscles, (steps, m, fish); the first two segments turn, and all may swim.

        Args:
            beat: Amplitude of the beat, (steps, 1, fish).
            bend: Contractions of the two turning segments, left positive, (steps, 2, fish).
            waves: Wave of each segment, between plus and minus the amplitude, (steps, segments, fish).
        """
        steps, _, fishes = bend.shape
        share = np.zeros(
            (steps, len(self._lags), 2, fishes)
        )  # of its length that each segment contracts by, left and right
        left = np.maximum(bend, self._nothing)
        share[:, :2, 0], share[:, :2, 1] = self._bending * left, self._bending * (left - bend)
        share[:, :, 0] += self._beating * (beat + waves)
        share[:, :, 1] += self._beating * (beat - waves)
        count = len(self._natural)
        of_each = np.subtract(1.0, share, out=share)[:, _SEGMENTS[:count], _SIDES[:count]]
        return np.multiply(self._natural, of_each, out=of_each)

    def _flung(self, lengths: np.ndarray, curl: np.ndarray) -> None:
        """Adds a C-start to rest lengths, in place: one side shortens, and the other gives way by as much.

        A muscle that is relaxed is stretched without resistance, where a unit with a fixed rest length would be a
        spring that holds the body straight. The book has neither; what else the muscles do fades meanwhile.

        Args:
            lengths: (steps, m, fish).
            curl: Contraction of a whole side, left positive, and its pace, (2, fish).
        """
        farthest = self._ordinals[:, 0] * (self._dt * curl[1])
        course = self.curl + np.clip(curl[0] - self.curl, -farthest, farthest)
        self.curl = course[-1]
        course = np.square(course) * (3.0 * np.sign(course) - 2.0 * course)  # begins and ends gently
        slack = self._natural - lengths
        lengths += np.abs(course[:, None]) * slack
        lengths += self._signs * self._curling * course[:, None]

    def _hurry(self, lengths: np.ndarray) -> None:
        """Keeps every muscle from changing faster than it can, in place."""
        last = self.lengths
        for length in lengths:
            length -= last
            np.minimum(length, self._most, out=length)
            np.maximum(length, -self._most, out=length)
            length += last
            last = length

    def _approach(self, swing: np.ndarray, paces: np.ndarray, out: np.ndarray) -> None:
        """Fills `out` with beat and bend on their way to what the controllers set, after each step, (steps, 3, fish).

        A beat swells and fades over about one beat; a bend comes at its rate and goes more slowly.
        """
        np.minimum(paces[1], self._swiftest, out=paces[1])
        pace = paces.take([0, 1, 1], axis=0)
        gone = np.abs(swing[1:]) < np.abs(self.bend)
        pace[1:] *= np.where(gone, self._release, 1.0)
        farthest = self._ordinals * pace
        np.minimum(swing - self._swing, farthest, out=out)
        np.maximum(out, np.negative(farthest, out=farthest), out=out)
        out += self._swing
