"""The moments at which a fish is keyed: every frame, and between frames where its beat is too fast for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline, interp1d

from ...core.form.coupling import Coupling
from ...core.form.look import Look, trailing
from ...core.recording import Recording


@dataclass(frozen=True)
class Moments:
    """The moments at which a fish is keyed.

    Attributes:
        nodes: (moments, 23, 3), metres, world frame.
        times: Times in frames, (moments,), rising: every frame, and moments between frames that do not show its stroke.
            None if there are only the frames.
    """

    nodes: np.ndarray
    times: np.ndarray | None = None

    @classmethod
    def of(cls, recording: Recording, row: int) -> Moments:
        """The moments of a fish of a recording."""
        times, nodes = recording.strokes_of(row)
        if not len(times):
            return cls(recording.nodes[:, row])
        after = np.floor(times).astype(int) + 1
        frames = np.arange(recording.frames, dtype=float)
        return cls(np.insert(recording.nodes[:, row], after, nodes, axis=0), np.insert(frames, after, times))

    def merged(
        self, parts: Mapping[str, np.ndarray], coupling: Coupling, recording: Recording, row: int
    ) -> dict[str, np.ndarray]:
        """A fish's control points by surface at its moments, given those at its frames."""
        after, nodes, fins, mouth, look = self._between(recording, row)
        points = coupling.control_points(nodes, fins, recording.body_length[[row]], mouth, look)
        return {part: np.insert(those, after, points[part][:, 0], axis=0) for part, those in parts.items()}

    def all(self, recording: Recording, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, Look]:
        """Nodes, fins, mouth and look of a fish at its moments, (moments, 1, ...)."""
        fins, mouth, look = recording.fins[:, [row]], recording.mouth[:, [row]], recording.look([row])
        if self.times is not None:
            after, _, *between, seen = self._between(recording, row)
            fins, mouth = (np.insert(of, after, now, axis=0) for of, now in zip((fins, mouth), between, strict=True))
            looks = {name: np.insert(of, after, getattr(seen, name), axis=0) for name, of in vars(look).items()}
            look = Look(**looks)
        return self.nodes[:, None], fins, mouth, look

    def _between(self, recording: Recording, row: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Look]:
        """For moments between frames: the frame after each, and nodes, fins, mouth and look, (n, 1)."""
        assert self.times is not None
        between, frames = np.flatnonzero(self.times % 1.0), np.arange(recording.frames)
        times = self.times[between]
        fins = CubicSpline(frames, recording.fins[:, row])(times)[:, None]
        mouth = np.interp(times, frames, recording.mouth[:, row])[:, None]
        after = np.floor(times).astype(int) + 1
        return after, self.nodes[between, None], fins, mouth, self.look(between, recording, row)

    def gaze(self, recording: Recording, row: int) -> np.ndarray:
        """Turn of each eye of a fish at its moments, (moments, 2, 2); see `Look`."""
        gaze = recording.gaze[:, row].astype(float)
        return gaze if self.times is None else interp1d(np.arange(recording.frames), gaze, axis=0)(self.times)

    def look(self, between: np.ndarray, recording: Recording, row: int) -> Look:
        """Look of a fish at some of its moments, (n, 1); the tail trails the motion of its body there."""
        assert self.times is not None
        frames, times = np.arange(recording.frames), self.times[between]
        look = (interp1d(frames, of, axis=0)(times) for of in vars(recording.look([row])).values())
        velocity = recording.fps * CubicSpline(self.times, self.nodes)(times, 1)
        tail = trailing(self.nodes[between].astype(float), velocity, recording.body_length[row])
        return replace(Look(*look), tail=tail[:, None])
