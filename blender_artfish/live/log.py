"""The log of an animator's acts on a world, as undo and redo go through it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

import bpy

if TYPE_CHECKING:
    from ...core.studio.rehearsal import Act
    from .reading import Recipe

_numbers = count(1)  # unique across sessions: steps of undo outlive sessions, and the add-on


@dataclass(frozen=True)
class Entry:
    """A step of undo.

    Attributes:
        number: Its number, which the scene stores as `artfish_live.deed`.
        acts: All acts on the world so far.
        recipe: The recipe of the scene at that time, changed by those acts.
    """

    number: int
    acts: tuple[Act, ...]
    recipe: Recipe | None


class ActLog:
    """The steps of undo of a session.

    Attributes:
        current: Number of the scene's present step.
    """

    def __init__(self) -> None:
        """Start with no acts."""
        self.current = 0
        self._entries: dict[int, Entry] = {}
        self._known: set[int] = set()

    def append(self, scene: bpy.types.Scene, acts: tuple[Act, ...], recipe: Recipe | None) -> None:
        """Ends a step of undo, and stores its number in the scene."""
        self.current = next(_numbers)
        self._entries[self.current] = Entry(self.current, acts, recipe)
        self._known.add(self.current)
        scene.artfish_live.deed = self.current

    def amend(self, acts: tuple[Act, ...], recipe: Recipe | None) -> None:
        """Updates the current step of undo with further acts."""
        self._entries[self.current] = Entry(self.current, acts, recipe)

    def restart(self, scene: bpy.types.Scene, recipe: Recipe | None) -> None:
        """Drops all acts, for a new world."""
        self.current = scene.artfish_live.deed
        self._entries = {self.current: Entry(self.current, (), recipe)}

    def follow(self, scene: bpy.types.Scene) -> Entry | None:
        """After undo or redo, the step that the scene stores; None if it is the current one."""
        entry = self._entries.get(scene.artfish_live.deed)
        if entry is None or entry.number == self.current:
            return None
        self.current = entry.number
        return entry

    def knows(self, scene: bpy.types.Scene) -> bool:
        """True if the step that the scene stores is one of this session."""
        return scene.artfish_live.deed in self._known
