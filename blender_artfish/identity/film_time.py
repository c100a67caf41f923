"""When things happen: seconds of the film, frames of the scene, and which number of an object is its time.

Registering this loads no simulation.
"""

from __future__ import annotations

from typing import Any

import bpy

from .precision import short


class Clock:
    """Seconds of the film and frames of the scene."""

    def __init__(self, fps: float, first: int) -> None:
        """A film of so many frames a second that begins at a frame."""
        self.fps, self.first = fps, first

    def seconds(self, frame: float) -> float:
        """Of the film at a frame of the scene."""
        return short((frame - self.first) / self.fps)

    def frame(self, seconds: float) -> float:
        """Of the scene, so many seconds into the film."""
        return self.first + seconds * self.fps


def film(scene: bpy.types.Scene) -> tuple[int, int]:
    """The first and the last frame of the film that is played live and baked."""
    asked = scene.artfish.bake
    return (asked.first, asked.last) if asked.own_range else (scene.frame_start, scene.frame_end)


def clock(scene: bpy.types.Scene) -> Clock:
    """That of the film."""
    return Clock(scene.render.fps / scene.render.fps_base, film(scene)[0])


def timed(thing: bpy.types.Object) -> tuple[Any, str] | None:
    """The group and the name of an object's time; None where it has none."""
    held = thing.artfish
    if held.kind == "SHOAL":
        return held.shoal, "enters"
    if held.kind == "HOOK":
        return held.hook, "start"
    if held.kind == "EVENT":
        return getattr(held, held.event), "time"
    if held.kind == "DIRECTION" and held.direction.kind == "curve":
        return held.curve, "start"
    return None
