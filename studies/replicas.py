"""Replicas match the dynamic fishes they were captured from: speed, beat, sweep, turns and starts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core.base.vectors import wrap
from ..core.body.anatomy import body_frame
from ..core.body.gait import measure
from ..core.motor.commands import Commands
from ..core.replicas.capture import capture
from ..core.replicas.repertoire import Repertoire
from ..core.replicas.secondary import Replicas
from ..core.replicas.trial import Trial
from ..core.replicas.tuning import CAPTURE_FPS
from ..core.scene.species import Species
from .finding import Finding, counted, each

SPECIES = tuple(name for name in Species.names() if name != "thesis")
"""Species to compare; the book's own fish has too little lift to keep to any path, and no steady gait."""
SWIMS = np.array([0.2, 0.4, 0.6, 0.85, 1.0])
TURNS = np.radians([20.0, 30.0, 60.0, 90.0, 150.0, -45.0, -120.0])
TURNING_PACE = 0.6
SETTLE_SECONDS, WATCH_SECONDS = 16.0, 8.0
MOST_SPEED, MOST_BEAT, MOST_SWEEP, MOST_TURN = 0.05, 0.03, 0.10, np.radians(10.0)
LEAST_SWEEP = 0.02
"""Least sweep in lengths; a tail that only trails has no measurable beat."""


@dataclass(frozen=True, eq=False)
class Fidelity:
    """Errors of a species' replicas against dynamic fishes under the same commands.

    Attributes:
        speed: Relative error of the speed at each of `SWIMS`.
        beat: Relative error of the beat frequency there; NaN if the tail only trails.
        sweep: Relative error of the tail's sweep there, likewise.
        turn: Error of each of `TURNS`, rad, when it has ended.
    """

    speed: np.ndarray
    beat: np.ndarray
    sweep: np.ndarray
    turn: np.ndarray

    def holds(self) -> bool:
        """True if all errors are within their limits."""
        off = (self.speed, MOST_SPEED), (self.beat, MOST_BEAT), (self.sweep, MOST_SWEEP), (self.turn, MOST_TURN)
        return all(not (np.abs(values) > most).any() for values, most in off)


def fidelity(species: Species, repertoire: Repertoire) -> Fidelity:
    """Errors of replicas under the same commands as dynamic fishes."""
    swims, fishes = len(SWIMS), len(SWIMS) + len(TURNS)

    def commands(t: float) -> Commands:
        found = Commands.still(fishes)
        found.swim[:swims], found.swim[swims:] = SWIMS, TURNING_PACE
        found.turn[swims:] = TURNS * (t >= SETTLE_SECONDS)
        return found

    seconds, frames = SETTLE_SECONDS + WATCH_SECONDS, int((SETTLE_SECONDS + WATCH_SECONDS) * CAPTURE_FPS)
    track = Trial(species, fishes).run(commands, seconds)
    dynamic = track.nodes[:: len(track.nodes) // frames][:frames]
    replicas = Replicas([species], [repertoire], np.zeros(fishes, dtype=int), np.ones(fishes))
    times = np.arange(frames) / CAPTURE_FPS
    played = np.array([replicas.move(commands(t), 1.0 / CAPTURE_FPS).copy() for t in times])
    begin = int(SETTLE_SECONDS * CAPTURE_FPS)
    real, copied = (measure(nodes[begin:, :swims], CAPTURE_FPS, np.ones(swims)) for nodes in (dynamic, played))
    beats = real.amplitude > LEAST_SWEEP
    turns = [_turned(nodes[:, swims:], begin, species.rhythm.tail_beat) for nodes in (dynamic, played)]
    return Fidelity(
        speed=copied.speed / real.speed - 1.0,
        beat=np.where(beats, copied.frequency / real.frequency - 1.0, np.nan),
        sweep=np.where(beats, copied.amplitude / real.amplitude - 1.0, np.nan),
        turn=wrap(turns[1] - turns[0]),
    )


def _turned(nodes: np.ndarray, begin: int, tail_beat: float) -> np.ndarray:
    """Turn of fishes (frames, fish, 23, 3) since this frame, as means over some beats, (fish,)."""
    _, frames = body_frame(nodes)
    azimuth = np.unwrap(np.arctan2(frames[..., 1, 0], frames[..., 0, 0]), axis=0)
    span = int(4.0 * CAPTURE_FPS / tail_beat)
    return azimuth[-span:].mean(axis=0) - azimuth[begin - span : begin].mean(axis=0)


def measured(name: str) -> Fidelity:
    """The same for a species by name, captured anew."""
    species = Species.load(name)
    return fidelity(species, capture(species))


def findings(seeds: range = range(0)) -> list[Finding]:
    """Every species against its replica; it depends on no seed."""
    found = each(measured, SPECIES)
    claims = [
        ("speed", "speed", MOST_SPEED, "5 %", 100.0, "%"),
        ("beat", "beat", MOST_BEAT, "3 %", 100.0, "%"),
        ("sweep", "sweep of the tail", MOST_SWEEP, "10 %", 100.0, "%"),
        ("turn", "turns", MOST_TURN, "10 degrees", 180.0 / np.pi, "degrees"),
    ]
    rows = []
    for name, words, most, said, scale, unit in claims:
        worst = [float(np.nanmax(np.append(np.abs(getattr(one, name)), 0.0))) for one in found]
        note = f"worst {scale * max(worst):.1f} {unit}, {SPECIES[int(np.argmax(worst))]}"
        rows.append(
            counted(f"{words} of a replica within {said}, every species", [w <= most for w in worst], 1.0, note)
        )
    return rows
