"""Timed events: groups that enter, food that is dropped, frights."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..base.state import Stateful, state
from ..scene.direction import Food, Fright
from ..scene.scene import Scene

PUNCTUAL_SECONDS = 1e-9  # seconds by which a time may be missed for rounding


class Schedule(Stateful):
    """The times of a scene.

    Attributes:
        waiting: Fishes that have not entered yet, (fish,) bool.
        done: Events of the scene that are over, (event,) bool.
    """

    waiting: np.ndarray = state("?", "fish")
    done: np.ndarray = state("?", "event")

    def __init__(self, scene: Scene):
        """Begins with all fishes waiting that do not enter at once."""
        counts = [group.count for group in scene.fishes]
        self._group = np.repeat(np.arange(len(counts)), counts)
        self._enters = np.array([group.enters for group in scene.fishes])[self._group]
        self._events = scene.events
        self._fill(fish=len(self._enters), event=len(self._events))
        self.waiting[:] = self._enters > 0.0

    def entering(self, t: float) -> Iterator[np.ndarray]:
        """Rows of each group that enters by `t` seconds, (n,); they wait no more."""
        due = self.waiting & (self._enters <= t + PUNCTUAL_SECONDS)
        if not due.any():
            return
        self.waiting[due] = False
        for group in np.unique(self._group[due]):
            yield np.flatnonzero(due & (self._group == group))

    def happening(self, t: float) -> Iterator[Food | Fright]:
        """The events whose time has come by `t` seconds."""
        for row, event in enumerate(self._events):
            if not self.done[row] and event.time <= t + PUNCTUAL_SECONDS:
                self.done[row] = True
                yield event

    def skip(self, t: float) -> None:
        """Takes what should have happened before `t` seconds for done."""
        self.done |= np.array([event.time < t for event in self._events], dtype=bool)
