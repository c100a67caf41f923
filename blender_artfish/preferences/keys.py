"""Keys of the 3D View in Object Mode, which may be changed in the preferences."""

from __future__ import annotations

from typing import Any, NamedTuple

import bpy

from ..blender import runtime
from ..blender.words import translated
from .pie import ARTFISH_MT_pie

KEYMAP = "Object Mode"
"""The keymap of Blender's that they are in."""


class Shortcut(NamedTuple):
    """A key and what it does.

    Attributes:
        operator: The operator.
        key: Its key.
        alt: Whether Alt is held.
        shift: Whether Shift is held.
        menu: The menu that the operator opens, if any.
    """

    operator: str
    key: Any
    alt: bool = False
    shift: bool = False
    menu: str = ""


SHORTCUTS = (
    Shortcut("wm.call_menu_pie", "F", shift=True, menu=ARTFISH_MT_pie.bl_idname),
    Shortcut("artfish.live_play", "F", alt=True),
    Shortcut("artfish.quick_look", "F", alt=True, shift=True),
)
"""F for fishes: none of these is taken in Object Mode."""


class AddedKeys:
    """The keys as they were added: each with its keymap."""

    def __init__(self) -> None:
        """Start with none."""
        self.added: list[tuple[bpy.types.KeyMap, bpy.types.KeyMapItem]] = []


def draw_keys(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """A row for each key, as in Blender's own page of keys."""
    from rna_keymap_ui import draw_kmi

    user = context.window_manager.keyconfigs.user
    keymap = None if user is None else user.keymaps.get(KEYMAP)
    shown = 0
    for item in keymap.keymap_items if keymap is not None else ():
        if _is_ours(item):
            layout.context_pointer_set("keymap", keymap)
            draw_kmi([], user, keymap, item, layout, 0)
            shown += 1
    if not shown:
        layout.label(
            text=translated("The keys are gone from Blender's keymap: restore it there"), translate=False, icon="INFO"
        )


def _is_ours(item: bpy.types.KeyMapItem) -> bool:
    """True if a key, perhaps changed, is one of Artfish's."""
    menu = getattr(item.properties, "name", "") if item.idname.startswith("wm.call_menu") else ""
    return item.idname.startswith("artfish.") or menu.startswith("ARTFISH_MT_")


CLASSES = ()


def register() -> None:
    """Adds the keys; without a window there are none."""
    configuration = bpy.context.window_manager.keyconfigs.addon
    if configuration is None or bpy.app.background:
        return
    keymap = configuration.keymaps.new(name=KEYMAP, space_type="EMPTY")
    for shortcut in SHORTCUTS:
        item = keymap.keymap_items.new(shortcut.operator, shortcut.key, "PRESS", alt=shortcut.alt, shift=shortcut.shift)
        if shortcut.menu:
            item.properties.name = shortcut.menu
        runtime.of(AddedKeys).added.append((keymap, item))


def unregister() -> None:
    """Takes them out."""
    for keymap, item in runtime.of(AddedKeys).added:
        keymap.keymap_items.remove(item)
    runtime.drop(AddedKeys)
