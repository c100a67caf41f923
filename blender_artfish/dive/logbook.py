"""A dive in progress: its beginning, its orders, and in the end an ordinary keyed camera.

The submarine is put into the live world by one act, and obeys further ones; the orders are kept as the
scene's ride, so that the fishes of a bake meet it again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import bpy
from mathutils import Vector

from ...core.base.codec import Place, decode, encode
from ...core.scene.ride import HelmOrder, Ride
from ..blender.declarations import json_of
from ..blender.words import translated
from ..identity.units import metres
from ..live.session import Session
from ..stage.ride import RIDE_CAMERA, add_ride_camera, film_with, ways_of
from .rides import keep_ride

OFFING_LENGTHS = 0.8
"""Distance from a wall at which a dive begins, in lengths of the submarine."""
OFFING_SHARE = 0.15
"""Distance from the tank's wall at which a dive begins by default, over the tank's length."""


class Logbook:
    """One dive in a scene.

    Attributes:
        ride: The submarine, with the orders so far.
        begin: Frame of the recording at which it began.
    """

    def __init__(self, scene: bpy.types.Scene, session: Session, ride: Ride) -> None:
        """Puts the submarine into the water at the current frame.

        Raises:
            ValueError: There is no frame yet, or the water refuses.
        """
        self.begin, self.ride = session.here(scene), ride
        session.do(scene, lambda world: world.retune(ride=ride), final=False)
        session.adopt(ride, going=True)

    def order(self, scene: bpy.types.Scene, session: Session, maneuver: str, amount: float) -> None:
        """Gives an order at the current frame.

        Raises:
            ValueError: The submarine is not there.
        """
        given = HelmOrder(time=session.here(scene) / session.world.scene.fps, order=maneuver, amount=amount)
        session.do(scene, lambda world: world.order(maneuver, amount), final=False)
        self.ride = replace(self.ride, orders=(*self.ride.orders, given))

    def close(self, scene: bpy.types.Scene, session: Session) -> bpy.types.Object:
        """Ends the dive at the current frame, as one undo step; returns its camera, now the scene's."""
        session.take_up(scene, float("inf"))  # what is being read still has the former ride
        last = session.here(scene)
        ride = replace(self.ride, end=last / session.world.scene.fps)
        session.do(scene, lambda world: world.retune(ride=ride), final=False)
        session.adopt(ride, going=False)
        session.note(scene)
        keep_ride(scene, encode(ride))
        poses = session.recording().submarine[self.begin : last + 1]
        for former in scene.objects:
            if former.get(RIDE_CAMERA):
                del former[RIDE_CAMERA]
        first = session.first + self.begin
        camera = add_ride_camera(scene.collection, ride, poses, first, session.origin[:], metres(scene))
        camera[RIDE_CAMERA] = True
        film_with(scene, camera, ride.camera)
        return camera

    def drop(self, session: Session) -> None:
        """Takes the submarine out without a trace of the dive, but for its effect on the fishes."""
        session.adopt(self.ride, going=False)
        session.change()


def ride_from(settings: Any, begin: dict[str, Any], orders: Sequence[Any] = ()) -> Ride:
    """The ride from a panel's settings, its beginning and its orders, as JSON has them.

    Raises:
        SceneError: A value is invalid.
    """
    data = json_of(settings) | {"camera": json_of(settings.camera), "orders": list(orders)} | begin
    return decode(Ride, data, Place("dive"))


def berth(session: Session, length: float, at: Vector | None = None, ahead: Vector | None = None) -> dict[str, Any]:
    """Beginning of a submarine's dive as JSON, given a place in metres and a heading in Blender."""
    size = Vector(session.world.scene.tank.size)
    place = Vector((OFFING_SHARE * size.x, 0.5 * size.y, 0.5 * size.z)) if at is None else at - session.origin
    way = Vector((1.0, 0.0, 0.0)) if ahead is None else Vector((ahead.x, ahead.y, 0.0))
    if way.length < 1e-6:
        way = Vector((1.0, 0.0, 0.0))
    keep = [min(OFFING_LENGTHS * length, 0.4 * across) for across in size[:]]
    inside = [min(max(x, low), across - low) for x, low, across in zip(place[:], keep, size[:], strict=True)]
    fps, frame = session.world.scene.fps, max(session.shown, 0)
    return {"at": [round(x, 4) for x in inside], "heading": [*way.normalized()[:]], "start": frame / fps}


def view_of(session: Session, ride: Ride, frame: int, unit: float) -> tuple[Vector, tuple[float, float, float]]:
    """Position in scene units, and Euler angles, of the camera at a frame of the recording."""
    ways = ways_of(session.filled[frame]["submarine"][None], ride)[:, 0].tolist()
    return (Vector(ways[:3]) + session.origin) / unit, (ways[3], ways[4], ways[5])


def readings(session: Session, said: str) -> str:
    """Speed, depth, heading and order of a submarine, in a line."""
    vessel = session.world.submarine
    if vessel is None:
        return said
    depth = session.world.scene.tank.size[2] - float(vessel.place[2])
    heading = round(90.0 - math.degrees(vessel.azimuth)) % 360
    return translated(
        "{speed:+.2f} m/s   depth {depth:.2f} m   heading {heading:03d}°   {order}",
        speed=vessel.speed,
        depth=depth,
        heading=heading,
        order=translated(said),
    )
