"""The panel of what is selected, on top in every part of the sidebar: each kind of thing with its own tools."""

from __future__ import annotations

import bpy

from ..bake.fish_panel import draw_fishes, selected_fishes
from ..blender.layout import Sidebar, split
from ..blender.words import Message, translated
from ..direction.panel import draw_direction
from ..filming.panel import draw_shot
from ..filming.shots import is_shot
from ..live.panel import draw_feelings
from ..live.runtime import row_of
from .inventory import draw_item, is_item

NOTHING_CHOSEN: Message = "Select a shoal, a rock, a fish, ..."


class ARTFISH_PT_selected(Sidebar, bpy.types.Panel):
    """Tools of what is selected."""

    bl_label = "Selected"
    bl_order = 0

    def draw(self, context: bpy.types.Context) -> None:
        """Those of the active object."""
        layout, obj = split(self.layout), context.object
        if obj is None:
            layout.label(text=translated(NOTHING_CHOSEN), translate=False, icon="INFO")
        elif obj.artfish.kind in ("DIRECTION", "EVENT"):
            draw_direction(layout, context)
        elif is_shot(obj):
            draw_shot(layout, context)
        elif is_item(obj):
            draw_item(layout, context)
        elif row_of(context) is not None:
            draw_feelings(layout, context)
        elif fishes := selected_fishes(context):
            draw_fishes(layout, fishes)
        else:
            layout.label(text=translated(NOTHING_CHOSEN), translate=False, icon="INFO")


CLASSES = (ARTFISH_PT_selected,)
