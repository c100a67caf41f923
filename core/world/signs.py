"""Signs of life: gaze and breath of fishes, the carriage of their fins, and the effort of their muscles.

None of it moves a body; it is recorded, and seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..base.elementary import arctan2, exp, hypot, smooth_step
from ..base.state import Stateful, state
from ..base.vectors import local, unit
from ..body.anatomy import MASS_SHARES
from ..compiled import changes, compiled, laid, reads, reals, record, takes, values
from ..form.look import breath_of, trailing
from ..form.tuning import GIVING_SPEED
from ..motor.center import Drive
from ..scene.species import Species
from .tuning import (
    BREATHLESS_SECONDS,
    BROADSIDE_ANGLE,
    BURSTING_EFFORTS,
    CALM_FOLD,
    EASED_SECONDS,
    EXERTION_SECONDS,
    FOLDING_SPEEDS,
    GAZE_SECONDS,
    GLANCE_SHARE,
    PALE_BREATH,
    RECOVERY_SECONDS,
    ROWING_WORK,
    SEEN_ANGLE,
    TUCKING_SPEEDS,
    TURNING_BENDS,
    VEERING_SECONDS,
)

FISHES_A_THREAD = 300
"""Fewest fishes that are worth a thread of their own."""

SIGNALS = record(
    "Signals",
    **reals("dt exertion_share breathless_share recovery_share veering_share gaze_share eased_share rowing_work"),
    **reals("turning:2 seen_angle glance_share broadside_angle folding:2 tucking:2 bursting:2 calm_fold giving_speed"),
    **reals("masses:23"),
)
SIGNS = compiled(
    "signs",
    over="fishes",
    least=FISHES_A_THREAD,
    signals=reads(SIGNALS),
    mosts=reads("f8", "fishes"),
    breaths=reads("f8", "fishes"),
    pantings=reads("f8", "fishes"),
    beats=reads("f8", "fishes"),
    bursts=reads("f8", "fishes"),
    frequencies=takes("f8", "fishes"),
    amplitudes=takes("f8", "fishes"),
    curls=takes("f8", "fishes"),
    gammas=takes("f8", 2, "fishes"),
    rowings=takes("f8", 2, "fishes"),
    strokes=takes("f8", 2, "fishes"),
    nodes=takes("f8", "fishes", 23, 3),
    velocities=takes("f8", "fishes", 23, 3),
    places=takes("f8", "fishes", 3),
    frames=takes("f8", "fishes", 3, 3),
    lengths=takes("f8", "fishes"),
    bends=takes("f8", "fishes"),
    speeds=takes("f8", "fishes"),
    goals=takes("f8", "fishes", 3),
    displays=takes("f8", "fishes"),
    reserves=takes("f8", "fishes"),
    gaze=changes("f8", "fishes", 2, 2),
    phase=changes("f8", "fishes"),
    breathless=changes("f8", "fishes"),
    folds=changes("f8", "fishes", 2),
    efforts=changes("f8", "fishes"),
    tails=changes("f8", "fishes"),
    turns=changes("f8", "fishes"),
)


@dataclass(frozen=True)
class Bodies:
    """The visible state of all bodies at a moment.

    Attributes:
        nodes: Places of the nodes in metres, (fish, 23, 3).
        velocity: Velocities of the nodes in m/s, likewise.
        place: Origins of their own frames in metres, (fish, 3).
        frames: Columns ahead, left and up, (fish, 3, 3).
        length: Metres, (fish,).
        bend: Contraction of the front turning segment, left positive, (fish,).
        speed: Speed through the water in lengths a second, (fish,).
    """

    nodes: np.ndarray
    velocity: np.ndarray
    place: np.ndarray
    frames: np.ndarray
    length: np.ndarray
    bend: np.ndarray
    speed: np.ndarray

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of them, in this order."""
        return self.nodes, self.velocity, self.place, self.frames, self.length, self.bend, self.speed


class Signs(Stateful):
    """The visible signs of fishes beside their strokes.

    Attributes:
        gaze: Angle by which each eye is turned ahead and up in radians, left eye first, (fish, 2, 2).
        phase: Phase of the breath in radians, (fish,).
        breathless: Breathlessness of each, 0 to 1, (fish,).
        fold: Fold of median and pectoral fins, 0 to 1, (fish, 2).
        effort: Effort of each: half at full speed and all of it in a burst, where it has one, 0 to 1, (fish,).
        tail: Trail of the tail's rear edge, left positive, -1 to 1, (fish,).
    """

    gaze: np.ndarray = state("f8", "fish", 2, 2, unit="rad")
    phase: np.ndarray = state("f8", "fish", unit="rad")
    breathless: np.ndarray = state("f8", "fish", low=0, high=1)
    fold: np.ndarray = state("f8", "fish", 2, low=0, high=1, begin=CALM_FOLD)
    effort: np.ndarray = state("f8", "fish", low=0, high=1)
    tail: np.ndarray = state("f8", "fish")
    _turn: np.ndarray = state("f8", "fish")

    def __init__(self, species: Sequence[Species], kind: np.ndarray, size: np.ndarray, start: np.ndarray):
        """Begins calm.

        Args:
            species: The species that occur.
            kind: Row of each fish's species, (fish,).
            size: Length of each over that of its species, (fish,).
            start: Phase of the breath that each begins at in radians, (fish,).
        """

        def each(part: str, name: str) -> np.ndarray:
            return np.array([getattr(getattr(one, part), name) for one in species])[kind]

        self._most = each("bearing", "gaze")
        slower = np.sqrt(np.sqrt(size))  # larger fishes breathe more slowly
        self._breath, self._panting = each("bearing", "breath") / slower, each("bearing", "panting")
        self._beat, burst = each("rhythm", "tail_beat"), each("rhythm", "burst_beat")
        self._bursts = np.maximum(burst / self._beat - 1.0, 0.0)
        self._traits = laid(self._most, self._breath, self._panting, self._beat, self._bursts)
        self._fill(fish=len(kind))
        self.phase[:] = start

    @property
    def breath(self) -> np.ndarray:
        """Opening of gill covers and mouth for a breath, 0 to 1, (fish, 2)."""
        return breath_of(self.phase) * (PALE_BREATH + (1.0 - PALE_BREATH) * self.breathless)[:, None]

    def advance(
        self, dt: float, bodies: Bodies, drive: Drive, goal: np.ndarray, display: np.ndarray, reserve: np.ndarray
    ) -> None:
        """Moves on by `dt` seconds.

        Args:
            dt: Seconds.
            bodies: Their bodies.
            drive: Parameters of muscles and fins meanwhile.
            goal: Place of what each attends to in metres, NaN for nothing, (fish, 3).
            display: Share by which each shows its fins, for courtship or in alarm, 0 to 1, (fish,).
            reserve: Strength that is left for bursts, 0 to 1, (fish,).
        """
        most, breath, panting, beat, bursts = self._traits
        done = SIGNS(
            signals=_signals(dt),
            mosts=most,
            breaths=breath,
            pantings=panting,
            beats=beat,
            bursts=bursts,
            frequencies=drive.frequency,
            amplitudes=drive.amplitude,
            curls=drive.curl,
            gammas=drive.gamma,
            rowings=drive.row,
            strokes=drive.stroke,
            nodes=bodies.nodes,
            velocities=bodies.velocity,
            places=bodies.place,
            frames=bodies.frames,
            lengths=bodies.length,
            bends=bodies.bend,
            speeds=bodies.speed,
            goals=goal,
            displays=display,
            reserves=reserve,
            gaze=self.gaze,
            phase=self.phase,
            breathless=self.breathless,
            folds=self.fold,
            efforts=self.effort,
            tails=self.tail,
            turns=self._turn,
        )
        if done:
            return
        self._work(dt, drive, reserve)
        self._turn += _share(dt, VEERING_SECONDS) * (bodies.bend - self._turn)
        turn = _smooth(np.abs(self._turn), *TURNING_BENDS)
        self._look_at(dt, bodies, goal, np.sign(self._turn) * turn)
        self._carry(dt, drive, bodies.speed, turn, display)
        self.tail[:] = trailing(bodies.nodes, bodies.velocity, bodies.length)

    def _work(self, dt: float, drive: Drive, reserve: np.ndarray) -> None:
        """Updates the effort of muscles, and the breath that this takes."""
        pace = drive.frequency * drive.amplitude / self._beat
        beyond = np.clip((pace - 1.0) / np.maximum(self._bursts, 1e-9), 0.0, 1.0)
        bursts = self._bursts > 0.0
        work = np.where(bursts, 0.5 * np.minimum(pace, 1.0) + 0.5 * beyond, np.minimum(pace, 1.0))
        work = np.maximum(work, ROWING_WORK * np.minimum(drive.stroke[1], 1.0))
        work = np.where(bursts & (drive.curl != 0.0), 1.0, work)
        self.effort += _share(dt, EXERTION_SECONDS) * (work - self.effort)
        lacking = np.maximum(self.effort, 1.0 - reserve)
        share = np.where(lacking > self.breathless, _share(dt, BREATHLESS_SECONDS), _share(dt, RECOVERY_SECONDS))
        self.breathless += share * (lacking - self.breathless)
        rate = self._breath * (1.0 + (self._panting - 1.0) * self.breathless)
        self.phase[:] = (self.phase + 2.0 * np.pi * dt * rate) % (2.0 * np.pi)

    def _look_at(self, dt: float, bodies: Bodies, goal: np.ndarray, turn: np.ndarray) -> None:
        """Turns eyes to what their fishes attend to, and else a little where they turn."""
        attends = np.isfinite(goal[:, 0])
        way = np.where(attends[:, None], goal - bodies.place, 0.0)
        ahead, left, up = local(bodies.frames, unit(way)).T
        sides = np.array([[1.0], [-1.0]])
        off = hypot(ahead, up)
        angle = arctan2(np.stack([off, off]), sides * left)
        reach = np.where(angle < SEEN_ANGLE, np.minimum(angle, self._most), 0.0) / np.maximum(off, 1e-9)
        glance = -sides * GLANCE_SHARE * self._most * turn
        turned = np.stack([np.where(attends, reach * ahead, glance), np.where(attends, reach * up, 0.0)], axis=-1)
        self.gaze += _share(dt, GAZE_SECONDS) * (turned.transpose(1, 0, 2) - self.gaze)

    def _carry(self, dt: float, drive: Drive, speed: np.ndarray, turn: np.ndarray, display: np.ndarray) -> None:
        """Folds fins at speed, and spreads them to turn, to brake and to show them."""
        broadside = np.abs(drive.gamma - np.pi / 2).max(axis=0) / BROADSIDE_ANGLE
        rows_on = (drive.stroke[1] > 0.0) & (drive.row < 0.0).any(axis=0)
        gives_way = (drive.row < 0.0).all(axis=0)
        brakes = np.minimum(broadside, 1.0) * ((drive.curl == 0.0) & ~rows_on & ~gives_way)
        rows = (drive.row != 0.0).any(axis=0) & (drive.curl == 0.0)
        median, pectoral = (_smooth(speed, *speeds) for speeds in (FOLDING_SPEEDS, TUCKING_SPEEDS))
        bursts = _smooth(self.effort, *BURSTING_EFFORTS) * (self._bursts > 0.0)
        median, pectoral = np.maximum(median, bursts), np.maximum(pectoral, bursts)
        median = np.maximum(median, CALM_FOLD) * (1.0 - np.maximum(np.maximum(turn, brakes), display * (1.0 - median)))
        pectoral = pectoral * (1.0 - np.maximum(np.maximum(turn, brakes), rows))
        self.fold += _share(dt, EASED_SECONDS) * (np.stack([median, pectoral], axis=-1) - self.fold)


@lru_cache(maxsize=16)
def _signals(dt: float) -> np.ndarray:
    """The numbers of frames of so many seconds; shares are those of the way that is covered in one."""
    return values(
        SIGNALS,
        dt=dt,
        exertion_share=_share(dt, EXERTION_SECONDS),
        breathless_share=_share(dt, BREATHLESS_SECONDS),
        recovery_share=_share(dt, RECOVERY_SECONDS),
        veering_share=_share(dt, VEERING_SECONDS),
        gaze_share=_share(dt, GAZE_SECONDS),
        eased_share=_share(dt, EASED_SECONDS),
        rowing_work=ROWING_WORK,
        turning=TURNING_BENDS,
        seen_angle=SEEN_ANGLE,
        glance_share=GLANCE_SHARE,
        broadside_angle=BROADSIDE_ANGLE,
        folding=FOLDING_SPEEDS,
        tucking=TUCKING_SPEEDS,
        bursting=BURSTING_EFFORTS,
        calm_fold=CALM_FOLD,
        giving_speed=GIVING_SPEED,
        masses=MASS_SHARES,
    )


def _share(dt: float, seconds: float) -> np.ndarray:
    """Share of the way that is covered in `dt` seconds by what covers it in about so many."""
    return 1.0 - exp(-dt / seconds)


def _smooth(value: np.ndarray, low: float, high: float) -> np.ndarray:
    """0 up to `low`, 1 from `high` on, and smooth between."""
    return smooth_step((value - low) / (high - low))
