"""Times of events: seconds of the film, frames of the scene, and the property that holds an object's time.

Registering this loads no simulation.
"""

from __future__ import annotations

from typing import Any

import bpy

from .precision import short

FIRST = 1
"""Property of a scene: the frame that shows frame 0 of a recording."""


class Clock:
    """Conversion between seconds of the film and frames of the scene."""

    def __init__(self, fps: float, first: int) -> None:
        """A film at this frame rate that begins at a frame."""
        self.fps, self.first = fps, first

    def seconds(self, frame: float) -> float:
        """Seconds of the film at a frame of the scene."""
        return short((frame - self.first) / self.fps)

    def frame(self, seconds: float) -> float:
        """Frame of the scene at seconds of the film."""
        return self.first + seconds * self.fps


def film(scene: bpy.types.Scene) -> tuple[int, int]:
    """The first and the last frame of the film, for live play and bakes."""
    bake = scene.artfish.bake
    return (bake.first, bake.last) if bake.own_range else (scene.frame_start, scene.frame_end)


def set_rate(scene: bpy.types.Scene, fps: float) -> None:
    """Gives a scene so many frames a second."""
    scene.render.fps = max(1, round(fps))
    scene.render.fps_base = scene.render.fps / fps


def clock(scene: bpy.types.Scene) -> Clock:
    """The clock of the film."""
    return Clock(scene.render.fps / scene.render.fps_base, film(scene)[0])


def timed(obj: bpy.types.Object) -> tuple[Any, str] | None:
    """The group and the name of an object's time property; None if it has none."""
    role = obj.artfish
    if role.kind == "SHOAL":
        return role.shoal, "enters"
    if role.kind == "HOOK":
        return role.hook, "start"
    if role.kind == "EVENT":
        return getattr(role, role.event), "time"
    if role.kind == "DIRECTION" and role.direction.kind == "curve":
        return role.curve, "start"
    if role.kind == "DIRECTION" and role.direction.kind == "arrival":
        return role.arrival, "time"
    return None
