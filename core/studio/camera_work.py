"""Camera work: where the camera of a shot goes, found from what the recording says will happen.

A camera wants to stand at some angle and distance from its subject. Its wishes are smoothed over all of the shot at
once, backward and forward in time, so that it leads the events instead of running after them; then it is pushed out of
rocks, walls, the bed, the surface and fishes, and smoothed again, until it is clear of all of them. All this is found
for somewhat more time than the shot takes, with handles before and behind, as a smooth curve swings out at its ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..base.codec import SceneError, shown
from ..base.elementary import smooth_step
from ..habitat.obstacles import Obstacles
from ..recording import Recording
from ..replicas.tuning import FILM_WIDTH_MM
from .film import FilmShot
from .parting import happenings
from .scenery import ScenePoints
from .smoothing import between, smoothed
from .subjects import SubjectTrack, ends, find
from .tuning import (
    BACKGROUND_DEGREES,
    BEYOND_TANK_METRES,
    CAMERA_ANGLES,
    CAMERA_CLEAR_METRES,
    CAMERA_SECONDS,
    DISTANCE_SECONDS,
    ELEVATIONS,
    EYE_SECONDS,
    FISH_ROOM,
    HANDLE_SECONDS,
    LEAD_ROOM,
    MOST_PAN_DEGREES,
    MOST_PUSH,
    MOST_SWING_DEGREES,
    PAN_SECONDS,
    PRESENT_SHARE,
    SHOULDER,
    SIGHT_MOMENTS,
    WATER_MARGIN_METRES,
)

STEADY = ("dolly", "crane", "reveal", "locked")
"""Moves that keep their direction while the subject turns."""
WISHED_AZIMUTHS = {"follow": 140.0, "lead": 35.0, "dolly": 90.0, "crane": 70.0, "reveal": 70.0, "locked": 80.0}
"""Preferred azimuth of each move, degrees from ahead, on either side."""
CLEARINGS = 40


@dataclass(frozen=True)
class CameraPath:
    """The camera at each frame of a shot.

    Attributes:
        frames: Frames of the recording (k,), which may lie between two.
        at: Places of the camera (k, 3), metres.
        look_at: Places in the middle of the picture (k, 3), metres.
        lens: Focal length, mm.
        focus: Distances in focus (k,), metres.
        rows: The fishes that it is of.
    """

    frames: np.ndarray
    at: np.ndarray
    look_at: np.ndarray
    lens: float
    focus: np.ndarray
    rows: tuple[int, ...]

    def at_frame(self, number: int) -> CameraPath:
        """One frame of it and the next, if there is one."""
        some = slice(number, number + 2)
        return replace(
            self, frames=self.frames[some], at=self.at[some], look_at=self.look_at[some], focus=self.focus[some]
        )

    def picture(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The positions of places (k, ..., 3) in the picture.

        Returns:
            Distance right of the middle and above it over the picture's width, and ahead in metres, (k, ...) each.
        """
        right, up, forward = upright_axes(self.look_at - self.at)
        lead = (len(self.at),) + (1,) * (points.ndim - 2) + (3,)
        ray = points - self.at.reshape(lead)
        depth = np.sum(ray * forward.reshape(lead), axis=-1)
        zoom = self.lens / FILM_WIDTH_MM / np.maximum(depth, 1e-6)
        return np.sum(ray * right.reshape(lead), axis=-1) * zoom, np.sum(ray * up.reshape(lead), axis=-1) * zoom, depth


def filmed(recording: Recording, shot: FilmShot, scenery: ScenePoints | None = None) -> CameraPath:
    """The camera of a shot of this recording.

    Args:
        recording: The recording.
        shot: The shot.
        scenery: Scenery, which it keeps clear of beside the things in the scene.

    Raises:
        SceneError: If there is no such fish or event, or the shot does not lie within the recording.
    """
    rows, moment = find(recording, shot.subject)
    count = max(2, round(shot.seconds * recording.fps))
    begin = moment + shot.start * recording.fps
    if begin < -0.5 or begin + count > recording.frames + 0.5:
        last = recording.duration - shot.seconds - moment / recording.fps
        allowed = f"one from {-moment / recording.fps:.2f} s to {last:.2f} s, so that the shot is in the recording"
        raise SceneError(f"{shot.start:g} s", allowed, key="start")
    time = _Time.of(recording, float(np.clip(begin, 0.0, recording.frames - count)), count)
    frames = time.frames
    subject = SubjectTrack(recording, rows, frames)
    water = _Water(recording, frames, scenery)
    if shot.move == "fish_cam":
        ahead = subject.ahead_of(0, EYE_SECONDS)
        at = smoothed(subject.centre[:, 0], EYE_SECONDS * subject.fps) + FISH_ROOM * subject.length[0] * ahead
        look = at + ahead
        focus = np.full(len(frames), 2.0)
    else:
        beyond = None
        if shot.background is not None:
            beyond = SubjectTrack(recording, find(recording, shot.background)[0], frames).middle
        at, look = _best(shot, subject, water, time, beyond)
        look = _panned(at, look, time, subject.fps)
        focus = np.linalg.norm(subject.middle - at, axis=1)
    if shot.pull is not None:
        other = SubjectTrack(recording, find(recording, shot.pull)[0], frames)
        share = smooth_step(3.0 * time.share - 1.0)
        focus = focus + share * (np.linalg.norm(other.middle - at, axis=1) - focus)
    focus = np.maximum(smoothed(focus[:, None], PAN_SECONDS * recording.fps)[:, 0], 0.01)
    own = time.own
    return CameraPath(frames[own], at[own], look[own], shot.lens, focus[own], rows)


@dataclass(frozen=True)
class _Time:
    """The time of a shot, with a handle before and behind it if the recording has one.

    Attributes:
        frames: Frames of the recording (k,), which may lie between two.
        own: The shot's own frames among them.
        share: Share of the shot that is over at each, 0 to 1, (k,).
    """

    frames: np.ndarray
    own: slice
    share: np.ndarray

    @classmethod
    def of(cls, recording: Recording, begin: float, count: int) -> _Time:
        """The time of a shot of so many frames."""
        most = round(HANDLE_SECONDS * recording.fps)
        before = min(most, int(begin))
        behind = max(0, min(most, int(recording.frames - begin - count)))
        steps = np.arange(-before, count + behind)
        return cls(begin + steps, slice(before, before + count), np.clip(steps / (count - 1.0), 0.0, 1.0))


class _Water:
    """The water in which a camera may be."""

    def __init__(self, recording: Recording, frames: np.ndarray, scenery: ScenePoints | None) -> None:
        size = np.array(recording.scene.tank.size)
        self.low = np.array([-BEYOND_TANK_METRES, -BEYOND_TANK_METRES, WATER_MARGIN_METRES])
        self.high = size + (BEYOND_TANK_METRES, BEYOND_TANK_METRES, -WATER_MARGIN_METRES)
        self.obstacles, self.scenery = Obstacles.from_scene(recording.scene), scenery
        if recording.scene.tank.faces is not None:
            self.low, self.high = np.zeros(3), size
        nose, tail = ends(between(recording.nodes, frames))
        self._fishes = 0.5 * (nose + tail)
        self._room = np.where(between(recording.alive, frames) > 0.5, FISH_ROOM * recording.body_length, 0.0)

    def pushed(self, at: np.ndarray) -> np.ndarray:
        """The shift that takes a camera at places (k, 3), one a frame, clear of everything, (k, 3)."""
        push = np.clip(at, self.low, self.high) - at
        distance, way = self.distance(at)
        push += np.maximum(CAMERA_CLEAR_METRES - distance, 0.0)[:, None] * way
        from_fishes = at[:, None] - self._fishes
        away = np.maximum(np.linalg.norm(from_fishes, axis=-1), 1e-6)
        lack = np.maximum(self._room - away, 0.0)
        nearest = lack.argmax(axis=1)
        frames = np.arange(len(at))
        return push + (lack[frames, nearest] / away[frames, nearest])[:, None] * from_fishes[frames, nearest]

    def hidden(self, at: np.ndarray, points: np.ndarray) -> np.ndarray:
        """Mask of cameras from which something hides places (k, 3), (k,)."""
        shares = (np.arange(SIGHT_MOMENTS) + 0.5) / SIGHT_MOMENTS
        between_them = at[:, None] + shares[:, None] * (points - at)[:, None]
        return (self.distance(between_them)[0] < 0.0).any(axis=1)

    def distance(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The distance of places (..., 3) from the nearest obstacle or scenery, and the way off it; see `Obstacles`."""
        distance, way = self.obstacles.distance(points)
        if self.scenery is None:
            return distance, way
        other, off = self.scenery.distance(points)
        nearer = other < distance
        return np.where(nearer, other, distance), np.where(nearer[..., None], off, way)


def _best(
    shot: FilmShot, subject: SubjectTrack, water: _Water, time: _Time, beyond: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Places of the camera and of its target (k, 3), from the angle that shows most and is clear.

    Args:
        shot: The shot.
        subject: Track of its subject.
        water: Water in which they may be.
        time: Time of the shot.
        beyond: Places (k, 3) that are wished for in the background, on the other side of the middle.
    """
    look = _look(shot, subject)
    if shot.move == "over_shoulder":
        return _cleared(_over_shoulder(shot, subject, time), shot, subject, water, time), look
    wished = WISHED_AZIMUTHS[shot.move]
    azimuths = CAMERA_ANGLES if shot.azimuth is None else [shot.azimuth]
    elevations = ELEVATIONS if shot.elevation is None else [shot.elevation]
    own, count = time.own, time.own.stop - time.own.start
    some = own.start + np.unique(np.linspace(0, count - 1, min(count, 24)).round().astype(int))
    places = []
    for azimuth in azimuths:
        for elevation in elevations:
            off = min(abs((azimuth - side + 180.0) % 360.0 - 180.0) for side in (wished, -wished))
            places.append((off / 90.0 + abs(elevation - 8.0) / 60.0, azimuth, elevation))
    best: tuple[float, np.ndarray, np.ndarray] | None = None
    for least, azimuth, elevation in sorted(places, key=lambda place: place[0]):
        if best is not None and least >= best[0]:
            break  # however clear the rest may be
        at, beside = _wished(shot, subject, time, azimuth, elevation)
        push = np.linalg.norm(water.pushed(at), axis=1)[own]
        hidden = water.hidden(at[some], subject.middle[some])
        cost = least + 3.0 * (push / np.maximum(subject.extent[own], 1e-6)).mean() + 6.0 * hidden.mean()
        if beyond is not None:
            away = _between_rays(subject.middle + 2.0 * beside - at, beyond - at)[own]
            cost += away.mean() / np.radians(BACKGROUND_DEGREES)
        if best is None or cost < best[0]:
            best = cost, at, beside
    assert best is not None
    return _cleared(best[1], shot, subject, water, time), look + best[2]


def _look(shot: FilmShot, subject: SubjectTrack) -> np.ndarray:
    """The point that the camera looks at: the subject, with room ahead of it and at its place in the picture."""
    seconds = shot.seconds if shot.move == "locked" else PAN_SECONDS
    if shot.move == "over_shoulder":
        return smoothed(subject.centre[:, 1], seconds * subject.fps)
    room = LEAD_ROOM * subject.length[0] * subject.ahead_of(0, PAN_SECONDS) if shot.move in ("follow", "lead") else 0.0
    return smoothed(subject.middle + room, seconds * subject.fps)


def _distance(shot: FilmShot, subject: SubjectTrack, time: _Time) -> np.ndarray:
    """Distance of the camera at which the subject takes its share of the picture's width, (k,), metres."""
    extent = smoothed(subject.extent[:, None], DISTANCE_SECONDS * subject.fps)[:, 0]
    if shot.move in STEADY:
        own = extent[time.own]
        extent = np.full(len(extent), own.max() if shot.move == "locked" else own.mean())
    away = extent * shot.lens / FILM_WIDTH_MM / shot.size
    if shot.move == "reveal":
        away = away * (0.4 + 0.6 * smooth_step(time.share))
    return np.maximum(away, (0.5 + FISH_ROOM) * subject.length.max())


def _wished(
    shot: FilmShot, subject: SubjectTrack, time: _Time, azimuth: float, elevation: float
) -> tuple[np.ndarray, np.ndarray]:
    """Places of a camera at these angles in degrees if nothing were in its way, and so far beside, (k, 3)."""
    count, share, half = len(subject.middle), time.share - 0.5, (time.own.start + time.own.stop) // 2
    ahead = subject.ahead_of(0, CAMERA_SECONDS)
    heading = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    heading = np.full(count, heading[half]) if shot.move in STEADY else calmed(heading, subject.fps, time.own)
    turn = heading + np.radians(azimuth + (shot.travel * share if shot.move == "dolly" else 0.0))
    rise = np.radians(np.clip(elevation + (shot.travel * share if shot.move == "crane" else 0.0), -80.0, 80.0))
    out = np.stack((np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise) + 0.0 * turn), axis=1)
    middle = smoothed(subject.middle, CAMERA_SECONDS * subject.fps)
    if shot.move == "locked":
        own = middle[time.own]
        middle = np.broadcast_to(0.5 * (own.min(axis=0) + own.max(axis=0)), middle.shape)
    away = _distance(shot, subject, time)
    side = np.stack((-np.sin(turn), np.cos(turn), 0.0 * turn), axis=1)
    picture = away * FILM_WIDTH_MM / shot.lens
    beside = -picture[:, None] * (shot.across * side + np.array([0.0, 0.0, shot.above]))
    return middle + away[:, None] * out + beside, beside


def calmed(heading: np.ndarray, fps: float, own: slice = slice(None)) -> np.ndarray:
    """Headings (k,) in radians that turn no faster than a camera may go around; one that spins is seen from all sides.

    Turns are drawn out in time as far as the shot allows, and where that is not enough only a share of them is left.

    Args:
        heading: Headings of the subject.
        fps: Headings a second.
        own: Slice of those that are in the picture.
    """
    turns, span, fastest = heading, CAMERA_SECONDS * fps, np.radians(MOST_SWING_DEGREES) / fps
    longest = len(heading[own])
    while span < longest and np.abs(np.diff(turns[own])).max() > fastest:
        span *= 1.5
        turns = smoothed(heading[:, None], span)[:, 0]
    middle = turns[own][longest // 2]
    return middle + min(1.0, fastest / max(np.abs(np.diff(turns[own])).max(), 1e-9)) * (turns - middle)


def _panned(at: np.ndarray, look: np.ndarray, time: _Time, fps: float) -> np.ndarray:
    """The points that cameras look at (k, 3), turning no faster than an eye follows: rather early and late."""
    calm, span, longest = look, PAN_SECONDS * fps, len(at[time.own])
    while span < longest and _turns(calm - at)[time.own][:-1].max() * fps > np.radians(MOST_PAN_DEGREES):
        span *= 1.2
        calm = smoothed(look, span)
    return calm


def _turns(forward: np.ndarray) -> np.ndarray:
    """The angle between each of some directions (k, 3) and the next, in radians, (k,); the last from itself."""
    return _between_rays(forward, np.concatenate((forward[1:], forward[-1:])))


def _over_shoulder(shot: FilmShot, subject: SubjectTrack, time: _Time) -> np.ndarray:
    """Behind the first of two and above its back, looking at the other, (k, 3)."""
    ray = smoothed(subject.centre[:, 1] - subject.centre[:, 0], CAMERA_SECONDS * subject.fps)
    turn = calmed(np.unwrap(np.arctan2(ray[:, 1], ray[:, 0])), subject.fps, time.own)
    rise = calmed(np.arctan2(ray[:, 2], np.hypot(ray[:, 0], ray[:, 1])), subject.fps, time.own)
    ray = np.stack((np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)), axis=1)
    side = np.stack((np.sin(turn), -np.cos(turn), 0.0 * turn), axis=1)
    behind, beside, above = SHOULDER
    away = subject.length[0] * max(behind, shot.lens / FILM_WIDTH_MM / shot.size)
    first = smoothed(subject.centre[:, 0], CAMERA_SECONDS * subject.fps)
    return first - away * ray + subject.length[0] * (beside * side + np.array([0.0, 0.0, above]))


def _cleared(wished: np.ndarray, shot: FilmShot, subject: SubjectTrack, water: _Water, time: _Time) -> np.ndarray:
    """The way of a camera as near to its wished one as it can be, smooth and clear of all, (k, 3)."""
    if shot.move == "locked":
        at = wished.copy()
        for _ in range(CLEARINGS):
            push = water.pushed(at)[time.own]
            at = at + push[np.linalg.norm(push, axis=1).argmax()]  # one place for all frames
        return at
    span, longest = CAMERA_SECONDS * subject.fps, 2.0 * len(wished[time.own])
    at, goal = smoothed(wished, span), wished.copy()
    while span < longest and _push(at[time.own], subject.fps) > MOST_PUSH:
        span *= 1.2
        at = smoothed(wished, span)
    for round_ in range(CLEARINGS):
        push = water.pushed(at)
        if np.linalg.norm(push, axis=1)[time.own].max() < 1e-3:
            break
        # An obstacle is passed in a wider and wider bow; where that is not enough, in a sharper one.
        goal = goal + 1.5 * push
        at = smoothed(goal, span * max(1.0 - round_ / CLEARINGS, 0.15))
    return at


def _push(at: np.ndarray, fps: float) -> float:
    """The hardest push that a camera needs to go through places (k, 3), m/s²."""
    return float(np.linalg.norm(np.diff(at, 2, axis=0), axis=1).max(initial=0.0)) * fps**2


def upright_axes(forward: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right, up and forward (k, 3) of cameras that stand upright."""
    forward = forward / np.maximum(np.linalg.norm(forward, axis=1, keepdims=True), 1e-12)
    right = np.cross(forward, (0.0, 0.0, 1.0))
    level = np.linalg.norm(right, axis=1, keepdims=True)
    right = np.where(level > 1e-12, right / np.maximum(level, 1e-12), (1.0, 0.0, 0.0))  # straight down is a way, too
    return right, np.cross(right, forward), forward


def _between_rays(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Angles between rays (k, 3), in radians, (k,)."""
    product = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return np.arccos(np.clip(np.sum(one * other, axis=1) / np.maximum(product, 1e-12), -1.0, 1.0))


def events_in(recording: Recording, path: CameraPath) -> list[dict[str, Any]]:
    """The events within a shot, in order."""
    return [event for event in happenings(recording) if path.frames[0] <= event["frame"] <= path.frames[-1]]


def check_expected(recording: Recording, shot: FilmShot, path: CameraPath) -> None:
    """Refuses a shot whose subject is mostly absent, or in which not all that it expects happens, in that order.

    Raises:
        SceneError: One of these.
    """
    rows = path.rows if shot.subject.group else path.rows[:1]
    frames = np.clip(np.round(path.frames).astype(int), 0, recording.frames - 1)
    there = recording.alive[np.ix_(frames, rows)].any(axis=1)
    if there.mean() < PRESENT_SHARE:
        found = f"{recording.species[rows[0]]} there for {there.mean() * shot.seconds:.1f} s of {shot.seconds:g} s"
        raise SceneError(found, "a fish that is there for half of its shot or more", key="subject")
    happen = iter([(event["kind"], event.get("stage")) for event in events_in(recording, path)])
    for row, kind in enumerate(shot.expects):
        if not any(kind in names for names in happen):  # which goes on behind what was found
            begins = path.frames[0] / recording.fps
            allowed = f"what happens between {begins:.1f} s and {begins + shot.seconds:.1f} s, in its order"
            raise SceneError(shown(kind), allowed, key=f"expects[{row}]")
