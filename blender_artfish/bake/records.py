"""The record of a bake, read back from a file that anybody may have changed."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from .scene_settings import DATA_BLOCKS, FILM, MARKER, TIME

FIELDS: dict[str, type] = {
    "objects": int,
    "former": str,
    "film": bool,
    "first": int,
    "key": str,
    "numbered": bool,
    "order": str,
    "partly": bool,
    "seed": int,
    "source": str,
}
"""The type of each single value in a record."""


def read(text: str) -> dict[str, Any]:
    """A record from its JSON, with only the entries that a bake could have written; empty if it is damaged."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(data, dict):
        return {}
    found = {name: data[name] for name, kind in FIELDS.items() if type(data.get(name)) is kind}
    looks, changed = data.get("looks"), data.get("changed")
    if isinstance(looks, dict):
        found["looks"] = {name: look for name, look in looks.items() if isinstance(look, str)}
    for name in ("kin", "shoals"):
        counts = data.get(name)
        if isinstance(counts, dict):
            found[name] = {of: count for of, count in counts.items() if type(count) is int}
    origin = data.get("origin")
    if isinstance(origin, list) and len(origin) == 3 and all(isinstance(x, float) and isfinite(x) for x in origin):
        found["origin"] = origin
    found["changed"] = {}
    if isinstance(changed, dict):
        found["changed"] = {path: pair for path, pair in changed.items() if _is_change(path, pair)}
    return found


def _is_change(path: str, pair: Any) -> bool:
    """True if this is a setting that a bake may change, with its values before and after."""
    if not isinstance(pair, list) or len(pair) != 2:
        return False
    if path in DATA_BLOCKS:
        return all(value is None or isinstance(value, str) for value in pair)
    if path.startswith(MARKER):
        return all(value is None or type(value) is int for value in pair)
    return path in (*TIME, *FILM) and all(map(_is_plain, pair))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value))
