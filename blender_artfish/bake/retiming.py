"""A baked fish that does what it does earlier or later, faster or slower; its keys as baked stay beside, and come back.

All its keys go together: of place and bones, shape keys, control points, presence and custom properties. Handles move
with their keys, so the same curves are run through at another pace. What anybody has changed of the values of keys
stays; keys that were added or moved by hand are taken along.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import bpy
import numpy as np

from .handling import own_action
from .whole_fish import RETIMED, WholeFish

AS_BAKED = "artfish_as_baked"
"""On an action that was retimed: a copy of it from before."""
SLOWEST, FASTEST = 0.01, 100.0
"""Limits of speed."""
TIMES = ("co", "handle_left", "handle_right")


@dataclass(frozen=True)
class Timing:
    """When a fish does what it does.

    Attributes:
        frames: How many frames later than baked.
        speed: How many times as fast.
        first: Frame from which speed counts: the first of the film.
    """

    frames: float = 0.0
    speed: float = 1.0
    first: float = 1.0

    @property
    def as_baked(self) -> bool:
        """Whether nothing is changed."""
        return self.frames == 0.0 and self.speed == 1.0

    def apply(self, times: np.ndarray) -> np.ndarray:
        """Times of keys, as baked, as they are then."""
        if self.as_baked:
            return times
        return ((times.astype(float) - self.first) / self.speed + self.first + self.frames).astype(np.float32)

    def undo(self, times: np.ndarray) -> np.ndarray:
        """The other way round, to rounding."""
        if self.as_baked:
            return times
        return ((times.astype(float) - self.first - self.frames) * self.speed + self.first).astype(np.float32)


def timing_of(action: bpy.types.Action | None) -> Timing:
    """How far an action is from what was baked."""
    said = None if action is None else action.get(RETIMED)
    try:
        frames, speed, first = (float(number) for number in said)
    except (TypeError, ValueError):
        return Timing()
    return Timing(frames, min(max(speed, SLOWEST), FASTEST), first)


def retime(fish: WholeFish, frames: float = 0.0, speed: float = 1.0) -> None:
    """Have a fish do all it does later, and faster.

    Both are counted from what was baked, whatever was set before: 0 and 1 give the bake's keys back, bit by bit.

    Args:
        fish: The fish; if it shares its keys with others, it has its own from then on.
        frames: How many frames later; earlier if negative.
        speed: How many times as fast, counted from the first frame of the film.
    """
    speed = min(max(speed, SLOWEST), FASTEST)
    action = own_action(fish)
    now = timing_of(action)
    if action is None or (now.frames, now.speed) == (frames, speed):
        return
    plain = action.get(AS_BAKED)
    if not isinstance(plain, bpy.types.Action):
        plain = action.copy()
        plain.name = f"{action.name} as baked"
        now = Timing(first=float(ceil(action.curve_frame_range[0])))
    new = Timing(frames, speed, now.first)
    known = {(slot, curve.data_path, curve.array_index): curve for slot, curve in _curves(plain)}
    for slot, curve in _curves(action):
        _shift(curve, known.get((slot, curve.data_path, curve.array_index)), now, new)
    if new.as_baked:
        for mark in (RETIMED, AS_BAKED):
            if mark in action.keys():  # noqa: SIM118
                del action[mark]
        if plain.users == 0:
            bpy.data.actions.remove(plain)
    else:
        action[RETIMED], action[AS_BAKED] = [new.frames, new.speed, new.first], plain
    for each in fish.animated:
        each.update_tag()
    action.update_tag()


def _curves(action: bpy.types.Action) -> list[tuple[int, bpy.types.FCurve]]:
    """All F-curves of an action, with the handles of their slots."""
    strips = [strip for layer in action.layers for strip in layer.strips]
    return [(bag.slot_handle, curve) for strip in strips for bag in strip.channelbags for curve in bag.fcurves]


def _shift(curve: bpy.types.FCurve, plain: bpy.types.FCurve | None, now: Timing, new: Timing) -> None:
    """Move the keys of an F-curve from one timing to another, by those as baked where nobody has moved them."""
    points = curve.keyframe_points
    same = plain is not None and len(plain.keyframe_points) == len(points)
    for name in TIMES:
        here = _pairs(points, name)
        baked = now.undo(here[:, 0])
        if plain is not None and same:
            kept = _pairs(plain.keyframe_points, name)[:, 0]
            baked = np.where(now.apply(kept) == here[:, 0], kept, baked)
        here[:, 0] = new.apply(baked)
        points.foreach_set(name, here.ravel())


def _pairs(points: bpy.types.FCurveKeyframePoints, name: str) -> np.ndarray:
    found = np.empty(2 * len(points), np.float32)
    points.foreach_get(name, found)
    return found.reshape(-1, 2)
