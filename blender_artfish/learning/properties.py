"""Settings of practice, kept with the scene."""

from __future__ import annotations

from typing import Any

import bpy

made_by: Any = bpy.props  # by the stubs its functions return nothing
METHOD_CHOICES = (
    ("cma", "CMA-ES", "Evolution of a cloud of tries: sooner there"),
    ("annealing", "Annealing", "Simulated annealing, as in the paper of 1994"),
)
USUAL_STEPS, MOST_STEPS, MOST_SEED = 400, 100_000, 2**31 - 1


class ArtfishLearning(bpy.types.PropertyGroup):
    """Settings of practice."""

    method: made_by.EnumProperty(name="Method", description="How it looks for better ways", items=METHOD_CHOICES)
    steps: made_by.IntProperty(
        name="Steps",
        description="Steps of each of the three drills; in each step 64 bodies try something, side by side",
        default=USUAL_STEPS,
        min=1,
        max=MOST_STEPS,
        soft_max=5000,
    )
    seed: made_by.IntProperty(
        name="Seed", description="Another number, another way to swim that is found", min=0, max=MOST_SEED
    )


CLASSES = (ArtfishLearning,)


def register() -> None:
    """Adds the settings to each scene."""
    bpy.types.Scene.artfish_learning = made_by.PointerProperty(type=ArtfishLearning)


def unregister() -> None:
    """Removes the settings; saved values stay in the file."""
    del bpy.types.Scene.artfish_learning
