"""The panel that gives shoals what one of their kind has learned to swim by."""

from __future__ import annotations

import bpy

from ..blender.layout import Sidebar
from .operators import ARTFISH_OT_controller_choose, ARTFISH_OT_controller_drop


class ARTFISH_PT_learning(Sidebar, bpy.types.Panel):
    """What the fishes of the selected shoal swim by."""

    bl_label = "Learning"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Only where a shoal is selected."""
        return context.object is not None and context.object.artfish.kind == "SHOAL"

    def draw(self, context: bpy.types.Context) -> None:
        """What they swim by, and how to choose another."""
        shoal, layout = context.object, self.layout
        learned = shoal.artfish.shoal.controller
        says = "swims as one has learned" if learned else "swims by hand-made controllers"
        layout.label(text=f"{shoal.name} {says}", icon="OUTLINER_OB_ARMATURE")
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_controller_choose.bl_idname, icon="FILE_FOLDER")
        if learned:
            row.operator(ARTFISH_OT_controller_drop.bl_idname, text="", icon="X")


CLASSES = (ARTFISH_PT_learning,)
