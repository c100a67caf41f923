"""Settings of a scene's next shots, as properties of the scene."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender.declarations import group
from ..identity.film_frames import shown_in_frames
from .words import kind_items, move_items

made_by: Any = bpy.props  # by the stubs its functions return nothing
NUMBERS = "move", "size", "lens", "seconds", "blur"
"""Fields of a shot shown in the panel."""
MOST_IN_EDIT = 200
PAIR = "The other is in the picture too: whom it eats, courts or is after"
COUNT = "The most shots that an edit has; with Fill Gaps the fewest, which are shorter if need be"
FILL = "Each shot of an edit goes on until the next begins, so that the whole film is cut; shots of yours stay"
PULL = "In the middle third of the shot the focus goes over from the fish to the other"


def _unheard(group: Any, context: bpy.types.Context) -> None:
    """Ignore the change: settings of the next shot do not affect what plays now."""


ArtfishCinematographer = group(
    "ArtfishCinematographer",
    "FilmShot",
    "What the next shots are like.",
    only=("size", "lens", "seconds", "blur"),
    more={
        **shown_in_frames("FilmShot"),
        "move": made_by.EnumProperty(name="Move", description="How the camera goes", items=move_items()),
        "pair": made_by.BoolProperty(name="With the Other", description=PAIR),
        "pull": made_by.BoolProperty(name="Pull Focus", description=PULL),
        "number": made_by.IntProperty(
            name="Fish", description="Of a crowd that is active, which of its fishes", default=1, min=1, soft_max=100
        ),
        "only": made_by.PointerProperty(
            name="Keep Clear Of",
            type=bpy.types.Collection,
            description="Collection whose meshes cameras keep clear of; all that stands in the picture if none",
        ),
        "kind": made_by.EnumProperty(name="What", description="Which events are listed", items=kind_items()),
        "page": made_by.IntProperty(
            name="Page", description="Which page of the list", default=1, min=1, soft_max=20, max=100_000
        ),
        "count": made_by.IntProperty(name="Moments", description=COUNT, default=10, min=1, max=MOST_IN_EDIT),
        "fill": made_by.BoolProperty(name="Fill Gaps", description=FILL, default=True),
    },
    update=_unheard,
)

CLASSES = (ArtfishCinematographer,)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_film = made_by.PointerProperty(type=ArtfishCinematographer)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_film
