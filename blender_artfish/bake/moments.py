"""When a fish is keyed: at every frame, and between frames where its beat is too fast for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from ...core.form.coupling import Coupling
from ...core.recording import Recording


@dataclass(frozen=True)
class Moments:
    """When a fish is keyed.

    Attributes:
        nodes: (moments, 23, 3), metres, world frame.
        times: In frames, (moments,), rising: every frame, and moments between frames that do not show its stroke. None
            where there are none but the frames.
    """

    nodes: np.ndarray
    times: np.ndarray | None = None

    @classmethod
    def of(cls, recording: Recording, row: int) -> Moments:
        """Those of a fish of a recording."""
        times, nodes = recording.strokes_of(row)
        if not len(times):
            return cls(recording.nodes[:, row])
        after = np.floor(times).astype(int) + 1
        frames = np.arange(recording.frames, dtype=float)
        return cls(np.insert(recording.nodes[:, row], after, nodes, axis=0), np.insert(frames, after, times))

    def merged(
        self, parts: Mapping[str, np.ndarray], coupling: Coupling, recording: Recording, row: int
    ) -> dict[str, np.ndarray]:
        """Control points of a fish, by surface, at its moments, of those at its frames."""
        assert self.times is not None
        between = np.flatnonzero(self.times % 1.0)
        frames = np.arange(recording.frames)
        fins = CubicSpline(frames, recording.fins[:, row])(self.times[between])
        mouth = np.interp(self.times[between], frames, recording.mouth[:, row])
        length = recording.body_length[[row]]
        points = coupling.control_points(self.nodes[between, None], fins[:, None], length, mouth[:, None])
        after = np.floor(self.times[between]).astype(int) + 1
        return {part: np.insert(those, after, points[part][:, 0], axis=0) for part, those in parts.items()}
