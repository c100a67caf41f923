"""Routine drills: a fish that can swim and turn trains to do both at several rates, and maps come of it (§4.3).

The learned motions are varied between rest and full speed, and between straight ahead and its sharpest turn; each
variation is swum in still water, and its speed stands with it in the controller.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from ..base.codec import SceneError
from ..base.vectors import wrap
from ..body.anatomy import MASS_SHARES, NOSE_NODE, body_frame
from ..body.dynamics import BodyModel
from ..motor.center import Drive
from ..motor.commands import Commands
from ..motor.learned import KNOTS, Pattern, taught
from ..motor.tuning import MOST_CONTRACTION, TURN_DRILL_PACE, TURN_NUDGE
from ..replicas.trial import Trial, TrialTrack
from ..replicas.tuning import CAPTURE_FPS
from ..scene.controller import MOST_MODES, Controller, Drill
from ..scene.species import Species
from .learned import Learned, ensure_for
from .modes import Modes, abstracted, fitted
from .practice import Practice
from .tuning import (
    DRILL_BEATS,
    DRILL_SHARES,
    IMITATED_TURN,
    LEAST_DRILL_RATE,
    LEAST_DRILL_SPEED,
    LESSON_HARMONICS,
    LESSON_SAMPLES,
    WATCHED_DRILL_BEATS,
)


class _Beat(NamedTuple):
    """Muscle activity of a swim: beats a second, mean (m,), and amplitude and phase of each mode, (modes, m)."""

    frequency: float
    mean: np.ndarray
    amplitude: np.ndarray
    phase: np.ndarray

    @classmethod
    def of(cls, modes: Modes, harmonics: np.ndarray) -> _Beat:
        """Modes of these harmonics; others are left out."""
        amplitude, phase = np.zeros((2, len(harmonics), len(modes.mean)))
        for own, at, lag in zip(modes.harmonics, modes.amplitude, modes.phase, strict=True):
            for row in np.flatnonzero(np.isclose(harmonics, own)):
                amplitude[row], phase[row] = at, lag
        return cls(modes.frequency, modes.mean, amplitude, phase)

    def slowed(self, share: float) -> _Beat:
        """The same for about this share of the speed, for speed goes with both pace and width.

        To beat no more slowly, but less widely, than that lets the head sway less.
        """
        root = share**0.5
        return _Beat(self.frequency * root, self.mean * root, self.amplitude * root, self.phase)

    def towards(self, other: _Beat, share: float, harmonics: np.ndarray) -> _Beat:
        """Between this and another, whose phase is counted from where both beat most alike."""
        alike = (self.amplitude * other.amplitude * np.exp(1j * (other.phase - self.phase))).sum(axis=1)
        mode = int(np.abs(alike).argmax())
        begin = np.angle(alike[mode]) / harmonics[mode]
        phase = self.phase + share * wrap(other.phase - harmonics[:, None] * begin - self.phase)
        mean, amplitude = (a + share * (b - a) for a, b in ((self.mean, other.mean), (self.amplitude, other.amplitude)))
        return _Beat(self.frequency + share * (other.frequency - self.frequency), mean, amplitude, phase)

    def drill(self, speed: float, turn: float = 0.0) -> Drill:
        """The same as data, with what it came to."""
        mean, amplitude, phase = (np.round(a, 6).tolist() for a in (self.mean, self.amplitude, wrap(self.phase)))
        return Drill(
            speed=speed,
            turn=turn,
            frequency=round(self.frequency, 6),
            mean=tuple(mean),
            amplitude=tuple(map(tuple, amplitude)),
            phase=tuple(map(tuple, phase)),
        )


class _Practice(Trial):
    """Fishes that turn just as their muscles are to, however they then swim; their fins do as for a like command."""

    def __init__(self, species: Species, made: Controller, paces: np.ndarray, bends: np.ndarray):
        """Prepares drills.

        Args:
            species: The species.
            made: Its controller.
            paces: Shares of full speed, (fish,).
            bends: Shares of the sharpest turn, left positive, (fish,).
        """
        super().__init__(taught(species, made), len(paces))
        pattern = Pattern.of(made, species.steering.contraction)
        frequency = np.interp(paces, np.arange(KNOTS) / (KNOTS - 1), pattern.frequency)
        haste = np.where(bends > 0, pattern.haste[0], pattern.haste[1])
        self._paces, self._bends = paces, np.stack([bends, bends])
        self._frequency = frequency * (1.0 + np.abs(bends) * (haste - 1.0))

    def _drive(self, drive: Drive) -> Drive:
        # A fish that goes straight ahead keeps its head still, as it always does.
        bend = np.where(self._bends != 0.0, self._bends, drive.bend)
        return replace(drive, frequency=self._frequency, amplitude=self._paces, bend=bend)

    def measured(self) -> tuple[np.ndarray, np.ndarray]:
        """The rates of the drills: lengths a second ahead, and radians a second to the left, (fish,) each."""
        return _swum(self, self._paces, IMITATED_TURN * self._bends[0], float(self._frequency.min()))


def _swum(trial: Trial, paces: np.ndarray, turns: np.ndarray, slowest: float) -> tuple[np.ndarray, np.ndarray]:
    """The rates, as in `rates`, of a trial whose fishes swim as in `_turning` and beat no slower than that."""
    track = trial.run(_turning(paces, turns), (DRILL_BEATS + WATCHED_DRILL_BEATS) / slowest)
    watched = round(WATCHED_DRILL_BEATS / slowest / track.step)
    return rates(track, slice(-watched - 1, None))


def rates(track: TrialTrack, watched: slice) -> tuple[np.ndarray, np.ndarray]:
    """Lengths a second along the way, and radians a second to the left, of the fishes of a track, (fish,) each."""
    nodes = track.nodes[watched]
    middle = np.einsum("n,tfnc->tfc", MASS_SHARES, nodes)
    _, frames = body_frame(np.ascontiguousarray(nodes))
    azimuth = np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0)
    seconds = track.step * (len(nodes) - 1)
    beat = max(round(1.0 / track.frequency[-1].min() / track.step), 1)
    # The head sways with the beat, and so does the middle: both are smoothed over a beat.
    smooth = middle[beat:] - middle[:-beat]
    return np.linalg.norm(smooth, axis=-1).mean(axis=0) / (beat * track.step), (azimuth[-1] - azimuth[0]) / seconds


def controller(species: Species, swim: Modes, left: Modes | None = None, right: Modes | None = None) -> Controller:
    """The controller of a species from its learned motions.

    Args:
        species: The species.
        swim: Its swimming straight ahead.
        left: Its turning to the left; without it, it bends as its species does.
        right: The same to the right; both or none of them.

    Raises:
        SceneError: If it does not get ahead, or a turn leads the other way.
    """
    species, both = species.alike, [] if left is None or right is None else [left, right]
    every = np.concatenate([one.harmonics for one in (swim, *both)])
    first = np.unique(np.round(every, 6), return_index=True)[1]
    harmonics = np.round(every[np.sort(first)], 6)[:MOST_MODES]
    base = _Beat.of(swim, harmonics)
    swims = [base.slowed(share) for share in DRILL_SHARES]
    shares = np.array(DRILL_SHARES)
    made = Controller(
        species=species.name,
        time_scale=species.time_scale,
        body=species.body,
        harmonics=tuple(harmonics.tolist()),
        swims=tuple(one.drill(share) for one, share in zip(swims, DRILL_SHARES, strict=True)),
    )
    if both:
        middle = base.slowed(TURN_DRILL_PACE)
        turns = [[middle.towards(_Beat.of(one, harmonics), share, harmonics) for share in DRILL_SHARES] for one in both]
        nominal = [
            tuple(beat.drill(share, sign * share) for beat, share in zip(turned, DRILL_SHARES, strict=True))
            for turned, sign in zip(turns, (1.0, -1.0), strict=True)
        ]
        made = replace(made, left=nominal[0], right=nominal[1])
        paces = np.full(2 * len(shares), TURN_DRILL_PACE)
        found = _Practice(species, made, paces, np.concatenate([shares, -shares])).measured()
        along, turning = (one.reshape(2, -1) for one in found)
        left_side, right_side = (_rising(turns[side], along[side], turning[side]) for side in (0, 1))
        made = replace(made, left=left_side, right=right_side)
    speeds, _ = _Practice(species, made, shares, np.zeros(len(shares))).measured()
    return on_course(species, replace(made, swims=_rising(swims, speeds, 0.0 * speeds)))


def on_course(species: Species, made: Controller) -> Controller:
    """The same with the speeds that its drills come to where a fish keeps its course by it.

    A beat of its own making need not be the same to both sides, and sways the head: to keep its course the fish bends,
    and beats faster, as it learned to do in turns.
    """
    speeds = np.array([drill.speed for drill in made.swims])
    trial = Trial(taught(species, made), len(speeds))
    slowest = min(drill.frequency for drill in made.swims)
    found, _ = _swum(trial, speeds / speeds[-1], 0.0 * speeds, slowest)
    drills = tuple(replace(made.swims[row], speed=float(found[row])) for row in _risen(found, LEAST_DRILL_SPEED))
    return replace(made, swims=drills) if drills else made


def from_lessons(species: Species, lessons: Sequence[Learned]) -> Controller:
    """The controller of a species from the results of practice: `swim`, and `left` and `right` if it has both.

    Raises:
        SceneError: If another body has learned one, none swims, or what they learned gets it nowhere.
    """
    found: dict[str, Modes] = {}
    for lesson in lessons:
        ensure_for(lesson, species)
        found[lesson.task] = modes_of(species, lesson)
    if "swim" not in found:
        raise SceneError(", ".join(found) or "nothing learned", "swim, and left and right besides", key="task")
    return controller(species, found["swim"], found.get("left"), found.get("right"))


def modes_of(species: Species, lesson: Learned) -> Modes:
    """The one or two modes of a result of practice, whose course repeats itself, that do most of its task.

    A wave that hardly shows may do most of the swimming, since water answers to the speed of what moves in it: so all
    that can be are tried side by side in the water, and those kept that get farthest, or turn most.
    """
    beats = range(1, LESSON_HARMONICS + 1)
    choices = [*((beat,) for beat in beats), *combinations(beats, 2)]
    practice = Practice(species, len(choices))
    step, seconds = lesson.duration / LESSON_SAMPLES, practice.dt * species.time_scale
    course, times = lesson.contractions(np.arange(LESSON_SAMPLES) * step), (np.arange(practice.steps) + 1.0) * seconds
    modes = [fitted(course, step, 1.0 / lesson.duration, choice) for choice in choices]
    pulled = np.clip(np.stack([one.signals(times) for one in modes]), 0.0, MOST_CONTRACTION)
    film = practice.film(practice.shortened(pulled))
    if lesson.task in ("left", "right"):
        way = film.nose - film.middle
        heading = np.unwrap(np.arctan2(way[..., 1], way[..., 0] + _nose_lengths(practice.model)), axis=0)[-1]
        reached = heading if lesson.task == "left" else -heading
    else:
        reached = film.middle[-1, :, 0]
    return modes[int(np.argmax(np.where(np.isfinite(reached), reached, -np.inf)))]


def _nose_lengths(model: BodyModel) -> float:
    """Distance of the nose of a body at rest ahead of its middle, in lengths."""
    ahead = model.rest[:, 0]
    return float(ahead[NOSE_NODE] - (MASS_SHARES * ahead).sum()) / float(np.ptp(ahead))


def imitated(species: Species) -> Controller:
    """The controller of a species that learns from its own hand-made ones: what their muscles do is all that it sees.

    Its tail beats without bursts, and its fins do not row.

    Raises:
        SceneError: If its tail does nothing.
    """
    species = species.alike
    paces, turns = np.array([1.0, TURN_DRILL_PACE, TURN_DRILL_PACE]), np.array([0.0, IMITATED_TURN, -IMITATED_TURN])
    trial = Trial(steady(species), 3)
    track = trial.run(_turning(paces, turns), 2.0 * DRILL_BEATS / species.rhythm.tail_beat)
    done = trial.contractions(track)[len(track.phase) // 2 :]
    swim, left, right = (abstracted(done[:, :, fish].T, track.step) for fish in range(3))
    return controller(species, swim, left, right)


def steady(species: Species) -> Species:
    """The same species, whose tail beats without bursts and whose fins do not row."""
    tail, rhythm = replace(species.pectoral, stroke=0.0), replace(species.rhythm, burst_beat=0.0)
    return replace(species, pectoral=tail, rhythm=rhythm)


def _turning(paces: np.ndarray, turns: np.ndarray) -> Callable[[float], Commands]:
    """Commands to swim at these paces and to have so much left of a turn all the time, (fish,) each, by the time."""
    nudge = np.where(turns != 0.0, TURN_NUDGE, 0.0)

    def commands(t: float) -> Commands:
        made = Commands.still(len(paces))
        made.swim[:], made.turn[:] = paces, turns + nudge * (-1.0) ** round(t * CAPTURE_FPS)
        return made

    return commands


def _rising(beats: Sequence[_Beat], speeds: np.ndarray, turns: np.ndarray) -> tuple[Drill, ...]:
    """The drills whose rates exceed those of the ones before; turns if any is to turn.

    Raises:
        SceneError: If none comes to anything.
    """
    turning = bool(turns.any())
    side = np.sign(turns[-1]) if turning else 1.0
    rates = side * turns if turning else speeds
    least = LEAST_DRILL_RATE if turning else LEAST_DRILL_SPEED
    made = tuple(beats[row].drill(float(speeds[row]), float(turns[row])) for row in _risen(rates, least))
    if not made:
        unit = "rad/s" if turning else "lengths/s"
        raise SceneError(f"drills that come to {rates[-1]:.2g} {unit}", f"more than {least:g}", key="samples")
    return made


def _risen(rates: np.ndarray, least: float) -> list[int]:
    """Rows of the rates (n,) that are above the least and above all before them; NaN is passed over."""
    return np.flatnonzero(rates > np.fmax.accumulate([least, *rates])[:-1]).tolist()
