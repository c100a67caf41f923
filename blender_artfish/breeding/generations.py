"""Settings of lives that pass in the water: births, growth and deaths, kept with the scene's other numbers."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import group
from ..blender.handlers import notify

made_by: Any = bpy.props  # by the stubs its functions return nothing

ArtfishGenerations = group(
    "ArtfishGenerations",
    "Breeding",
    "Fishes that are born of those that spawn, grow, and die.",
    more={
        "on": made_by.BoolProperty(
            name="Generations",
            description="Eggs of those that spawn hatch, the young grow, and all die of hunger, of age or of teeth",
            update=notify,
        ),
    },
)

CLASSES = (ArtfishGenerations,)
