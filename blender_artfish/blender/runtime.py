"""What rooms keep in memory while the add-on is enabled: none of it is saved in a file."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")
_parts: dict[type, Any] = {}


def of(kind: type[T]) -> T:
    """The one object of a kind that the add-on keeps; made, without arguments, when it is first needed."""
    if kind not in _parts:
        _parts[kind] = kind()
    part: T = _parts[kind]
    return part


def drop(*kinds: type) -> None:
    """Lets go of the objects of these kinds, or of all."""
    for kind in kinds or tuple(_parts):
        _parts.pop(kind, None)
