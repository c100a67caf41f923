"""Growing: a recording whose fishes are all shown at full length, and by how much each is to be scaled at a frame.

What shows a recording keys one form a fish and scales it. Worlds let fishes grow in small steps; here they do so evenly
from step to step.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..body.anatomy import body_frame
from ..recording import FRAMES_AT_ONCE, Recording
from ..scene.limits import LATEST


def grown_up(recording: Recording) -> Recording:
    """The same recording with bodies at full length, each about the origin of its own frame; itself if nobody grows."""
    if (recording.growth == 1.0).all():
        return recording
    nodes = np.array(recording.nodes)
    for begin in range(0, recording.frames, FRAMES_AT_ONCE):
        some = slice(begin, begin + FRAMES_AT_ONCE)
        nodes[some] = _scaled(recording.nodes[some], recording.growth[some])
    before = np.floor(recording.stroke_time).astype(int)
    strokes = _scaled(recording.strokes, recording.growth[before, recording.stroke_fish])
    return replace(recording, nodes=nodes, strokes=strokes.astype(np.float32))


def born_only(recording: Recording) -> Recording:
    """The same recording without the last fishes that were never born, which scenes have as groups that never enter."""
    lost, seen = 0, recording.alive.any(axis=0)
    for group in reversed(recording.scene.fishes):
        if group.count != 1 or group.enters < LATEST or seen[len(seen) - lost - 1]:
            break
        lost += 1
    return recording.of_first(len(recording.species) - lost) if lost else recording


def shown_growth(recording: Recording, row: int, times: np.ndarray | None = None) -> np.ndarray:
    """Length of a fish over its full length, even between steps, (n,): that at its birth before, and after its death.

    Args:
        recording: The recording.
        row: The fish.
        times: Times in frames, (n,), rising; every frame if left out.
    """
    growth, there = recording.growth[:, row].astype(float), np.flatnonzero(recording.alive[:, row])
    at = np.arange(recording.frames, dtype=float) if times is None else times
    if not len(there):
        return np.ones(len(at))
    steps = there[np.append(True, np.diff(growth[there]) != 0.0)]
    knots = np.unique(np.append(steps, there[-1]))
    return np.interp(at, knots, growth[knots])


def _scaled(nodes: np.ndarray, growth: np.ndarray) -> np.ndarray:
    """Bodies (..., 23, 3) at full length that have this share of it, (...), about the origins of their frames."""
    places = nodes.astype(float)
    origin = body_frame(places)[0][..., None, :]
    return np.where((growth == 1.0)[..., None, None], places, origin + (places - origin) / growth[..., None, None])
