"""A baked fish's motion earlier or later, faster or slower, held at a frame, or moved at one: edits of its list."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
from mathutils import Vector

from ...core.base.codec import SceneError
from ..blender.words import translated
from . import editing, edits
from .edits import FishEdit
from .timing import FASTEST, LEAST_HOLD, SLOWEST
from .whole_fish import WholeFish


def retime(fish: WholeFish, frames: float = 0.0, speed: float = 1.0) -> None:
    """Delay a fish's motion and change its speed.

    Both are counted from what was baked, whatever was set before: 0 and 1 give the bake's keys back, bit by bit.

    Args:
        fish: The fish; keys it shares with others become its own.
        frames: Delay in frames; earlier if negative.
        speed: Speed factor, counted from the first frame of the film.
    """
    speed = min(max(speed, SLOWEST), FASTEST)
    edits.drop(fish.root, "retimed")
    if frames == 0.0 and speed == 1.0:
        editing.apply_keys(fish)
    else:
        editing.put(fish, bpy.context.scene, FishEdit("retimed", {"frames": frames, "speed": speed}))


def hold(fish: WholeFish, frame: float, frames: float) -> None:
    """Stop a fish at a frame; its tail goes on beating, and all that it does later is late by these frames.

    Args:
        fish: The fish; keys it shares with others become its own.
        frame: Frame of the film at which it stops.
        frames: How long it stops, frames.

    Raises:
        SceneError: It does not move at that frame, or the stop is too short.
    """
    _refuse_still(fish, frame)
    if frames < LEAST_HOLD:
        raise SceneError(
            translated("{name} held for {frames:g} frames", name=fish.root.name, frames=frames),
            translated("{least_hold} or more", least_hold=LEAST_HOLD),
            key="frames",
        )
    moment = _moment(fish, frame)
    editing.put(fish, bpy.context.scene, FishEdit("held", {"moment": moment, "frames": float(frames)}))


def nudge(fish: WholeFish, frame: float, move: Sequence[float], falloff: float) -> None:
    """Move a fish's path at a frame, and less and less before and after it.

    Args:
        fish: The fish; keys it shares with others become its own.
        frame: Frame of the film at which the fish is moved as far as this.
        move: How far, along the axes of the scene and in its units.
        falloff: Frames before and after at which its path is what it was.

    Raises:
        SceneError: It does not move at that frame, or there is nothing to move.
    """
    _refuse_still(fish, frame)
    if not any(move) or falloff < 1:
        found = (
            translated("no distance")
            if not any(move)
            else translated("a falloff of {falloff:g} frames", falloff=falloff)
        )
        raise SceneError(
            translated("{name} with {found}", name=fish.root.name, found=found),
            "some distance, and a falloff of 1 frame or more",
        )
    course = editing.course_of(fish)
    way = editing.into_water(fish) @ Vector(move)
    values = {"moment": _moment(fish, frame), "falloff": falloff * course.timing.speed, "move": [way.x, way.y, way.z]}
    editing.put(fish, bpy.context.scene, FishEdit("nudged", values))


def _moment(fish: WholeFish, frame: float) -> float:
    """The moment of a fish's motion as baked that a frame of the film shows."""
    return editing.course_of(fish).baked_at(frame)


def _refuse_still(fish: WholeFish, frame: float) -> None:
    """Refuse a frame at which a fish does not move.

    Raises:
        SceneError: It does not.
    """
    if fish.action is None:
        raise SceneError(translated("{name} without keys", name=fish.root.name), "a fish as bakes make them")
    first, last = editing.span(fish)
    if not first <= frame <= last:
        raise SceneError(
            translated("frame {frame:g}", frame=frame),
            translated("{first} to {last}, in which {name} moves", first=first, last=last, name=fish.root.name),
            key="frame",
        )
