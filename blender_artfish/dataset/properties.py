"""Settings of the data set that is made of an open scene, kept with the scene."""

from __future__ import annotations

from typing import Any

import bpy

made_by: Any = bpy.props  # by the stubs its functions return nothing
CAMERA_ITEMS = (
    ("SCENE", "Scene Camera", "The camera of the scene, with its cuts"),
    ("SELECTED", "Selected Cameras", "All cameras that are selected"),
    ("ALL", "All Cameras", "All cameras of the scene"),
)
MOST_STEP, MOST_PIXEL_SAMPLES, FARTHEST_FRAME = 10_000, 65_536, 1_048_574


class ArtfishDataset(bpy.types.PropertyGroup):
    """Which pictures of the film are labelled, and how."""

    folder: made_by.StringProperty(
        name="Folder",
        description="A new folder for the data set, or one that was begun",
        default="//dataset",
        subtype="DIR_PATH",
        options={"ANIMATABLE", "PATH_SUPPORTS_BLEND_RELATIVE"},
    )
    own_range: made_by.BoolProperty(
        name="Own Range", description="Label these frames; else those of the scene", default=False
    )
    first: made_by.IntProperty(
        name="From", description="First frame that is labelled", default=1, min=-FARTHEST_FRAME, max=FARTHEST_FRAME
    )
    last: made_by.IntProperty(
        name="To", description="Last frame that may be labelled", default=120, min=-FARTHEST_FRAME, max=FARTHEST_FRAME
    )
    every: made_by.IntProperty(
        name="Every", description="Frames from one picture to the next", default=12, min=1, max=MOST_STEP, soft_max=100
    )
    cameras: made_by.EnumProperty(name="Cameras", description="Whose pictures are made", items=CAMERA_ITEMS)
    samples: made_by.IntProperty(
        name="Samples",
        description="Samples per pixel; 0 takes those that the scene renders with",
        default=0,
        min=0,
        max=MOST_PIXEL_SAMPLES,
        soft_max=1024,
    )
    coco: made_by.BoolProperty(name="COCO", description="Write coco.json: boxes, masks and keypoints", default=True)
    mot: made_by.BoolProperty(name="MOT", description="Write tracks as MOTChallenge has them", default=True)
    yolo: made_by.BoolProperty(name="YOLO", description="Write boxes as YOLO reads them", default=True)
    anew: made_by.BoolProperty(
        name="Make All Anew",
        description="Make pictures that are there again: after light, materials or scenery have changed",
        default=False,
    )


CLASSES = (ArtfishDataset,)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_dataset = made_by.PointerProperty(type=ArtfishDataset)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_dataset
