"""The panels of the species edited in the open file: chosen, shaped, saved and restored."""

from __future__ import annotations

from typing import Any

import bpy

from ..blender import parts
from ..blender.glances import glance
from ..blender.layout import Sidebar, split
from ..blender.messages import plain
from ..blender.words import translated
from ..loops.operators import ARTFISH_OT_make_loops
from ..scene.properties import settings_of
from . import character, library, memory, preview
from .character_operators import (
    ARTFISH_OT_species_as_traits,
    ARTFISH_OT_species_character,
    ARTFISH_OT_species_no_character,
)
from .drawing import draw_fields, draw_traits, draw_warning
from .editing import active_species
from .file_operators import (
    ARTFISH_OT_species_delete,
    ARTFISH_OT_species_export,
    ARTFISH_OT_species_import,
    ARTFISH_OT_species_save,
    ARTFISH_OT_species_save_as,
)
from .operators import (
    ARTFISH_OT_species_copy,
    ARTFISH_OT_species_drop,
    ARTFISH_OT_species_pick,
    ARTFISH_OT_species_restore,
)
from .pages import ABOUT_FIELDS, PAGES, Page
from .preview_operators import ARTFISH_OT_preview, ARTFISH_OT_preview_look


class ARTFISH_UL_species(bpy.types.UIList):
    """Species edited in this file."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """The common name, and the name that shoals use if it differs."""
        layout.label(text=translated(item.about.common_name), translate=False, icon="SURFACE_DATA")
        if item.name.replace("_", " ") in item.about.common_name.lower():
            return  # there is no room to say it twice
        name = layout.row()
        name.alignment = "RIGHT"
        name.active = False
        name.label(text=item.name, translate=False)


class ARTFISH_MT_species_pick(bpy.types.Menu):
    """Presets and your own species, to take into this file"""

    bl_label = "Pick Species"

    def draw(self, context: bpy.types.Context) -> None:
        """Presets, then own species; damaged ones are disabled."""
        layout = self.layout
        layout.label(text=translated("Presets"), translate=False)
        _picks(layout, library.presets())
        own = library.own()
        if own:
            layout.separator()
            layout.label(text=translated("Your own"), translate=False)
            damaged = library.damaged()
            _picks(layout, [name for name in own if name not in damaged])
            for name in damaged:
                row = layout.row()
                row.enabled = False
                row.label(text=translated("{name} is damaged", name=name), icon="ERROR")
        layout.separator()
        layout.operator(ARTFISH_OT_species_import.bl_idname, text="From a File...", icon="FILE_FOLDER")


class ARTFISH_MT_species_tools(bpy.types.Menu):
    """Restore, delete, import and export"""

    bl_label = "Species Tools"

    def draw(self, context: bpy.types.Context) -> None:
        """Operators needed now and then."""
        layout = self.layout
        restore = ARTFISH_OT_species_restore.bl_idname
        layout.operator(restore, text="Restore to the Preset", icon="LOOP_BACK").to = "PRESET"
        layout.operator(restore, text="Restore as Saved", icon="RECOVER_LAST").to = "SAVED"
        layout.separator()
        layout.operator(ARTFISH_OT_species_copy.bl_idname, icon="DUPLICATE")
        layout.operator(ARTFISH_OT_species_delete.bl_idname, icon="TRASH")
        layout.separator()
        layout.operator(ARTFISH_OT_make_loops.bl_idname, icon="FILE_REFRESH")
        layout.separator()
        layout.operator(ARTFISH_OT_species_import.bl_idname, text="Import...", icon="IMPORT")
        layout.operator(ARTFISH_OT_species_export.bl_idname, text="Export...", icon="EXPORT")


class ARTFISH_PT_species(Sidebar, bpy.types.Panel):
    """The species that are shaped in this file."""

    bl_label = "Species"
    part = parts.MAKE
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The list of species, the names of the active one, and its errors."""
        layout, settings, entry = self.layout, settings_of(context), active_species(context)
        for line in library.damaged(look=False).values():
            draw_warning(layout, line)
        if not settings.species:
            layout.menu(
                "ARTFISH_MT_species_pick", text=translated("Pick a Species to Shape"), translate=False, icon="ADD"
            )
            return
        row = layout.row()
        row.template_list("ARTFISH_UL_species", "", settings, "species", settings, "active_species", rows=3)
        column = row.column(align=True)
        column.menu("ARTFISH_MT_species_pick", text="", icon="ADD")
        column.operator(ARTFISH_OT_species_drop.bl_idname, text="", icon="REMOVE")
        column.menu("ARTFISH_MT_species_tools", text="", icon="DOWNARROW_HLT")
        if entry is None:
            return
        row = layout.row(align=True)
        row.operator(ARTFISH_OT_species_save.bl_idname, icon="FILE_TICK")
        row.operator(ARTFISH_OT_species_save_as.bl_idname, text="Save as...")
        row = layout.row(align=True)
        shown = preview.find(context.scene) is not None
        row.operator(ARTFISH_OT_preview.bl_idname, icon="HIDE_OFF", depress=shown)
        row.operator(ARTFISH_OT_preview_look.bl_idname, text="", icon="VIEWZOOM")
        wrong = library.trouble(entry, plain)
        if wrong:
            draw_warning(layout, wrong.removeprefix(f"{entry.name}, "))
        draw_fields(split(layout), entry, ABOUT_FIELDS, _own(context))


def _own(context: bpy.types.Context) -> frozenset[str]:
    """Keys of the shown species' own numbers, looked for once after each change."""
    entry, settings = active_species(context), settings_of(context)
    return glance(character.own_keys_shown, context.scene, settings.active_species, entry and entry.name)


def _picks(layout: bpy.types.UILayout, names: list[str]) -> None:
    for name in names:
        text = name.replace("_", " ").capitalize()
        layout.operator(ARTFISH_OT_species_pick.bl_idname, text=text).name = name


class ARTFISH_PT_species_character(Sidebar, bpy.types.Panel):
    """The kind of fish that a species is: traits that its numbers follow."""

    bl_label = "Character"
    bl_parent_id = "ARTFISH_PT_species"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a species in the list."""
        return active_species(context) is not None

    def draw(self, context: bpy.types.Context) -> None:
        """A slider a trait between its two words, or the button that gives them."""
        layout, entry = self.layout, active_species(context)
        if not entry.traits.given:
            layout.operator(ARTFISH_OT_species_character.bl_idname, icon="USER")
            layout.operator(ARTFISH_OT_species_character.bl_idname, text="Give, but Keep Its Numbers").keep = True
            return
        draw_traits(layout, entry.traits)
        own = len(_own(context))
        row = layout.row(align=True)
        text = translated("All as its traits give") if not own else translated("Give back {own} of its own", own=own)
        row.enabled = own > 0
        row.operator(ARTFISH_OT_species_as_traits.bl_idname, text=text, icon="LOOP_BACK")
        layout.operator(ARTFISH_OT_species_no_character.bl_idname, icon="X")


class ARTFISH_PT_species_memory(Sidebar, bpy.types.Panel):
    """Visual memory of a species' fishes, and its duration."""

    bl_label = "Visual Memory"
    bl_parent_id = "ARTFISH_PT_species"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = len(PAGES) + 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a species in the list."""
        return active_species(context) is not None

    def draw_header(self, context: bpy.types.Context) -> None:
        """Checkbox that turns memory on."""
        self.layout.prop(active_species(context).memory, "remembers", text="")

    def draw(self, context: bpy.types.Context) -> None:
        """The rules of forgetting."""
        memory.draw(split(self.layout), active_species(context).memory)


def _panel(page: Page) -> type[bpy.types.Panel]:
    """The panel of a page."""

    def poll(cls: Any, context: bpy.types.Context) -> bool:
        return active_species(context) is not None

    def draw(self: Any, context: bpy.types.Context) -> None:
        entry = active_species(context)
        draw_fields(split(self.layout), entry, page.fields, _own(context) if page.fields else frozenset())

    parent = f"ARTFISH_PT_species_{page.parent}" if page.parent else "ARTFISH_PT_species"
    members = {
        "__doc__": f"{page.label} of a species.",
        "__module__": __name__,
        "bl_label": page.label,
        "bl_parent_id": parent,
        "bl_options": {"DEFAULT_CLOSED"},
        "bl_order": PAGES.index(page) + 1,
        "poll": classmethod(poll),
        "draw": draw,
    }
    return type(f"ARTFISH_PT_species_{page.name}", (Sidebar, bpy.types.Panel), members)


CLASSES = (
    ARTFISH_UL_species,
    ARTFISH_MT_species_pick,
    ARTFISH_MT_species_tools,
    ARTFISH_PT_species,
    ARTFISH_PT_species_character,
    *map(_panel, PAGES),
    ARTFISH_PT_species_memory,
)
