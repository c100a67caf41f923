"""The gallery of preset scenes: a picture of each, buttons that load it, and a line of what happens there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import bpy
import bpy.utils.previews

from ..blender import runtime, viewport
from ..blender.layout import TAB, Sidebar
from ..blender.package import PRESETS
from ..blender.words import translated, wrapped
from .operators import Tool
from .presets import ARTFISH_OT_clear_water, ARTFISH_OT_load_preset, usual_timing
from .properties import preset_items

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

PICTURE_SHARE = 0.45
"""Width of a picture over that of the sidebar."""
TIME_SHARE = 0.22
"""Width of the name of that choice, over that of the sidebar."""
LETTERS_BESIDE = 21
"""Letters that fit into a line beside a picture."""
PICTURE_ROWS = 4.5
"""Height of a picture, in buttons."""
TIMING_ITEMS = (
    ("TAKE", "The Preset's", "Frame rate and last frame become those of the preset"),
    ("KEEP", "This File's", "Frame rate and frames stay as they are"),
)
made_by: Any = bpy.props  # by the stubs its functions return nothing


class PresetPictures:
    """The pictures of presets; Blender reads each file when it is first drawn."""

    def __init__(self) -> None:
        """Start with no pictures."""
        self.known = bpy.utils.previews.new()

    def icon(self, name: str) -> int:
        """The icon of a preset's picture, 0 if it has none."""
        path = PRESETS / "scenes" / f"{name}.png"
        if name not in self.known:
            if not path.is_file():
                return 0
            self.known.load(name, str(path), "IMAGE")
        return int(self.known[name].icon_id)


class Lines:
    """The lines of the preset scenes, each of what happens in it."""

    def __init__(self) -> None:
        """Reads their file."""
        self.known: dict[str, str] = json.loads((PRESETS / "gallery" / "scenes.json").read_text(encoding="utf-8"))

    def found(self, words: str) -> list[tuple[str, str, str]]:
        """The names, titles and lines of the presets in which each of some words occurs, in any case."""
        every = [(name, title, self.known.get(name, "")) for name, title, _ in preset_items()]
        return [each for each in every if all(word in " ".join(each).lower() for word in words.lower().split())]


class ArtfishGallery(bpy.types.PropertyGroup):
    """The gallery in the sidebar while it is open."""

    shown: bpy.props.BoolProperty(name="Gallery", description="Whether the sidebar shows it")
    search: bpy.props.StringProperty(
        name="Search",
        description="Words in a scene's name, or in what happens there",
        options={"TEXTEDIT_UPDATE"},
    )
    timing: bpy.props.EnumProperty(name="Time", description="Whose frames count then", items=TIMING_ITEMS)


class ARTFISH_OT_presets(Tool):
    """Preset scenes by their pictures, in the sidebar, where it closes once one is chosen; again, and it closes too"""

    bl_idname = "artfish.presets"
    bl_label = "Presets"
    bl_options = {"REGISTER"}

    timing: bpy.props.EnumProperty(
        name="Time",
        description="Whose frame rate and frames there are then",
        items=TIMING_ITEMS,
        options={"SKIP_SAVE"},
    )

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Opens the gallery, and the sidebar where it is closed, or closes the gallery."""
        gallery = context.window_manager.artfish_gallery
        gallery.shown, gallery.search = not gallery.shown, ""
        gallery.timing = self.timing if self.properties.is_property_set("timing") else usual_timing(context.scene)
        if gallery.shown:
            viewport.open_sidebar(context, TAB)
        return {"FINISHED"}


class ARTFISH_PT_gallery(Sidebar, bpy.types.Panel):
    """Preset scenes by their pictures: click a name to have it in place of what stands in the water, + to add it"""

    bl_idname = "ARTFISH_PT_gallery"
    bl_label = "Presets"
    bl_order = 0

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """It must be open."""
        return context.window_manager.artfish_gallery.shown

    def draw(self, context: bpy.types.Context) -> None:
        """A picture of each, with buttons that load it and a line of what happens there."""
        layout, gallery = self.layout, context.window_manager.artfish_gallery
        icons = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
        pictures, plain = runtime.of(PresetPictures), icons["FILE_IMAGE"].value
        row = layout.row(align=True)
        row.prop(gallery, "search", text="", icon="VIEWZOOM")
        row.operator(ARTFISH_OT_presets.bl_idname, text="", icon="X")
        row = layout.split(factor=TIME_SHARE)
        row.label(text=translated("Frames"), translate=False)
        row.row().prop(gallery, "timing", expand=True)
        found = runtime.of(Lines).found(gallery.search)
        if not found:
            layout.label(text=translated("No preset has {search}", search=gallery.search), icon="INFO")
        for name, title, line in found:
            row = layout.split(factor=PICTURE_SHARE)
            row.template_icon(icon_value=pictures.icon(name) or plain, scale=PICTURE_ROWS)
            cell = row.column(align=True)
            buttons = cell.row(align=True)
            replaces = buttons.operator(ARTFISH_OT_load_preset.bl_idname, text=title)
            adds = buttons.operator(ARTFISH_OT_load_preset.bl_idname, text="", icon="ADD")
            for button, mode in ((replaces, "REPLACE"), (adds, "ADD")):
                button.preset, button.mode, button.timing = name, mode, gallery.timing
            words = cell.column(align=True)
            words.scale_y = 0.75
            for text in wrapped(translated(line), LETTERS_BESIDE):
                words.label(text=text)
        layout.operator(ARTFISH_OT_clear_water.bl_idname, icon="X")


CLASSES = (ArtfishGallery, ARTFISH_OT_presets, ARTFISH_PT_gallery)


def register() -> None:
    """Adds the options of the gallery."""
    bpy.types.WindowManager.artfish_gallery = made_by.PointerProperty(type=ArtfishGallery, options={"SKIP_SAVE"})


def unregister() -> None:
    """Drops the pictures and the options."""
    del bpy.types.WindowManager.artfish_gallery
    bpy.utils.previews.remove(runtime.of(PresetPictures).known)
    runtime.drop(PresetPictures, Lines)
