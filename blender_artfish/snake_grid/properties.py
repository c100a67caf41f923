"""An animator's settings for the snake grid, kept with its picture.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from typing import Any

import bpy

from ..blender.declarations import group
from ..species import library

made_by: Any = bpy.props  # by the stubs its functions return nothing

GRID_PARTS = (
    ("body", "Body", "The body without its fins, 9 x 21 nodes"),
    ("dorsal", "Dorsal fin", "The fin on the back, 2 x 12 nodes, from the body outwards"),
    ("ventral", "Ventral fin", "The fin under the belly, 2 x 12 nodes, from the body outwards"),
    ("caudal", "Caudal fin", "The tail, 7 x 5 nodes, from the body to the rear edge"),
    ("pectoral", "Pectoral fin", "The fin on the flank, 2 x 4 nodes, from the root outwards"),
)
FACINGS = (
    ("auto", "Found out", "Told from the form of the fish"),
    ("left", "Left", "The nose points to the left"),
    ("right", "Right", "The nose points to the right"),
)


def _found(settings: bpy.types.PropertyGroup, context: bpy.types.Context, typed: str) -> list[str]:
    return [name for name in library.names(context.scene) if typed.lower() in name]


ArtfishElasticity = group(
    "ArtfishElasticity", "Elasticity", "What the contours of a grid are made of.", update=lambda group, context: None
)


class ArtfishPicture(bpy.types.PropertyGroup):
    """Settings of a picture of a fish."""

    species: made_by.StringProperty(
        name="Species", description="Whose skin the picture becomes", default="thesis", search=_found
    )
    part: made_by.EnumProperty(name="Part", description="What the grid covers", items=GRID_PARTS)
    facing: made_by.EnumProperty(name="Facing", description="Where the nose points in the picture", items=FACINGS)
    elasticity: made_by.PointerProperty(type=ArtfishElasticity)


def register() -> None:
    """Adds the settings of its grids to every image."""
    bpy.types.Image.artfish = made_by.PointerProperty(type=ArtfishPicture)


def unregister() -> None:
    """Removes the settings; the grids themselves stay with a file's images."""
    del bpy.types.Image.artfish


CLASSES = (ArtfishElasticity, ArtfishPicture)
