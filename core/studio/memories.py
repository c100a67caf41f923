"""The memories of fishes as shown by a recording: the known parts of the world, their places, and since when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base.constants import constant
from ..perception.visual_memory.pieces import STANDING, ObstaclePieces, placed
from ..recording import NEVER, NO_POINT, Recording
from ..scene.scene import Scene
from .recorded_world import RecordedWorld

BOX_CORNERS = constant(np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]))
"""Corners of a box, over half its edges, (8, 3)."""


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The knowledge of a fish at a frame.

    Attributes:
        boxes: Corners of the boxes around pieces of obstacles where it remembers them, in metres, (k, 8, 3).
        ages: Seconds since it saw each, (k,).
        unknown: Corners of the boxes around pieces that it does not know, where they are, (u, 8, 3).
        fishes: Middles of the fishes that it remembers, where it saw them, in metres, (n, 3).
        lengths: Lengths of these in metres, (n,).
        fish_ages: Seconds since it saw each, (n,).
        way: Places of its way that are left, from itself on, in metres, (w, 3); none without a way.
        frontier: Places from which it has yet to look on, in metres, (f, 3).
    """

    boxes: np.ndarray
    ages: np.ndarray
    unknown: np.ndarray
    fishes: np.ndarray
    lengths: np.ndarray
    fish_ages: np.ndarray
    way: np.ndarray
    frontier: np.ndarray


class Memories:
    """The memories of fishes in recordings of one scene."""

    def __init__(self, recording: Recording) -> None:
        """Cuts its obstacles into pieces, as in the fishes' memories."""
        self._world = RecordedWorld(recording)
        movers = self._world.movers
        self._pieces = ObstaclePieces.of(recording.scene, movers)
        self._moving = np.array([mover != STANDING and not movers.deforms(mover) for mover in self._pieces.mover], bool)

    @property
    def scene(self) -> Scene:
        """The scene of the recordings."""
        return self._world.scene

    def known(self, recording: Recording, frame: int, fish: int) -> Knowledge:
        """The knowledge of a fish at a frame: nothing without a memory, and no way if it plans none."""
        fishes, pieces, t = len(recording.species), self._pieces, frame / recording.fps
        mine = np.flatnonzero(recording.memory_fish == fish)
        times = np.full(fishes + len(pieces), NEVER)
        if len(mine) and recording.memory_time.shape[2] == len(times):
            times = np.asarray(recording.memory_time[frame, mine[0]], float)
        seen = times > NEVER
        when = np.clip(np.rint(times * recording.fps), 0, frame).astype(int)
        when[~seen] = frame
        corners = placed(
            self._poses(recording, when[fishes:])[:, None], pieces.middle[:, None] + BOX_CORNERS * pieces.half[:, None]
        )
        others = np.flatnonzero(seen[:fishes])
        nodes = np.asarray(recording.nodes[when[others], others], float)
        known, ages = seen[fishes:], np.maximum(t - times, 0.0)
        way, frontier = np.zeros((2, 0, 3))
        travels = np.flatnonzero(recording.way_fish == fish)
        if len(travels):
            way, frontier = (_there(of[frame, travels[0]]) for of in (recording.way, recording.frontier))
        return Knowledge(
            *(corners[known], ages[fishes:][known], corners[~known]),
            *(nodes.mean(axis=1), recording.body_length[others], ages[others], way, frontier),
        )

    def _poses(self, recording: Recording, frames: np.ndarray) -> np.ndarray:
        """Poses of the obstacle of each piece at a frame of its own, (p,), as `ObstaclePieces` has them, (p, 7)."""
        pieces, poses = self._pieces, self._pieces.home.copy()
        moving = np.flatnonzero(self._moving)
        for frame in np.unique(frames[moving]).tolist():
            now = moving[frames[moving] == frame]
            poses[now] = self._world.poses(recording, frame)[pieces.mover[now]]
        return poses


def _there(places: np.ndarray) -> np.ndarray:
    """The places (n, 3) that are known, (m, 3)."""
    places = np.asarray(places, float)
    return places[places[:, 0] > 0.5 * NO_POINT]
