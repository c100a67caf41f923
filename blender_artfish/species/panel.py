"""The species that are edited in this file: picked, shaped, kept and restored.

Which numbers stand in which panel, and what their labels leave out as the panel's title says it, is in `PAGES`.
"""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import wrap
from typing import Any

import bpy

from ..blender.declarations import DECLARATIONS, title
from ..blender.layout import Sidebar, split
from ..scene.properties import settings_of
from . import library, preview
from .operators import (
    ARTFISH_OT_preview,
    ARTFISH_OT_preview_look,
    ARTFISH_OT_row_add,
    ARTFISH_OT_row_remove,
    ARTFISH_OT_species_copy,
    ARTFISH_OT_species_delete,
    ARTFISH_OT_species_drop,
    ARTFISH_OT_species_export,
    ARTFISH_OT_species_import,
    ARTFISH_OT_species_pick,
    ARTFISH_OT_species_restore,
    ARTFISH_OT_species_save,
    ARTFISH_OT_species_save_as,
    active,
)

LINE = 28
"""Letters that stand side by side in a sidebar."""


@dataclass(frozen=True)
class Page:
    """A panel of numbers.

    Attributes:
        name: Ends the class of the panel.
        label: Its title.
        held: What it shows, from top to bottom: "part.field", part being a group of a species; "" leaves a gap.
        parent: The page that it is inside; "" for the panel Species itself.
    """

    name: str
    label: str
    held: tuple[str, ...]
    parent: str = ""


def _of(part: str, names: str) -> tuple[str, ...]:
    return tuple("" if name == "-" else f"{part}.{name}" for name in names.split())


PAGES = (
    Page("form", "Form", _of("form", "body_height body_width - bluntness widest back_section belly_section")),
    Page("outlines", "Outlines", (), "form"),
    Page("back", "Back", _of("form", "back"), "outlines"),
    Page("belly", "Belly", _of("form", "belly"), "outlines"),
    Page("half_width", "Seen From Above", _of("form", "half_width"), "outlines"),
    Page("dorsal", "Dorsal Fin", _of("form", "dorsal"), "outlines"),
    Page("ventral", "Ventral Fin", _of("form", "ventral"), "outlines"),
    Page("caudal", "Tail", _of("form", "caudal"), "outlines"),
    Page(
        "fins",
        "Fins",
        _of(
            "form",
            "dorsal_size ventral_size caudal_span - pectoral_length pectoral_breadth pectoral_point - pectoral_station"
            " pectoral_height - pectoral_spread pectoral_droop pectoral_twist",
        ),
        "form",
    ),
    Page("eyes", "Eyes", _of("form", "eye_radius eye_station eye_height"), "form"),
    Page(
        "body",
        "Body",
        _of("body", "unit_mass stiffness viscosity - fluid_viscosity streamlining reaction"),
    ),
    Page(
        "rhythm",
        "Swimming",
        _of("rhythm", "tail_beat slow_beat - contraction anterior posterior slow_amplitude lag"),
        "body",
    ),
    Page("steering", "Turning", _of("steering", "contraction release lead front middle rate"), "body"),
    Page("push", "Pectoral Push", _of("pectoral", "area reach flap row turn oaring lever"), "body"),
    Page(
        "rings",
        "Rings of Nodes",
        _of("body", "tail_half_height stations half_heights half_widths rise book_length") + _of("about", "time_scale"),
        "body",
    ),
    Page(
        "looks",
        "Colours",
        _of("looks", "back side belly - back_reach belly_reach shading_softness - face face_reach rear rear_reach"),
    ),
    Page(
        "pattern",
        "Pattern",
        _of(
            "looks",
            "pattern pattern_colour pattern_strength - pattern_count pattern_width pattern_slant pattern_bend"
            " pattern_softness pattern_wobble - pattern_along pattern_up",
        ),
        "looks",
    ),
    Page("bands", "Bands", _of("looks", "band_colour band_edge_colour band_edge bands"), "looks"),
    Page("patches", "Patches", _of("looks", "patch_colour patch_edge_colour patch_edge patches"), "looks"),
    Page(
        "skin",
        "Skin",
        _of(
            "looks",
            "marking_softness marking_wobble variety - gloss silver iridescence - scale_size scale_relief scale_edge"
            " scale_edge_colour - gill mouth mouth_up",
        ),
        "looks",
    ),
    Page(
        "fin_looks",
        "Fins and Eyes",
        _of(
            "looks",
            "dorsal ventral caudal pectoral - fin_edge_colour fin_edge fin_pattern fin_clarity fin_rays - iris pupil",
        ),
        "looks",
    ),
    Page("temperament", "Temperament", _of("temperament", "cruise variation whim turn climb roam schooling")),
    Page(
        "senses",
        "Sensitivity",
        _of("temperament", "comfort comfort_ahead comfort_behind comfort_height")
        + _of("temperament", "comfort_school comfort_flight comfort_eating comfort_mating - caution foresight")
        + _of("mind", "sight smell"),
    ),
    Page(
        "wants",
        "Mind",
        _of("mind", "p0 p1 D0 - r f0 f1 - appetite persistence fatigue gain memory - hunger libido"),
    ),
    Page("hunt", "Hunters and Schools", _of("mind", "handling confusion vigilance recall"), "wants"),
    Page("temptation", "Temptation", _of("mind", "alpha_h q1_h q2_h - alpha_l q1_l q2_l"), "wants"),
    Page("courtship", "Courtship", _of("mind", "loops turns nudges refractory"), "wants"),
    Page("comfort", "Light and Warmth", _of("mind", "bright dark - warm cold"), "wants"),
    Page("units", "The Book's Units", _of("mind", "book_metres book_seconds"), "wants"),
)
ABOUT = _of("about", "common_name latin_name length kind type")
"""What stands in the panel Species itself."""
LABELS = {
    "form.body_height": "Height",
    "form.body_width": "Width",
    "form.bluntness": "Blunt snout",
    "form.widest": "Widest at",
    "form.back_section": "Section above",
    "form.belly_section": "Section below",
    "form.dorsal_size": "Dorsal height",
    "form.ventral_size": "Ventral depth",
    "form.caudal_span": "Tail span",
    "form.pectoral_length": "Pectoral length",
    "form.pectoral_breadth": "Breadth",
    "form.pectoral_point": "Point",
    "form.pectoral_station": "Root from nose",
    "form.pectoral_height": "Root height",
    "form.pectoral_spread": "Spread",
    "form.pectoral_droop": "Droop",
    "form.pectoral_twist": "Twist",
    "form.eye_radius": "Radius",
    "form.eye_station": "From nose",
    "form.eye_height": "Height",
    "body.tail_half_height": "Half the tail",
    "looks.shading_softness": "Softness",
    "looks.pattern": "Kind",
    "looks.pattern_along": "Along",
    "looks.pattern_up": "Up",
    "looks.band_colour": "Colour",
    "looks.band_edge_colour": "Edge colour",
    "looks.band_edge": "Edge",
    "looks.patch_colour": "Colour",
    "looks.patch_edge_colour": "Edge colour",
    "looks.patch_edge": "Edge",
    "looks.marking_softness": "Soft edges",
    "looks.marking_wobble": "Wobbly edges",
    "looks.scale_edge_colour": "Scale edge",
    "looks.scale_edge": "Edge strength",
    "looks.fin_edge_colour": "Edge colour",
    "looks.fin_edge": "Edge",
    "looks.fin_pattern": "Body's pattern",
    "looks.fin_clarity": "Clarity",
    "looks.fin_rays": "Rays",
    "mind.p0": "p0 hunger",
    "mind.p1": "p1 libido",
    "mind.D0": "D0 fear",
    "mind.r": "r want",
    "mind.f0": "f0 fear",
    "mind.f1": "f1 flight",
    "mind.hunger": "Hunger at first",
    "mind.libido": "Libido at first",
    "mind.alpha_h": "Food",
    "mind.q1_h": "q1 food",
    "mind.q2_h": "q2 food",
    "mind.alpha_l": "Mate",
    "mind.q1_l": "q1 mate",
    "mind.q2_l": "q2 mate",
    "mind.book_metres": "Distance",
    "mind.book_seconds": "Time",
    "about.time_scale": "Time scale",
}
"""Short labels, where the name of a field is too long or says what the title says."""
COLUMNS = {
    "form.back": ("Station", "Height"),
    "form.belly": ("Station", "Height"),
    "form.half_width": ("Station", "Half width"),
    "form.dorsal": ("Root", "Height", "Lean"),
    "form.ventral": ("Root", "Depth", "Lean"),
    "form.caudal": ("Station", "Height"),
    "looks.bands": ("Along", "Width", "Slant", "Bend"),
    "looks.patches": ("Along", "Up", "Half length", "Half height", "Slant", "Paint"),
}
"""What the numbers of a row are."""
RINGS = tuple(f"At {{{ring}:.2f}}" for ring in range(5))
TURNS = ("30°", "45°", "60°", "90°")
ENTRIES = {
    "body.stations": tuple(f"Ring {ring}" for ring in range(1, 6)),
    **dict.fromkeys(("body.half_heights", "body.half_widths", "body.rise"), RINGS),
    **dict.fromkeys(("steering.front", "steering.middle", "steering.rate"), TURNS),
    "pectoral.lever": RINGS[:3],
    **dict.fromkeys(("looks.pattern_along", "looks.pattern_up"), ("From", "To")),
}
"""What each number is of, where a value has several: a ring, by its station that is filled in; the angle of a turn."""
SINGULAR = {"bands": "band", "patches": "patch"}
GROUPS = {
    "about": "Species",
    "body": "Body",
    "rhythm": "Rhythm",
    "steering": "Steering",
    "pectoral": "Pectoral",
    "form": "Form",
    "looks": "Looks",
    "temperament": "Temperament",
    "mind": "Drives",
}
"""The declared dataclass of each part of a species."""
ROWS = {
    f"{part}.{field['name']}"
    for part, name in GROUPS.items()
    for field in DECLARATIONS[name]
    if field["kind"] == "vector" and field["shape"][0] is None
}
"""Fields that are lists of rows."""


class ARTFISH_UL_species(bpy.types.UIList):
    """Species edited in this file."""

    def draw_item(  # type: ignore[override]
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any
    ) -> None:
        """What a person calls it, and the name that shoals ask for where that is another."""
        layout.label(text=item.about.common_name, icon="SURFACE_DATA")
        if item.name.replace("_", " ") in item.about.common_name.lower():
            return  # there is no room to say it twice
        name = layout.row()
        name.alignment = "RIGHT"
        name.active = False
        name.label(text=item.name)


class ARTFISH_MT_species_pick(bpy.types.Menu):
    """Presets and your own species, to take into this file"""

    bl_label = "Pick Species"

    def draw(self, context: bpy.types.Context) -> None:
        """Presets, then own ones; those that are damaged cannot be picked."""
        layout = self.layout
        layout.label(text="Presets")
        _picks(layout, library.presets())
        own = library.own()
        if own:
            layout.separator()
            layout.label(text="Your own")
            damaged = library.damaged()
            _picks(layout, [name for name in own if name not in damaged])
            for name in damaged:
                row = layout.row()
                row.enabled = False
                row.label(text=f"{name} is damaged", icon="ERROR")
        layout.separator()
        layout.operator(bl(ARTFISH_OT_species_import), text="From a File...", icon="FILE_FOLDER")


class ARTFISH_MT_species_tools(bpy.types.Menu):
    """Restore, delete, import and export"""

    bl_label = "Species Tools"

    def draw(self, context: bpy.types.Context) -> None:
        """What is needed now and then."""
        layout = self.layout
        restore = bl(ARTFISH_OT_species_restore)
        layout.operator(restore, text="Restore to the Preset", icon="LOOP_BACK").to = "PRESET"
        layout.operator(restore, text="Restore as Saved", icon="RECOVER_LAST").to = "SAVED"
        layout.separator()
        layout.operator(bl(ARTFISH_OT_species_copy), icon="DUPLICATE")
        layout.operator(bl(ARTFISH_OT_species_delete), icon="TRASH")
        layout.separator()
        layout.operator(bl(ARTFISH_OT_species_import), text="Import...", icon="IMPORT")
        layout.operator(bl(ARTFISH_OT_species_export), text="Export...", icon="EXPORT")


class ARTFISH_PT_species(Sidebar, bpy.types.Panel):
    """The species that are shaped in this file."""

    bl_label = "Species"
    bl_order = 2
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Which there are, what one is called, and what is wrong with it."""
        layout, settings, entry = self.layout, settings_of(context), active(context)
        for line in library.damaged(look=False).values():
            _warn(layout, line)
        if not settings.species:
            layout.menu("ARTFISH_MT_species_pick", text="Pick a Species to Shape", icon="ADD")
            return
        row = layout.row()
        row.template_list("ARTFISH_UL_species", "", settings, "species", settings, "active_species", rows=3)
        column = row.column(align=True)
        column.menu("ARTFISH_MT_species_pick", text="", icon="ADD")
        column.operator(bl(ARTFISH_OT_species_drop), text="", icon="REMOVE")
        column.menu("ARTFISH_MT_species_tools", text="", icon="DOWNARROW_HLT")
        if entry is None:
            return
        row = layout.row(align=True)
        row.operator(bl(ARTFISH_OT_species_save), icon="FILE_TICK")
        row.operator(bl(ARTFISH_OT_species_save_as), text="Save as...")
        row = layout.row(align=True)
        shown = preview.find(context.scene) is not None
        row.operator(bl(ARTFISH_OT_preview), icon="HIDE_OFF", depress=shown)
        row.operator(bl(ARTFISH_OT_preview_look), text="", icon="VIEWZOOM")
        wrong = library.trouble(entry)
        if wrong:
            _warn(layout, wrong.removeprefix(f"{entry.name}: "))
        _fields(split(layout), entry, ABOUT)


def bl(operator: type[bpy.types.Operator]) -> str:
    """What a layout calls an operator."""
    return operator.bl_idname


def label(key: str) -> str:
    """What stands before the value of a field."""
    name = key.partition(".")[2]
    return LABELS.get(key, title(name.removeprefix("pattern_")))


def _picks(layout: bpy.types.UILayout, names: list[str]) -> None:
    for name in names:
        text = name.replace("_", " ").capitalize()
        layout.operator(bl(ARTFISH_OT_species_pick), text=text).name = name


def _warn(layout: bpy.types.UILayout, line: str) -> None:
    """A line of what is wrong, on as many lines as it takes."""
    box = layout.box().column(align=True)
    for number, words in enumerate(wrap(line, LINE)):
        box.label(text=words, icon="ERROR" if number == 0 else "BLANK1")


def _fields(layout: bpy.types.UILayout, entry: Any, keys: tuple[str, ...]) -> None:
    """Values one under the other, those that belong together close by."""
    column = None
    for key in keys:
        part, _, name = key.partition(".")
        if not key or key in ROWS or key in ENTRIES:
            column = None
        if key in ROWS:
            _rows(layout, entry, key)
        elif key in ENTRIES:
            _entries(layout, entry, key)
        elif key:
            column = column or layout.column(align=True)
            column.prop(getattr(entry, part), name, text=label(key), slider=_slides(getattr(entry, part), name))


def _entries(layout: bpy.types.UILayout, entry: Any, key: str) -> None:
    """The numbers of one value, each with what it is of: the ring at a station of the body, or the angle of a turn."""
    part, _, name = key.partition(".")
    column = layout.column(align=True)
    column.label(text=label(key))
    for index, words in enumerate(ENTRIES[key]):
        text = words.format(*entry.body.stations)
        column.prop(getattr(entry, part), name, index=index, text=text, slider=_slides(getattr(entry, part), name))


def _slides(group: Any, name: str) -> bool:
    """Whether a value is a share, which a bar shows best."""
    made = group.bl_rna.properties[name]
    return made.type == "FLOAT" and made.subtype == "NONE" and made.hard_max - made.hard_min <= 2.0


def _rows(layout: bpy.types.UILayout, entry: Any, key: str) -> None:
    """A list of rows: outlines as a table, markings one under the other."""
    part, _, name = key.partition(".")
    rows = getattr(getattr(entry, part), name)
    draw = _marking if part == "looks" else _point
    column = layout.column(align=True)
    column.use_property_split = False
    if part == "looks":
        head = column.row(align=True)
        head.label(text=f"{len(rows)} {name}" if len(rows) != 1 else f"1 {SINGULAR[name]}")
        _button(head, ARTFISH_OT_row_add, "ADD", key, len(rows) - 1)
    else:
        heads = column.row(align=True)
        for words in COLUMNS[key]:
            heads.label(text=words)
        heads.label(text="", icon="BLANK1")
        heads.label(text="", icon="BLANK1")
    for index, row in enumerate(rows):
        draw(column, key, index, row)


def _point(column: bpy.types.UILayout, key: str, index: int, row: Any) -> None:
    """A point of an outline; where an outline begins is fixed, and the belly begins where the back does."""
    line = column.row(align=True)
    for place in range(len(COLUMNS[key])):
        fixed = index == 0 and (key in BODY_OUTLINES and place == 0 or key == "form.belly")
        cell = line.row(align=True)
        cell.enabled = not fixed
        cell.prop(row, "values", index=place, text="")
    _button(line, ARTFISH_OT_row_add, "ADD", key, index)
    _button(line, ARTFISH_OT_row_remove, "X", key, index)


BODY_OUTLINES = ("form.back", "form.belly", "form.half_width")


def _marking(column: bpy.types.UILayout, key: str, index: int, row: Any) -> None:
    """A band or a patch, its numbers one under the other."""
    box = column.box()
    head = box.row(align=True)
    head.label(text=f"{SINGULAR[key.partition('.')[2]].capitalize()} {index + 1}")
    _button(head, ARTFISH_OT_row_add, "DUPLICATE", key, index)
    _button(head, ARTFISH_OT_row_remove, "X", key, index)
    held = split(box.column(align=True))
    for place, words in enumerate(COLUMNS[key]):
        held.prop(row, "values", index=place, text=words)


def _button(row: bpy.types.UILayout, operator: type[bpy.types.Operator], icon: Any, key: str, index: int) -> None:
    button = row.operator(bl(operator), text="", icon=icon, emboss=False)
    button.part, _, button.field = key.partition(".")
    button.index = index


def _panel(page: Page) -> type[bpy.types.Panel]:
    """The panel of a page."""

    def poll(cls: Any, context: bpy.types.Context) -> bool:
        return active(context) is not None

    def draw(self: Any, context: bpy.types.Context) -> None:
        _fields(split(self.layout), active(context), page.held)

    parent = f"ARTFISH_PT_species_{page.parent}" if page.parent else "ARTFISH_PT_species"
    held = {
        "__doc__": f"{page.label} of a species.",
        "__module__": __name__,
        "bl_label": page.label,
        "bl_parent_id": parent,
        "bl_options": {"DEFAULT_CLOSED"},
        "bl_order": PAGES.index(page),
        "poll": classmethod(poll),
        "draw": draw,
    }
    return type(f"ARTFISH_PT_species_{page.name}", (Sidebar, bpy.types.Panel), held)


CLASSES = (
    ARTFISH_UL_species,
    ARTFISH_MT_species_pick,
    ARTFISH_MT_species_tools,
    ARTFISH_PT_species,
    *map(_panel, PAGES),
)
