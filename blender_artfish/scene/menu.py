"""The menu Artfish in Add, so that Shift A and the menu search find the panels' objects."""

from __future__ import annotations

import bpy

from ..blender.words import translated
from ..direction import panel as direction_panel
from ..direction.operators import ARTFISH_OT_add_direction
from ..direction.properties import DIRECTIONS, EVENT_ITEMS
from .fitting import FIT_ITEMS, ARTFISH_OT_fit_tank
from .gallery import ARTFISH_OT_presets
from .inventory import KIND_ICONS
from .operators import PLACED, ARTFISH_OT_add_pillar, ARTFISH_OT_add_shoal, ARTFISH_OT_add_to_water, kind_items
from .panel import FLOWS


class ARTFISH_MT_add(bpy.types.Menu):
    """Fishes, and what stands in their water or leads them"""

    bl_idname = "ARTFISH_MT_add"
    bl_label = "Artfish"

    def draw(self, context: bpy.types.Context) -> None:
        """An entry for each kind of object."""
        layout = self.layout
        layout.operator(ARTFISH_OT_add_shoal.bl_idname, text="Fishes", icon=KIND_ICONS["SHOAL"])
        layout.operator(ARTFISH_OT_presets.bl_idname, icon="IMAGE_REFERENCE")
        layout.separator()
        layout.operator(ARTFISH_OT_add_pillar.bl_idname, text="Pillar", icon=KIND_ICONS["OBSTACLE"])
        for kind, name, _ in kind_items(PLACED):
            layout.operator(ARTFISH_OT_add_to_water.bl_idname, text=name, icon=KIND_ICONS[kind]).kind = kind
        for to, name, _ in FIT_ITEMS:
            layout.operator(
                ARTFISH_OT_fit_tank.bl_idname,
                text=translated("Fit Tank to {what}", what=translated(name)),
                icon=KIND_ICONS["TANK"],
            ).to = to
        layout.separator()
        for flow, icon in FLOWS.items():
            entry = layout.operator(
                ARTFISH_OT_add_to_water.bl_idname,
                text=translated("{flow} Current", flow=translated(flow.capitalize())),
                icon=icon,
            )
            entry.kind, entry.flow = "CURRENT", flow
        for kinds, of in ((DIRECTIONS, "Direction"), (EVENT_ITEMS, "Event")):
            layout.separator()
            for kind, name, *_ in kinds:
                icon = direction_panel.ROLE_ICONS[kind]
                layout.operator(ARTFISH_OT_add_direction.bl_idname, text=f"{name} ({of})", icon=icon).kind = kind


def _draw(menu: bpy.types.Menu, context: bpy.types.Context) -> None:
    """Draws the last entry of Add."""
    menu.layout.separator()
    menu.layout.menu(ARTFISH_MT_add.bl_idname, icon=KIND_ICONS["SHOAL"])


CLASSES = (ARTFISH_MT_add,)


def register() -> None:
    """Puts the menu into Add."""
    bpy.types.VIEW3D_MT_add.append(_draw)


def unregister() -> None:
    """Removes the menu from Add."""
    bpy.types.VIEW3D_MT_add.remove(_draw)
