"""Trials: a body without a mind swims by its own gait, many paces side by side, and how it fared is told in figures.

The bodies of a block are alike and differ in their pace: from a share of full speed to all of it, so that one trial
says how fast a body goes and what any speed costs it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ..base.sums import total
from ..base.vectors import dot, norm
from ..body.anatomy import LOWER_TIP_NODE, MASS_SHARES, UPPER_TIP_NODE
from ..body.dynamics import FIRST_NODES, SECOND_NODES, BodyModel
from ..body.kernel import BLOCK_MULTIPLE, mover
from ..body.tuning import LONGEST_BOOK_STEP
from ..motor.mover import Mover
from ..motor.muscles import Muscles
from ..replicas.tuning import CAPTURE_FPS, CAPTURE_SUBSTEPS
from ..scene.species import Species
from .tuning import (
    LEAST_UPRIGHT,
    REAL_STROUHAL,
    SLOWEST_TRIED,
    STROUHAL_FADE,
    SWEEP_FADE,
    TRIAL_LOOKS,
    TRIAL_SECONDS,
    WIDEST_SWEEP,
    WORK_BEATS,
)

BODY_TASKS = ("speed", "economy", "turning", "escape")
"""Tasks that a body without a mind can be tried at."""


@dataclass(frozen=True, eq=False)
class SwimTrial:
    """The swimming of one body at several paces, over the second half of a trial.

    Attributes:
        pace: Share of full speed that the muscles were given, (pace,).
        speed: Lengths a second, straight from beginning to end, (pace,).
        upright: Upright part of the up direction, 1 is level, on average, (pace,).
        beat: Tail beats a second, (pace,).
        sweep: Side-to-side way of the tail's end over a body length, peak to peak, (pace,).
        effort: Work that muscles do, over mass and way, in J/(kg m), or W/kg at a metre a second; 0 if it was
            not looked at, (pace,).
    """

    pace: np.ndarray
    speed: np.ndarray
    upright: np.ndarray
    beat: np.ndarray
    sweep: np.ndarray
    effort: np.ndarray

    @property
    def strouhal(self) -> np.ndarray:
        """Beats times sweep over speed, (pace,): 0.2 to 0.4 in real fishes (Triantafyllou et al. 1993)."""
        return self.beat * self.sweep / np.maximum(self.speed, 1e-9)

    @property
    def likeness(self) -> np.ndarray:
        """The likeness of a stroke to a real fish's, 0 to 1, (pace,): all within the bounds that were measured."""
        low, high = REAL_STROUHAL
        off = np.maximum(np.maximum(low - self.strouhal, self.strouhal - high), 0.0) / STROUHAL_FADE
        wide = np.maximum(self.sweep - WIDEST_SWEEP, 0.0) / SWEEP_FADE
        return 1.0 / ((1.0 + off * off) * (1.0 + wide * wide))

    @property
    def sound(self) -> np.ndarray:
        """True of paces at which it swam like a fish: level, and with finite numbers, (pace,) bool."""
        return np.isfinite(self.speed) & (self.upright >= LEAST_UPRIGHT)


def swim(species: Species, seconds: float = TRIAL_SECONDS, works: bool = False) -> SwimTrial:
    """Has a species' body swim straight ahead from rest at as many paces as a block of the kernel has room for.

    Args:
        species: The species.
        seconds: Duration of the trial; figures are of its second half.
        works: Whether the work of the muscles is looked at, over the last beats.
    """
    block = _Block(species)
    rhythm, count = species.rhythm, BLOCK_MULTIPLE
    pace = SLOWEST_TRIED + (1.0 - SLOWEST_TRIED) * np.arange(count) / (count - 1)
    beat = rhythm.tail_beat * (rhythm.slow_beat + (1.0 - rhythm.slow_beat) * pace)
    width = rhythm.slow_amplitude + (1.0 - rhythm.slow_amplitude) * pace
    rates, swing = np.zeros((2, count)), np.zeros((3, count))
    rates[0], swing[0] = beat * species.time_scale, width
    steps = round(seconds / block.second)
    block.go(rates, swing, steps // 2)
    begin = middle(block.x)
    last = min(round(WORK_BEATS / (rhythm.tail_beat * block.second)), steps // 4) if works else 0
    rest = steps - steps // 2 - last
    up, sides = block.watched(rates, swing, rest, tail)
    work, worked = block.work(rates, swing, last, beat) if works else (np.zeros(count), np.ones(count))
    way = middle(block.x) - begin
    across = np.stack([-way[:, 1], way[:, 0]], axis=1) / np.maximum(norm(way), 1e-12)[:, None]
    sweep = np.ptp(dot(sides, across), axis=0) / species.body.book_length
    speed = norm(way) / species.body.book_length / (block.second * (steps - steps // 2))
    return SwimTrial(pace, speed, up, beat, sweep, work / (block.model.mass * worked) * block.unit)


def turning(species: Species, seconds: float = TRIAL_SECONDS) -> tuple[float, bool]:
    """The sharpest turn of a species in radians a second, and whether it stayed level."""
    block, steering, rhythm = _Block(species), species.steering, species.rhythm
    count = BLOCK_MULTIPLE
    rates, swing = np.zeros((2, count)), np.zeros((3, count))
    beat = rhythm.tail_beat * species.time_scale
    rates[0], rates[1] = beat, steering.rate[-1] * rhythm.tail_beat * species.time_scale
    swing[0] = np.linspace(0.2, 1.0, count)
    swing[1], swing[2] = steering.front[-1], steering.middle[-1]
    begin = heading(block.x)
    up, headings = block.watched(rates, swing, round(seconds / block.second), heading)
    turned = np.unwrap(np.concatenate([begin[None], headings]), axis=0)
    rate = np.abs(turned[-1] - turned[TRIAL_LOOKS // 3]) / (seconds * (1.0 - (TRIAL_LOOKS // 3) / TRIAL_LOOKS))
    sound = np.isfinite(rate) & (up >= LEAST_UPRIGHT)
    return float(np.max(np.where(sound, rate, 0.0))), bool(sound.any())


def escape(species: Species, seconds: float = 1.0) -> float:
    """The lengths that a species gets from rest in this time by a C-start and the burst after it."""
    block, rhythm = _Block(species), species.rhythm
    count = BLOCK_MULTIPLE
    rates, swing, curl = np.zeros((2, count)), np.zeros((3, count)), np.zeros((2, count))
    burst = (rhythm.burst_beat or rhythm.tail_beat) * species.time_scale
    rates[0], swing[0] = burst, max(rhythm.burst_width, 1.0) if rhythm.burst_beat else 1.0
    begin = middle(block.x)
    bend = round(0.5 / (burst / species.time_scale) / block.second)
    if rhythm.start > 0.0:
        # Half of the block flings itself to either side, by shares of its start; the rest only bursts.
        curl[0], curl[1] = np.linspace(-1.0, 1.0, count), 4.0 * burst
        block.go(rates, swing, max(bend, 1), curl)
        curl[0] = 0.0
    block.go(rates, swing, max(round(seconds / block.second) - bend, 1), curl)
    way = norm(middle(block.x) - begin) / species.body.book_length
    sound = np.isfinite(way) & (upright(block.x) >= LEAST_UPRIGHT)
    return float(np.max(np.where(sound, way, 0.0)))


def score(species: Species, task: str, at: float = 0.0) -> float:
    """The score of a body at a task: more is better, 0 is not at all.

    Args:
        species: The species.
        task: One of `BODY_TASKS`: the fastest of its paces in lengths a second; one over the least effort, in kg m/J,
            of those that are at least as fast as `at`; the sharpest turn in radians a second; the lengths that it gets
            away in a second. What is swum by strokes that no fish makes counts for less (`SwimTrial.likeness`).
        at: Lengths a second for economy.
    """
    match task:
        case "speed":
            found = swim(species)
            return float(np.max(np.where(found.sound, found.speed * found.likeness, 0.0)))
        case "economy":
            found = swim(species, works=True)
            fit = found.sound & (found.speed >= at) & (found.effort > 0.0)
            best = float(np.max(np.where(fit, found.likeness / np.where(found.effort > 0.0, found.effort, 1.0), 0.0)))
            # Whoever is too slow for any figure is the better the nearer it comes to that speed.
            return best or 1e-3 * float(np.max(np.where(found.sound, found.speed, 0.0)))
        case "turning":
            return turning(species)[0]
    return escape(species)


class _Block:
    """Bodies at rest that swim side by side."""

    def __init__(self, species: Species) -> None:
        self.model, count = BodyModel(species.body), BLOCK_MULTIPLE
        step = 1.0 / (CAPTURE_FPS * CAPTURE_SUBSTEPS) / species.time_scale  # as in a scene
        self._mover = Mover.of(species, self.model, count, step, LONGEST_BOOK_STEP, mover)
        self._muscles = Muscles(species, self.model, count, self._mover.dt)
        self.x = self.model.resting(count)
        self._v, self._water = np.zeros_like(self.x), np.zeros((3, count))
        self.second = self._mover.dt * species.time_scale
        # Work over mass and way is an acceleration, from the book's lengths and times to metres and seconds.
        self.unit = species.length / species.body.book_length / (species.time_scale * species.time_scale)

    def go(self, rates: np.ndarray, swing: np.ndarray, steps: int, curl: np.ndarray | None = None) -> np.ndarray:
        """Swims on for some steps of its own; the rest lengths of the muscles after each."""
        lengths = self._muscles.advance(rates, swing, steps, curl)
        self._mover.integrator.advance(self.x, self._v, lengths, self._water)
        return lengths

    def watched(
        self, rates: np.ndarray, swing: np.ndarray, steps: int, look: Callable[[np.ndarray], np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        """Swims on; the upright part of the up direction on average, (fish,), and what was seen at each look."""
        lengths = self._muscles.advance(rates, swing, steps)
        seen = np.empty((*self.x.shape[:2], TRIAL_LOOKS, self.x.shape[2]))
        for row, (begin, end) in enumerate(pairwise(np.linspace(0, steps, TRIAL_LOOKS + 1).astype(int).tolist())):
            self._mover.integrator.advance(self.x, self._v, lengths[begin:end], self._water)
            seen[:, :, row] = self.x
        # All moments side by side, as if they were of so many fishes.
        moments = seen.reshape(*self.x.shape[:2], -1)
        up = np.zeros(self.x.shape[2])
        for levels in upright(moments).reshape(TRIAL_LOOKS, -1):
            up += levels / TRIAL_LOOKS
        looked = look(moments)
        return up, looked.reshape(TRIAL_LOOKS, -1, *looked.shape[1:])

    def work(self, rates: np.ndarray, swing: np.ndarray, steps: int, beat: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Swims on; the work of the muscles in the book's units over as many whole beats as there are, and the way.

        What a muscle does to the body costs it; what the body does to it, when it is drawn out, is not won back.
        """
        units, work, begin = self.model.muscles, np.zeros(self.x.shape[2]), middle(self.x)
        elasticity, last = self.model.elasticity[units, None], self._muscles.lengths.copy()
        beats = np.maximum(np.floor(steps * self.second * beat), 1.0)
        first = np.maximum(steps - np.rint(beats / (beat * self.second)), 0.0)
        before = self._spans(units)
        for step in range(steps):
            begin = np.where((first == step)[:, None], middle(self.x), begin)
            rest = self.go(rates, swing, 1)[0]
            after = self._spans(units)
            # A spring gains -c (length - rest) for what its rest length changes.
            stretch = 0.5 * (before + after - last - rest)
            given = np.maximum(-elasticity * stretch * (rest - last), 0.0)
            work += np.where(step >= first, total(given, axis=0), 0.0)
            before, last = after, rest
        return work, np.maximum(norm(middle(self.x) - begin), 1e-9)

    def _spans(self, units: np.ndarray) -> np.ndarray:
        return norm(np.moveaxis(self.x[SECOND_NODES[units]] - self.x[FIRST_NODES[units]], 1, -1))


def middle(x: np.ndarray) -> np.ndarray:
    """Centers of mass, (fish, 3), of nodes (23, 3, fish)."""
    return total(MASS_SHARES[:, None, None] * x, axis=0).T


def upright(x: np.ndarray) -> np.ndarray:
    """Upright part of the up direction, (fish,), of nodes (23, 3, fish)."""
    up = (x[5] + x[6] - x[7] - x[8]).T
    return up[:, 2] / np.maximum(norm(up), 1e-12)


def heading(x: np.ndarray) -> np.ndarray:
    """Where noses point, in radians to the left of x, (fish,), of nodes (23, 3, fish)."""
    ahead = x[0] - 0.5 * (x[UPPER_TIP_NODE] + x[LOWER_TIP_NODE])
    return np.arctan2(ahead[1], ahead[0])


def tail(x: np.ndarray) -> np.ndarray:
    """Where the tail's end is from the center of mass, seen from above, (fish, 2), of nodes (23, 3, fish)."""
    return (0.5 * (x[UPPER_TIP_NODE] + x[LOWER_TIP_NODE]) - middle(x).T)[:2].T
