"""Drawing of declared properties in panels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

from . import parts
from .declarations import USE_PREFIX, fields
from .keyframes import reshaped, unread
from .words import Message, translated, wrapped

TAB = "Artfish"
IN_FRAMES = "_in_frames"
"""End of the name of a property that shows another's seconds as frames."""
BUTTON_HEIGHT = 1.3
"""Height of a button that begins a job, in rows."""
LINE_LETTERS = 30
"""Letters that fit into one line of the sidebar."""


class Sidebar:
    """Base of every panel of the tab; those inside others are where these are."""

    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = TAB
    part = ""
    """The part of the sidebar that it is in; every one if left out."""

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Its part must be shown."""
        return cls.part in ("", parts.shown(context))


def clear_views(scene: bpy.types.Scene | None = None) -> None:
    """Have 3D Views show fishes without helper overlays.

    Relationship lines are off: those of a school hide all else. A view through the
    camera draws no extras, which are spheres of shoals, axes of empties, lamps and the like.

    Args:
        scene: The scene whose windows are changed; all windows if left out.
    """
    windows = bpy.context.window_manager.windows if scene else ()
    screens = [window.screen for window in windows if window.scene == scene] if scene else bpy.data.screens
    for space in [space for screen in screens for area in screen.areas for space in area.spaces]:
        if isinstance(space, bpy.types.SpaceView3D):
            space.overlay.show_relationship_lines = False
            if space.region_3d is not None and space.region_3d.view_perspective == "CAMERA":
                space.overlay.show_extras = False


def redraw_sidebars(windows: Iterable[bpy.types.Window], *kinds: str) -> None:
    """Redraws the sidebars of areas of these kinds."""
    for area in [area for window in windows for area in window.screen.areas if area.type in kinds]:
        for region in area.regions:
            if region.type == "UI":
                region.tag_redraw()


def split(layout: bpy.types.UILayout) -> bpy.types.UILayout:
    """Names to the left, values to the right, no dots for keyframes."""
    layout.use_property_split = True
    layout.use_property_decorate = False
    return layout


def draw_lines(layout: bpy.types.UILayout, *texts: Message, icon: Any = "NONE") -> None:
    """Each text, wrapped to the sidebar's width."""
    for text in texts:
        for number, line in enumerate(wrapped(translated(text), LINE_LETTERS)):
            layout.label(text=line, icon="BLANK1" if number and icon != "NONE" else icon)


def percent(share: float) -> str:
    """A share in whole per cent, as 40 %."""
    return f"{share:.0%}".replace("%", " %")


def draw_work(
    layout: bpy.types.UILayout, working: tuple[float, str] | None, height: float = BUTTON_HEIGHT
) -> bpy.types.UILayout | None:
    """The progress of the job at work; without one, a column to draw the button into that begins one.

    Args:
        layout: Where it is drawn.
        working: Share done and text of the job, as `jobs.share` says them.
        height: Of the row, in rows.
    """
    column = layout.column(align=True)
    column.scale_y = height
    if working is None:
        return column
    column.progress(factor=working[0], text=percent(working[0]))
    column.label(text=working[1], translate=False)
    return None


def draw_unread(layout: bpy.types.UILayout, obj: bpy.types.Object) -> None:
    """A row for each source of motion or form of an object that is read only in its present state."""
    for word in (*unread(obj), *reshaped(obj)):
        layout.label(text=translated("{word}: read as now", word=translated(word)), icon="ERROR")


def draw(layout: bpy.types.UILayout, group: bpy.types.PropertyGroup, names: Iterable[str] = ()) -> None:
    """A row for each number of a group, or for the named ones; optional numbers have a checkbox."""
    chosen = list(names)
    for field in fields(group):
        name = field["name"]
        if chosen and name not in chosen or field["kind"] == "vector" and field["shape"][0] is None:
            continue
        if hasattr(group, USE_PREFIX + name):
            draw_optional(layout, group, name, group.bl_rna.properties[name].name)
        else:
            layout.prop(group, timely(group, name))


def timely(group: bpy.types.PropertyGroup, name: str) -> str:
    """The name of the property that shows a value: of a time of the film that in frames, unless seconds are shown."""
    framed = name + IN_FRAMES
    return framed if hasattr(group, framed) and not bpy.context.scene.artfish.show_seconds else name


def draw_optional(
    layout: bpy.types.UILayout, group: bpy.types.PropertyGroup, name: str, words: Message, slider: bool = False
) -> None:
    """A labelled row for an optional value: a checkbox, and the value if it is ticked."""
    row = layout.row(heading=translated(words), translate=False)
    row.prop(group, USE_PREFIX + name, text="")
    value = row.row()
    value.enabled = getattr(group, USE_PREFIX + name)
    value.prop(group, timely(group, name), text="", slider=slider)
