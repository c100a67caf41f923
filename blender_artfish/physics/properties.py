"""Settings of the simulation.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender.declarations import group
from ..blender.handlers import notify

made_by: Any = bpy.props  # by the stubs its functions return nothing

ArtfishWater = group(
    "ArtfishWater", "Scene", "How it is simulated.", only=("name", "preroll", "substeps", "fluid_viscosity")
)

ArtfishDetail = group(
    "ArtfishDetail",
    "Detail",
    "Who has a body of masses and springs, and who repeats what such a body did.",
    only=("dynamic", "near", "follow_camera"),
    more={
        "on": made_by.BoolProperty(
            name="Levels of Detail",
            description="Only the fishes near the camera have bodies of masses and springs, so that there may be many",
            update=notify,
        ),
        "by_camera": made_by.PointerProperty(
            type=bpy.types.Object,
            name="Camera",
            description="By whose picture fishes are near or out of sight; if none, the film's, or else the scene's",
            poll=lambda self, obj: obj.type == "CAMERA",
            update=notify,
        ),
        "shots": made_by.StringProperty(
            name="Camera", description="Keys of a camera by which levels go, as JSON", options={"HIDDEN"}
        ),
    },
)

CLASSES = (ArtfishWater, ArtfishDetail)
