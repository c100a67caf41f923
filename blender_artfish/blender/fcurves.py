"""Motion as F-curves: keys thinned to a stated tolerance, written in bulk.

Between two keys a curve is a cubic whose slopes at the keys are those of the natural cubic spline through every
frame, and through moments between frames where there are any. With handles a third of the way to the neighbouring keys,
Blender's Bezier curve is that cubic, polynomial in time, so the played values are known here to rounding, and
motion is smooth between frames. Keys and handles are multiples of a step that is small beside the tolerance: a curve
within the hull of its four is off by half a step at most, and a file packs round numbers into half the room.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import bpy
import numpy as np
from scipy.linalg import solveh_banded

from ...core.base.knots import fewest_knots
from ..identity.film_time import FIRST
from .keyframes import PRESENCE

LOCATION = [("location", axis) for axis in range(3)]
"""Channels of an object's location."""
STEP_SHARE = 0.125
"""Most of the tolerance that is a step of keys and handles, which are powers of two."""
LONGEST_STRETCH = 48
"""Most moments between two keys; a constant curve has one key."""
BEZIER, ALIGNED = 2, 3
"""Values of `Keyframe.interpolation` and `Keyframe.handle_left_type` as bytes, which foreach_set copies fastest."""


@dataclass(frozen=True)
class Keys:
    """The keys of many curves over the same moments: the frames, and perhaps some between them.

    Attributes:
        values: Values at every moment, (curves, moments), as they were given.
        slopes: Change per frame at every moment, (curves, moments).
        keyed: Which moments carry a key, (curves, moments) bool.
        level: Value of a constant curve, (curves,); NaN for one that changes.
        times: Times of the moments in frames, (moments,), rising.
        step: Keys and handles are multiples of it, (curves,); 0 where they are not rounded.
    """

    values: np.ndarray
    slopes: np.ndarray
    keyed: np.ndarray
    level: np.ndarray
    times: np.ndarray
    step: np.ndarray

    @property
    def counts(self) -> np.ndarray:
        """Number of keys of each curve, (curves,)."""
        return np.count_nonzero(self.keyed, axis=1)

    def played(self) -> np.ndarray:
        """Values that Blender plays at every moment, (curves, moments)."""
        moments = np.arange(self.values.shape[1])
        before = np.maximum.accumulate(np.where(self.keyed, moments, 0), axis=1)
        after = np.minimum.accumulate(np.where(self.keyed, moments, moments[-1])[:, ::-1], axis=1)[:, ::-1]
        begin = self.times[before]
        span = np.where(after > before, self.times[after] - begin, 1.0)
        value, slope = ([np.take_along_axis(a, i, axis=1) for i in (before, after)] for a in (self.values, self.slopes))
        third, step = span / 3.0, self.step[:, None]
        hull = value[0], value[0] + slope[0] * third, value[1] - slope[1] * third, value[1]
        weights = _bernstein((self.times - begin) / span)
        cubic = sum(weight * stepped(point, step) for weight, point in zip(weights, hull, strict=True))
        return np.where(np.isnan(self.level)[:, None], cubic, self.level[:, None])

    @property
    def first(self) -> np.ndarray:
        """Values that Blender plays at the first moment, (curves,)."""
        return np.where(np.isnan(self.level), stepped(self.values[:, 0], self.step), self.level)

    def of(self, rows: np.ndarray) -> Keys:
        """Those of some curves, (n,)."""
        values, slopes, keyed, level = (each[rows] for each in (self.values, self.slopes, self.keyed, self.level))
        return Keys(values, slopes, keyed, level, self.times, self.step[rows])

    def resting(self, rest: np.ndarray, tolerance: np.ndarray) -> Keys:
        """Curves that never leave their values at rest by more than a tolerance, (curves,) both, have no key at all."""
        still = (np.abs(self.values - rest[:, None]) <= tolerance[:, None]).all(axis=1)
        return replace(self, keyed=self.keyed & ~still[:, None], level=np.where(still, rest, self.level))


def thin(
    values: np.ndarray,
    tolerance: float | np.ndarray,
    breaks: Sequence[int] = (),
    times: np.ndarray | None = None,
) -> Keys:
    """Leave out the keys that the tolerance does not need: no fewer keys with these slopes would do.

    Stretches are tried against every moment between their ends, and half way from each to the next against the spline
    through all of them, so the error is known and not estimated.

    Args:
        values: Values at every moment, (curves, moments).
        tolerance: Largest error at any moment, one for all curves or (curves,); 0 keeps every moment.
        breaks: Moments at which all curves start again, independent of those before.
        times: Times of the moments in frames, (moments,), rising; one every frame if left out.

    Returns:
        The keys; the first and the last moment always carry one where a curve moves.
    """
    curves, frames = values.shape
    bounds = np.broadcast_to(np.asarray(tolerance, dtype=float), curves)
    step = _step(bounds)
    bounds = bounds - 0.5 * step
    parts = zip(np.split(values, breaks, axis=1), np.split(_whole(frames, times), breaks), strict=True)
    slopes = np.concatenate([spline_slopes(*part) for part in parts], axis=1)
    keyed = np.ones((curves, frames), dtype=bool)
    level = np.full(curves, np.nan, dtype=values.dtype)
    low, high = values.min(axis=1), values.max(axis=1)
    still = high - low <= 2 * bounds
    level[still] = stepped((low[still] + high[still]) / 2, step[still])
    keyed[still, 1:] = False

    moving = np.flatnonzero(~still & (bounds > 0))
    whole = _whole(frames, times)
    keyed[moving] = fewest_knots(values[moving], slopes[moving], whole, bounds[moving], LONGEST_STRETCH)
    return Keys(values, slopes, keyed, level, whole, step)


def stepped(values: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Values as the nearest multiples of a step, (...) both; as they are where it is 0."""
    return np.where(step > 0.0, np.rint(values / np.where(step > 0.0, step, 1.0)) * step, values)


def _step(tolerance: np.ndarray) -> np.ndarray:
    """The step of keys at each tolerance, the greatest power of two that is small enough, (curves,); 0 for none."""
    _, exponent = np.frexp(STEP_SHARE * tolerance)
    return np.where(tolerance > 0.0, np.ldexp(1.0, exponent - 1), 0.0)


def _whole(frames: int, times: np.ndarray | None) -> np.ndarray:
    """The times, or else those of so many frames, one after another."""
    return np.arange(frames) if times is None else times


def _bernstein(s: np.ndarray) -> tuple[np.ndarray, ...]:
    """Weights of a cubic's two ends and the two handles between them at the fractions s, (4, ...)."""
    rest = 1.0 - s
    return rest**3, 3.0 * s * rest**2, 3.0 * s**2 * rest, s**3


def spline_slopes(values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Slopes per frame of the natural cubic spline through values (curves, n) at times in frames, (n,)."""
    frames = values.shape[1]
    if frames == 1:
        return np.zeros_like(values)
    gap = np.diff(times).astype(values.dtype)
    if (gap != 1).any():
        return _uneven_slopes(values, gap)
    bands = np.ones((2, frames), dtype=values.dtype)  # the upper diagonal above the main one
    bands[1] = 4
    bands[1, [0, -1]] = 2
    rise = np.empty_like(values)
    rise[:, 1:-1] = values[:, 2:] - values[:, :-2]
    rise[:, 0] = values[:, 1] - values[:, 0]
    rise[:, -1] = values[:, -1] - values[:, -2]
    rise *= 3
    return solveh_banded(bands, rise.T, overwrite_b=True, check_finite=False).T


def _uneven_slopes(values: np.ndarray, gap: np.ndarray) -> np.ndarray:
    """Slopes as in `spline_slopes`, for values (curves, n) with these gaps between them, (n - 1,)."""
    bands = np.zeros((2, values.shape[1]), dtype=values.dtype)
    bands[0, 1:] = 1 / gap
    bands[1, :-1] = 2 / gap
    bands[1, 1:] += 2 / gap
    steep = 3 * np.diff(values, axis=1) / gap**2
    rise = np.pad(steep, ((0, 0), (0, 1))) + np.pad(steep, ((0, 0), (1, 0)))
    return solveh_banded(bands, rise.T, overwrite_b=True, check_finite=False).T


def write(bag: bpy.types.ActionChannelbag, channels: Iterable[tuple[str, int]], keys: Keys, first: int = FIRST) -> int:
    """Make the F-curves of a data block.

    Args:
        bag: The channelbag; none of the channels may be there yet.
        channels: RNA path and array index of each curve, as many as `keys` has.
        keys: The keys to write.
        first: Frame of the scene at which the keys begin.

    Returns:
        Number of keys written.
    """
    frame = keys.times[np.nonzero(keys.keyed)[1]]
    value, slope = keys.values[keys.keyed], keys.slopes[keys.keyed]
    counts = keys.counts
    stops = np.cumsum(counts)
    still = ~np.isnan(keys.level)
    only = stops[still] - 1  # a constant curve has one key
    value[only], slope[only] = keys.level[still], 0.0
    step = np.repeat(keys.step, counts)
    gap = np.diff(frame, prepend=0, append=0) / 3.0
    gap[0] = gap[stops] = 1 / 3  # outside a curve's own keys any handle will do
    place = _pairs(frame + first, stepped(value, step))
    left = _pairs(frame + first - gap[:-1], stepped(value - slope * gap[:-1], step))
    right = _pairs(frame + first + gap[1:], stepped(value + slope * gap[1:], step))
    bezier = np.full(counts.max(initial=0), BEZIER, dtype=np.uint8)
    aligned = np.full(counts.max(initial=0), ALIGNED, dtype=np.uint8)

    new = bag.fcurves.new
    for (path, index), count, stop in zip(channels, counts.tolist(), (2 * stops).tolist(), strict=True):
        points = new(path, index=index).keyframe_points
        points.add(count)
        part = slice(stop - 2 * count, stop)
        points.foreach_set("co", place[part])
        points.foreach_set("handle_left", left[part])
        points.foreach_set("handle_right", right[part])
        points.foreach_set("interpolation", bezier[:count])
        points.foreach_set("handle_left_type", aligned[:count])
        points.foreach_set("handle_right_type", aligned[:count])
    return len(frame)


def _pairs(frames: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Frames and values alternating, (2 keys,) float32."""
    pairs = np.empty((len(frames), 2), dtype=np.float32)
    pairs[:, 0], pairs[:, 1] = frames, values
    return pairs.ravel()


def write_presence(bag: bpy.types.ActionChannelbag, present: np.ndarray, first: float = FIRST) -> None:
    """Show an object in views and renders only where it is present, (frames,) bool from `first` on."""
    write_switch(bag, PRESENCE, ~present, first)


def write_switch(
    bag: bpy.types.ActionChannelbag, paths: Sequence[str], states: np.ndarray, first: float = FIRST
) -> None:
    """Key on/off properties wherever they change.

    Args:
        bag: The channelbag.
        paths: RNA paths that switch together.
        states: The state at every frame, (frames,) bool.
        first: Frame of the scene at which the states begin.
    """
    changes = np.flatnonzero(np.diff(states, prepend=~states[:1]))
    place = _pairs(changes + first, states[changes])
    for path in paths:
        points = bag.fcurves.new(path).keyframe_points
        points.add(len(changes))
        points.foreach_set("co", place)
        points.foreach_set("interpolation", np.zeros(len(changes), dtype=np.uint8))  # constant
