"""All that a mouse can rest on has a tooltip: operators, panels, menus, lists, and every property of theirs."""

import sys
from importlib import import_module
from typing import Any

import bpy
import pytest

from artfish import blender_artfish

pytestmark = pytest.mark.versions

ROOMS = [import_module(f"{blender_artfish.__name__}.{name}") for name in blender_artfish.ROOMS]
CLASSES = [cls for room in ROOMS for cls in room.CLASSES]
OF_BLENDER = {"filepath", "filename", "directory", "files", "check_existing", "filter_glob"}
"""Properties that the file browser itself needs of an operator."""


def properties() -> dict[str, Any]:
    """Every property of every class, with its keywords as Blender will read them."""
    found = {}
    for cls in CLASSES:
        for base in reversed(cls.__mro__):
            rooms = vars(sys.modules[base.__module__])
            for name, made in base.__dict__.get("__annotations__", {}).items():
                made = eval(made, rooms) if isinstance(made, str) and made.endswith(")") else made
                if hasattr(made, "keywords") and name not in OF_BLENDER:
                    found[f"{cls.__name__}.{name}"] = made
    return found


PROPERTIES = properties()
DRAWN_ELSEWHERE = bpy.props.PointerProperty, bpy.props.CollectionProperty
"""Kinds of properties of which panels draw the contents alone, so that no mouse rests on them."""


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed: nothing is registered."""


def test_there_is_something_to_rest_on():
    assert len(CLASSES) > 200 and len(PROPERTIES) > 500


def test_every_class_says_what_it_is_for():
    said = {cls.__name__: (getattr(cls, "bl_description", "") or cls.__doc__ or "").strip() for cls in CLASSES}
    assert [name for name, line in said.items() if not line or "\n" in line] == []
    operators = [cls.__name__ for cls in CLASSES if issubclass(cls, bpy.types.Operator)]
    assert [name for name in operators if said[name].endswith(".")] == [], "Blender adds the full stop itself"
    labeled = [cls for cls in CLASSES if issubclass(cls, bpy.types.Operator | bpy.types.Panel | bpy.types.Menu)]
    assert [cls.__name__ for cls in labeled if not cls.bl_label.strip()] == []


def test_every_property_says_what_it_is():
    shown = {name: made.keywords for name, made in PROPERTIES.items() if made.function not in DRAWN_ELSEWHERE}
    assert [name for name, words in shown.items() if not words.get("name", "").strip()] == []
    said = {name: words.get("description", "").strip() for name, words in shown.items()}
    assert [name for name, line in said.items() if not line or line.endswith(".")] == [], "Blender adds the full stop"


def test_every_choice_says_what_it_means():
    choices = {name: made.keywords.get("items") for name, made in PROPERTIES.items()}
    fixed = {name: items for name, items in choices.items() if isinstance(items, list | tuple)}
    assert len(fixed) > 20
    silent = [
        f"{name}: {item[0]}"
        for name, items in fixed.items()
        for item in items
        if not (item[1].strip() and item[2].strip())
    ]
    assert silent == []
