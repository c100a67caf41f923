"""A baked fish's motion earlier or later, faster or slower; its keys as baked are kept beside, and come back.

All its keys go together: of place and bones, shape keys, control points, presence and custom properties. Handles move
with their keys, so the same curves are run through at another pace, and the property that says how fast the fish swims
goes with it. Values of keys changed by hand stay; keys that were added or moved by hand are taken
along.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import bpy
import numpy as np

from .cache_files import key_moment
from .handling import own_actions
from .whole_fish import RETIMED, WholeFish

AS_BAKED = "artfish_as_baked"
"""Property of a retimed action: a copy of the action from before."""
SLOWEST, FASTEST = 0.01, 100.0
"""Limits of the speed factor."""
TIMES = ("co", "handle_left", "handle_right")
PACE = '["speed"]'
"""Data path of values that are a speed."""


@dataclass(frozen=True)
class Timing:
    """The timing of a fish's motion.

    Attributes:
        frames: Delay after the bake's timing, frames.
        speed: Speed factor.
        first: Frame from which speed counts: the first of the film.
    """

    frames: float = 0.0
    speed: float = 1.0
    first: float = 1.0

    @property
    def as_baked(self) -> bool:
        """True if the timing is the bake's."""
        return self.frames == 0.0 and self.speed == 1.0

    def apply(self, times: np.ndarray) -> np.ndarray:
        """Times of keys after retiming, from those as baked."""
        if self.as_baked:
            return times
        return ((times.astype(float) - self.first) / self.speed + self.first + self.frames).astype(np.float32)

    def undo(self, times: np.ndarray) -> np.ndarray:
        """Times of keys as baked, from retimed ones; exact to rounding."""
        if self.as_baked:
            return times
        return ((times.astype(float) - self.first - self.frames) * self.speed + self.first).astype(np.float32)


def timing_of(action: bpy.types.Action | None) -> Timing:
    """The timing of an action relative to its bake."""
    said = None if action is None else action.get(RETIMED)
    try:
        frames, speed, first = (float(number) for number in said)
    except (TypeError, ValueError):
        return Timing()
    return Timing(frames, min(max(speed, SLOWEST), FASTEST), first)


def retime(fish: WholeFish, frames: float = 0.0, speed: float = 1.0) -> None:
    """Delay a fish's motion and change its speed.

    Both are counted from what was baked, whatever was set before: 0 and 1 give the bake's keys back, bit by bit.

    Args:
        fish: The fish; keys it shares with others become its own.
        frames: Delay in frames; earlier if negative.
        speed: Speed factor, counted from the first frame of the film.
    """
    speed = min(max(speed, SLOWEST), FASTEST)
    own_actions(fish)
    if fish.action is None:
        return
    span = fish.action.curve_frame_range
    first = float(ceil(span[0]))
    for obj in fish.body:
        key_moment(obj, fish.action, first, span[1])
    for action, moved in fish.animated.items():
        _retime(action, frames, speed, first)
        for each in moved:
            each.update_tag()


def _retime(action: bpy.types.Action, frames: float, speed: float, first: float) -> None:
    """Retime an action; `first` is used if it is as baked."""
    now = timing_of(action)
    if (now.frames, now.speed) == (frames, speed):
        return
    plain = action.get(AS_BAKED)
    if not isinstance(plain, bpy.types.Action):
        plain = action.copy()
        plain.name = f"{action.name} as baked"
        now = Timing(first=first)
    new = Timing(frames, speed, now.first)
    _shift(_curves(action), _curves(plain), now, new)
    if new.as_baked:
        for mark in (RETIMED, AS_BAKED):
            if mark in action.keys():  # noqa: SIM118
                del action[mark]
        if plain.users == 0:
            bpy.data.actions.remove(plain)
    else:
        action[RETIMED], action[AS_BAKED] = [new.frames, new.speed, new.first], plain
    action.update_tag()


Curves = dict[tuple[int, str, int], bpy.types.FCurve]
"""F-curves by slot, path and index."""


def _curves(action: bpy.types.Action) -> Curves:
    """All F-curves of an action."""
    strips = [strip for layer in action.layers for strip in layer.strips]
    bags = [bag for strip in strips for bag in strip.channelbags]
    return {(bag.slot_handle, curve.data_path, curve.array_index): curve for bag in bags for curve in bag.fcurves}


def _shift(curves: Curves, plain: Curves, now: Timing, new: Timing) -> None:
    """Move the keys of F-curves from one timing to another, from the baked keys where nobody has moved them."""
    points = [curve.keyframe_points for curve in curves.values()]
    baked = [plain[name].keyframe_points if name in plain else None for name in curves]
    alike = [
        own if own is not None and len(own) == len(keys) else keys for own, keys in zip(baked, points, strict=True)
    ]
    fast = np.repeat([path == PACE for _, path, _ in curves], [len(keys) for keys in points])
    for name in TIMES:
        here, kept = _pairs(points, name), _pairs(alike, name)
        as_baked = np.where(now.apply(kept[:, 0]) == here[:, 0], kept[:, 0], now.undo(here[:, 0]))
        here[:, 0] = new.apply(as_baked)
        was, pace = here[fast, 1], np.float32(now.speed)
        here[fast, 1] = np.where(kept[fast, 1] * pace == was, kept[fast, 1], was / pace) * np.float32(new.speed)
        begin, flat = 0, here.ravel()
        for keys in points:
            end = begin + 2 * len(keys)
            keys.foreach_set(name, flat[begin:end])
            begin = end


def _pairs(points: Sequence[bpy.types.FCurveKeyframePoints], name: str) -> np.ndarray:
    """Times and values of keys, or of their handles, curve after curve, (keys, 2)."""
    found = np.empty(2 * sum(map(len, points)), np.float32)
    begin = 0
    for keys in points:
        end = begin + 2 * len(keys)
        keys.foreach_get(name, found[begin:end])
        begin = end
    return found.reshape(-1, 2)
