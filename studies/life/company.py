"""Motion of schools, measured from positions and headings: order, milling, parties, and the spread of news."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.ndimage import gaussian_filter1d

from ..schools import groups
from .motion import first_frame

POLAR, MILLING, SWARMING = 0.65, 0.65, 0.35
"""Order from which a school is polar, or mills, and below which in both it swarms (Tunstrom et al. 2013)."""


def order(headings: np.ndarray) -> np.ndarray:
    """Polar order of unit vectors (frames, fish, 2 or 3), 0 to 1, (frames,); NaN is not counted."""
    return np.linalg.norm(np.nanmean(headings, axis=1), axis=-1)


def milling(places: np.ndarray, headings: np.ndarray) -> np.ndarray:
    """Milling about the middle, 0 to 1, (frames,), on the horizontal plane, of (frames, fish, 2 or 3)."""
    out = places[..., :2] - np.nanmean(places[..., :2], axis=1, keepdims=True)
    out = out / np.maximum(np.linalg.norm(out, axis=-1, keepdims=True), 1e-12)
    return np.abs(np.nanmean(out[..., 0] * headings[..., 1] - out[..., 1] * headings[..., 0], axis=1))


def states(polar: np.ndarray, mill: np.ndarray) -> dict[str, float]:
    """Shares of time that a school is polar, mills, swarms, or is in between, by its orders (frames,)."""
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
    """Correlation of each fish's delay with its distance from the initiator, for each turn of a school.

    A turn is a change of the mean horizontal heading by so many degrees in so many seconds; a fish takes it up
    when its own heading has changed by half of that.

    Args:
        headings: Unit vectors, (frames, fish, 2 or 3).
        places: Positions of the fishes, (frames, fish, 2 or 3).
        fps: Frames a second.
        degrees: Least change of a turn.
        seconds: Duration of a turn.

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
    """Passage of a predator through a school.

    Attributes:
        nearest: Its least distance from the school's middle, in its lengths.
        lesser: Share of the near prey on its emptier side when it is nearest: 0 if the school does not part.
        against: Share of the prey passed, in the two seconds after, that heads against its course: a fountain.
    """

    nearest: float
    lesser: float
    against: float


def passage(
    places: np.ndarray, headings: np.ndarray, predator: np.ndarray, its_headings: np.ndarray, length: float, fps: float
) -> Passage:
    """The passage of a predator through prey.

    Args:
        places: Positions of the prey, (frames, fish, 2 or 3); NaN for eaten ones.
        headings: Headings of the prey, unit vectors of that shape.
        predator: Positions of the predator, (frames, 2 or 3).
        its_headings: Its headings, unit vectors, (frames, 2 or 3).
        length: Its length, in the unit of the positions.
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
    """Correlation of the fishes' delays with their distances from the initiator.

    Args:
        delay: Frames or seconds until each takes it up, (fish,); NaN if it never does.
        places: Positions of the fishes as it begins, (fish, 2 or 3).
        source: A point from which distances count instead, (2 or 3,).

    Returns:
        The correlation, -1 to 1; NaN with fewer than four fishes beside the first, or if all do it at once.
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


def nearest(places: np.ndarray) -> np.ndarray:
    """The row of each fish's nearest neighbour at every moment, (frames, fish), of (frames, fish, 2 or 3)."""
    gap = np.linalg.norm(places[:, :, None] - places[:, None], axis=-1)
    gap[:, np.arange(places.shape[1]), np.arange(places.shape[1])] = np.inf
    return gap.argmin(axis=-1)


def coupling(speed: np.ndarray, mate: np.ndarray) -> np.ndarray:
    """Correlation of each fish's speed with that of its nearest neighbour, whichever it is, (fish,).

    Args:
        speed: Speeds, (frames, fish).
        mate: Rows of the nearest neighbours, (frames, fish).
    """
    theirs = np.take_along_axis(speed, mate, axis=1)
    return np.array([np.corrcoef(mine, other)[0, 1] for mine, other in zip(speed.T, theirs.T, strict=True)])


def steepness(places: np.ndarray, mate: np.ndarray) -> np.ndarray:
    """Angle of the way to the nearest neighbour above or below the horizontal, degrees, (frames, fish)."""
    way = np.take_along_axis(places, mate[..., None], axis=1) - places
    return np.degrees(np.arctan2(np.abs(way[..., 2]), np.linalg.norm(way[..., :2], axis=-1)))


def wave_speed(delay: np.ndarray, places: np.ndarray) -> float:
    """Speed at which what one fish began spreads, in units of length a second, by least squares of delay on distance.

    Args:
        delay: Seconds until each takes it up, (fish,); NaN if it never does.
        places: Positions of the fishes as it begins, (fish, 2 or 3).

    Returns:
        The speed; infinite where those far off are no later, and NaN with fewer than five fishes.
    """
    took = np.flatnonzero(np.isfinite(delay))
    if len(took) < 5:
        return np.nan
    apart = np.linalg.norm(places[took] - places[took[delay[took].argmin()]], axis=1)
    slope = np.polyfit(apart, delay[took], 1)[0] if np.ptp(apart) > 0 else 0.0
    return float(1.0 / slope) if slope > 0 else np.inf
