"""What submarine and camera the next dive has, and the ride of the last one, as properties of the scene."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import group

made_by: Any = bpy.props  # whose functions return nothing, say the stubs


def _unheard(group: Any, context: bpy.types.Context) -> None:
    """What the next dive has changes nothing of what plays now."""


ArtfishRideCamera = group("ArtfishRideCamera", "RideCamera", "The camera of the next dive.", update=_unheard)
ArtfishDive = group(
    "ArtfishDive",
    "Ride",
    "The submarine of the next dive.",
    only=("presence", "length", "speed", "thrust", "turn_rate"),
    more={
        "camera": made_by.PointerProperty(type=ArtfishRideCamera),
        "ride": made_by.StringProperty(name="Ride", description="The last dive, as JSON", options={"HIDDEN"}),
    },
    update=_unheard,
)

CLASSES = (ArtfishRideCamera, ArtfishDive)


def register() -> None:
    """The settings of each scene."""
    bpy.types.Scene.artfish_dive = made_by.PointerProperty(type=ArtfishDive)


def unregister() -> None:
    """Takes them away again; what was saved stays in the file."""
    del bpy.types.Scene.artfish_dive
