"""No key of Artfish is taken in Blender's own keymaps where it counts."""

from __future__ import annotations

import importlib.util
import os
import sys

import bpy

from artfish.blender_artfish.preferences.keys import SHORTCUTS

COUNTS = {
    *("Window", "Screen", "Screen Editing", "Frames", "User Interface", "View2D", "Markers", "Animation"),
    *("3D View", "3D View Generic", "Object Mode", "Object Non-modal", "Grease Pencil", "Gizmos"),
}
"""Keymaps that hear a key over the 3D View in Object Mode."""


def blenders_keys():
    """Blender's default keymaps, read from its own file as data."""
    path = os.path.join(bpy.utils.system_resource("SCRIPTS"), "presets", "keyconfig", "keymap_data")
    spec = importlib.util.spec_from_file_location("blender_default", os.path.join(path, "blender_default.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules["blender_default"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module.generate_keymaps(module.Params())


def test_no_key_is_taken():
    taken = {}
    for name, _, content in blenders_keys():
        for operator, event, _ in content["items"] if name in COUNTS else ():
            modifiers = tuple(bool(event.get(each, False)) for each in ("shift", "ctrl", "alt", "oskey"))
            taken.setdefault((event["type"], modifiers), []).append((name, operator))
    assert ("A", (True, False, False, False)) in taken  # Add, so that this looks at the right ones
    assert all((each.key, (each.shift, False, each.alt, False)) not in taken for each in SHORTCUTS)


def test_each_key_has_an_operator_that_is_there():
    for each in SHORTCUTS:
        group, name = each.operator.split(".")
        assert name in dir(getattr(bpy.ops, group))
        assert not each.menu or hasattr(bpy.types, each.menu)


def test_the_keys_are_those_that_the_manual_names():
    """Shift F opens the pie, Alt F plays, and Shift Alt F is a quick look."""
    keys = {(each.operator.rpartition(".")[2], each.key, each.alt, each.shift) for each in SHORTCUTS}
    assert keys == {
        ("call_menu_pie", "F", False, True),
        ("live_play", "F", True, False),
        ("quick_look", "F", True, True),
    }
