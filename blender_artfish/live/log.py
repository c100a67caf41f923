"""The log of what an animator does to a world, as undo and redo go through it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.studio.rehearsal import Act
    from .reading import Recipe

_numbers = count(1)  # no session has a number of another: steps of undo outlive sessions, and the add-on


@dataclass(frozen=True)
class Entry:
    """A step of undo.

    Attributes:
        number: By which the scene remembers it, as `artfish_live.deed`.
        acts: All that had been done to the world by then.
        recipe: What its scene was read as by then, with what those acts made of it.
    """

    number: int
    acts: tuple[Act, ...]
    recipe: Recipe | None


class ActLog:
    """The steps of undo of a session.

    Attributes:
        current: Number of the step at which the scene stands.
    """

    def __init__(self) -> None:
        """Nothing was done."""
        self.current = 0
        self._entries: dict[int, Entry] = {}
        self._known: set[int] = set()

    def append(self, scene: bpy.types.Scene, acts: tuple[Act, ...], recipe: Recipe | None) -> None:
        """Ends a step of undo, and has the scene remember it."""
        self.current = next(_numbers)
        self._entries[self.current] = Entry(self.current, acts, recipe)
        self._known.add(self.current)
        scene.artfish_live.deed = self.current

    def amend(self, acts: tuple[Act, ...], recipe: Recipe | None) -> None:
        """Something was done that belongs to the current step of undo."""
        self._entries[self.current] = Entry(self.current, acts, recipe)

    def restart(self, scene: bpy.types.Scene, recipe: Recipe | None) -> None:
        """Forgets what was done: nothing was, in another world."""
        self.current = scene.artfish_live.deed
        self._entries = {self.current: Entry(self.current, (), recipe)}

    def follow(self, scene: bpy.types.Scene) -> Entry | None:
        """Goes, after undo or redo, to the step that the scene remembers; None where it stands there already."""
        entry = self._entries.get(scene.artfish_live.deed)
        if entry is None or entry.number == self.current:
            return None
        self.current = entry.number
        return entry

    def knows(self, scene: bpy.types.Scene) -> bool:
        """Whether the step that the scene remembers is one of this session."""
        return scene.artfish_live.deed in self._known
