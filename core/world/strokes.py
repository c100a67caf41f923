"""Strokes: where bodies are between two frames, where they move too fast for the frames to show it.

A beat of which a frame sees less than three parts is seen slower than it is, or backwards. Of who beats so fast a
recording has samples within the frame, so that what plays it shows the stroke itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..body.anatomy import NODES
from ..motor.center import Drive
from .tuning import BEAT_SAMPLES, FRAME_SHARE, MOST_FRAME_PARTS

TIME_STEPS = 2.0**20
"""Steps of a frame in which the time of a stroke is told: its sum with the number of any frame is exact."""


@dataclass(frozen=True, eq=False)
class Strokes:
    """Bodies within the frame that has just passed; m samples of some fishes.

    Attributes:
        fish: Row of the fish that each is of, (m,).
        share: Share of the frame that had passed, above 0 and below 1, (m,).
        nodes: Places in metres, (m, 23, 3).
        ended: Nodes of that fish at the end of the frame, before anything held them up, likewise.
    """

    fish: np.ndarray
    share: np.ndarray
    nodes: np.ndarray
    ended: np.ndarray

    def __len__(self) -> int:
        return len(self.fish)

    @classmethod
    def none(cls) -> Strokes:
        """Strokes without samples."""
        nowhere = np.zeros((0, NODES, 3))
        return cls(np.zeros(0, dtype=int), np.zeros(0), nowhere, nowhere)

    @classmethod
    def of(cls, fish: np.ndarray, share: np.ndarray, places: np.ndarray, ended: np.ndarray) -> Strokes:
        """Samples in any order, as the attributes."""
        order = np.lexsort((fish, share))
        return cls(fish[order], share[order], places[order], ended[order])

    def settled(self, nodes: np.ndarray) -> np.ndarray:
        """Places in metres, (m, 23, 3), on the way to where all nodes are, (fish, 23, 3), after walls and others."""
        return self.nodes + self.share[:, None, None] * (nodes[self.fish] - self.ended)


def too_fast(drive: Drive, fps: float) -> np.ndarray:
    """Mask of fishes that beat, or start, too fast for so many frames a second, (fish,) bool."""
    fastest = FRAME_SHARE * fps
    beats = (drive.frequency > fastest) & (drive.amplitude > 0.0)
    return beats | ((drive.curl != 0.0) & (drive.fling > fastest))


def pieces(beat: float, period: float) -> int:
    """In how many a frame of `period` seconds is cut for a fish that beats up to so often a second, too fast for it."""
    return int(np.clip(np.ceil(BEAT_SAMPLES * beat * period), 2, MOST_FRAME_PARTS))


class StrokeLog:
    """The strokes of the frames that are recorded, in the precision of a recording.

    Attributes:
        size: Bytes that it takes.
    """

    def __init__(self) -> None:
        """Begins with none."""
        self._kept: list[tuple[int, dict[str, np.ndarray]]] = []
        self.size = 0

    def keep(self, frame: int, strokes: Strokes, nodes: np.ndarray) -> None:
        """Adds those before a frame, at the end of which all nodes are where they are, (fish, 23, 3)."""
        if frame and len(strokes):
            arrays = {
                "strokes": strokes.settled(nodes).astype(np.float32),
                "stroke_fish": strokes.fish.astype(np.int32),
                "stroke_time": frame - 1 + np.rint(strokes.share * TIME_STEPS) / TIME_STEPS,
            }
            self._kept.append((frame, arrays))
            self.size += _bytes(arrays)

    def drop(self, frame: int) -> None:
        """Forgets those before this frame and all later ones."""
        while self._kept and self._kept[-1][0] >= frame:
            self.size -= _bytes(self._kept.pop()[1])

    def arrays(self) -> dict[str, np.ndarray]:
        """All of them, by the names that a `Recording` has; nothing where there are none."""
        if not self._kept:
            return {}
        return {name: np.concatenate([arrays[name] for _, arrays in self._kept]) for name in self._kept[0][1]}


def _bytes(arrays: Mapping[str, np.ndarray]) -> int:
    return sum(array.nbytes for array in arrays.values())
