"""What moves among the obstacles: by keys of the scene, or as somebody moves it from outside, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.attitude import between, normalised
from ..base.elementary import arccos
from ..base.state import Stateful
from ..base.vectors import dot, norm
from ..geometry.deforming import Deforming
from ..geometry.moving import AT_REST, Moving
from ..geometry.solids import Solid
from .tuning import HAND_SPEED, HAND_TURN


@dataclass(frozen=True)
class Presence:
    """An obstacle that fishes take for somebody.

    Attributes:
        kind: For what: one of `scene.ride.PRESENCES`.
        solid: Its form.
        size: Metres across.
        row: Of the obstacle in the scene; that of a ride comes after all.
    """

    kind: str
    solid: Solid
    size: float
    row: int

    @classmethod
    def of(cls, obstacle: Any, solid: Solid, row: int) -> tuple[Presence, ...]:
        """That of an obstacle of a scene in this row, with its form; none where it is only in the way."""
        if obstacle.presence in (None, "none"):
            return ()
        return (cls(obstacle.presence, solid, 2.0 * obstacle.sphere[1], row),)

    def velocity(self, points: np.ndarray) -> np.ndarray:
        """Velocity in m/s of its surface that is nearest to places (n, 3), (n, 3)."""
        return self.solid.velocity(points) if isinstance(self.solid, Moving) else np.zeros(points.shape)


class Track:
    """The keys of one obstacle: where it is when.

    Attributes:
        home: Where it is without any, (7,).
        deforms: Whether they are of its vertices.
    """

    def __init__(self, obstacle: Any):
        """Takes the keys of an obstacle of a scene."""
        keys: Sequence[Any] = obstacle.motion or ()
        self.home = AT_REST.copy()
        self.home[:3] = obstacle.at
        self._times = np.array([key.time for key in keys])
        poses = [(*(obstacle.at if key.at is None else key.at), *key.turn) for key in keys]
        self._poses = np.array(poses).reshape(-1, 7)
        self._poses[:, 3:] = normalised(self._poses[:, 3:])
        self.deforms = bool(keys) and keys[0].vertices is not None

    @property
    def by_hand(self) -> bool:
        """Whether it stands unless somebody puts it elsewhere, to where it then glides."""
        return len(self._times) < 2

    def pose(self, t: float) -> np.ndarray:
        """Where it is at `t` seconds: place and turn, (7,); before its first key where that has it.

        Of what deforms the first number is the time of its form.
        """
        if not len(self._times):
            return self.home
        if self.deforms:
            return np.concatenate(([min(max(t, self._times[0]), self._times[-1])], AT_REST[1:]))
        after = int(np.searchsorted(self._times, t, side="right"))
        if after in (0, len(self._times)):
            return self._poses[max(after - 1, 0)]
        first, last = self._poses[after - 1], self._poses[after]
        share = (t - self._times[after - 1]) / (self._times[after] - self._times[after - 1])
        place = (1.0 - share) * first[:3] + share * last[:3]
        return np.concatenate((place, between(first[3:], last[3:], share)))


def _nearer(pose: np.ndarray, goal: np.ndarray, seconds: float) -> np.ndarray:
    """A pose so many seconds nearer to another, as fast as a hand moves and turns, (7,)."""
    if (pose == goal).all():
        return goal
    way = float(norm(goal[:3] - pose[:3]))
    turn = 2.0 * float(arccos(np.minimum(np.abs(dot(pose[3:], goal[3:])), 1.0)))
    share = min(HAND_SPEED * seconds / max(way, 1e-9), HAND_TURN * seconds / max(turn, 1e-9))
    if share >= 1.0:
        return goal
    return np.concatenate((pose[:3] + share * (goal[:3] - pose[:3]), between(pose[3:], goal[3:], share)))


class Movers(Stateful):
    """All obstacles that move.

    Attributes:
        rows: Of each among the scene's obstacles, (k,).
        solids: Their forms where they are now.
        presences: Who of them is somebody.
        pose: Place in metres and turn of each, (k, 7).
        before: The same a frame ago, (k, 7).
        goal: Where each is to be in the next frame because somebody moves it, NaN where it goes by its keys, (k, 7).
    """

    _STATE = "pose", "before", "goal"

    def __init__(self, obstacles: Sequence[Any] = (), t: float = 0.0, period: float = 1.0):
        """Begins at rest.

        Args:
            obstacles: Those of a scene, of which some move.
            t: Seconds since the film begins.
            period: That a frame lasts, in seconds.
        """
        moving = [(row, obstacle) for row, obstacle in enumerate(obstacles) if obstacle.motion is not None]
        self.rows = np.array([row for row, _ in moving], dtype=int)
        self.solids: tuple[Moving, ...] = tuple(obstacle.moving() for _, obstacle in moving)
        pairs = zip(moving, self.solids, strict=True)
        self.presences = tuple(one for (row, obstacle), solid in pairs for one in Presence.of(obstacle, solid, row))
        self._tracks, self._period = [Track(obstacle) for _, obstacle in moving], period
        self.pose = np.array([track.pose(t) for track in self._tracks]).reshape(-1, 7)
        self.before, self.goal = self.pose.copy(), np.full(self.pose.shape, np.nan)
        self._put()

    def __len__(self) -> int:
        return len(self.solids)

    def advance(self, t: float) -> None:
        """Goes on by a frame, to where keys have each at `t` seconds, or where it is moved to."""
        self.before[:] = self.pose
        for row, track in enumerate(self._tracks):
            goal = track.pose(t) if np.isnan(self.goal[row, 0]) else self.goal[row]
            by_hand = track.by_hand and np.isnan(self.goal[row, 0])
            self.pose[row] = _nearer(self.pose[row], goal, self._period) if by_hand else goal
        self._put()

    def expect(self, t: float) -> None:
        """Has what deforms be sampled in the background as keys have it at `t` seconds, the next frame."""
        for solid, track in zip(self.solids, self._tracks, strict=True):
            if isinstance(solid, Deforming):
                solid.expect(float(track.pose(t)[0]))

    def deforms(self, which: int) -> bool:
        """Whether one of these goes by keys of its vertices, and so cannot be moved."""
        return self._tracks[which].deforms

    def show(self, t: float) -> None:
        """Is where keys have each at `t` seconds, at rest."""
        for row, track in enumerate(self._tracks):
            self.pose[row] = self.before[row] = track.pose(t)
        self._put()

    def lead(self, which: int, at: np.ndarray, turn: np.ndarray) -> None:
        """Has one of these be at a place (3,) in metres with a turn (4,) from the next frame on, whatever its keys."""
        self.goal[which] = np.concatenate((at, normalised(turn)))

    def put(self, which: int, at: np.ndarray, turn: np.ndarray) -> None:
        """Has one of these be at a place (3,) in metres with a turn (4,) now, and stay, without a way to there."""
        self.lead(which, at, turn)
        self.pose[which] = self.before[which] = self.goal[which]
        self._put()

    def release(self, which: int) -> None:
        """Has one of these go by its keys again."""
        self.goal[which] = np.nan

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """See Stateful."""
        super().restore(state)
        self._put()

    def _put(self) -> None:
        for solid, pose, before in zip(self.solids, self.pose, self.before, strict=True):
            solid.put(pose, before, self._period)
