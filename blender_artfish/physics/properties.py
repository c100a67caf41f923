"""What is set of the simulation.

The annotations of a property group are calls that Blender evaluates, so they are not postponed here.
"""

from ..blender.declarations import group

ArtfishWater = group(
    "ArtfishWater", "Scene", "How it is simulated.", only=("name", "preroll", "substeps", "fluid_viscosity")
)


CLASSES = (ArtfishWater,)
