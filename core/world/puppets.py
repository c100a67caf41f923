"""Puppets: fishes that play back what they did before, among others that live.

After every step each puppet is put where it was recorded, so others see, fear, avoid and flee from it there. It answers
nobody. Nothing befalls it that did not befall it then, and nothing new befalls others by it: its mouth opens as it did,
but it swallows nobody, and nobody swallows it. Before the film begins it waits at its first place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.vectors import norm
from ..behavior.routines.tuning import SUCKING_LENGTHS
from ..recording import Recording
from .parts import Parts
from .puppetry import Puppetry


@dataclass(frozen=True, eq=False)
class PuppetTracks:
    """The motion of puppets over the frames of a film, in arrays for all fishes; those of others do not count.

    Attributes:
        played: The puppets among the fishes, (fish,) bool.
        nodes: Metres, (frames, fish, 23, 3).
        mouth: 0 closed to 1 open, (frames, fish).
        intention: As in `Recording.intention`, (frames, fish).
        cause: As in `Recording.cause`, (frames, fish).
        alive: (frames, fish) bool.
        plankton: Metres, (frames, particle, 3).
        plankton_alive: (frames, particle) bool.
        fps: Frames a second.
    """

    played: np.ndarray
    nodes: np.ndarray
    mouth: np.ndarray
    intention: np.ndarray
    cause: np.ndarray
    alive: np.ndarray
    plankton: np.ndarray
    plankton_alive: np.ndarray
    fps: float

    @classmethod
    def of(cls, recording: Recording, played: np.ndarray, rows: np.ndarray | slice = slice(None)) -> PuppetTracks:
        """The tracks of a Recording, of whose fishes the rows are those of the world, (fish,)."""
        names = ("nodes", "mouth", "intention", "cause", "alive")
        arrays = {name: getattr(recording, name)[:, rows] for name in names}
        return cls(
            played, **arrays, plankton=recording.plankton, plankton_alive=recording.plankton_alive, fps=recording.fps
        )


class Reenactment(Puppetry):
    """Has fishes play back their tracks, and plankton drift as it did, but for what the others draw in and eat."""

    def __init__(self, tracks: PuppetTracks, first: int, particles: int):
        """Takes tracks over.

        Args:
            tracks: The tracks.
            first: Frame of the film that is their first.
            particles: Number of particles in the water, those that wait to be dropped included.
        """
        self._tracks, self._first = tracks, first
        self._drifts = tracks.plankton.shape[1] == particles > 0
        self._drawn, self._taken = np.zeros(particles, dtype=bool), np.zeros(particles, dtype=bool)

    def contained(self, parts: Parts) -> None:
        """Puts those that play where they were, with the intentions that they had."""
        tracks, now = self._tracks, self._now(parts)
        recorded = tracks.nodes[now]
        off = np.flatnonzero((parts.bodies.shoal.nodes.astype(np.float32) != recorded).any(axis=(1, 2)) & tracks.played)
        if len(off):
            parts.bodies.shoal.pose(off, recorded[off].astype(float), self._velocity(parts, off))
        if parts.minds.mind is not None:
            generator = parts.minds.decision.generator
            off = np.flatnonzero((generator.intention != tracks.intention[now]) & tracks.played)
            generator.intention[off] = tracks.intention[now, off]
            generator.cause[off] = np.maximum(tracks.cause[now, off], 0)

    def _velocity(self, parts: Parts, fishes: np.ndarray) -> np.ndarray:
        """The velocities of the nodes of some in m/s, (n, 23, 3), which wait where the tracks have not begun."""
        tracks, now = self._tracks, self._now(parts)
        before, after = max(now - 1, 0), min(now + 1, len(tracks.nodes) - 1)
        if parts.frame < self._first or after == before:
            return np.zeros((len(fishes), *tracks.nodes.shape[2:]))
        way = tracks.nodes[after, fishes].astype(float) - tracks.nodes[before, fishes]
        return way * (tracks.fps / (after - before))

    def sucking(self, parts: Parts, fishes: np.ndarray, places: np.ndarray) -> None:
        """Notes the particles that others draw in."""
        free = self._drifts & ~self._tracks.played[fishes]
        for fish, mouth in zip(fishes[free], places[free], strict=True):
            self._drawn |= norm(parts.water.plankton.place - mouth) < SUCKING_LENGTHS * parts.bodies.shoal.length[fish]

    def fed(self, parts: Parts, events: Sequence[dict[str, Any]]) -> None:
        """Notes the particles that others have eaten."""
        for event in events:
            if event["kind"] == "fed" and self._drifts and not self._tracks.played[event["fish"]]:
                self._taken[event["other"]] = True

    def ended(self, parts: Parts) -> None:
        """Puts particles where they were, but for those that others draw in, and have eaten."""
        if not self._drifts or parts.frame < self._first:
            return
        tracks, now, plankton = self._tracks, self._now(parts), parts.water.plankton
        there = tracks.plankton_alive[now]
        self._taken &= there
        self._drawn &= there
        off = (plankton.place.astype(np.float32) != tracks.plankton[now]).any(axis=1) & ~self._drawn
        plankton.place[off] = tracks.plankton[now, off]
        plankton.alive[:] = there & ~self._taken

    def _now(self, parts: Parts) -> int:
        """The frame of the tracks at which a world stands: their first before that, and their last after all."""
        return min(max(parts.frame - self._first, 0), len(self._tracks.nodes) - 1)


class PuppetFishes(Reenactment):
    """Has fishes play back their tracks from the first frame of a film on, in which they eat nobody."""

    def __init__(self, tracks: PuppetTracks, parts: Parts):
        """Puts the puppets of a world that has just been made where they begin."""
        super().__init__(tracks, 0, len(parts.water.plankton))
        self.contained(parts)
        self._live(parts)

    def gaped(self, parts: Parts, eaters: np.ndarray) -> np.ndarray:
        """Opens the mouths of puppets as far as they were; none of them swallows."""
        tracks = self._tracks
        parts.bodies.mouth[tracks.played] = tracks.mouth[self._now(parts), tracks.played]
        return eaters[~tracks.played[eaters]]

    def spared(self, fishes: np.ndarray) -> np.ndarray:
        """Puppets are: they live and die as they did."""
        return self._tracks.played[fishes]

    def fed(self, parts: Parts, events: Sequence[dict[str, Any]]) -> None:
        """Notes what others have eaten, and lets puppets live and die as they did."""
        super().fed(parts, events)
        self._live(parts)

    def _live(self, parts: Parts) -> None:
        """Has puppets be there when they were."""
        tracks, shoal = self._tracks, parts.bodies.shoal
        there = tracks.alive[self._now(parts)]
        gone = np.flatnonzero(tracks.played & shoal.alive & ~there)
        if len(gone):
            parts.die(gone)
        come = np.flatnonzero(tracks.played & ~shoal.alive & there)
        if len(come):
            parts.enter(come)
        parts.schedule.waiting[tracks.played] = False
