"""The add-on, thin: what an animator touches, and recordings made into Blender's data.

Importing this package is cheap and needs no Blender; so is registering it, for Blender's start waits for that.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

ROOMS = (
    "declared",
    "properties",
    "kinds",
    "markers",
    "status",
    "operators.setting",
    "live",
    "operators.work",
    "operators.bake",
    "operators.direction",
    "operators.live",
    "operators.species",
    "operators.habits",
    "preview",
    "deleted",
    "panels.scene",
    "panels.habits",
    "panels.live",
    "panels.bake",
    "panels.direction",
    "panels.menus",
    "telling",
    "swatches",
    "overlays",
    "fish_view",
    "operators.mind",
    "operators.fish_view",
    "panels.mind",
    "panels.fish_view",
    "panels.species",
    "pictures",
    "operators.snake",
    "panels.snake",
)
"""Modules that have something for Blender, each after those that it needs: `CLASSES`, and `register` and
`unregister` for what is no class."""


def register() -> None:
    """Adds classes, properties, handlers and keys of every room to Blender."""
    import bpy

    for room in _rooms():
        for cls in room.CLASSES:
            bpy.utils.register_class(cls)
        if hasattr(room, "register"):
            room.register()


def unregister() -> None:
    """Takes out what `register` put in, in the opposite order."""
    import bpy

    rooms = _rooms()[::-1]
    for room in rooms:  # before any class goes: what is at work belongs to one
        if hasattr(room, "unregister"):
            room.unregister()
    for room in rooms:
        for cls in reversed(room.CLASSES):
            bpy.utils.unregister_class(cls)


def _rooms() -> list[ModuleType]:
    return [import_module(f".{name}", __name__) for name in ROOMS]
