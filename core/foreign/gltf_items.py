"""The lists of a glTF document, and what one of their items says: refused with its key where it makes no sense."""

from __future__ import annotations

from math import isfinite
from typing import Any

from ..base.codec import SceneError, shown

MOST_ITEMS = 100_000
"""Most items of one kind in a file."""


class Items:
    """The lists of a document."""

    def __init__(self, document: dict[str, Any]) -> None:
        """Looks at the document of a model.

        Raises:
            SceneError: If a list of objects is not one.
        """
        self.document = document
        self._lists: dict[str, list[dict[str, Any]]] = {}
        for name in (
            *("nodes", "scenes", "meshes", "accessors", "bufferViews", "buffers"),
            *("skins", "materials", "textures", "samplers", "images"),
        ):
            found = document.get(name) or []
            if not isinstance(found, list) or len(found) > MOST_ITEMS:
                raise SceneError(shown(found), f"a list of up to {MOST_ITEMS:,}", name)
            for number, each in enumerate(found):
                if not isinstance(each, dict):
                    raise SceneError(shown(each), "an object of keys and values", f"{name}[{number}]")
            self._lists[name] = found

    def all(self, kind: str) -> list[dict[str, Any]]:
        """All items of a kind."""
        return self._lists[kind]

    def count(self, kind: str) -> int:
        """Number of items of a kind."""
        return len(self._lists[kind])

    def at(self, kind: str, number: int) -> dict[str, Any]:
        """One of them."""
        return self._lists[kind][number]

    def whole(self, item: dict[str, Any], name: str, key: str, least: int, missing: int | None = None) -> int:
        """A whole number of an item, at least so large."""
        value = item.get(name, missing)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value < 1 << 48:
            raise SceneError(shown(value), f"a whole number from {least}", _joined(key, name))
        return value

    def row(self, item: dict[str, Any], name: str, kind: str, key: str, *, needed: bool = False) -> Any:
        """The number of an item of a kind that another names; None where it names none and need not."""
        value = item.get(name)
        if value is None and not needed:
            return None
        self.ensure_row(value, kind, _joined(key, name))
        return value

    def ensure_row(self, value: Any, kind: str, key: str) -> None:
        """Refuse anything but the number of an item of a kind."""
        many = self.count(kind)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < many:
            allowed = f"the number of one of the {many} {kind}, from 0" if many else f"none, as there are no {kind}"
            raise SceneError(shown(value), allowed, key)

    def rows(self, item: dict[str, Any], name: str, kind: str, key: str) -> list[int]:
        """The numbers of items of a kind that another names."""
        found = item.get(name)
        if found is None:
            return []
        if not isinstance(found, list):
            raise SceneError(shown(found), "a list of numbers", _joined(key, name))
        for at, value in enumerate(found):
            self.ensure_row(value, kind, f"{_joined(key, name)}[{at}]")
        if len(set(found)) < len(found):
            raise SceneError("the same one twice", "each once", _joined(key, name))
        return found

    def strings(self, name: str) -> list[str]:
        """A list of words of the document."""
        found = self.document.get(name) or []
        if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
            raise SceneError(shown(found), "a list of words", name)
        return found


def ensure_numbers(item: dict[str, Any], name: str, many: int, key: str) -> None:
    """Refuse anything but a list of so many finite numbers."""
    found = item.get(name)
    if found is None:
        return
    if not isinstance(found, list) or len(found) != many or not all(is_number(each) for each in found):
        raise SceneError(shown(found), f"{many} numbers", f"{key}.{name}")


def is_number(value: Any) -> bool:
    """True if it is a finite number of the size of things."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return abs(value) < 1e30 and isfinite(value)


def _joined(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name
