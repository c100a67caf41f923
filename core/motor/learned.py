"""Learned controllers in the place of the hand-made ones: maps of speed and steering over what was drilled.

In the motor center a share of full speed becomes a frequency, by interpolation over the drills, and in the muscles a
share of full speed, a share of the sharpest turn and the phase of the beat become contractions (Terzopoulos et al.
1994, §4.3). What the center adds to its hand-made controllers, feedback and fins, it adds to these.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ..base.elementary import interpolated, sin_and_cos
from ..base.sums import mean, total
from ..base.vectors import wrap
from ..body.anatomy import LEFT_MUSCLES
from ..scene.controller import MOST_MODES, Controller, Drill
from ..scene.species import Rhythm, Species
from .tuning import MEANT_STRIDE, STEERING_BEATS, STEERING_MAP_ANGLES, TURN_DRILL_PACE

KNOTS = 5
"""Knots of both maps, evenly from rest to full speed and from straight ahead to the sharpest turn, as in muscles.h."""
_COEFFICIENTS = 1 + 2 * MOST_MODES  # of a muscle: its mean, and the sine and cosine of each mode
_TURNING_MUSCLES = 8  # which the hand-made turns bend, and whose bend turns the head


@dataclass(frozen=True, eq=False)
class Pattern:
    """Contractions of a species' muscles, by share of full speed and of the sharpest turn, and by phase of the beat.

    Attributes:
        harmonics: Waves of each mode in a beat, (4,).
        straight: Coefficients of each muscle: mean, then sine and cosine of each mode, (KNOTS, m, 9).
        turning: Additions to them in turns, from the sharpest to the right to that to the left, (2 KNOTS - 1, m, 9).
        frequency: Beats a second, (KNOTS,).
        haste: Factor on them in the sharpest turn to the left and to the right, (2,).
        full: Full speed in lengths a second.
        sharpest: Turn in radians a second.
    """

    harmonics: np.ndarray
    straight: np.ndarray
    turning: np.ndarray
    frequency: np.ndarray
    haste: np.ndarray
    full: float
    sharpest: float

    @classmethod
    def of(cls, controller: Controller, contraction: float) -> Pattern:
        """The maps of a controller; one that never learned to turn contracts turning muscles by this share at most."""
        swims, shares = controller.swims, np.arange(KNOTS) / (KNOTS - 1)
        full = swims[-1].speed
        speeds = np.array([drill.speed for drill in swims])
        straight = np.stack([_interpolated(swims, speeds, share * full) for share in shares])
        beats = np.array([drill.frequency for drill in swims])
        frequency = interpolated(shares * full, speeds, beats)
        turning, haste, sharpest = np.zeros((2 * KNOTS - 1, *straight.shape[1:])), np.ones(2), 0.0
        middle = TURN_DRILL_PACE * full
        own, pace = _interpolated(swims, speeds, middle), float(interpolated(middle, speeds, beats))
        sides = controller.left, controller.right
        if controller.left:
            sharpest = min(abs(drills[-1].turn) for drills in sides)
        for side, drills in enumerate(sides):
            if drills:
                rates = np.array([abs(drill.turn) for drill in drills])
                for knot in range(1, KNOTS):
                    turned = _turned(drills, rates, shares[knot] * sharpest, own)
                    turning[KNOTS - 1 + (-knot if side else knot)] = turned - own
                haste[side] = interpolated(sharpest, rates, np.array([drill.frequency for drill in drills])) / pace
        if not controller.left:
            left = np.resize(LEFT_MUSCLES, _TURNING_MUSCLES)
            turning[KNOTS - 1 :, :_TURNING_MUSCLES, 0] = contraction * shares[:, None] * left
            turning[:KNOTS, :_TURNING_MUSCLES, 0] = contraction * shares[::-1, None] * ~left
        harmonics = np.array([*controller.harmonics, *[1.0] * MOST_MODES])[:MOST_MODES]
        return cls(harmonics, straight, turning, frequency, haste, full, sharpest)

    @property
    def contraction(self) -> float:
        """Contraction of the muscles of a side beyond that of the other side's, in the sharpest turn to it."""
        left = np.resize(LEFT_MUSCLES, _TURNING_MUSCLES)
        bent = self.turning[-1, :_TURNING_MUSCLES, 0] - self.turning[0, :_TURNING_MUSCLES, 0]
        return 0.5 * float(mean(bent[left]) - mean(bent[~left]))

    @property
    def sharp(self) -> float:
        """Remainder of a turn in radians from which on it is the sharpest; 1 without turns."""
        return self.sharpest * STEERING_BEATS / float(self.frequency[-1]) or 1.0

    @property
    def most(self) -> float:
        """The most that a muscle contracts at full speed and in the sharpest turn, as a share of its length."""
        every = np.concatenate([self.straight, self.turning])
        sines, cosines = every[..., 1::2], every[..., 2::2]
        return float((np.abs(every[..., 0]) + total(np.sqrt(np.square(sines) + np.square(cosines)))).max())

    @property
    def constants(self) -> np.ndarray:
        """The pattern as muscles.h takes it."""
        tables = self.straight.ravel(), self.turning.ravel()
        return np.concatenate(([1.0, TURN_DRILL_PACE, *self.harmonics], *tables))


@dataclass(frozen=True, kw_only=True)
class Taught(Species):
    """A species that swims by a controller which it has learned."""

    controller: Controller


class LearnedMotors:
    """Data for the motor center on the fishes of a world that swim as they learned.

    Attributes:
        full: Full speed in lengths a second, 0 with hand-made controllers, (fish,).
        haste: Factor on the beats in the sharpest turn to the left and to the right, (2, fish).
        sharp: Remainder of a turn in radians from which on it is the sharpest, (fish,).
        frequency: Beats a second from rest to full speed, (KNOTS, fish).
    """

    def __init__(self, species: Sequence[Species], kind: np.ndarray, slowness: np.ndarray | float = 1.0):
        """Takes the species that occur, the row of each fish's, (fish,), and the factor on the time of its beats."""
        patterns = [pattern_of(one) for one in species]
        self.full = np.array([pattern.full if pattern else 0.0 for pattern in patterns])[kind] / slowness
        hastes = [pattern.haste if pattern else (1.0, 1.0) for pattern in patterns]
        self.haste = np.array(hastes).reshape(-1, 2)[kind].T
        self.sharp = np.array([pattern.sharp if pattern else 1.0 for pattern in patterns])[kind]
        beats = [pattern.frequency if pattern else np.zeros(KNOTS) for pattern in patterns]
        self.frequency = np.array(beats).reshape(-1, KNOTS)[kind].T / slowness

    @property
    def traits(self) -> dict[str, np.ndarray]:
        """Traits of each fish by their names in `drive.DRIVE`, (fish,) each."""
        return {"full": self.full, "sharp": self.sharp}


def taught(species: Species, controller: Controller) -> Taught:
    """A species that swims by a controller which it has learned, and rows no more."""
    rhythm, steering = species.rhythm, species.steering
    pattern = Pattern.of(controller, steering.contraction)
    beat = float(pattern.frequency[-1])
    rhythm = replace(
        rhythm,
        tail_beat=beat,
        slow_beat=max(float(pattern.frequency[0]) / beat, 0.01),
        burst_beat=rhythm.burst_beat / rhythm.tail_beat * beat,
    )
    if controller.left:
        shares = tuple(float(min(angle / pattern.sharp, 1.0)) for angle in STEERING_MAP_ANGLES)
        steering = replace(steering, front=shares, middle=shares, contraction=max(pattern.contraction, 1e-3))
    pectoral = replace(species.pectoral, stroke=0.0)
    own = {field.name: getattr(species, field.name) for field in fields(Species)}
    return Taught(**own | {"rhythm": rhythm, "steering": steering, "pectoral": pectoral}, controller=controller)


def pattern_of(species: Species) -> Pattern | None:
    """The pattern of a species that has learned to swim; None for all others."""
    return Pattern.of(species.controller, species.steering.contraction) if isinstance(species, Taught) else None


def expected(species: Species) -> Rhythm:
    """The rhythm from which minds reckon the speed of a fish: for one that learned, a rhythm that yields its speeds."""
    if not isinstance(species, Taught):
        return species.rhythm
    full = species.controller.swims[-1].speed
    return replace(species.rhythm, tail_beat=full / MEANT_STRIDE, slow_beat=0.01, slow_amplitude=1.0)


def _coefficients(drill: Drill) -> np.ndarray:
    """Mean, amplitudes and phases of each muscle as one array, (m, 9): those of a missing mode are 0."""
    muscles = len(drill.mean)
    waves = np.zeros((MOST_MODES, 2, muscles))
    waves[: len(drill.amplitude), 0], waves[: len(drill.phase), 1] = drill.amplitude, drill.phase
    return np.concatenate([np.array(drill.mean)[:, None], waves.reshape(-1, muscles).T], axis=1)


def _between(one: np.ndarray, other: np.ndarray, share: float) -> np.ndarray:
    """Means and amplitudes between two, and phases the short way round, as coefficients of sine and cosine, (m, 9)."""
    made = one + share * (other - one)
    for mode in range(MOST_MODES):
        amplitude, phase = made[:, 1 + 2 * mode], one[:, 2 + 2 * mode]
        sine, cosine = sin_and_cos(phase + share * wrap(other[:, 2 + 2 * mode] - phase))
        # amplitude sin(p - phase) = amplitude cos(phase) sin(p) - amplitude sin(phase) cos(p)
        made[:, 1 + 2 * mode], made[:, 2 + 2 * mode] = amplitude * cosine, -amplitude * sine
    return made


def _interpolated(drills: Sequence[Drill], paces: np.ndarray, pace: float) -> np.ndarray:
    """Coefficients at a pace, (m, 9); from the slowest drill to rest they fade."""
    after = min(int(np.searchsorted(paces, pace)), len(paces) - 1)
    there = _coefficients(drills[after])
    if after == 0 or pace >= paces[after]:
        return _between(there, there, 0.0) * min(pace / paces[after], 1.0)
    share = (pace - paces[after - 1]) / (paces[after] - paces[after - 1])
    return _between(_coefficients(drills[after - 1]), there, float(share))


def _turned(drills: Sequence[Drill], rates: np.ndarray, rate: float, straight: np.ndarray) -> np.ndarray:
    """Coefficients in a turn of this rate, (m, 9); below the gentlest drill they come from those straight ahead."""
    if rate >= rates[0]:
        return _interpolated(drills, rates, rate)
    gentlest = _coefficients(drills[0])
    return straight + rate / rates[0] * (_between(gentlest, gentlest, 0.0) - straight)
