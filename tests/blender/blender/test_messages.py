"""No error shows a key of a scene file in a panel: it shows objects and words."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from mathutils import Vector

from artfish.blender_artfish.blender.messages import key_words, plain
from artfish.blender_artfish.scene.wording import InBlender, ObjectError
from artfish.core.base.codec import SceneError
from artfish.core.base.declaration import is_written
from artfish.core.scene.scene import Scene
from artfish.core.scene.species import Species

KEY = re.compile(r"\w\.[a-z]\w|\w_\w|\w\[")
"""Marks of a key, which no words have: steps, underscores and rows."""
NAMES = {"fishes": ["Clownfish.001"], "obstacles": ["Old rock.003"], "tank": ["Aquarium"]}
NAMES["temperature.sources"] = ["Vent"]


def keys_of(kind: Any, key: str = "") -> set[str]:
    """Every key under which something may be wrong in JSON of a kind, one item of each list."""
    found = set()
    for field, hint in get_type_hints(kind).items():
        if field not in {each.name for each in fields(kind) if is_written(each)}:
            continue
        here = f"{key}.{field}" if key else field
        found |= {here, f"{here}[1]", f"{here}[0][1]"}
        for part, listed in _parts(hint):
            found |= keys_of(part, f"{here}[0]" if listed else here)
    return found


def _parts(hint: Any, listed: bool = False) -> list[tuple[Any, bool]]:
    if get_origin(hint) in (Union, UnionType):
        return [part for each in get_args(hint) for part in _parts(each, listed)]
    if get_origin(hint) is tuple:
        return [part for each in get_args(hint) for part in _parts(each, True)]
    return [(hint, listed)] if is_dataclass(hint) else []


@pytest.mark.parametrize("kind", [Scene, Species])
def test_every_key_has_words(kind):
    keys = keys_of(kind)
    assert len(keys) > 200 and all("_" not in key or key_words(key) for key in keys)
    for key in keys:
        line = plain(SceneError("3", "up to 2", key))
        assert not KEY.search(line.split(": found")[0]), line
        of_object = InBlender(NAMES, Vector()).error(SceneError("3", "up to 2", key, "scene"), "scene")
        line = plain(of_object).split(": found")[0]
        for names in NAMES.values():
            line = line.replace(names[0], "")
        assert not KEY.search(line), line


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("fishes[0].at", "Clownfish.001, place"),
        ("fishes[0].members[2].habits.brightness", "Clownfish.001, single fish 3, habits, brightness"),
        ("obstacles[0].faces[7]", "Old rock.003"),
        ("tank.size[2]", "Aquarium, size along Z"),
        ("temperature.sources[0].radius", "Vent, radius"),
        ("fluid_viscosity", "fluid viscosity"),
    ],
)
def test_it_is_said_of_the_object(key, expected):
    error = InBlender(NAMES, Vector()).error(SceneError("3", "up to 2", key, "scene"), "scene")
    assert plain(error).startswith(f"{expected}: found 3, allowed up to 2")


def test_objects_and_files_keep_their_names():
    assert plain(SceneError("a lamp", "a mesh", "Rock.001")) == "Rock.001: found a lamp, allowed a mesh"
    assert plain(ObjectError("99", "less", "Rock.001", "at")) == "Rock.001, place: found 99, allowed less"
    assert (
        plain(SceneError("3", "2", "fishes[0].count", "reef.json")) == "reef.json: fishes[0].count: found 3, allowed 2"
    )
    assert plain(SceneError("3", "2", "mind.f1", "clownfish")) == "clownfish, mind, f1: found 3, allowed 2"
    assert plain(ValueError("There are no fishes")) == "There are no fishes"
