"""All keys of an action as arrays: read, evaluated, added to and written in bulk.

Between two keys a curve is taken as the cubic with the slopes of their handles, which is what bakes write; curves whose
keys hold their values (presence, intention) and those with a single key are never cut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import bpy
import numpy as np

from ..blender.fcurves import ALIGNED, BEZIER

CONSTANT, LINEAR = 0, 1
"""Values of `Keyframe.interpolation` as bytes."""
TIMES = ("co", "handle_left", "handle_right")
"""Keys and their handles: all that has a time."""
KEY_SHAPES = ("interpolation", "handle_left_type", "handle_right_type")
"""Properties that say how a curve runs at a key."""
NO_KEY = -1
"""Stands for the key of another table where a key comes from none."""

Name = tuple[int, str, int]
"""Slot, path and index of an F-curve."""
Curves = dict[Name, bpy.types.FCurve]


def curves_of(action: bpy.types.Action) -> Curves:
    """All F-curves of an action."""
    strips = [strip for layer in action.layers for strip in layer.strips]
    bags = [bag for strip in strips for bag in strip.channelbags]
    return {(bag.slot_handle, curve.data_path, curve.array_index): curve for bag in bags for curve in bag.fcurves}


@dataclass(frozen=True)
class KeyTable:
    """Keys of many curves, curve after curve.

    Attributes:
        names: The curves.
        counts: Number of keys of each curve, (curves,).
        points: Time in frames and value of each key, its left and its right handle, (keys, 3, 2) float32.
        shapes: `KEY_SHAPES` of each key, (keys, 3) uint8.
        origin: The key of an earlier table that each comes from, (keys,); `NO_KEY` for one that was added.
    """

    names: tuple[Name, ...]
    counts: np.ndarray
    points: np.ndarray
    shapes: np.ndarray
    origin: np.ndarray

    @classmethod
    def read(cls, curves: Curves, shaped: bool = True) -> KeyTable:
        """The keys of these curves, and the shapes of the keys, unless those do not matter."""
        counts = np.array([len(curve.keyframe_points) for curve in curves.values()], dtype=int)
        keys = int(counts.sum())
        places = [np.empty(2 * keys, np.float32) for _ in TIMES]
        shapes = [np.zeros(keys, np.uint8) for _ in KEY_SHAPES]
        begin = 0
        for curve, count in zip(curves.values(), counts.tolist(), strict=True):
            found, end = curve.keyframe_points, begin + count
            for name, into in zip(TIMES, places, strict=True):
                found.foreach_get(name, into[2 * begin : 2 * end])
            for name, shape in zip(KEY_SHAPES, shapes, strict=True) if shaped else ():
                found.foreach_get(name, shape[begin:end])
            begin = end
        points = np.stack([each.reshape(-1, 2) for each in places], axis=1)
        return cls(tuple(curves), counts, points, np.stack(shapes, axis=1), np.arange(keys))

    def write(self, curves: Curves) -> None:
        """Write all keys to these curves; their shapes where the number of keys changes, or where they differ."""
        places = [np.ascontiguousarray(self.points[:, part]).ravel() for part in range(len(TIMES))]
        shapes = [np.ascontiguousarray(self.shapes[:, part]) for part in range(len(KEY_SHAPES))]
        mixed = np.zeros(len(self.counts), dtype=bool)
        mixed[self.curve[(self.shapes != self.shapes[self.begins[self.curve]]).any(axis=1)]] = True
        begin = 0
        for row, (name, count) in enumerate(zip(self.names, self.counts.tolist(), strict=True)):
            keys, end = curves[name].keyframe_points, begin + count
            anew = len(keys) != count
            if anew:
                keys.clear()
                keys.add(count)
            for kind, values in zip(TIMES, places, strict=True):
                keys.foreach_set(kind, values[2 * begin : 2 * end])
            for kind, values in zip(KEY_SHAPES, shapes, strict=True) if anew or mixed[row] else ():
                keys.foreach_set(kind, values[begin:end])
            begin = end

    @cached_property
    def begins(self) -> np.ndarray:
        """The first key of each curve, (curves,)."""
        return np.cumsum(self.counts) - self.counts

    @cached_property
    def curve(self) -> np.ndarray:
        """The curve of each key, (keys,)."""
        return np.repeat(np.arange(len(self.counts)), self.counts)

    @cached_property
    def moving(self) -> np.ndarray:
        """Which curves run smoothly through two keys or more, (curves,) bool."""
        first = self.shapes[np.minimum(self.begins, len(self.shapes) - 1), 0] if len(self.shapes) else self.counts
        return (self.counts > 1) & (first != CONSTANT)

    def of(self, rows: np.ndarray) -> KeyTable:
        """The table of some curves, (n,)."""
        own = self.keys_of(rows)
        names = tuple(self.names[row] for row in rows)
        return KeyTable(names, self.counts[rows], self.points[own], self.shapes[own], self.origin[own])

    def keys_of(self, rows: np.ndarray) -> np.ndarray:
        """The keys of some curves, curve after curve."""
        counts = self.counts[rows]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        return np.repeat(self.begins[rows], counts) + within

    def matches(self, other: KeyTable) -> np.ndarray:
        """Which curves have the same keys as those of another table of the same curves, to the bit, (curves,) bool."""
        alike = self.counts == other.counts
        own, others = self.keys_of(np.flatnonzero(alike)), other.keys_of(np.flatnonzero(alike))
        off = (_bits(self.points[own]) != _bits(other.points[others])).any(axis=(1, 2))
        alike[self.curve[own[off]]] = False
        return alike

    @cached_property
    def slopes(self) -> tuple[np.ndarray, np.ndarray]:
        """Slopes of the handles of each key to its left and to its right, (keys,) float64."""
        points = self.points.astype(float)
        away = points[:, 1:] - points[:, :1]
        run, rise = away[..., 0], away[..., 1]
        found = np.divide(rise, run, out=np.zeros_like(rise), where=np.abs(run) > 1e-9)
        return found[:, 0], found[:, 1]

    def sample(self, times: np.ndarray) -> np.ndarray:
        """Values of all curves at times in frames, (curves, times) float64; beyond its keys a curve stays as it is."""
        if not len(self.counts) or not len(times):
            return np.zeros((len(self.counts), len(times)))
        points = self.points[:, 0].astype(float)
        left, right = self.slopes
        begins, low = self.begins, points[:, 0].min()
        width = max(points[:, 0].max() - low, 0.0) + 1.0
        there = np.clip(times[None], points[begins, 0][:, None], points[begins + self.counts - 1, 0][:, None])
        apart = width * np.arange(len(self.counts))
        place = np.searchsorted(
            points[:, 0] - low + np.repeat(apart, self.counts), there - low + apart[:, None], "right"
        )
        last = np.maximum(self.counts - 2, 0)
        before = np.clip(place - 1, begins[:, None], (begins + last)[:, None])
        after = np.minimum(before + 1, (begins + self.counts - 1)[:, None])
        span = points[after, 0] - points[before, 0]
        share = np.divide(there - points[before, 0], span, out=np.zeros_like(there), where=span > 0)
        start, end = points[before, 1], points[after, 1]
        linear = self.shapes[before, 0] == LINEAR
        slope = [np.where(linear, end - start, span * each) for each in (right[before], left[after])]
        cubic = (
            (1 + 2 * share) * (1 - share) ** 2 * start
            + (3 - 2 * share) * share**2 * end
            + share * (1 - share) ** 2 * slope[0]
            + (share - 1) * share**2 * slope[1]
        )
        return np.where(self.shapes[before, 0] == CONSTANT, np.where(share < 1.0, start, end), cubic)

    def merged(self, stay: np.ndarray, rows: np.ndarray, places: np.ndarray, slopes: np.ndarray) -> KeyTable:
        """The table with fewer keys, and with some added between those that stay.

        Where a key was added or left out, handles go a third of the way to the next key, with the slopes that were.

        Args:
            stay: Which keys stay, (keys,) bool.
            rows: Curves of the added keys, (n,).
            places: Their times and values, (n, 2).
            slopes: Their slopes, (n,).
        """
        left, right = (np.concatenate([each[stay], slopes]) for each in self.slopes)
        curve = np.concatenate([self.curve[stay], rows])
        new = np.repeat(places[:, None], 3, axis=1).astype(np.float32)
        points = np.concatenate([self.points[stay], new])
        shape = np.array([BEZIER, ALIGNED, ALIGNED], np.uint8)
        shapes = np.concatenate([self.shapes[stay], np.tile(shape, (len(rows), 1))])
        origin = np.concatenate([self.origin[stay], np.full(len(rows), NO_KEY)])
        where = np.concatenate([np.flatnonzero(stay), np.full(len(rows), NO_KEY)])
        order = np.lexsort((points[:, 0, 0], curve))
        curve, points, shapes, origin, where = (each[order] for each in (curve, points, shapes, origin, where))
        left, right = left[order], right[order]
        counts = np.bincount(curve, minlength=len(self.counts))
        same = curve[1:] == curve[:-1]
        touched = same & ((where[1:] == NO_KEY) | (where[:-1] == NO_KEY) | (where[1:] != where[:-1] + 1))
        third = np.diff(points[:, 0, 0].astype(float)) / 3.0
        for key, part, sign, slope in ((0, 2, 1.0, right), (1, 1, -1.0, left)):
            own = np.flatnonzero(touched) + key
            reach = sign * third[touched]
            at = points[own, 0].astype(float)
            points[own, part] = np.stack([at[:, 0] + reach, at[:, 1] + reach * slope[own]], axis=1)
        lone = np.flatnonzero(where == NO_KEY)
        for part, sign, slope in ((1, -1.0, left), (2, 1.0, right)):  # outside a curve's keys any handle will do
            bare = lone[points[lone, part, 0] == points[lone, 0, 0]]
            at = points[bare, 0].astype(float)
            points[bare, part] = np.stack([at[:, 0] + sign / 3, at[:, 1] + sign * slope[bare] / 3], axis=1)
        return KeyTable(self.names, counts, points, shapes, origin)

    def with_points(self, points: np.ndarray) -> KeyTable:
        """The table with its keys elsewhere, (keys, 3, 2)."""
        return replace(self, points=points)


def _bits(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
