"""The top of the sidebar: its parts, and what one begins with in any of them."""

from __future__ import annotations

import bpy

from ...version import ARTFISH_VERSION
from ..blender.layout import Sidebar, draw_lines
from ..blender.words import translated
from ..identity.writers import newer_writer
from ..live import pace
from ..live.runtime import session_of
from .gallery import ARTFISH_OT_presets
from .operators import ARTFISH_OT_add_shoal
from .quick_look import ARTFISH_OT_quick_look, is_on


class ARTFISH_PT_top(Sidebar, bpy.types.Panel):
    """Make, Watch, Deliver, More; fishes, play, presets, a look, and the bake."""

    bl_label = "Artfish"
    bl_order = 0
    bl_options = {"HIDE_HEADER"}

    def draw(self, context: bpy.types.Context) -> None:
        """Three rows of buttons, below a line on a file of a newer Artfish."""
        layout, scene = self.layout, context.scene
        newer = newer_writer(scene)
        if newer:
            line = translated(
                "Saved with Artfish {newer}, this is {own}: what is new there may be missing here. Update Artfish",
                newer=newer,
                own=ARTFISH_VERSION,
            )
            draw_lines(layout, line, icon="ERROR")
        row = layout.row(align=True)
        row.scale_y = 1.2
        row.prop(context.window_manager, "artfish_part", expand=True)
        column = layout.column(align=True)
        row = column.row(align=True)
        row.scale_y = 1.3
        row.operator(ARTFISH_OT_add_shoal.bl_idname, icon="ADD")
        moves = pace.plays(scene) and session_of(scene) is not None
        row.operator("artfish.live_play", text="Pause" if moves else "Play", icon="PAUSE" if moves else "PLAY")
        row = column.row(align=True)
        shown = context.window_manager.artfish_gallery.shown
        row.operator(ARTFISH_OT_presets.bl_idname, icon="IMAGE_REFERENCE", depress=shown)
        row.operator(ARTFISH_OT_quick_look.bl_idname, icon="SHADING_TEXTURE", depress=is_on())
        row.operator("artfish.bake", text="Bake", icon="RENDER_ANIMATION")


CLASSES = (ARTFISH_PT_top,)
