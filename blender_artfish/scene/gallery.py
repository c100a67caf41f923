"""The gallery of preset scenes: a picture of each, with buttons that load it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import bpy
import bpy.utils.previews

from ..blender import runtime
from ..blender.package import PRESETS
from .operators import Tool
from .presets import ARTFISH_OT_clear_water, ARTFISH_OT_load_preset, usual_timing
from .properties import preset_items

if TYPE_CHECKING:
    from bpy.stub_internal.rna_enums import OperatorReturnItems as Result

COLUMNS = 3
WIDTH_PIXELS = 620
PICTURE_ROWS = 8.5
"""Height of a picture, in buttons."""


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


class ARTFISH_OT_presets(Tool):
    """Preset scenes by their pictures: click a name to have it in place of what stands in the water, + to add it"""

    bl_idname = "artfish.presets"
    bl_label = "Presets"
    bl_options = {"REGISTER"}

    timing: bpy.props.EnumProperty(
        name="Time",
        description="Whose frame rate and frames there are then",
        items=[
            ("TAKE", "Of the Preset", "Frame rate and last frame become those of the preset"),
            ("KEEP", "Of This File", "Frame rate and frames stay as they are"),
        ],
        options={"SKIP_SAVE"},
    )

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Result]:
        """Opens the gallery over the mouse; it closes when the mouse leaves."""
        if not self.properties.is_property_set("timing"):
            self.timing = usual_timing(context.scene)
        return context.window_manager.invoke_popup(self, width=WIDTH_PIXELS)

    def execute(self, context: bpy.types.Context) -> set[Result]:
        """Nothing: only the option has changed."""
        return {"FINISHED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Pictures in rows, with the buttons that load them below."""
        layout = self.layout
        icons = bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items
        pictures, plain = runtime.of(PresetPictures), icons["FILE_IMAGE"].value
        row = layout.row()
        row.label(text="Frame Rate and Frames")
        row.row().prop(self, "timing", expand=True)
        grid = layout.grid_flow(row_major=True, columns=COLUMNS, even_columns=True, even_rows=True)
        for name, title, _ in preset_items():
            cell = grid.column(align=True)
            cell.template_icon(icon_value=pictures.icon(name) or plain, scale=PICTURE_ROWS)
            buttons = cell.row(align=True)
            replaces = buttons.operator(ARTFISH_OT_load_preset.bl_idname, text=title)
            adds = buttons.operator(ARTFISH_OT_load_preset.bl_idname, text="", icon="ADD")
            for button, mode in ((replaces, "REPLACE"), (adds, "ADD")):
                button.preset, button.mode, button.timing = name, mode, self.timing
        layout.operator(ARTFISH_OT_clear_water.bl_idname, icon="X")


CLASSES = (ARTFISH_OT_presets,)


def unregister() -> None:
    """Drops the pictures."""
    bpy.utils.previews.remove(runtime.of(PresetPictures).known)
    runtime.drop(PresetPictures)
