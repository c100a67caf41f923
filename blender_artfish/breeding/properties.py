"""Settings of breeding, kept with the scene: the parents of the next brood, and the children of the last."""

from __future__ import annotations

from typing import Any

import bpy

from ..species import library

made_by: Any = bpy.props  # by the stubs its functions return nothing
MOST_MUTATION, USUAL_MOST_MUTATION = 20.0, 5.0
MOST_BROOD_SEED = 2**30


def _known(settings: Any, context: bpy.types.Context, typed: str) -> list[str]:
    return [name for name in library.names(context.scene) if typed.lower() in name]


class ArtfishChild(bpy.types.PropertyGroup):
    """A child of the last brood; its `name` is that of its species in this file."""

    shoal: made_by.PointerProperty(type=bpy.types.Object, name="Shoal", description="The shoal that is this child")
    kept: made_by.BoolProperty(name="Kept", description="Whether its species stays when others are bred")


class ArtfishBreeding(bpy.types.PropertyGroup):
    """Parents of the next brood, and the last brood."""

    mother: made_by.StringProperty(
        name="Mother",
        description="The species that is the mother: children have of her what no gene says, such as how she sees",
        search=_known,
    )
    father: made_by.StringProperty(name="Father", description="The species that is the father", search=_known)
    mutation: made_by.FloatProperty(
        name="Mutation",
        description="Factor on how many genes change by chance: none at 0, one in twenty at 1",
        default=1.0,
        min=0.0,
        max=MOST_MUTATION,
        soft_max=USUAL_MOST_MUTATION,
    )
    seed: made_by.IntProperty(
        name="Seed", description="Another number, other children of the same parents", min=0, max=MOST_BROOD_SEED
    )
    brood: made_by.CollectionProperty(type=ArtfishChild)


CLASSES = (ArtfishChild, ArtfishBreeding)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_breeding = made_by.PointerProperty(type=ArtfishBreeding)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_breeding
