"""Draws panels without a window."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import bpy


class Recorder:
    """A layout that remembers the words and the operators that are drawn into it, and into all layouts in it.

    Attributes:
        words: Of labels.
        buttons: The identifiers of operators.
    """

    def __init__(self, root: Recorder | None = None) -> None:
        self._root = self if root is None else root
        self.words: list[str] = []
        self.buttons: list[str] = []

    def label(self, text: str = "", **_: Any) -> None:
        self._root.words.append(text)

    def operator(self, identifier: str, **_: Any) -> SimpleNamespace:
        self._root.buttons.append(identifier)
        return SimpleNamespace()

    def panel(self, *_: Any, **__: Any) -> tuple[Recorder, Recorder]:
        return Recorder(self._root), Recorder(self._root)

    def __getattr__(self, name: str) -> Any:
        if name in ("prop", "template_list", "operator_menu_enum", "separator", "progress", "template_icon"):
            return lambda *_, **__: None
        return lambda *_, **__: Recorder(self._root)


def drawn(panel: Any) -> Recorder:
    """Draws a panel in the context as it is; returns the recorded layout."""
    layout = Recorder()
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout
