"""One cycle of a motion, cut from a track where ends meet best (Yu & Terzopoulos 1999, §4.1 and 4.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..base import elementary
from ..base.attitude import compose, matrices, nearby, normalised, of_frames, rotations_about_up
from ..base.codec import SceneError
from ..base.elementary import arctan2
from ..base.sums import mean, total
from ..base.vectors import dot, local, wrap
from ..body.anatomy import MIRROR_NODES, body_frame
from ..motor.tuning import CSTART_BEATS, CSTART_RECOIL_BEATS
from .repertoire import POSES
from .trial import TrialTrack
from .tuning import CAPTURE_FPS, INTERPOLATION_POINTS


@dataclass(frozen=True, eq=False)
class Cycle:
    """One segment of a repertoire; attributes as there, less the segments."""

    seconds: float
    nodes: np.ndarray
    tension: np.ndarray
    attitude: np.ndarray
    place: np.ndarray
    velocity: np.ndarray
    yaw: float
    closure: float


def cut(track: TrialTrack, row: int, begin: float, end: float, straight: bool) -> Cycle:
    """The cycle of a fish between two times in seconds: the mean of all whole beats that can be had of it.

    Seen from its carrier one beat is like another, but for what the frames of the motor center make of fast ones. The
    beats are cut where the first and the last shape and velocity are nearest; what remains is spread over them.

    Args:
        track: Track of the fishes.
        row: Row of the fish.
        begin: Earliest.
        end: Latest.
        straight: Whether it swims straight, so that a mirror shows the same half a beat later: then its two sides are
            made alike.

    Raises:
        SceneError: The track ends before a beat does.
    """
    begin_at, end_at = (min(int(time / track.step), len(track.phase)) for time in (begin, end))
    phase = track.phase[begin_at:end_at, row]
    if not len(phase):
        raise _too_slow()
    beats = max(int(phase[-1] - phase[0]), 1)
    turns = np.floor(phase[-1]) - beats + np.arange(beats * POSES + 1) / POSES
    turns = turns[turns >= track.phase[INTERPOLATION_POINTS, row]]
    if len(turns) <= POSES:
        raise _too_slow()
    samples = elementary.interpolated(turns, track.phase[:, row], np.arange(len(track.phase), dtype=float))
    nodes = interpolated(track.nodes[:, row], samples)
    origin, frames = body_frame(nodes)
    shape = local(frames[:, None], nodes - origin[:, None])
    whole = -1 - (len(samples) - 1) // POSES * POSES  # from here on whole beats
    t = track.step * (samples - samples[whole])
    azimuth = unwrapped(arctan2(frames[:, 1, 0], frames[:, 0, 0]))
    yaw = 0.0 if straight else float((azimuth[-1] - azimuth[whole]) / t[-1])
    heading = yaw * t + mean((azimuth - yaw * t)[whole:-1])
    velocity, place = _carried(origin, heading, t, whole)
    attitude = _upright(normalised(compose(rotations_about_up(-heading), of_frames(frames))))
    tension = interpolated(track.tension[:, row], samples)
    values = np.concatenate([shape.reshape(len(shape), -1), tension, attitude, place], axis=1)
    count = max((len(samples) - 1) // POSES - 1, 1)  # beats that are laid on top of each other
    at = _closest(shape, count * POSES)
    miss = values[at + count * POSES] - values[at]
    share = (np.arange(count * POSES) / (count * POSES) - 0.5)[:, None]
    closed = values[at : at + count * POSES] - share * miss
    first = at - (len(samples) - 1) % POSES  # its pose; the last sample is at the end of a beat
    cycle = np.roll(mean(closed.reshape(count, POSES, -1), axis=0), first, axis=0)
    shape, tension = cycle[:, :-10].reshape(POSES, -1, 3), cycle[:, -10:-7]
    attitude, place = normalised(cycle[:, -7:-3]), cycle[:, -3:]
    if straight:
        shape = 0.5 * (shape + _mirrored(shape[:, MIRROR_NODES], (1.0, -1.0, 1.0)))
        tension = 0.5 * (tension + _mirrored(tension, (1.0, -1.0, -1.0)))
        attitude = normalised(attitude + _mirrored(attitude, (1.0, -1.0, 1.0, -1.0)))
        place = 0.5 * (place + _mirrored(place, (1.0, -1.0, 1.0)))
        velocity = velocity * (1.0, 0.0, 1.0)
    place = place - mean(place, axis=0)
    slip = 0.0 if straight or velocity[0] <= 0.0 else float(arctan2(velocity[1], velocity[0]))
    back = rotations_about_up(np.array(-slip))
    attitude, (place, velocity) = compose(back, attitude), (local(matrices(back).T, of) for of in (place, velocity))
    seconds = float(t[-1]) * POSES / (-1 - whole)
    return Cycle(seconds, shape, tension, attitude, place, velocity, yaw, float(np.abs(miss).max()))


def _too_slow() -> SceneError:
    return SceneError("a beat that is not over when the track is", "quicker beats, or longer bursts", key="rhythm")


def cut_once(track: TrialTrack, row: int, begin: float) -> Cycle:
    """A C-start that begins at this time in seconds, from where the fish was then; it ends when its tail strikes.

    Its carrier turns and moves evenly from the first pose to the last, and has the fish upright on its place in both.
    """
    frequency = float(track.frequency[-1, row])
    frames = np.ceil((CSTART_BEATS + CSTART_RECOIL_BEATS) / frequency * CAPTURE_FPS)  # as the motor center counts it
    seconds = float(frames) / CAPTURE_FPS
    samples = begin / track.step - 1.0 + seconds / track.step * np.arange(POSES) / (POSES - 1)
    nodes = interpolated(track.nodes[:, row], samples)
    origin, frames = body_frame(nodes)
    shape = local(frames[:, None], nodes - origin[:, None])
    t = track.step * (samples - samples[0])
    azimuth = unwrapped(arctan2(frames[:, 1, 0], frames[:, 0, 0]))
    yaw = float((azimuth[-1] - azimuth[0]) / t[-1])
    heading = azimuth[0] + yaw * t
    velocity, place = _carried(origin, heading, t, -POSES)
    attitude = _upright(normalised(compose(rotations_about_up(-heading), of_frames(frames))))
    tension = interpolated(track.tension[:, row], samples)
    return Cycle(seconds, shape, tension, attitude, place, velocity, yaw, 0.0)


def interpolated(values: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Samples (n, ...) at fractional places (m,) by polynomials through the nearest of them, (m, ...)."""
    points = np.arange(INTERPOLATION_POINTS)
    first = np.floor(at).astype(int) - INTERPOLATION_POINTS // 2 + 1
    first = np.clip(first, 0, len(values) - INTERPOLATION_POINTS)
    found = np.zeros((len(at), *values.shape[1:]))
    for point in points:
        weight = np.ones(len(at))
        for other in points[points != point]:
            weight = weight * ((at - first - other) / (point - other))
        found += weight.reshape(-1, *[1] * (values.ndim - 1)) * values[first + point]
    return found


def unwrapped(angle: np.ndarray) -> np.ndarray:
    """Angles in sequence (n,) without the jumps by whole turns."""
    return angle[0] + np.concatenate(([0.0], np.cumsum(wrap(np.diff(angle)))))


def _carried(origin: np.ndarray, heading: np.ndarray, t: np.ndarray, whole: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean velocity (3,) in the carrier's axes since the sample `whole`, and places (n, 3) in it, which moves at that.

    Args:
        origin: Origins of the fish's own frame, (n, 3).
        heading: Headings of the carrier, (n,).
        t: Times in seconds, (n,).
        whole: First sample of the whole beats.
    """
    middle = matrices(rotations_about_up(0.5 * (heading[1:] + heading[:-1])))
    steps = local(middle, np.diff(origin, axis=0))
    velocity = total(steps[whole + 1 :], axis=0) / t[-1]
    way = np.diff(t)[:, None] * local(middle.swapaxes(1, 2), velocity)
    carrier = origin[0] + np.concatenate((np.zeros((1, 3)), np.cumsum(way, axis=0)))
    return velocity, local(matrices(rotations_about_up(heading)), origin - carrier)


def _closest(shape: np.ndarray, samples: int) -> int:
    """The first of so many samples whose ends meet best in shape and velocity."""
    miss = shape[samples:] - shape[:-samples]
    pace = np.gradient(shape, axis=0)
    rates = (pace[samples:] - pace[:-samples]) * (POSES / (2.0 * np.pi))
    return int(np.argmin(total(dot(miss, miss) + dot(rates, rates))))


def _upright(turns: np.ndarray) -> np.ndarray:
    """Turns in sequence (n, 4) without jumps of their sign, which begin about upright."""
    turns = nearby(turns)
    return -turns if turns[0, 0] < 0.0 else turns


def _mirrored(values: np.ndarray, signs: tuple[float, ...]) -> np.ndarray:
    """The mirror image of poses in the median plane, half a beat later."""
    return np.roll(values * signs, POSES // 2, axis=0)
