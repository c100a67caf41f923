"""Signs of life: gaze and breath of fishes, the carriage of their fins, and the effort of their muscles.

None of it moves a body; it is recorded, and seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ..base.elementary import exp
from ..base.state import Stateful, state
from ..body.anatomy import MASS_SHARES
from ..compiled import changes, compiled, laid, reads, reals, record, takes, values
from ..form.look import breath_of
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

    gaze: np.ndarray = state("f8", "fish", 2, 2, unit="rad", recorded="gaze")
    phase: np.ndarray = state("f8", "fish", unit="rad")
    breathless: np.ndarray = state("f8", "fish", low=0, high=1)
    fold: np.ndarray = state("f8", "fish", 2, low=0, high=1, begin=CALM_FOLD, recorded="fold")
    effort: np.ndarray = state("f8", "fish", low=0, high=1, recorded="effort")
    tail: np.ndarray = state("f8", "fish", recorded="tail")
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

        slower = np.sqrt(np.sqrt(size))  # larger fishes breathe more slowly
        beat, burst = each("rhythm", "tail_beat"), each("rhythm", "burst_beat")
        breath, bursts = each("bearing", "breath") / slower, np.maximum(burst / beat - 1.0, 0.0)
        self._traits = laid(each("bearing", "gaze"), breath, each("bearing", "panting"), beat, bursts)
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
        SIGNS(
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
