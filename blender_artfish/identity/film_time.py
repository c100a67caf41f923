"""When things happen: seconds of the film, frames of the scene, and which number of an object is its time.

Registering this loads no simulation.
"""

from __future__ import annotations

from typing import Any

import bpy

from .precision import short

FIRST = 1
"""Frame of a scene that shows frame 0 of a recording."""


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
    bake = scene.artfish.bake
    return (bake.first, bake.last) if bake.own_range else (scene.frame_start, scene.frame_end)


def clock(scene: bpy.types.Scene) -> Clock:
    """That of the film."""
    return Clock(scene.render.fps / scene.render.fps_base, film(scene)[0])


def timed(obj: bpy.types.Object) -> tuple[Any, str] | None:
    """The group and the name of an object's time; None where it has none."""
    role = obj.artfish
    if role.kind == "SHOAL":
        return role.shoal, "enters"
    if role.kind == "HOOK":
        return role.hook, "start"
    if role.kind == "EVENT":
        return getattr(role, role.event), "time"
    if role.kind == "DIRECTION" and role.direction.kind == "curve":
        return role.curve, "start"
    return None
