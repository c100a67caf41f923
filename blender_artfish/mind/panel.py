"""The panel of the active fish's feelings, intention and reasons, and of the overlays in the view."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import bpy

from ..blender import parts
from ..blender.layout import Sidebar, draw_lines, split
from ..blender.words import translated, wrapped
from ..identity.provenance import NO_ROW
from ..languages.sentences import understood
from ..scene.operators import ARTFISH_OT_select
from . import swatches
from .operators import ARTFISH_OT_next_intention
from .source import Observation, lacking, observe

if TYPE_CHECKING:
    import numpy as np

UNIT_PIXELS = 20.0
"""Pixels of an interface unit."""
EDGE_UNITS = 3.0
"""Width of a panel's margins, left and right together with the strip of tabs, in interface units."""
LETTER_PIXELS, BORDER_LETTERS = 6.6, 5
"""Approximate width of a letter in pixels, and the letters lost to the edges of a panel and its box."""
LEAST_UNITS, MOST_UNITS = 7.0, 16.0
"""Limits of the chart's height, in interface units."""


class ARTFISH_PT_mind(Sidebar, bpy.types.Panel):
    """The active fish's mind."""

    bl_label = "Mind"
    part = parts.WATCH
    bl_order = 4

    def draw(self, context: bpy.types.Context) -> None:
        """Name, chart, intention and reason."""
        layout = self.layout
        observed = observe(context)
        if observed is None:
            draw_lines(layout, lacking(context), icon="INFO")
            return
        if observed.row == NO_ROW:
            layout.label(text=translated("Select a fish to read its mind"), translate=False, icon="INFO")
            return
        who = layout.row()
        who.label(text=observed.name(observed.row), icon="OUTLINER_OB_SURFACE")
        species = observed.recording.species_models[observed.recording.species[observed.row]].common_name
        if species not in observed.name(observed.row):  # there is no room to say it twice
            kind = who.row()
            kind.alignment, kind.active = "RIGHT", False
            kind.label(text=translated(species), translate=False)
        _chart(layout, context, observed)
        _intentions(layout, observed)
        _reason(layout, context, observed)


def _chart(layout: bpy.types.UILayout, context: bpy.types.Context, observed: Observation) -> None:
    """Effort, hunger, libido and fear over time, with their colours and current values."""
    from .chart import painted

    draw_chart(layout, context, "chart", lambda side: painted("panel", observed, side, side))
    legend = layout.column(align=True)
    for mood in swatches.MOODS:
        value = float(getattr(observed.recording, mood)[observed.frame, observed.row])
        row = legend.row(align=True)
        row.label(text="", icon_value=swatches.icon(mood))
        row.progress(factor=value, text=f"{translated(swatches.MOOD_WORDS[mood])} {value:.2f}")


def draw_chart(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    name: str,
    painted: Callable[[int], tuple[np.ndarray, bool]],
) -> None:
    """A square picture that fills the panel.

    Args:
        layout: The layout to draw in.
        context: The panel's context.
        name: The picture's name, for `swatches.picture`.
        painted: Returns the picture of this width in pixels, and whether it differs from the last one.
    """
    units = chart_units(context)
    pixels, anew = painted(round(units * UNIT_PIXELS * context.preferences.system.ui_scale))
    layout.template_icon(icon_value=swatches.picture(name, pixels, anew), scale=units)


def chart_units(context: bpy.types.Context) -> float:
    """Width of a picture that fills the panel, in interface units."""
    unit = UNIT_PIXELS * context.preferences.system.ui_scale
    return min(max(context.region.width / unit - EDGE_UNITS, LEAST_UNITS), MOST_UNITS)


def _intentions(layout: bpy.types.UILayout, observed: Observation) -> None:
    """All seven intentions, the present one lit; a click goes to the next time it is taken up."""
    now = int(observed.recording.intention[observed.frame, observed.row])
    grid = layout.grid_flow(row_major=True, columns=3, even_columns=True, align=True)
    for row, name in enumerate(swatches.INTENTIONS):
        lit = row == now
        button = grid.operator(
            ARTFISH_OT_next_intention.bl_idname, text=name.title(), icon_value=swatches.icon(name), depress=lit
        )
        button.intention = name


def _reason(layout: bpy.types.UILayout, context: bpy.types.Context, observed: Observation) -> None:
    """The reason for its intention, and the fish it concerns."""
    letters = int(context.region.width / (LETTER_PIXELS * context.preferences.system.ui_scale)) - BORDER_LETTERS
    recording, frame, row = observed.recording, observed.frame, observed.row
    box = layout.box().column(align=True)
    lines = observed.insight.reason(recording, frame, row, lambda _: translated("Target"))  # its name is on the button
    if recording.alive[frame, row]:
        lines += observed.insight.bonds.words(recording, frame, row, observed.name)
    for line in lines:
        for part in wrapped(understood(line), max(letters, 16)):
            box.label(text=part)
    other = observed.roots.get(int(recording.target[frame, row]))
    if other is not None:
        button = box.operator(ARTFISH_OT_select.bl_idname, text=other.name, translate=False, icon="RESTRICT_SELECT_OFF")
        button.name = other.name


class ARTFISH_PT_mind_overlays(Sidebar, bpy.types.Panel):
    """Overlays of minds in the 3D View."""

    bl_label = "Overlays"
    bl_parent_id = "ARTFISH_PT_mind"

    def draw(self, context: bpy.types.Context) -> None:
        """A switch for each overlay."""
        layout = split(self.layout)
        settings = context.scene.artfish_overlays
        column = layout.column(heading=translated("Active fish"), translate=False)
        for name in ("field", "seen", "focus", "relations", "memory", "way", "chart"):
            column.prop(settings, name)
        if settings.chart:
            column.prop(settings, "chart_height")
        column = layout.column(heading=translated("All fishes"), translate=False)
        for name in ("words", "preferences"):
            column.prop(settings, name)
        layout.column(heading=translated("Water"), translate=False).prop(settings, "currents")


CLASSES = (ARTFISH_PT_mind, ARTFISH_PT_mind_overlays)
