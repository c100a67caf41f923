"""Errors in the words of panels and reports: naming the object and the panel's own labels, never a key.

A key such as `fishes[0].at` is for those who write scene files; an error in a file does name it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath

from ..languages.sentences import understood
from .declarations import DECLARATIONS, title
from .words import Message, translated

PHRASES: dict[str, Message] = {
    "at": "place",
    "fishes": "shoal",
    "members": "single fish",
    "obstacles": "obstacle",
    "sources": "heat source",
    "vertices": "mesh",
    "faces": "mesh",
    "heights": "mesh",
    "painted": "paint",
    "terrain": "sea bed",
    "direction": "direction",
    "events": "event",
    "wants": "want",
    "instructions": "instruction",
    "marks": "mark",
    "relations": "relation",
    "toward": "other shoal",
    "toward_member": "other fish",
    "current": "current",
    "points": "point",
    "keys": "key",
    "enters": "entrance",
    "lens": "focal length",
    "fps": "frame rate",
    "preroll": "pre-roll",
    "f0": "f0",
    "f1": "f1",
}
"""A panel's words for a key, where they differ from the key."""
ERROR_LINES: dict[str, Message] = {
    "SceneError": "found {found}, allowed {allowed}",
    "SceneWarning": "found {found}, better {allowed}",
}
"""The line of an error and of a warning."""
AXES = ("X", "Y", "Z")
SECTIONS = {
    *(
        "tank",
        "fishes",
        "obstacles",
        "terrain",
        "current",
        "plankton",
        "stage",
        "water",
        "light",
        "temperature",
        "sources",
        "seaweed",
    ),
    *(
        "bubbles",
        "hook",
        "camera",
        "ride",
        "detail",
        "breeding",
        "motion",
        "orders",
        "direction",
        "wants",
        "instructions",
        "marks",
        "relations",
        "when",
        "do",
        "events",
        "members",
        "habits",
        "mind",
        "body",
        "bearing",
        "rhythm",
    ),
    *("steering", "pectoral", "form", "relief", "looks", "temperament", "elasticity", "seed", "frames"),
    *("controller", "swims", "left", "right", "visual_memory", "forget", "traits", "ancestry", "differences"),
}
"""Keys that contain others, or stand for no declared number."""
ALONG_AXES = ("size", "at", "look_at", "direction", "heading", "turn")
"""Keys whose numbers are along X, Y and Z."""
PART = re.compile(r"(\w+)((?:\[\d+\])*)")


def plain(error: Exception) -> str:
    """An error in one line without keys; an error in a file keeps them."""
    if not hasattr(error, "found"):
        return understood(str(error))
    from ...core.base.codec import SceneError, SceneWarning, Wording, printable

    assert isinstance(error, SceneError)
    subject, key = getattr(error, "subject", ""), getattr(error, "rest", error.key)
    if PurePath(error.file).suffix:
        return str(error)
    words = key_words(key) if subject or is_key(key) else [key]
    kind = SceneWarning if isinstance(error, SceneWarning) else SceneError
    found, allowed = (understood(Wording().words(part)) for part in (error.found, error.allowed))
    where = ", ".join(filter(None, (error.file, subject, *words)))
    line = ERROR_LINES[kind.__name__]
    if translated(line) == line:
        return str(kind(found, allowed, where))
    said = translated(line, found=found, allowed=allowed)
    return printable(": ".join(filter(None, (where, said))))


def key_words(key: str) -> list[str]:
    """The words for a key, from the outermost in; empty for a mesh, which is the object itself."""
    found = []
    for name, rows in PART.findall(key):
        phrase = _phrase(name)
        numbers = [int(row) for row in re.findall(r"\d+", rows)]
        if PHRASES.get(name) == "mesh":
            continue
        if name in ALONG_AXES and len(numbers) == 1 and numbers[0] < len(AXES):
            phrase, numbers = translated("{phrase} along {axis}", phrase=phrase, axis=AXES[numbers[0]]), []
        found.append(" ".join([phrase, *(str(number + 1) for number in numbers)]))
    return found


def _phrase(name: str) -> str:
    """A panel's words for a key; in English without a capital, as they stand within a line."""
    if name in PHRASES:
        return translated(PHRASES[name])
    words = title(name)
    local = translated(words)
    return local if local != words else words.lower()


def is_key(key: str) -> bool:
    """True if the text is made of declared names, and is not the name of an object."""
    parts = key.split(".")
    matches = [PART.fullmatch(part) for part in parts]
    return all(match is not None and match[1] in _names() for match in matches)


@cache
def _names() -> frozenset[str]:
    """All names of declared fields and of their sections."""
    declared = {field["name"] for fields in DECLARATIONS.values() for field in fields}
    return frozenset(SECTIONS | declared | PHRASES.keys())
