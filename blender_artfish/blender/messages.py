"""Errors in the words of panels and reports: naming the object and the panel's own labels, never a key.

A key such as `fishes[0].at` is for those who write scene files; an error in a file does name it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath

from .declarations import DECLARATIONS, title

PHRASES = {
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
        return str(error)
    from ...core.base.codec import SceneError, SceneWarning

    assert isinstance(error, SceneError)
    subject, key = getattr(error, "subject", ""), getattr(error, "rest", error.key)
    if PurePath(error.file).suffix:
        return str(error)
    words = key_words(key) if subject or is_key(key) else [key]
    kind = SceneWarning if isinstance(error, SceneWarning) else SceneError
    return str(kind(error.found, error.allowed, ", ".join(filter(None, (error.file, subject, *words)))))


def key_words(key: str) -> list[str]:
    """The words for a key, from the outermost in; empty for a mesh, which is the object itself."""
    found = []
    for name, rows in PART.findall(key):
        phrase = PHRASES.get(name, title(name).lower())
        numbers = [int(row) for row in re.findall(r"\d+", rows)]
        if phrase == "mesh":
            continue
        if name in ALONG_AXES and len(numbers) == 1 and numbers[0] < len(AXES):
            phrase, numbers = f"{phrase} along {AXES[numbers[0]]}", []
        found.append(" ".join([phrase, *(str(number + 1) for number in numbers)]))
    return found


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
