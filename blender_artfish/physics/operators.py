"""Operator that resets the numbers of the simulation to their defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..scene.operators import Tool
from ..scene.properties import settings_of

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_physics_defaults(Tool):
    """Put what Artfish adds in the panel Physics back to its default; the frame rate is Blender's own and stays"""

    bl_idname = "artfish.physics_defaults"
    bl_label = "Back to Defaults"

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Unsets the properties, so that they follow the declarations."""
        settings = settings_of(context)
        for name in ("substeps", "fluid_viscosity", "preroll"):
            setattr(settings.water, name, settings.water.bl_rna.properties[name].default)
        settings.flow, settings.still_water = True, False
        return {"FINISHED"}


CLASSES = (ARTFISH_OT_physics_defaults,)
