"""What schools do, measured from places and headings: order, milling, parties, and how news passes through."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..schools import groups
from .motion import first_frame

POLAR, MILLING, SWARMING = 0.65, 0.65, 0.35
"""Order from which a school is polar, or mills, and below which in both it swarms (Tunstrom et al. 2013)."""


def order(headings: np.ndarray) -> np.ndarray:
    """How much all head one way, 0 to 1, (frames,), of unit vectors (frames, fish, 2 or 3); NaN is not counted."""
    return np.linalg.norm(np.nanmean(headings, axis=1), axis=-1)


def milling(places: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """How much all go round their middle one way, 0 to 1, (frames,), on the level, of (frames, fish, 2 or 3)."""
    out = places[..., :2] - np.nanmean(places[..., :2], axis=1, keepdims=True)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-12)
    return np.abs(np.nanmean(out[..., 0] * headings[..., 1] - out[..., 1] * headings[..., 0], axis=1))


def states(polar: np.ndarray, mill: np.ndarray) -> dict[str, float]:
    """Shares of time that a school is polar, mills, swarms, or is between these states, of its orders (frames,)."""
    shares = {
        "polar": float(((polar > POLAR) & (mill < SWARMING)).mean()),
        "mill": float(((mill > MILLING) & (polar < SWARMING)).mean()),
        "swarm": float(((polar < SWARMING) & (mill < SWARMING)).mean()),
    }
    return {**shares, "between": 1.0 - sum(shares.values())}


def largest_party(place: np.ndarray, length: np.ndarray) -> float:
    """Share of the fishes at places (fish, 3), of lengths (fish,), that are in the largest party."""
    return float(np.bincount(groups(place, length)).max() / len(place))


def turn_waves(
    headings: np.ndarray, places: np.ndarray, fps: float, degrees: float = 30.0, seconds: float = 3.0
) -> list[float]:
    """How far the delay of each fish grows with its distance from who began, for each turn that a school makes.

    A turn is a change of the mean heading on the level by so many degrees in so many seconds; a fish takes it up
    when its own heading has changed by half of that.

    Args:
        headings: Unit vectors, (frames, fish, 2 or 3).
        places: Of the fishes, (frames, fish, 2 or 3).
        fps: Frames a second.
        degrees: Least change of a turn.
        seconds: In which it is made.

    Returns:
        A correlation, -1 to 1, for each turn; of turns that overlap the widest counts.
    """
    window, mean = round(seconds * fps), headings.mean(axis=1)
    common = np.unwrap(np.arctan2(mean[:, 1], mean[:, 0]))
    own = np.unwrap(np.arctan2(headings[..., 1], headings[..., 0]), axis=0)
    own = gaussian_filter1d(own, 0.1 * fps, axis=0, mode="nearest")
    change, found = common[window:] - common[:-window], []
    left = np.abs(change)
    while len(left) and left.max() >= np.radians(degrees):
        begin = int(left.argmax())
        left[max(0, begin - window) : begin + window] = 0.0
        of_each = own[begin : begin + 2 * window] - common[begin]
        of_each -= 2 * np.pi * np.round(of_each[0] / (2 * np.pi))
        delay = first_frame(of_each * np.sign(change[begin]) >= 0.5 * abs(change[begin]))
        found.append(wave_correlation(delay, places[begin]))
    return found


@dataclass(frozen=True)
class Passage:
    """How a predator passes through a school.

    Attributes:
        nearest: From it to the school's middle, the least, in its lengths.
        lesser: Share of the near prey on the side of it where there are fewer, as it is nearest: 0 where none parts.
        against: Share of the prey that it has passed, in the two seconds after, which head against its way: a fountain.
    """

    nearest: float
    lesser: float
    against: float


def passage(
    places: np.ndarray, headings: np.ndarray, predator: np.ndarray, its_headings: np.ndarray, length: float, fps: float
) -> Passage:
    """How prey makes way for a predator.

    Args:
        places: Of the prey, (frames, fish, 2 or 3); NaN for who is gone.
        headings: Of the prey, unit vectors of that shape.
        predator: Its places, (frames, 2 or 3).
        its_headings: Unit vectors, (frames, 2 or 3).
        length: Of the predator, in the unit of the places.
        fps: Frames a second.
    """
    gap = np.linalg.norm(np.nanmean(places, axis=1) - predator, axis=1)
    frame = int(gap.argmin())
    after = slice(frame, frame + round(2.0 * fps))
    away = places[..., :2] - predator[:, None, :2]
    onward = its_headings[:, None, :2]
    along = (away * onward).sum(axis=-1)
    beside = onward[..., 0] * away[..., 1] - onward[..., 1] * away[..., 0]
    near = np.linalg.norm(away, axis=-1) < 2.0 * length
    sides = np.sign(beside[frame, near[frame]])
    lesser = min((sides > 0).sum(), (sides < 0).sum()) / len(sides) if len(sides) else np.nan
    passed = near[after] & (along[after] < 0.0)
    turned = (headings[after, :, :2] * onward[after]).sum(axis=-1) < 0.0
    against = turned[passed].mean() if passed.any() else np.nan
    return Passage(float(gap[frame] / length), float(lesser), float(against))


def wave_correlation(delay: np.ndarray, places: np.ndarray, source: np.ndarray | None = None) -> float:
    """How far the delay with which fishes take something up grows with their distance from who began.

    Args:
        delay: Frames or seconds until each does, (fish,); NaN for who never does.
        places: Of the fishes as it begins, (fish, 2 or 3).
        source: A place from which the distance counts instead, (2 or 3,).

    Returns:
        The correlation, -1 to 1; NaN with fewer than four fishes beside the first, or where all do it at once.
    """
    took = np.flatnonzero(np.isfinite(delay))
    if len(took) < 5:
        return np.nan
    first = took[delay[took].argmin()]
    others = took[took != first]
    apart = np.linalg.norm(places[others] - (places[first] if source is None else source), axis=1)
    if np.ptp(delay[others]) == 0 or np.ptp(apart) == 0:
        return np.nan
    return float(np.corrcoef(delay[others], apart)[0, 1])
