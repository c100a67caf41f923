"""The panel that bakes a preset scene."""

from __future__ import annotations

import bpy

from ..operators.bake import ARTFISH_OT_bake
from ..properties import settings_of


class ARTFISH_PT_bake(bpy.types.Panel):
    """Choose a scene, its length and its dice, and bake."""

    bl_label = "Bake"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Artfish"

    def draw(self, context: bpy.types.Context) -> None:
        """The settings and a button."""
        layout = self.layout
        layout.use_property_split = True
        layout.use_property_decorate = False
        settings = settings_of(context)
        layout.prop(settings, "preset")
        layout.prop(settings, "frames")
        layout.prop(settings, "seed")
        layout.prop(settings, "stage")
        layout.operator(ARTFISH_OT_bake.bl_idname, icon="PLAY")


CLASSES = (ARTFISH_PT_bake,)
