"""Submarine and camera of the next dive, and the ride of the last, as properties of the scene."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import group

made_by: Any = bpy.props  # by the stubs its functions return nothing


def _unheard(group: Any, context: bpy.types.Context) -> None:
    """Ignore the change: settings of the next dive do not affect what plays now."""


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
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_dive = made_by.PointerProperty(type=ArtfishDive)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_dive
