"""The gait of a swimming fish, measured from a recording of its nodes and from nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .anatomy import LOWER_TIP_NODE, MASSES, NOSE_NODE, UPPER_TIP_NODE, body_frame

SLOWEST_BEAT_HZ, FASTEST_BEAT_HZ = 0.2, 12.0  # tail beats a second that are looked for
FREQUENCY_PROBES = 400


@dataclass(frozen=True)
class Gait:
    """Figures of a steady swim, one a fish, (fish,) each.

    Attributes:
        speed: Speed over the window in body lengths a second, straight from its beginning to its end.
        frequency: Tail beats a second.
        amplitude: Side-to-side sweep of the tail's end, peak to peak, in body lengths.
        strouhal: frequency x amplitude / speed.
        stride: Body lengths travelled in one tail beat.
        nose: Side-to-side motion of the nose, peak to peak, in body lengths.
        straightness: Distance from beginning to end over the length of the path of the center of mass.
        tilt: Largest angle between the fish's up direction and the vertical in radians.
        forward: Cosine between the way travelled and the way that the fish points.
    """

    speed: np.ndarray
    frequency: np.ndarray
    amplitude: np.ndarray
    strouhal: np.ndarray
    stride: np.ndarray
    nose: np.ndarray
    straightness: np.ndarray
    tilt: np.ndarray
    forward: np.ndarray


def measure(nodes: np.ndarray, fps: float, body_length: np.ndarray) -> Gait:
    """Measures a steady swim.

    Side-to-side motions are taken across the level direction travelled, freed of drift by a cubic, and fitted
    with the beat's frequency and its double by least squares; a sweep is that of the fitted curve, so that it
    does not depend on which instants of a beat the frames catch. The frequency is that at which the fit of the
    tail leaves least over.

    Args:
        nodes: Places of the nodes, (frames, fish, 23, 3), over at least three beats.
        fps: Frames a second.
        body_length: Body lengths in the unit of the nodes, (fish,).

    Returns:
        The figures. A fish that goes nowhere has an infinite Strouhal number.

    Raises:
        ValueError: If there are fewer than 12 frames.
    """
    nodes = np.asarray(nodes, dtype=float)
    frames = len(nodes)
    if frames < 12:
        raise ValueError(f"nodes: found {frames} frames, allowed 12 or more")
    middle = np.einsum("n,tfnc->tfc", MASSES / MASSES.sum(), nodes)
    travel = middle[-1] - middle[0]
    distance = np.linalg.norm(travel, axis=1)
    path = np.linalg.norm(np.diff(middle, axis=0), axis=2).sum(axis=0)
    _, frame = body_frame(nodes)
    ahead = frame[..., 0].mean(axis=0)
    way = np.where(distance[:, None] > 1e-9 * body_length[:, None], travel, ahead)
    level = way * (1.0, 1.0, 0.0)
    across = np.stack([-level[:, 1], level[:, 0], np.zeros(len(level))], axis=1)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-300)

    t = np.arange(frames) / fps
    tail = np.einsum("tfc,fc->tf", 0.5 * (nodes[:, :, UPPER_TIP_NODE] + nodes[:, :, LOWER_TIP_NODE]), across)
    nose = np.einsum("tfc,fc->tf", nodes[:, :, NOSE_NODE], across)
    frequency = _frequencies(t, tail)
    sweep = np.array([_sweep(t, side, f) for side, f in zip(tail.T, frequency, strict=True)]) / body_length
    nod = np.array([_sweep(t, side, f) for side, f in zip(nose.T, frequency, strict=True)]) / body_length
    speed = distance / t[-1] / body_length
    with np.errstate(divide="ignore", invalid="ignore"):
        strouhal = np.where(speed > 0, frequency * sweep / speed, np.inf)
        straightness = np.where(path > 0, distance / path, 1.0)
        forward = np.einsum("fc,fc->f", ahead, way) / np.linalg.norm(ahead, axis=1) / np.linalg.norm(way, axis=1)
    return Gait(
        speed=speed,
        frequency=frequency,
        amplitude=sweep,
        strouhal=strouhal,
        stride=speed / frequency,
        nose=nod,
        straightness=straightness,
        tilt=np.arccos(np.clip(frame[..., 2, 2], -1.0, 1.0)).max(axis=0),
        forward=forward,
    )


def _design(t: np.ndarray, frequency: float) -> np.ndarray:
    """Columns of the fit: a cubic drift, then cosine and sine of the beat and of its double, (frames, 8)."""
    span = 2.0 * (t - t[0]) / (t[-1] - t[0]) - 1.0
    turns = 2.0 * np.pi * frequency * t
    waves = [wave(harmonic * turns) for harmonic in (1, 2) for wave in (np.cos, np.sin)]
    return np.stack([*(span**power for power in range(4)), *waves], axis=1)


def _left_over(frequency: float, t: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Sums of squares that the fit at this frequency leaves of motions (frames, fish), (fish,)."""
    basis = np.linalg.qr(_design(t, frequency)[:, :6])[0]
    return (sides**2).sum(axis=0) - ((basis.T @ sides) ** 2).sum(axis=0)


def _frequencies(t: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """The frequency of each side-to-side motion (frames, fish), (fish,)."""
    fastest = min(FASTEST_BEAT_HZ, 0.48 / (t[1] - t[0]))
    probes = np.geomspace(max(SLOWEST_BEAT_HZ, 1.5 / t[-1]), fastest, FREQUENCY_PROBES)
    left = np.array([_left_over(f, t, sides) for f in probes])
    best = np.clip(left.argmin(axis=0), 1, FREQUENCY_PROBES - 2)
    fish = np.arange(sides.shape[1])
    before, here, after = left[best - 1, fish], left[best, fish], left[best + 1, fish]
    # The lowest point of the parabola through the best probe and its neighbours, whose logarithms are evenly spaced.
    shift = 0.5 * (before - after) / np.maximum(before - 2.0 * here + after, 1e-300)
    return probes[best] * (probes[1] / probes[0]) ** np.clip(shift, -1.0, 1.0)


def _sweep(t: np.ndarray, side: np.ndarray, frequency: float) -> float:
    """Peak-to-peak size of the fitted beat."""
    fit = np.linalg.lstsq(_design(t, frequency), side, rcond=None)[0]
    beat = np.linspace(t[0], t[0] + 1.0 / frequency, 200, endpoint=False)
    return float(np.ptp(_design(beat, frequency)[:, 4:] @ fit[4:]))
