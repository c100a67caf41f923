"""Moving obstacles: by keys of the scene, or by somebody from outside, frame by frame."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.attitude import between, normalised
from ..base.elementary import arccos
from ..base.state import Stateful, state
from ..base.vectors import dot, norm
from ..geometry.deforming import Deforming
from ..geometry.moving import AT_REST, Moving, Rigid
from ..geometry.solids import Solid
from .tuning import HAND_SPEED, HAND_TURN

PLACES_AT_ONCE = 200_000
"""Number of pairs of places and movers whose distances are measured together."""
FEW_MOVERS = 8
"""Are asked one by one how near they are."""
MOST_COMPARED = 4000
"""Number of places up to which movers are first sifted by nearness; among more, each is near to some."""
NEARER_SLACK = 1e-6
"""Metres by which a sphere may miss its contents."""


@dataclass(frozen=True)
class Presence:
    """An obstacle that fishes take for somebody.

    Attributes:
        kind: Kind of presence, one of `scene.ride.PRESENCES`.
        solid: Solid form.
        size: Metres across.
        row: Row of the obstacle in the scene; that of a ride comes after all.
    """

    kind: str
    solid: Solid
    size: float
    row: int

    @classmethod
    def of(cls, obstacle: Any, solid: Solid, row: int) -> tuple[Presence, ...]:
        """The presence of an obstacle of a scene in this row, with its form; none if it is only in the way."""
        if obstacle.presence in (None, "none"):
            return ()
        return (cls(obstacle.presence, solid, 2.0 * obstacle.sphere[1], row),)

    def velocity(self, points: np.ndarray) -> np.ndarray:
        """Velocity in m/s of its surface that is nearest to places (n, 3), (n, 3)."""
        return self.solid.velocity(points) if isinstance(self.solid, Moving) else np.zeros(points.shape)


class ObstacleKeys:
    """The keys of one obstacle: where it is when.

    Attributes:
        home: Pose without any keys, (7,).
        deforms: Whether the keys are of its vertices.
    """

    def __init__(self, obstacle: Any):
        """Takes the keys of an obstacle of a scene."""
        keys: Sequence[Any] = obstacle.motion or ()
        self.home = AT_REST.copy()
        self.home[:3] = obstacle.at
        self._times = [float(key.time) for key in keys]
        poses = [(*(obstacle.at if key.at is None else key.at), *key.turn) for key in keys]
        self._poses = np.array(poses).reshape(-1, 7)
        self._poses[:, 3:] = normalised(self._poses[:, 3:])
        self.deforms = bool(keys) and keys[0].vertices is not None

    @property
    def by_hand(self) -> bool:
        """True if it stands until somebody puts it elsewhere, and then glides there."""
        return len(self._times) < 2

    def pose(self, t: float) -> np.ndarray:
        """Its pose at `t` seconds: place and turn, (7,); before its first key that of the key.

        Of what deforms the first number is the time of its form.
        """
        return poses_at([self], t)[0]

    def leg(self, t: float) -> tuple[np.ndarray, np.ndarray, float]:
        """The poses (7,) that it is between at `t` seconds, and at which share of the way; NaN where it is at both."""
        times = self._times
        if not times:
            return self.home, self.home, np.nan
        if self.deforms:
            form = np.concatenate(([min(max(t, times[0]), times[-1])], AT_REST[1:]))
            return form, form, np.nan
        after = bisect_right(times, t)
        if after in (0, len(times)):
            own = self._poses[max(after - 1, 0)]
            return own, own, np.nan
        return self._poses[after - 1], self._poses[after], (t - times[after - 1]) / (times[after] - times[after - 1])


def poses_at(tracks: Sequence[ObstacleKeys], t: float) -> np.ndarray:
    """The poses of tracks at `t` seconds, (k, 7): `ObstacleKeys.pose` of all at once."""
    if not tracks:
        return np.zeros((0, 7))
    firsts, lasts, shares = zip(*(track.leg(t) for track in tracks), strict=True)
    poses, last, share = np.array(firsts), np.array(lasts), np.array(shares)
    going = np.flatnonzero(~np.isnan(share))
    if len(going):
        first, last, share = poses[going], last[going], share[going]
        place = (1.0 - share)[:, None] * first[:, :3] + share[:, None] * last[:, :3]
        poses[going] = np.concatenate((place, between(first[:, 3:], last[:, 3:], share)), axis=1)
    return poses


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
        rows: Row of each among the scene's obstacles, (k,).
        solids: Their forms where they are now.
        presences: Those that fishes take for somebody.
        pose: Place in metres and turn of each, (k, 7).
        before: The same a frame ago, (k, 7).
        goal: Pose of each in the next frame if somebody moves it, NaN if it goes by its keys, (k, 7).
    """

    pose: np.ndarray = state("f8", "mover", 7)
    before: np.ndarray = state("f8", "mover", 7)
    goal: np.ndarray = state("f8", "mover", 7, unset=np.nan)

    def __init__(self, obstacles: Sequence[Any] = (), t: float = 0.0, period: float = 1.0):
        """Begins at rest.

        Args:
            obstacles: Obstacles of a scene, of which some move.
            t: Seconds since the film begins.
            period: Duration of a frame in seconds.
        """
        moving = [(row, obstacle) for row, obstacle in enumerate(obstacles) if obstacle.motion is not None]
        self.rows = np.array([row for row, _ in moving], dtype=int)
        self.solids: tuple[Moving, ...] = tuple(obstacle.moving() for _, obstacle in moving)
        pairs = zip(moving, self.solids, strict=True)
        self.presences = tuple(one for (row, obstacle), solid in pairs for one in Presence.of(obstacle, solid, row))
        self._tracks, self._period = [ObstacleKeys(obstacle) for _, obstacle in moving], period
        self._fill(mover=len(moving))
        self.pose[:] = self.before[:] = poses_at(self._tracks, t)
        self._by_hand = np.array([track.by_hand for track in self._tracks], dtype=bool)
        self._rigid = np.flatnonzero([isinstance(solid, Rigid) for solid in self.solids])
        self._put()

    def __len__(self) -> int:
        return len(self.solids)

    def advance(self, t: float) -> None:
        """Goes on by a frame, to where keys have each at `t` seconds, or where it is moved to."""
        self.before[:] = self.pose
        free = np.isnan(self.goal[:, 0])
        goals = np.where(free[:, None], poses_at(self._tracks, t), self.goal)
        for row in np.flatnonzero(free & self._by_hand):
            goals[row] = _nearer(self.pose[row], goals[row], self._period)
        self.pose[:] = goals
        self._put()

    def near(self, places: np.ndarray, reach: np.ndarray) -> Iterator[tuple[Moving, np.ndarray]]:
        """Each whose sphere comes as near to some places as is said, and rows of these: `Moving.near` of all at once.

        Args:
            places: Places in metres, (n, 3).
            reach: Metres, (n,), or (k, n) where it is not the same for all.
        """
        reach = np.broadcast_to(reach, (len(self), len(places)))
        for begin in range(0, len(self), max(1, PLACES_AT_ONCE // max(len(places), 1))):
            some = slice(begin, begin + max(1, PLACES_AT_ONCE // max(len(places), 1)))
            close = norm(places - self._middles[some, None]) < reach[some] + self._radii[some, None]
            for row in np.flatnonzero(close.any(axis=1)):
                yield self.solids[begin + row], np.flatnonzero(close[row])

    def nearer(self, points: np.ndarray, distance: np.ndarray, but: Solid | None = None) -> tuple[Moving, ...]:
        """The movers that may be nearer to some places than something else is, and perhaps others.

        Args:
            points: Places in metres, (..., 3).
            distance: Distance to that in metres, (...).
            but: A solid to leave out.
        """
        count = distance.size
        if len(self) < FEW_MOVERS or not count or count > MOST_COMPARED:
            return tuple(solid for solid in self.solids if solid is not but)
        away = norm(points.reshape(-1, 3) - self._middles[:, None])
        counts = np.array([solid is not but for solid in self.solids])
        farthest = np.where((counts & self._exact)[:, None], away + self._radii[:, None], np.inf).min(axis=0)
        least = np.minimum(distance.reshape(-1), farthest) + NEARER_SLACK
        some = counts & (((away - self._radii[:, None]) <= least).any(axis=1) | ~self._exact)
        return tuple(self.solids[row] for row in np.flatnonzero(some))

    @property
    def swiftest(self) -> np.ndarray:
        """The greatest speed of each in m/s, (k,)."""
        return np.array([solid.swiftest for solid in self.solids])

    @property
    def travel(self) -> np.ndarray:
        """Metres that each has come in the last frame, at the most, (k,)."""
        return np.array([solid.travel for solid in self.solids])

    def expect(self, t: float) -> None:
        """Has what deforms be sampled in the background as keys have it at `t` seconds, the next frame."""
        for solid, track in zip(self.solids, self._tracks, strict=True):
            if isinstance(solid, Deforming):
                solid.expect(float(track.pose(t)[0]))

    def deforms(self, which: int) -> bool:
        """True if one of these goes by keys of its vertices, and so cannot be moved."""
        return self._tracks[which].deforms

    def show(self, t: float) -> None:
        """Is where keys have each at `t` seconds, at rest."""
        self.pose[:] = self.before[:] = poses_at(self._tracks, t)
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
        rigid = [solid for solid in self.solids if isinstance(solid, Rigid)]
        Rigid.put_all(rigid, self.pose[self._rigid], self.before[self._rigid], self._period)
        for solid, pose, before in zip(self.solids, self.pose, self.before, strict=True):
            if not isinstance(solid, Rigid):
                solid.put(pose, before, self._period)
        self._middles = np.array([solid.middle for solid in self.solids]).reshape(-1, 3)
        self._radii = np.array([solid.radius for solid in self.solids])
        self._exact = np.array([solid.exact for solid in self.solids], dtype=bool)
