"""Settings of the model to be adopted, kept with the scene."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import group
from ..blender.words import composed

made_by: Any = bpy.props  # by the stubs its functions return nothing

AXIS_ITEMS = [
    (f"{sign}{axis}", f"{sign}{axis}", composed("Along {axis} of the model", axis=f"{sign}{axis}"))
    for axis in "XYZ"
    for sign in "+-"
]
SOURCES = (
    ("SELECTED", "Selected Objects", "The mesh objects that are selected in this scene"),
    ("FILE", "File", "A model in a file: .obj, .glb, .gltf, .fbx or .blend"),
)


def _unheard(group: Any, context: bpy.types.Context) -> None:
    """Ignore the change: settings of a model do not affect what plays."""


def _cross(group: Any, context: bpy.types.Context) -> None:
    """Change the back's direction if it would lie along the nose's."""
    if group.up[1] == group.ahead[1]:
        group.up = "+Y" if group.ahead[1] == "Z" else "+Z"


ArtfishAdoption = group(
    "ArtfishAdoption",
    "Species",
    "The model that is to be adopted.",
    only=("length",),
    more={
        "source": made_by.EnumProperty(name="Model", description="Where the model is", items=SOURCES),
        "file": made_by.StringProperty(name="File", description="The model", subtype="FILE_PATH"),
        "ahead": made_by.EnumProperty(
            name="Nose", description="Where its nose points", items=AXIS_ITEMS, update=_cross
        ),
        "up": made_by.EnumProperty(
            name="Back", description="Where its back points", items=AXIS_ITEMS, default="+Z", update=_cross
        ),
        "called": made_by.StringProperty(name="Name", description="Of the new species"),
        "show_arrows": made_by.BoolProperty(
            name="Arrows", description="Draw where nose and back of the model are in the 3D View", default=True
        ),
    },
    update=_unheard,
)

CLASSES = (ArtfishAdoption,)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_adoption = made_by.PointerProperty(type=ArtfishAdoption)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_adoption
