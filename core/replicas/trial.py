"""Dynamic fishes of one species that swim side by side in boundless still water, as many as there are commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..base.sums import weighted
from ..body.anatomy import MASS_SHARES, body_frame
from ..body.dynamics import BodyModel
from ..body.kernel import BLOCK_MULTIPLE, mover
from ..body.tuning import LONGEST_BOOK_STEP
from ..motor.center import Drive, MotorCenter
from ..motor.commands import Commands
from ..motor.mover import Mover
from ..motor.muscles import Muscles
from ..motor.tuning import BURST_BEAT_STEPS
from ..scene.species import Species
from .tuning import CAPTURE_FPS, CAPTURE_SUBSTEPS


@dataclass(frozen=True, eq=False)
class TrialTrack:
    """The motion of a trial's fishes, at even steps.

    Attributes:
        step: Seconds from one sample to the next.
        nodes: Body lengths, (samples, fish, 23, 3).
        phase: Phase of the beat, in beats since the start, (samples, fish).
        frequency: Tail beats a second, (samples, fish).
        tension: Tension of the muscles: amplitude of the beat and bends of the two turning segments, (samples, fish,
            3).
    """

    step: float
    nodes: np.ndarray
    phase: np.ndarray
    frequency: np.ndarray
    tension: np.ndarray


class Trial:
    """Runs fishes through a programme; every fish begins at rest at the origin, level, heading along x."""

    def __init__(self, species: Species, fishes: int, swift: bool = False):
        """Prepares for so many fishes.

        Args:
            species: Theirs.
            fishes: Number of fishes.
            swift: Whether their steps are fine enough for a burst, as a shoal moves those that give one.
        """
        self.fishes, self._length = fishes, species.length
        model = BodyModel(species.body)
        size = -(-fishes // BLOCK_MULTIPLE) * BLOCK_MULTIPLE
        step = 1.0 / (CAPTURE_FPS * CAPTURE_SUBSTEPS) / species.time_scale
        fastest = max(species.rhythm.burst_beat, species.rhythm.tail_beat) * species.time_scale
        longest = min(LONGEST_BOOK_STEP, 1.0 / (BURST_BEAT_STEPS * fastest)) if swift else LONGEST_BOOK_STEP
        self._mover = Mover.of(species, model, size, step, longest, mover)
        self._muscles = Muscles(species, model, size, self._mover.dt)
        self._motor = MotorCenter([species], np.zeros(fishes, dtype=int))
        self._x, self._v = model.resting(size), np.zeros((*model.rest.shape, size))
        self._book_length, self._seconds = species.body.book_length, species.time_scale
        speed = self._seconds * self._book_length  # book units of lengths a second
        self._units = np.array([self._seconds] * 3 + [1.0] * 6 + [speed] * 2 + [speed] * 3)[:, None]

    def run(self, commands: Callable[[float], Commands], seconds: float) -> TrialTrack:
        """Moves all fishes on.

        Args:
            commands: Commands for the frame that begins at this time, in seconds.
            seconds: Duration of the run.
        """
        period, parts = 1.0 / CAPTURE_FPS, CAPTURE_SUBSTEPS * self._mover.parts
        frames = int(np.ceil(seconds / period))
        places = np.empty((frames * parts, *self._x.shape[:2], self.fishes))
        phase, frequency = (np.empty((frames * parts, self.fishes)) for _ in range(2))
        tension = np.empty((frames * parts, self.fishes, 3))
        for frame in range(frames):
            targets, before = self._targets(commands(frame * period), period), self._muscles.phase.copy()
            tense = self._tension()
            samples = self._mover.move(self._x, self._v, self._muscles, targets, CAPTURE_SUBSTEPS, parts)
            rows = slice(frame * parts, (frame + 1) * parts)
            for row, x in enumerate([*(x for _, x in samples), self._x]):
                places[frame * parts + row] = x[:, :, : self.fishes]
            share = (np.arange(parts) + 1.0)[:, None] / parts
            phase[rows] = ((1.0 - share) * before + share * self._muscles.phase)[:, : self.fishes] / (2.0 * np.pi)
            tension[rows] = tense + share[:, :, None] * (self._tension() - tense)
            frequency[rows] = targets[0, : self.fishes] / self._seconds
        nodes = places.transpose(0, 3, 1, 2) / self._book_length
        return TrialTrack(period / parts, nodes, phase, frequency, tension)

    @property
    def nodes(self) -> np.ndarray:
        """Nodes of the bodies now, in body lengths, (fish, 23, 3)."""
        return self._x[:, :, : self.fishes].transpose(2, 0, 1) / self._book_length

    def contractions(self, track: TrialTrack) -> np.ndarray:
        """The contractions of the muscles on a track, as shares of their natural lengths, (samples, m, fish)."""
        swing, phase = np.moveaxis(track.tension, 2, 0).reshape(3, -1), 2.0 * np.pi * track.phase.ravel()
        shares = 1.0 - self._muscles.pulled(swing, phase) / self._muscles.natural
        return shares.reshape(-1, *track.phase.shape).swapaxes(0, 1)

    def _tension(self) -> np.ndarray:
        """Amplitude of the beat and bends as they are now, (fish, 3)."""
        muscles = self._muscles
        return np.concatenate([muscles.beat[None], muscles.bend])[:, : self.fishes].T

    def _targets(self, commands: Commands, period: float) -> np.ndarray:
        """The targets of muscles and fins in the next frame, in the book's units, (14, block)."""
        _, frames = body_frame(self.nodes)
        velocity = self._v[:, :, : self.fishes].transpose(2, 0, 1) / (self._seconds * self._book_length)
        length = np.full(self.fishes, self._length)
        through = weighted(MASS_SHARES, velocity) * self._length
        drive = self._drive(self._motor.drive(commands, frames, through, length, period))
        rates, swing = (drive.frequency, drive.rate, drive.fling), (drive.amplitude, *drive.bend, drive.curl)
        still = np.zeros((3, self.fishes))
        targets = np.concatenate([np.stack([*rates, *swing]), drive.gamma, drive.row, still])
        out = np.zeros((len(targets), self._x.shape[2]))
        out[:, : self.fishes] = targets * self._units
        return out

    def _drive(self, drive: Drive) -> Drive:
        """The motor center's drive of muscles and fins, carried out in full."""
        return drive
