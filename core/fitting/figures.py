"""Figures of how fishes move: distributions over time and fishes, each declared once, of tracks or of our own fishes.

All lengths are in body lengths, so that fishes of any size are compared. Places are looked at at one rate and smoothed
in one way, whether a camera saw them or we made them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..base.vectors import norm
from .arena import Arena
from .tuning import (
    BURST_RISE,
    JUDGED_SHARES,
    LOOK_RATE,
    LOOKS_AT_ONCE,
    POLAR_SECONDS,
    SLOW_SPEED,
    SMOOTH_SECONDS,
    WINDOW_SECONDS,
    WINDOW_STEP_SECONDS,
)

LEAST_DIVISOR = 1e-9


@dataclass(frozen=True)
class TrackedMotion:
    """The motion of fishes at some rate.

    Attributes:
        places: (frame, fish, 2) lengths; NaN where a fish is not there.
        rate: Frames a second.
        arena: The tank in lengths.
        velocity: (frame, fish, 2) lengths a second.
        speed: (frame, fish) lengths a second.
        course: Direction of each, a unit vector, (frame, fish, 2); NaN of those that hardly move.
    """

    places: np.ndarray
    rate: float
    arena: Arena
    velocity: np.ndarray
    speed: np.ndarray
    course: np.ndarray

    @classmethod
    def of(cls, places: np.ndarray, rate: float, arena: Arena) -> TrackedMotion:
        """The motion through places (frame, fish, 2) in lengths, two frames or more."""
        velocity = np.gradient(places, 1.0 / rate, axis=0)
        speed = norm(velocity)
        course = velocity / np.maximum(speed, LEAST_DIVISOR)[..., None]
        course[~(speed > SLOW_SPEED)] = np.nan
        return cls(places, rate, arena, velocity, speed, course)

    def windows(self, values: np.ndarray) -> np.ndarray:
        """The values (frame, fish) in each window, (window, fish, frame)."""
        width, step = round(WINDOW_SECONDS * self.rate), max(1, round(WINDOW_STEP_SECONDS * self.rate))
        if len(values) < width:
            return np.empty((0, values.shape[1], width))
        return np.lib.stride_tricks.sliding_window_view(values, width, axis=0)[::step]

    def by_window(self, values: np.ndarray) -> np.ndarray:
        """Values of windows, (window, fish), at the frame at which each window begins, (frame, fish); NaN elsewhere."""
        step = max(1, round(WINDOW_STEP_SECONDS * self.rate))
        placed = np.full(self.speed.shape, np.nan)
        placed[: step * len(values) : step][: len(values)] = values
        return placed


@dataclass(frozen=True)
class MotionFigure:
    """One figure.

    Attributes:
        key: Its name in tables.
        unit: Its unit; "" for a pure number.
        help: A line on its meaning.
        measure: Function that takes a motion, and returns its samples, (frame, any).
    """

    key: str
    unit: str
    help: str
    measure: Callable[[TrackedMotion], np.ndarray]


def resampled(places: np.ndarray, fps: float) -> np.ndarray:
    """Places (frame, fish, 2) at so many frames a second, smoothed, at `LOOK_RATE`; NaN stays where nothing was."""
    frames, fishes = places.shape[:2]
    count = max(2, int((frames - 1) / fps * LOOK_RATE) + 1)
    at = np.arange(count) * fps / LOOK_RATE
    made = np.full((count, fishes, 2), np.nan)
    for fish in range(fishes):
        seen = np.flatnonzero(np.isfinite(places[:, fish, 0]))
        if len(seen) < 2:
            continue
        smooth = gaussian_filter1d(places[seen[0] : seen[-1] + 1, fish], SMOOTH_SECONDS * fps, axis=0, mode="nearest")
        inside = np.flatnonzero((at >= seen[0]) & (at <= seen[-1]))
        for axis in range(2):
            made[inside, fish, axis] = np.interp(at[inside], np.arange(seen[0], seen[-1] + 1), smooth[:, axis])
    return made


def _speed(motion: TrackedMotion) -> np.ndarray:
    return motion.speed


def _variation(motion: TrackedMotion) -> np.ndarray:
    windows = motion.windows(motion.speed)
    return motion.by_window(windows.std(axis=-1) / np.maximum(windows.mean(axis=-1), LEAST_DIVISOR))


def _turning(motion: TrackedMotion) -> np.ndarray:
    before, after = motion.course[:-1], motion.course[1:]
    cross = before[..., 0] * after[..., 1] - before[..., 1] * after[..., 0]
    turned = np.abs(np.arctan2(cross, (before * after).sum(axis=-1))) * motion.rate
    return np.concatenate([turned, np.full((1, turned.shape[1]), np.nan)])


def _neighbours(motion: TrackedMotion) -> tuple[np.ndarray, np.ndarray]:
    """Distance of each fish's nearest, and its place from it, (frame, fish) and (frame, fish, 2)."""
    frames, fishes = motion.speed.shape
    distance, offset = np.full((frames, fishes), np.nan), np.full((frames, fishes, 2), np.nan)
    if fishes < 2:
        return distance, offset
    for first in range(0, frames, LOOKS_AT_ONCE):
        some = slice(first, first + LOOKS_AT_ONCE)
        places = motion.places[some]
        arms = places[:, None] - places[:, :, None]  # from each fish to each
        far = norm(arms)
        far[np.isnan(far)] = np.inf
        far[:, np.arange(fishes), np.arange(fishes)] = np.inf
        nearest = far.argmin(axis=2)
        least = np.take_along_axis(far, nearest[..., None], axis=2)[..., 0]
        distance[some] = np.where(np.isfinite(least), least, np.nan)
        offset[some] = np.take_along_axis(arms, nearest[..., None, None], axis=2)[:, :, 0]
    return distance, offset


def _nearest(motion: TrackedMotion) -> np.ndarray:
    return _neighbours(motion)[0]


def _bearing(motion: TrackedMotion) -> np.ndarray:
    distance, offset = _neighbours(motion)
    along = (offset * motion.course).sum(axis=-1) / np.maximum(distance, LEAST_DIVISOR)
    return np.degrees(np.arccos(np.clip(along, -1.0, 1.0)))


def _polar(motion: TrackedMotion) -> np.ndarray:
    """Length of the mean course of those that move, (frame,); NaN of fewer than two."""
    moving = np.isfinite(motion.course[..., 0]).sum(axis=1)
    whole = norm(np.nansum(motion.course, axis=1)) / np.maximum(moving, 1)
    return np.where(moving > 1, whole, np.nan)


def _polarisation(motion: TrackedMotion) -> np.ndarray:
    return _polar(motion)[:, None]


def _polarisation_change(motion: TrackedMotion) -> np.ndarray:
    polar, step = _polar(motion), max(1, round(POLAR_SECONDS * motion.rate))
    change = np.full(len(polar), np.nan)
    if len(polar) > step:
        change[:-step] = np.abs(polar[step:] - polar[:-step])
    return change[:, None]


def _rises(motion: TrackedMotion) -> np.ndarray:
    """The rise of speed that ends at a frame as a burst, (frame, fish) lengths/s; NaN where none does."""
    speed = motion.speed
    rises = np.full(speed.shape, np.nan)
    if len(speed) < 3:
        return rises
    upward = np.diff(speed, axis=0) > 0.0
    rows = np.arange(1, len(speed) - 1)[:, None]
    peak, dip = upward[:-1] & ~upward[1:], ~upward[:-1] & upward[1:]
    last = np.maximum.accumulate(np.where(dip, rows, 0), axis=0)  # the last dip before each, or the beginning
    rise = speed[1:-1] - np.take_along_axis(speed, last, axis=0)
    mean = np.nanmean(np.where(np.isfinite(speed), speed, np.nan), axis=0) if np.isfinite(speed).any() else 0.0
    rises[1:-1] = np.where(peak & (rise > BURST_RISE * mean), rise, np.nan)
    return rises


def _burst(motion: TrackedMotion) -> np.ndarray:
    return _rises(motion)


def _burst_gap(motion: TrackedMotion) -> np.ndarray:
    bursts = np.isfinite(_rises(motion))
    rows = np.arange(len(bursts))[:, None]
    last = np.maximum.accumulate(np.where(bursts, rows, -1), axis=0)
    before = np.concatenate([np.full((1, bursts.shape[1]), -1), last[:-1]])
    return np.where(bursts & (before >= 0), (rows - before) / motion.rate, np.nan)


def _glide(motion: TrackedMotion) -> np.ndarray:
    slower = np.diff(motion.speed, axis=0, append=np.nan)
    windows = motion.windows(np.where(np.isnan(slower), np.nan, slower < 0.0))
    return motion.by_window(windows.mean(axis=-1))


def _wall(motion: TrackedMotion) -> np.ndarray:
    return motion.arena.wall_distance(motion.places)


FIGURES = (
    MotionFigure("speed", "lengths/s", "Speed of each fish at each moment", _speed),
    MotionFigure("variation", "", "Spread of a fish's speed within 5 s, over its mean there", _variation),
    MotionFigure("turning", "rad/s", "How fast the way of a fish that moves turns, to either side", _turning),
    MotionFigure("nearest", "lengths", "Distance of a fish from the one nearest to it, middle to middle", _nearest),
    MotionFigure("bearing", "degrees", "Where that one is: 0 straight ahead, 180 right behind", _bearing),
    MotionFigure("polarisation", "", "Whether all head one way, 1, or every way, 0, at each moment", _polarisation),
    MotionFigure("polarisation_change", "", "Difference of that from one second to the next", _polarisation_change),
    MotionFigure("burst", "lengths/s", "Rise of speed of each burst: by a fifth of the mean speed or more", _burst),
    MotionFigure("burst_gap", "s", "Time from one burst of a fish to its next", _burst_gap),
    MotionFigure("glide", "", "Share of 5 s in which a fish gets slower", _glide),
    MotionFigure("wall", "lengths", "Distance of a fish's middle from the nearest wall", _wall),
)
"""All figures, in their order."""


def measured(places: np.ndarray, rate: float, arena: Arena) -> dict[str, np.ndarray]:
    """The samples of every figure.

    Args:
        places: (frame, fish, 2) lengths; NaN where a fish is not there.
        rate: Frames a second.
        arena: The tank, in lengths.

    Returns:
        By the figures' keys: samples at each frame, (frame, any); NaN where there is none.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        motion = TrackedMotion.of(places, rate, arena)
        return {figure.key: figure.measure(motion) for figure in FIGURES}


def quartiles(samples: np.ndarray) -> np.ndarray:
    """The judged quantiles of samples of any shape, (quantile,); NaN without any."""
    there = samples[np.isfinite(samples)]
    return np.quantile(there, JUDGED_SHARES) if len(there) else np.full(len(JUDGED_SHARES), np.nan)


def all_quartiles(samples: Mapping[str, np.ndarray]) -> np.ndarray:
    """The judged quantiles of every figure, (figure, quantile)."""
    return np.stack([quartiles(samples[figure.key]) for figure in FIGURES])
