"""Objects that rooms keep in memory while the add-on is enabled; none is saved in a file."""

from __future__ import annotations

from typing import Any, TypeVar

T = TypeVar("T")
_parts: dict[type, Any] = {}


def of(kind: type[T]) -> T:
    """The add-on's single object of a kind, made without arguments at its first use."""
    if kind not in _parts:
        _parts[kind] = kind()
    part: T = _parts[kind]
    return part


def drop(*kinds: type) -> None:
    """Drops the objects of these kinds, or all."""
    for kind in kinds or tuple(_parts):
        _parts.pop(kind, None)
