"""Times that are kept: what directions ask of their fishes, what these can do, and making the two fit.

Nothing is simulated for it; the paces of a species are measured once, in half a second.
"""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING, Any

import bpy
from mathutils import Vector

from ..identity.film_time import clock
from ..identity.precision import short
from ..identity.roles import objects_of
from ..identity.units import metres

if TYPE_CHECKING:
    from ...core.studio.checking import TimedDirection

SPARE = 0.98
"""Share of what is just possible that a fit asks for."""


def is_timed(obj: bpy.types.Object) -> bool:
    """True if a direction says when, or how fast."""
    role = obj.artfish
    if role.kind != "DIRECTION":
        return False
    kind = role.direction.kind
    if kind == "curve":
        return role.curve.use_duration or role.curve.use_speed
    return (
        kind == "arrival"
        or (kind == "target" and role.target.use_speed)
        or (kind == "leader" and role.follow.use_speed)
        or (kind == "ball" and role.school.use_speed)
    )


def demands(scene: bpy.types.Scene) -> list[tuple[bpy.types.Object, TimedDirection]]:
    """The demands of each timed direction of a scene on each shoal; nothing where the scene cannot be read."""
    if not any(is_timed(obj) for obj in objects_of(scene, "DIRECTION")):
        return []
    from ...core.base.codec import SceneError
    from ...core.studio.checking import timed_directions
    from ..scene.reader import schedule

    with suppress(SceneError, ValueError, KeyError):  # its reader reports those
        made, models, objects = schedule(scene)
        return [(objects[one.row], one) for one in timed_directions(made, models)]
    return []


def demand(scene: bpy.types.Scene, obj: bpy.types.Object) -> TimedDirection | None:
    """The hardest of the demands of a direction; None where it is not timed."""
    found = [one for owner, one in demands(scene) if owner == obj]
    return min(found, key=lambda one: (one.feasible, one.possible / max(one.needed, 1e-9)), default=None)


def fit_time(scene: bpy.types.Scene, obj: bpy.types.Object, asks: TimedDirection) -> None:
    """Gives a direction the time that its way takes, on a frame, or the speed that is possible."""
    role, time = obj.artfish, clock(scene)
    if role.direction.kind == "arrival":
        begins = role.arrival.time - asks.seconds
        role.arrival.time = time.seconds(ceil(time.frame(begins + asks.fit_seconds / SPARE) - 1e-6))
    elif role.direction.kind == "curve" and role.curve.use_duration:
        slow = asks.needed < asks.paces.least
        seconds = asks.fit_seconds * (SPARE if slow else 1.0 / SPARE)
        role.curve.duration = short(max(ceil(seconds * time.fps - 1e-6), 1) / time.fps)
    else:
        group: Any = {"curve": role.curve, "target": role.target, "leader": role.follow}.get(
            role.direction.kind, role.school
        )
        group.speed = short(SPARE * asks.fit_metres / max(asks.seconds, 1e-9))


def fit_length(scene: bpy.types.Scene, obj: bpy.types.Object, asks: TimedDirection, low: Vector) -> None:
    """Scales a curve about its first point, or moves a place nearer, until the way can be made in time.

    Args:
        scene: The scene.
        obj: The direction.
        asks: Its demands.
        low: Corner of the tank, metres.
    """
    share = asks.fit_metres / asks.metres
    share = share / SPARE if share > 1.0 else share * SPARE
    begin = (low + Vector(asks.begin)) / metres(scene)
    matrix = obj.matrix_world.copy()
    matrix.translation = begin + share * (matrix.translation - begin)
    obj.matrix_world = matrix
    if obj.artfish.direction.kind == "curve":
        obj.scale = share * obj.scale
