"""Motion of fish, measured from their positions alone: pace, pauses, turns, starts and stops.

Every function takes plain arrays, so that it measures recordings and tracks of real fish alike. Places are
(frames, fish, 2 or 3) in any unit, and a body length in the same unit, one number or (fish,), makes them lengths.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.ndimage import gaussian_filter1d

PATH_SECONDS = 0.15
"""Sigma of the filter on paths against trackers' noise and the sway of a beat, as for tracked fish."""
WINDOW_SECONDS = 5.0  # window for the variation of a pace
CRAWL = 0.3  # lengths a second, below which the direction of a path says nothing
LEAST_GAIN = 0.3  # lengths a second, of a rise of speed that counts


def filled(places: np.ndarray) -> np.ndarray:
    """Places with a tracker's gaps, NaN, interpolated linearly."""
    places = np.array(places, dtype=float)
    frames = np.arange(len(places))
    for track in places.reshape(len(places), -1).T:  # views of its columns
        known = np.isfinite(track)
        if known.any():
            track[:] = np.interp(frames, frames[known], track[known])
    return places


def velocities(places: np.ndarray, fps: float, length: ArrayLike, sigma: float = PATH_SECONDS) -> np.ndarray:
    """Velocities in lengths a second, of the shape of the places, smoothed by `sigma` seconds."""
    path = np.asarray(places, dtype=float)
    if sigma > 0.0:
        path = gaussian_filter1d(path, sigma * fps, axis=0, mode="nearest")
    per_fish = np.asarray(length, dtype=float)[..., None]
    return np.gradient(path, axis=0) * fps / per_fish


def speeds(places: np.ndarray, fps: float, length: ArrayLike, sigma: float = PATH_SECONDS) -> np.ndarray:
    """Speeds in lengths a second, (frames, fish)."""
    return np.linalg.norm(velocities(places, fps, length, sigma), axis=-1)


def variation(speed: np.ndarray, fps: float, seconds: float = WINDOW_SECONDS) -> np.ndarray:
    """Variation of each fish's pace: standard deviation over mean in windows, their median, (fish,)."""
    window = min(round(seconds * fps), len(speed))
    parts = [speed[start : start + window] for start in range(0, len(speed) - window + 1, window)]
    return np.median([part.std(axis=0) / np.maximum(part.mean(axis=0), 1e-9) for part in parts], axis=0)


def share_of_time(holds: np.ndarray, counts: np.ndarray | None = None) -> np.ndarray:
    """Share of the counted frames in which a condition holds for each fish, (fish,); NaN without any."""
    counts = np.ones(holds.shape, dtype=bool) if counts is None else counts
    frames = counts.sum(axis=0)
    return np.where(frames > 0, (holds & counts).sum(axis=0) / np.maximum(frames, 1), np.nan)


def turning(places: np.ndarray, fps: float, length: ArrayLike, sigma: float = PATH_SECONDS) -> np.ndarray:
    """Horizontal turning rate of paths, degrees a second, (frames, fish); NaN where a fish hardly moves."""
    velocity = velocities(places, fps, length, sigma)[..., :2]
    rate = np.abs(np.gradient(np.unwrap(np.arctan2(velocity[..., 1], velocity[..., 0]), axis=0), axis=0)) * fps
    return np.where(np.linalg.norm(velocity, axis=-1) >= CRAWL, np.degrees(rate), np.nan)


def rotation(headings: np.ndarray, fps: float) -> np.ndarray:
    """Horizontal turning rate of directions (frames, fish, 3), left positive, degrees a second, (frames, fish)."""
    azimuth = np.unwrap(np.arctan2(headings[..., 1], headings[..., 0]), axis=0)
    return np.degrees(np.gradient(azimuth, axis=0) * fps)


def first_frame(holds: np.ndarray) -> np.ndarray:
    """The first frame in which a condition (frames, fish) holds, (fish,) float; NaN if it never does."""
    return np.where(holds.any(axis=0), holds.argmax(axis=0), np.nan)


def rise_seconds(speed: np.ndarray, fps: float, share: float = 0.9) -> np.ndarray:
    """Seconds until each fish first has a share of its final speed, (fish,).

    The final speed is the mean of the last fifth, in which the fish should have reached it.
    """
    last = speed[-max(1, len(speed) // 5) :].mean(axis=0)
    return first_frame(speed >= share * last) / fps


def fall_seconds(speed: np.ndarray, fps: float, share: float = 0.5) -> np.ndarray:
    """Seconds until each fish first has no more than a share of its initial speed, (fish,)."""
    return first_frame(speed <= share * speed[0]) / fps


def turn_seconds(headings: np.ndarray, fps: float, degrees: float = 90.0) -> np.ndarray:
    """Seconds until each fish has turned horizontally by so much from its initial heading, (fish,)."""
    azimuth = np.unwrap(np.arctan2(headings[..., 1], headings[..., 0]), axis=0)
    return first_frame(np.abs(azimuth - azimuth[0]) >= np.radians(degrees)) / fps


def overshoot(value: np.ndarray) -> np.ndarray:
    """Overshoot of values (frames, fish) beyond their final value, over their step, (fish,).

    The final value is the mean of the last fifth; the step is from the first frame to it.
    """
    last = value[-max(1, len(value) // 5) :].mean(axis=0)
    step = last - value[0]
    beyond = ((value - last) * np.sign(step)).max(axis=0)
    return beyond / np.maximum(np.abs(step), 1e-9)


@dataclass(frozen=True)
class Gains:
    """Rises of a fish's speed.

    Attributes:
        seconds: Duration of each from a tenth of its gain to nine tenths, (rises,).
        minute: Their number a minute.
    """

    seconds: np.ndarray
    minute: float


def gains(speed: np.ndarray, fps: float, least: float = LEAST_GAIN) -> Gains:
    """Rises of one fish's speed, (frames,), by at least so many lengths a second, each from a low to the next high."""
    way = np.sign(np.diff(speed))
    turned = np.flatnonzero(way[1:] * way[:-1] <= 0.0) + 1
    ends = np.concatenate(([0], turned, [len(speed) - 1]))
    took = []
    for low, high in pairwise(ends.tolist()):
        gain = speed[high] - speed[low]
        if gain >= least:
            at = np.interp(speed[low] + np.array([0.1, 0.9]) * gain, speed[low : high + 1], np.arange(low, high + 1))
            took.append((at[1] - at[0]) / fps)
    return Gains(np.array(took), 60.0 * len(took) * fps / max(len(speed), 1))


def flatness(places: np.ndarray) -> np.ndarray:
    """Standard deviation of each fish's height over that of its place along the water, (fish,)."""
    away = places - places.mean(axis=0)
    along = np.sqrt((away[..., :2] ** 2).sum(axis=-1).mean(axis=0))
    return np.std(away[..., 2], axis=0) / np.maximum(along, 1e-9)


def departures(moved: np.ndarray, twin: np.ndarray, threshold: ArrayLike) -> np.ndarray:
    """The first frame in which each fish is farther from its undisturbed twin than a threshold, (fish,) float.

    Args:
        moved: Places of some points of each fish, (frames, fish, points, 3), from the disturbance on.
        twin: The same in a world without the disturbance.
        threshold: Distance in the unit of places, one number or (fish,).

    Returns:
        Frames; NaN if it never is.
    """
    apart = np.linalg.norm(moved - twin, axis=-1).max(axis=-1)
    return first_frame(apart > np.asarray(threshold))


def frequencies(signals: np.ndarray, fps: float, slowest: float = 0.2, fastest: float = 20.0) -> np.ndarray:
    """The frequency of each signal (frames, n) in Hz, (n,): that of the wave with the least residual.

    A wave is fitted together with a straight line, at each of many frequencies, and the best is refined by a parabola.
    NaN for a constant signal.
    """
    signals = np.asarray(signals, dtype=float)
    frames = len(signals)
    t = np.arange(frames) / fps
    span = t[-1] - t[0]
    probes = np.geomspace(max(slowest, 1.5 / span), min(fastest, 0.48 * fps), 600)
    line = np.stack([np.ones(frames), t - t.mean()], axis=1)
    left = np.empty((len(probes), signals.shape[1]))
    for row, probe in enumerate(probes):
        turns = 2.0 * np.pi * probe * t
        basis = np.linalg.qr(np.column_stack([line, np.cos(turns), np.sin(turns)]))[0]
        left[row] = (signals**2).sum(axis=0) - ((basis.T @ signals) ** 2).sum(axis=0)
    best = np.clip(left.argmin(axis=0), 1, len(probes) - 2)
    every = np.arange(signals.shape[1])
    before, here, after = left[best - 1, every], left[best, every], left[best + 1, every]
    shift = 0.5 * (before - after) / np.maximum(before - 2.0 * here + after, 1e-300)
    found = probes[best] * (probes[1] / probes[0]) ** np.clip(shift, -1.0, 1.0)
    return np.where(np.ptp(signals, axis=0) > 1e-9, found, np.nan)
