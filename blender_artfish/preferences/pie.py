"""The pie menu of the 3D View: what one does most, and the parts of the sidebar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy

from ..bake.operators import ARTFISH_OT_bake
from ..blender import parts, viewport
from ..blender.layout import TAB
from ..blender.words import translated
from ..live import pace
from ..live.operators import ARTFISH_OT_live_play
from ..live.runtime import session_of
from ..scene.gallery import ARTFISH_OT_presets
from ..scene.operators import ARTFISH_OT_add_shoal
from ..scene.quick_look import ARTFISH_OT_quick_look, is_on

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result


class ARTFISH_OT_show_part(bpy.types.Operator):
    """Show a part of Artfish's sidebar, and the sidebar if it is closed"""

    bl_idname = "artfish.show_part"
    bl_label = "Show Part of the Sidebar"
    bl_options = {"REGISTER"}

    part: bpy.props.EnumProperty(name="Part", description="What the sidebar shows", items=parts.PART_ITEMS)

    @classmethod
    def description(cls, context: bpy.types.Context, properties: bpy.types.OperatorProperties) -> str:
        """The line of the part."""
        return next(line for name, _, line in parts.PART_ITEMS if name == properties.part)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """There must be a window."""
        cls.poll_message_set(translated("There is no window"))
        return context.window_manager is not None

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Shows it."""
        parts.show(context, self.part)
        viewport.open_sidebar(context, TAB)
        return {"FINISHED"}


class ARTFISH_MT_pie(bpy.types.Menu):
    """Fishes, play, presets, a look, the bake, and the parts of the sidebar"""

    bl_idname = "ARTFISH_MT_pie"
    bl_label = "Artfish"

    def draw(self, context: bpy.types.Context) -> None:
        """Eight entries: to the left, right, below, above, and then the corners from the upper left on."""
        pie = self.layout.menu_pie()
        moves = pace.plays(context.scene) and session_of(context.scene) is not None
        pie.operator(ARTFISH_OT_presets.bl_idname, icon="IMAGE_REFERENCE")
        pie.operator(
            ARTFISH_OT_live_play.bl_idname, text="Pause" if moves else "Play", icon="PAUSE" if moves else "PLAY"
        )
        pie.operator(ARTFISH_OT_bake.bl_idname, text="Bake", icon="RENDER_ANIMATION")
        pie.operator(ARTFISH_OT_add_shoal.bl_idname, icon="ADD")
        pie.operator(ARTFISH_OT_quick_look.bl_idname, icon="SHADING_TEXTURE", depress=is_on())
        for part, name, _ in parts.PART_ITEMS[:3]:
            pie.operator(ARTFISH_OT_show_part.bl_idname, text=name, depress=parts.shown(context) == part).part = part


CLASSES = (ARTFISH_OT_show_part, ARTFISH_MT_pie)
