"""Space of a film where nothing swims, free for scenery: a grid of cells that nobody enters."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...core.base.attitude import rotated
from ...core.base.vectors import vector
from ...core.recording import Recording
from ...core.scene.obstacles import MeshObstacle
from ...core.scene.scene import Scene

CELL_METRES = 0.08
"""Side of a cell, unless the tank would have too many."""
MOST_ROOM_CELLS = 3_000_000
MOST_PLACES = 4_000_000
"""Most body positions checked; a longer film is sampled at intervals."""
NODES_IN_A_RING = 4
"""Index step from a node of a body to the one behind it."""


class Room:
    """Cells of a tank that something swims or moves through, and their neighbours.

    Attributes:
        cell: Side of a cell, metres.
        taken: Occupied cells, (x, y, z) bool.
    """

    def __init__(self, scene: Scene) -> None:
        """The room in an empty tank."""
        size = np.array(scene.tank.size)
        self.cell = max(CELL_METRES, float((size.prod() / MOST_ROOM_CELLS) ** (1 / 3)))
        self.taken = np.zeros(np.ceil(size / self.cell).astype(int) + 1, dtype=bool)

    @classmethod
    def of(cls, recording: Recording, fishes: np.ndarray | None = None) -> Room:
        """The room left by a film.

        Args:
            recording: The recording.
            fishes: Fishes that count, (n,); all if left out.
        """
        room = cls(recording.scene)
        for places in _bodies(recording, room.cell, fishes):
            room.take(places)
        for places in _movers(recording):
            room.take(places)
        room._widen()
        return room

    def take(self, places: np.ndarray) -> None:
        """Mark the cells of these positions, (n, 3) in metres."""
        cells = np.floor(places / self.cell).astype(int)
        cells = cells[((cells >= 0) & (cells < self.taken.shape)).all(axis=1)]
        self.taken[tuple(cells.T)] = True

    def free(self, low: np.ndarray, high: np.ndarray) -> bool:
        """True if nothing enters the box between two corners (3,), metres."""
        begin = np.clip(np.floor(np.asarray(low) / self.cell).astype(int), 0, self.taken.shape)
        end = np.clip(np.floor(np.asarray(high) / self.cell).astype(int) + 1, 0, self.taken.shape)
        return not self.taken[begin[0] : end[0], begin[1] : end[1], begin[2] : end[2]].any()

    def _widen(self) -> None:
        """Mark neighbours of taken cells, too: bodies pass there between frames, and fins."""
        for axis in range(3):
            there = np.moveaxis(self.taken, axis, 0)
            near = there.copy()
            near[1:] |= there[:-1]
            near[:-1] |= there[1:]
            self.taken = np.moveaxis(near, 0, axis)


def _bodies(recording: Recording, cell: float, fishes: np.ndarray | None) -> Iterator[np.ndarray]:
    """Positions on and between the nodes of fishes, (n, 3), a few frames at a time."""
    rows = np.arange(len(recording.species)) if fishes is None else fishes
    if not len(rows):
        return
    # Rings of nodes lie a sixth of a body apart or so.
    parts = np.maximum(np.ceil(0.2 * recording.body_length[rows] / cell).astype(int), 1)
    each = recording.nodes.shape[2] * int(parts.sum())
    stride = max(1, -(-recording.frames * each // MOST_PLACES))
    chunk = max(1, 400_000 // each)
    frames = np.arange(0, recording.frames, stride)
    for begin in range(0, len(frames), chunk):
        some = frames[begin : begin + chunk]
        for count in np.unique(parts):
            same = rows[parts == count]
            nodes = recording.nodes[np.ix_(some, same)][recording.alive[np.ix_(some, same)]].astype(float)
            step = nodes[:, NODES_IN_A_RING:] - nodes[:, :-NODES_IN_A_RING]
            for part in range(int(count)):
                yield (nodes[:, :-NODES_IN_A_RING] + part / count * step).reshape(-1, 3)
            yield nodes[:, -NODES_IN_A_RING:].reshape(-1, 3)


def _movers(recording: Recording) -> Iterator[np.ndarray]:
    """Positions of other moving things, (n, 3): submarine, hook and obstacles."""
    ride, scene = recording.scene.ride, recording.scene
    if ride is not None:
        reach = 0.5 * ride.length * np.linspace(-1.0, 1.0, 9)[:, None]
        azimuth, pitch = recording.submarine[:, 3], recording.submarine[:, 4]
        line = recording.submarine[:, None, :3] + reach * vector(azimuth, pitch)[:, None]
        sides = 0.5 * ride.girth * np.concatenate([np.zeros((1, 3)), np.eye(3), -np.eye(3)])
        yield (line[:, :, None] + sides).reshape(-1, 3)
    if recording.hook.size:
        yield recording.hook.reshape(-1, 3).astype(float)
    moving = [each for each in scene.obstacles if each.motion is not None]
    for obstacle, poses in zip(moving, np.moveaxis(recording.obstacles, 1, 0), strict=False):
        if isinstance(obstacle, MeshObstacle):
            if obstacle.motion and obstacle.motion[0].vertices is not None:
                yield from (obstacle.upright(np.array(key.vertices)) + obstacle.at for key in obstacle.motion)
                continue
            points = obstacle.upright(np.array(obstacle.vertices))
        else:
            turn = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
            rim = obstacle.radius * np.stack([np.cos(turn), np.sin(turn), 0.0 * turn], axis=-1)
            points = np.concatenate([rim + (0, 0, height) for height in np.linspace(0.0, obstacle.height, 12)])
        for pose in poses[:: max(1, len(poses) * len(points) // 400_000)]:
            yield rotated(pose[3:], points) + pose[:3]
