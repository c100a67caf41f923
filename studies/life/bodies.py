"""Motion of bodies, measured from their nodes: bend, pitch, roll and the wave passed down to the tail."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...core.body.anatomy import MASSES, body_frame
from ...core.body.spine import NODES_TO_MIDDLES
from .motion import frequencies

HEAD, PEDUNCLE, TAIL = 0, 5, 6  # rows of the midline: the nose, the last ring, the tips of the tail
SHOULDER, LOIN = 2, 4  # between which lies the trunk that passes a wave


def middles(nodes: np.ndarray) -> np.ndarray:
    """Centers of mass, (..., 3), of nodes (..., 23, 3)."""
    return np.einsum("n,...nc->...c", MASSES / MASSES.sum(), np.asarray(nodes, dtype=float))


def midline(nodes: np.ndarray) -> np.ndarray:
    """Nose, middles of the five rings, and tail's end, (..., 7, 3), of nodes (..., 23, 3)."""
    return np.einsum("gn,...nc->...gc", NODES_TO_MIDDLES, np.asarray(nodes, dtype=float))


def headings(nodes: np.ndarray) -> np.ndarray:
    """Unit vectors from the second ring to the nose, (..., 3), of nodes (..., 23, 3)."""
    return body_frame(np.asarray(nodes, dtype=float))[1][..., 0]


def bend(nodes: np.ndarray) -> np.ndarray:
    """Bend of bodies from head to peduncle, degrees, left positive, (...,), of nodes (..., 23, 3).

    The sum of the angles between successive segments of the midline, seen from above the fish; the caudal fin,
    which only trails, is left out.
    """
    angle = _parts(nodes)[..., :PEDUNCLE]
    joints = (angle[..., :-1] - angle[..., 1:] + np.pi) % (2 * np.pi) - np.pi
    return np.degrees(joints.sum(axis=-1))


def pitch(nodes: np.ndarray) -> np.ndarray:
    """Pitch of heads above the horizontal, degrees, (...,), of nodes (..., 23, 3)."""
    return np.degrees(np.arcsin(np.clip(headings(nodes)[..., 2], -1.0, 1.0)))


def roll(nodes: np.ndarray) -> np.ndarray:
    """Roll of fishes to their left, the left side down, degrees, (...,), of nodes (..., 23, 3)."""
    frame = body_frame(np.asarray(nodes, dtype=float))[1]
    return np.degrees(np.arctan2(-frame[..., 2, 1], frame[..., 2, 2]))


def sideways(nodes: np.ndarray) -> np.ndarray:
    """Displacement of midlines across each fish's horizontal course, (frames, fish, 7), of (frames, fish, 23, 3)."""
    line = midline(nodes)
    travel = middles(nodes[-1]) - middles(nodes[0])
    across = np.stack([-travel[:, 1], travel[:, 0]], axis=1)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    return np.einsum("tfgc,fc->tfg", line[..., :2], across)


def tail_swing(nodes: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Tail's end to the left of each fish's own axis, lengths, (frames, fish), of nodes (frames, fish, 23, 3).

    Unlike `sideways` it is independent of the fish's course, and so measures the beat of a turning fish.
    """
    origin, frame = body_frame(np.asarray(nodes, dtype=float))
    tail = midline(nodes)[..., TAIL, :] - origin
    return np.einsum("...c,...c->...", tail, frame[..., 1]) / length


def yaw(nodes: np.ndarray) -> np.ndarray:
    """Half of the sweep of each head about its course, degrees, (fish,), of nodes (frames, fish, 23, 3).

    It is that of the sine with the motion's mean square; what drifts as a cubic is no part of it.
    """
    ahead = headings(nodes)
    azimuth = np.degrees(np.unwrap(np.arctan2(ahead[..., 1], ahead[..., 0]), axis=0))
    span = np.linspace(-1.0, 1.0, len(azimuth))
    drift = np.polynomial.polynomial.polyval(span, np.polynomial.polynomial.polyfit(span, azimuth, 3))
    return np.sqrt(2.0 * ((azimuth.T - drift) ** 2).mean(axis=1))


def joints(nodes: np.ndarray) -> np.ndarray:
    """Most bend of the midline to either side at each of the five rings, degrees, (fish, 5), of (frames, fish, 23, 3).

    Half of the range over all frames of the angle from the part ahead of a ring to that behind it.
    """
    angle = np.degrees(_parts(nodes))
    return 0.5 * np.ptp(angle[..., :-1] - angle[..., 1:], axis=0)


def _parts(nodes: np.ndarray) -> np.ndarray:
    """Angles of the parts of midlines, seen from above the fish, to its own axis, radians, left positive, (..., 6)."""
    _, frame = body_frame(np.asarray(nodes, dtype=float))
    line = midline(nodes)
    parts = line[..., :-1, :] - line[..., 1:, :]
    along, across = (np.einsum("...sc,...c->...s", parts, frame[..., axis]) for axis in (0, 1))
    return np.arctan2(across, along)


@dataclass(frozen=True)
class Wave:
    """The wave that each fish passes down its body.

    Attributes:
        frequency: Its frequency in Hz, (fish,).
        amplitude: Half the sweep of each point, in the unit of the motion, (fish, points).
        lag: Degrees by which each point follows the first, (fish, points).
        length: Wavelength, in the unit of the stations, (fish,).
        trunk: Phase lag over the trunk, from the second ring to the fourth, degrees, (fish,).
    """

    frequency: np.ndarray
    amplitude: np.ndarray
    lag: np.ndarray
    length: np.ndarray
    trunk: np.ndarray


def wave(side: np.ndarray, stations: np.ndarray, fps: float) -> Wave:
    """Measure the wave of points that move from side to side.

    Each point's motion is fitted with a wave of the tail's frequency. The length is that of a wave that passes from
    the second ring to the tail in the fitted time: ahead of it the head wags, and passes nothing on.

    Args:
        side: Sideways displacement over at least three beats, (frames, fish, points); the points of the midline.
        stations: Stations of the points from the nose backwards, (fish, points).
        fps: Frames a second.
    """
    found = frequencies(side[..., TAIL], fps)
    at = np.nan_to_num(found, nan=1.0)
    fits = np.stack([_fitted(side[..., point], fps, at) for point in range(side.shape[2])], axis=1)
    phase = np.unwrap(np.angle(fits), axis=1)
    lag = np.degrees(phase[:, :1] - phase)
    back = stations[:, SHOULDER:] - stations[:, SHOULDER:].mean(axis=1, keepdims=True)
    passed = lag[:, SHOULDER:] - lag[:, SHOULDER:].mean(axis=1, keepdims=True)
    slope = (back * passed).sum(axis=1) / (back**2).sum(axis=1)  # degrees a length
    long = 360.0 / np.where(np.abs(slope) > 1e-9, slope, np.nan)
    return Wave(found, np.abs(fits), lag, long, lag[:, LOIN] - lag[:, SHOULDER])


def rises(amplitude: np.ndarray, stations: np.ndarray) -> np.ndarray:
    """Slope of a wave's amplitude in each part from the second ring to the tail, over the mean slope, (fish, 4).

    For an even rise all are 1; a negative one is a fall.
    """
    steps = np.diff(amplitude[:, SHOULDER:], axis=1) / np.diff(stations[:, SHOULDER:], axis=1)
    whole = (amplitude[:, TAIL] - amplitude[:, SHOULDER]) / (stations[:, TAIL] - stations[:, SHOULDER])
    return steps / whole[:, None]


def stations_of(nodes: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Positions of the midline's points along the body, in lengths from the nose, (fish, 7)."""
    gaps = np.linalg.norm(np.diff(midline(nodes), axis=-2), axis=-1).mean(axis=0)
    return np.concatenate([np.zeros((len(length), 1)), np.cumsum(gaps, axis=1)], axis=1) / length[:, None]


def _fitted(signals: np.ndarray, fps: float, frequency: np.ndarray) -> np.ndarray:
    """Complex amplitude of the wave in each signal (frames, fish) at its frequency, (fish,)."""
    t = np.arange(len(signals)) / fps
    span = 2.0 * (t - t[0]) / max(t[-1] - t[0], 1e-12) - 1.0
    fits = np.empty(signals.shape[1], dtype=complex)
    for fish, f in enumerate(frequency):
        turns = 2.0 * np.pi * f * t
        design = np.stack([*(span**power for power in range(4)), np.cos(turns), np.sin(turns)], axis=1)
        cosine, sine = np.linalg.lstsq(design, signals[:, fish], rcond=None)[0][4:]
        fits[fish] = cosine - 1j * sine  # Re(fit exp(i turns)) is the wave
    return fits
