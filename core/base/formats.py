"""Formats of the files that Artfish writes: which version wrote one, and whether this one can make sense of it.

Every file says of what kind it is, in which format, and which Artfish wrote it. The number of a format goes up when an
older reader cannot make sense of a newer one's files: with a new key, a wider range or another array. A file that says
nothing, as one written by hand, is taken as it is.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any, get_args

import numpy as np

from ...version import ARTFISH_VERSION
from .codec import Place, shown
from .declaration import Declared, is_written, types_of

FORMATS = {
    "scene": 2,
    "species": 2,
    "ride": 2,
    "film": 2,
    "controller": 1,
    "search": 2,
    "recording": 3,
    "world": 13,
    "repertoire": 1,
    "model": 1,
}
"""The number of each kind's format. A kind that carries another, as a recording does its scene, goes up with it."""
UNNUMBERED = 1
"""The format of files written before there were numbers."""
FORMAT_KEY, WRITER_KEY = "format", "written_by"
_NAMED = re.compile(r"artfish ([a-z]+) ([1-9][0-9]{0,5})")


def named(kind: str) -> str:
    """A kind's format as a text in a file says it, such as "artfish scene 2"."""
    return f"artfish {kind} {FORMATS[kind]}"


def stamped(kind: str, data: dict[str, Any]) -> dict[str, Any]:
    """JSON data with its format and the version that wrote it in front."""
    return {FORMAT_KEY: named(kind), WRITER_KEY: ARTFISH_VERSION, **data}


def kind_said(data: dict[str, Any]) -> str:
    """The kind that JSON data says it is of; "" where it says none."""
    said = data.get(FORMAT_KEY)
    match = _NAMED.fullmatch(said) if isinstance(said, str) else None
    return match[1] if match else ""


def unstamped(kind: str, data: dict[str, Any], file: str) -> dict[str, Any]:
    """JSON data without its format and the version that wrote it.

    Raises:
        SceneError: If it is of another kind, or a newer Artfish wrote it.
    """
    if FORMAT_KEY not in data and WRITER_KEY not in data:
        return data
    refuse_other(kind, data.get(FORMAT_KEY, named(kind)), data.get(WRITER_KEY), Place(file, FORMAT_KEY))
    return {key: value for key, value in data.items() if key not in (FORMAT_KEY, WRITER_KEY)}


def refuse_other(kind: str, said: object, writer: object, place: Place) -> None:
    """Refuses what says that it is of another kind, or of a format that this Artfish does not know yet.

    Args:
        kind: The kind of file expected.
        said: The format that the file claims, as `named` writes it.
        writer: The version that wrote it, as it says.
        place: The place of that claim in the file.

    Raises:
        SceneError: If it is another.
    """
    match = _NAMED.fullmatch(said) if isinstance(said, str) else None
    if match is None:
        place.refuse(shown(said), repr(named(kind)))
    if match[1] != kind:
        place.refuse(f"an Artfish {match[1]}", f"an Artfish {kind}")
    refuse_newer(kind, int(match[2]), writer, place)


def stamped_arrays(kind: str) -> dict[str, np.ndarray]:
    """The format and the writer's version of a file of arrays."""
    return {FORMAT_KEY: np.array(FORMATS[kind]), WRITER_KEY: np.array(ARTFISH_VERSION)}


def format_of_arrays(kind: str, arrays: dict[str, np.ndarray], file: str) -> int:
    """The number of the format of a file's arrays, of which what says it is taken out.

    Raises:
        SceneError: If it is no format of this kind, or a newer Artfish wrote it.
    """
    place = Place(file, FORMAT_KEY)
    said, writer = arrays.pop(FORMAT_KEY).tolist(), arrays.pop(WRITER_KEY, np.array("")).tolist()
    if type(said) is not int or said < UNNUMBERED:
        place.refuse(shown(said), f"a whole number up to {FORMATS[kind]}")
    refuse_newer(kind, said, writer, place)
    return said


def refuse_newer(kind: str, number: int, writer: object, place: Place) -> None:
    """Refuses a file whose format this Artfish does not know yet.

    Args:
        kind: The kind of the file.
        number: The number of its format.
        writer: The version that wrote it, as the file says.
        place: The place of that number in the file.

    Raises:
        SceneError: Its number is higher than ours.
    """
    if number > FORMATS[kind]:
        by = re.match(r"[0-9]+\.[0-9]+", writer) if isinstance(writer, str) else None
        ours = short(ARTFISH_VERSION)
        place.refuse(
            f"a {kind} made by a newer Artfish ({by[0]}), this is {ours}"
            if by
            else f"a {kind} made by a newer Artfish, this is {ours}",
            f"format {FORMATS[kind]} or lower: update Artfish, or make the file with this one",
        )


def short(version: str) -> str:
    """A version without its last number."""
    return ".".join(version.split(".")[:2])


def keys_of(cls: type, below: tuple[type, ...] = ()) -> dict[str, Any]:
    """The keys that JSON may hold of a declared dataclass, with their declarations and those of nested ones.

    When this changes, an older reader may find what it does not know.
    """
    keys: dict[str, Any] = {}
    for field in fields(cls):
        if is_written(field):
            said: Declared | None = field.metadata.get("declared")
            kinds = [kind for kind in _dataclasses(types_of(cls)[field.name]) if kind not in below]
            own = [] if said is None else [said.kind, said.low, said.high, said.unit, said.choices, said.shape]
            keys[field.name] = [own, [keys_of(kind, (*below, kind)) for kind in kinds]]
    return keys


def _dataclasses(kind: Any) -> list[type]:
    """The dataclasses that an annotation names."""
    if isinstance(kind, type) and is_dataclass(kind):
        return [kind]
    return [found for one in get_args(kind) for found in _dataclasses(one)]
