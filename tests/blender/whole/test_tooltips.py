"""Whatever a mouse can rest on says what it does: operators, panels, menus, lists, and every property of theirs."""

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
"""What the file browser itself asks of an operator."""


def properties(choices: bool = False) -> list[Any]:
    """Every property of every class, with its keywords as Blender will read them; or those with a list of choices."""
    found = {}
    for cls in CLASSES:
        for base in reversed(cls.__mro__):
            rooms = vars(sys.modules[base.__module__])
            for name, made in base.__dict__.get("__annotations__", {}).items():
                made = eval(made, rooms) if isinstance(made, str) and made.endswith(")") else made
                if hasattr(made, "keywords") and name not in OF_BLENDER:
                    found[f"{cls.__name__}.{name}"] = made
    fixed = {name: made for name, made in found.items() if isinstance(made.keywords.get("items"), list | tuple)}
    return [pytest.param(made, id=name) for name, made in (fixed if choices else found).items()]


@pytest.fixture(autouse=True)
def fresh_file() -> None:
    """No file is needed: nothing is registered."""


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_class_says_what_it_is_for(cls):
    said = getattr(cls, "bl_description", "") or cls.__doc__ or ""
    assert said.strip() and "\n" not in said.strip()
    if issubclass(cls, bpy.types.Operator):  # Blender adds the full stop itself
        assert not said.endswith("."), said
    if issubclass(cls, bpy.types.Operator | bpy.types.Panel | bpy.types.Menu):
        assert cls.bl_label.strip()


@pytest.mark.parametrize("made", properties())
def test_every_property_says_what_it_is(made):
    held = made.keywords
    if made.function in (bpy.props.PointerProperty, bpy.props.CollectionProperty):
        return  # a panel draws what is in it
    said = held.get("description", "")
    assert held.get("name", "").strip() and said.strip()
    assert not said.endswith("."), "Blender adds the full stop itself"


@pytest.mark.parametrize("made", properties(choices=True))
def test_every_choice_says_what_it_means(made):
    assert all(item[1].strip() and item[2].strip() for item in made.keywords["items"])
