"""Levels of detail: dynamic fishes, replicas, and fishes of which no more than a frame is kept (Yu, §5.3, 7.1, 9.1).

A fish that is busy (it hunts, is hunted, courts, touches, is directed or steered by hand) is dynamic, and so is one
that a camera sees large enough, within the animator's budget: the busy first, then the largest in the picture. A
dynamic fish counts as larger, so that none changes to and fro. A fish out of every picture is a frame only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..base.elementary import interpolated
from ..base.state import Stateful, state
from ..base.vectors import cross, dot, norm, unit
from ..scene.detail import Shot
from .tuning import FILM_WIDTH_MM, LEAST_LEVEL_SECONDS, LEVEL_STICKINESS, PICTURE_ASPECT, UNSEEN_LENGTHS

DYNAMIC, REPLICA, FRAME_ONLY = 0, 1, 2
"""The levels."""
PANORAMA_RADIANS = 1.0
"""Height of a panorama, over which the size of fishes in it is."""


class CameraView(NamedTuple):
    """The view of a camera at a moment.

    Attributes:
        at: Place in metres, (3,).
        look_at: Point in the middle of the picture, (3,).
        lens: Focal length in mm on a sensor 36 mm wide; 0 of a panorama, which sees all around.
    """

    at: tuple[float, ...]
    look_at: tuple[float, ...]
    lens: float


def shot_at(shots: Sequence[Shot], time: float) -> CameraView:
    """The view of a camera at a time, by keys of rising times: in a straight line between two of them."""
    times = np.array([shot.time for shot in shots])

    def now(values: Sequence[float]) -> float:
        return float(interpolated(time, times, np.array(values))) if len(shots) > 1 else float(values[0])

    at, look_at = (
        tuple(now([getattr(shot, name)[axis] for shot in shots]) for axis in range(3)) for name in ("at", "look_at")
    )
    return CameraView(at, look_at, now([shot.lens for shot in shots]))


def seen(shot: CameraView | Shot, place: np.ndarray, length: np.ndarray) -> np.ndarray:
    """The size of fishes in the picture: their length over its height, (fish,); 0 for those out of it.

    A fish is taken for its place, so the picture is larger by a length all round (§7.1).

    Args:
        shot: The picture.
        place: Places of the fishes in metres, (fish, 3).
        length: Theirs in metres, (fish,).
    """
    if shot.lens == 0.0:
        return length / np.maximum(norm(place - np.array(shot.at)), UNSEEN_LENGTHS * length) / PANORAMA_RADIANS
    ahead = unit(np.array(shot.look_at) - np.array(shot.at))
    level = np.array((-ahead[1], ahead[0], 0.0))
    left = unit(level) if norm(level) > 0.0 else np.array((0.0, 1.0, 0.0))  # straight down there is a left, too
    up = cross(ahead, left)
    way = place - np.array(shot.at)
    deep, across, high = (dot(way, axis) for axis in (ahead, left, up))
    wide = 0.5 * FILM_WIDTH_MM / shot.lens
    margin = UNSEEN_LENGTHS * length
    inside = (deep > -margin) & (np.abs(across) < wide * np.maximum(deep, 0.0) + margin)
    inside &= np.abs(high) < wide / PICTURE_ASPECT * np.maximum(deep, 0.0) + margin
    size = length / (2.0 * wide / PICTURE_ASPECT * np.maximum(deep, margin))
    return np.where(inside, size, 0.0)


class Levels(Stateful):
    """The level of each fish.

    Attributes:
        level: `DYNAMIC`, `REPLICA` or `FRAME_ONLY`, (fish,) int8. One array for good, which others may keep.
    """

    level: np.ndarray = state("i1", "fish", low=DYNAMIC, high=FRAME_ONLY, begin=REPLICA)
    _since: np.ndarray = state("f8", "fish", unit="s", begin=LEAST_LEVEL_SECONDS)

    def __init__(self, fishes: int, dynamic: int, near: float):
        """Begins with replicas only.

        Args:
            fishes: Number of fishes.
            dynamic: The most that are dynamic at once.
            near: A fish's length over the picture's height, from which on it is dynamic.
        """
        self._dynamic, self._near = dynamic, near
        self._fill(fish=fishes)

    def choose(
        self,
        size: np.ndarray,
        busy: np.ndarray,
        there: np.ndarray,
        seconds: float,
        touched: np.ndarray | bool = False,
    ) -> np.ndarray:
        """Gives every fish its level for a frame.

        Args:
            size: Size of each in the picture that shows it largest, (fish,); 0 out of all.
            busy: Fishes that must be dynamic, (fish,) bool.
            there: Fishes that are there, (fish,) bool; others cost nothing.
            seconds: Since the last call.
            touched: Fishes that should be, if there is room: a touch is short, and puts nobody out who has just come
                in.

        Returns:
            Fishes that change to or from dynamic, (fish,) bool.
        """
        self._since += seconds
        was = self.level == DYNAMIC
        counted = np.where(was, LEVEL_STICKINESS * size, size)
        stays = was & (self._since < LEAST_LEVEL_SECONDS)
        rank = np.where(busy, 3.0, np.where(stays, 2.0, np.where(touched, 1.0, 0.0)))
        able = there & (
            busy
            | stays
            | touched
            | (counted >= self._near) & ((size > 0.0) & (was | (self._since >= LEAST_LEVEL_SECONDS)))
        )
        rows = np.flatnonzero(able)
        order = np.lexsort((rows, -counted[rows], -rank[rows]))
        dynamic = np.zeros(len(size), dtype=bool)
        dynamic[rows[order[: self._dynamic]]] = True
        changed = dynamic != was
        self._since[changed] = 0.0
        self.level[:] = np.where(dynamic, DYNAMIC, np.where(size > 0.0, REPLICA, FRAME_ONLY))
        return changed
