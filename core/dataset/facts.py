"""Facts of the fishes of a film at each frame, beyond what a picture shows: poses, minds, strokes, events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.signal import hilbert
from scipy.spatial.transform import Rotation

from ..body.anatomy import NODES, RING_NODES, body_frame, tail_bend
from ..form.look import Look
from ..form.mesh import BoundMesh
from ..recording import LOOK_ARRAYS, Recording
from .keypoints import KEYPOINTS, KeypointNet

LEAST_BEND = 0.02
"""Amplitude of a tail's bend in radians below which there is no beat."""
SMOOTH_FRAMES = 2
"""Frames before and after over which a speed is taken."""
LABEL_DIGITS = 4
"""Decimals of numbers in files."""


class FilmFacts:
    """Facts of the fishes of a recording."""

    def __init__(self, recording: Recording, worn: Mapping[str, BoundMesh] | None = None) -> None:
        """Computes what needs the whole film.

        Args:
            recording: The recording.
            worn: The models that species wear, by the species' names.
        """
        self.recording = recording
        worn = worn or {}
        self._nets = {name: KeypointNet(recording.species_models[name], worn.get(name)) for name in recording.species}
        self.length = recording.body_length * recording.growth
        nodes = recording.nodes.astype(float)
        self.origin, self.turn = body_frame(nodes)
        self.speed = self._speeds()
        self.phase = _phases(tail_bend(nodes))
        self._events: dict[int, list[dict[str, Any]]] = defaultdict(list)
        for event in recording.events:
            self._events[event["frame"]].append({key: value for key, value in event.items() if key != "frame"})

    def keypoints(self, frame: int, rows: np.ndarray) -> np.ndarray:
        """The keypoints of fishes at a frame, (rows, keypoints, 3) in metres; NaN for those that a fish has not."""
        of, found = self.recording, np.full((len(rows), len(KEYPOINTS), 3), np.nan)
        species = np.array([of.species[row] for row in rows])
        for name, net in self._nets.items():
            own = np.flatnonzero(species == name)
            if not len(own):
                continue
            some = rows[own]
            look = Look(*(getattr(of, array)[frame, some].astype(float) for array in LOOK_ARRAYS))
            nodes = of.nodes[frame, some].astype(float)
            mouth = of.mouth[frame, some].astype(float)
            found[own] = net.places(nodes, of.fins[frame, some], self.length[frame, some], mouth, look)
        return found

    def of(self, frame: int, row: int) -> dict[str, Any]:
        """Kind, pose and mind of one fish at a frame, as JSON holds them."""
        of = self.recording
        quaternion = np.roll(Rotation.from_matrix(self.turn[frame, row]).as_quat(), 1)
        phase = self.phase[frame, row]
        return {
            "species": of.species[row],
            "length": _short(self.length[frame, row]),
            "sex": of.sex[row],
            "pose": {
                "place": _short(self.origin[frame, row]),
                "attitude": _short(quaternion * (1.0 if quaternion[0] >= 0.0 else -1.0)),
                "bending": _short(bending(of.nodes[frame, row].astype(float), self.turn[frame, row])),
            },
            "intention": of.INTENTIONS[of.intention[frame, row]],
            "hunger": _short(of.hunger[frame, row]),
            "fear": _short(of.fear[frame, row]),
            "libido": _short(of.libido[frame, row]),
            "speed": _short(self.speed[frame, row]),
            "beat": None if np.isnan(phase) else _short(phase),
        }

    def events(self, frame: int) -> list[dict[str, Any]]:
        """Events of a frame, as the recording has them."""
        return self._events[frame]

    def _speeds(self) -> np.ndarray:
        """Speeds of all fishes, (frames, fish), in their lengths a second."""
        frames = self.recording.frames
        before = np.maximum(np.arange(frames) - SMOOTH_FRAMES, 0)
        after = np.minimum(np.arange(frames) + SMOOTH_FRAMES, frames - 1)
        way = np.linalg.norm(self.origin[after] - self.origin[before], axis=-1)
        seconds = np.maximum(after - before, 1)[:, None] / self.recording.fps
        return way / seconds / self.length


def bending(nodes: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Angles of a fish's middle line at each of its five rings of nodes, left positive, radians, (5,).

    Args:
        nodes: (23, 3) in metres.
        turn: Axes of its own frame as columns, (3, 3).
    """
    rings = nodes[np.array(RING_NODES)].mean(axis=1)
    line = np.concatenate([nodes[:1], rings, nodes[NODES - 2 :].mean(axis=0, keepdims=True)])
    links = np.diff(line, axis=0) @ turn
    headings = np.unwrap(np.arctan2(links[:, 1], links[:, 0]))
    return -np.diff(headings)


def _phases(bends: np.ndarray) -> np.ndarray:
    """Phases of tail beats (frames, fish) in radians by the analytic signal of the tails' bends; NaN without a beat."""
    frames = len(bends)
    if frames < 4:
        return np.full(bends.shape, np.nan)
    signal = hilbert(bends - bends.mean(axis=0), axis=0)
    return np.where(np.abs(signal) >= LEAST_BEND, np.angle(signal), np.nan)


def _short(value: Any) -> Any:
    """Numbers rounded for a file."""
    rounded = np.round(np.asarray(value, dtype=float), LABEL_DIGITS) + 0.0
    return rounded.tolist()
