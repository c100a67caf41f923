"""The ride of a Blender scene: the last dive, which its fishes live through, as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import bpy


def ride_of(scene: bpy.types.Scene) -> dict[str, Any] | None:
    """The ride as in a scene file; None without one.

    Raises:
        SceneError: The property has been overwritten.
    """
    from ...core.base.codec import parse

    text = scene.artfish_dive.ride
    return parse(text, "ride") if text else None


def keep_ride(scene: bpy.types.Scene, ride: Mapping[str, Any] | None) -> None:
    """Makes this the ride of a scene, or removes it."""
    text = "" if ride is None else json.dumps(ride)
    if scene.artfish_dive.ride != text:
        scene.artfish_dive.ride = text
