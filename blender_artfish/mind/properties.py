"""Which overlays are drawn, as properties of the scene."""

from __future__ import annotations

from typing import Any

import bpy

made_by: Any = bpy.props  # by the stubs its functions return nothing


def _redraw(settings: bpy.types.PropertyGroup, context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _switch(name: str, description: str) -> Any:
    return made_by.BoolProperty(name=name, description=description, update=_redraw)


class ArtfishOverlays(bpy.types.PropertyGroup):
    """Which overlays are drawn in the 3D Views of a scene."""

    __annotations__ = {
        "field": _switch("Field of View", "The 300 degrees that the active fish takes in, as far as it sees its like"),
        "seen": _switch("Seen", "Lines to all fishes that the active one sees"),
        "focus": _switch("Focus", "What the active fish is after, flees from or courts"),
        "relations": _switch(
            "Relations",
            "Arrows to those whom the active fish fears (blue), trusts (pale yellow), likes (green) or dislikes (red), "
            "and from those who feel so about it",
        ),
        "memory": _switch("Memory", "What the active fish knows of obstacles, solid, and what it does not, as wires"),
        "way": _switch("Way", "The path that the active fish has planned, and from where it has yet to look on"),
        "words": _switch("Intentions", "What each fish is about, as a word above it"),
        "preferences": _switch("Motor Preferences", "Where each fish is most inclined to go, or least, in red"),
        "currents": _switch("Currents", "How the water flows"),
        "chart": _switch("Chart", "Hunger, libido and fear of the active fish, in the corner of the view"),
        "chart_height": made_by.IntProperty(
            name="Height",
            description="Height of the chart in the view",
            default=190,
            min=80,
            max=1000,
            subtype="PIXEL",
            update=_redraw,
        ),
    }


CLASSES = (ArtfishOverlays,)


def register() -> None:
    """Adds the switches to each scene."""
    bpy.types.Scene.artfish_overlays = made_by.PointerProperty(type=ArtfishOverlays)


def unregister() -> None:
    """Removes the settings."""
    del bpy.types.Scene.artfish_overlays
