"""The course of a practice, step by step, for the panel that shows it while it runs."""

from __future__ import annotations

from ..blender import runtime
from ..blender.words import Message

DRILL_TITLES: tuple[Message, ...] = ("Swimming", "Turning left", "Turning right")
"""Titles of `core.learning.learning.DRILLS`."""
BEST_COLOUR, LATEST_COLOUR = (0.24, 0.74, 0.64), (0.55, 0.50, 0.36)
"""Display colours of the curves."""


class PracticeProgress:
    """The course of the practice that ran last, or runs now.

    Attributes:
        shoal: The shoal whose species practises, by its `session_uid`; 0 for none.
        steps: Steps of each drill.
        drills: For every drill that has begun: steps, and the best and the latest objective after each.
    """

    def __init__(self) -> None:
        """Start with no practice."""
        self.begin(0, 1)

    def begin(self, shoal: int, steps: int) -> None:
        """Clears the course for another practice."""
        self.shoal, self.steps = shoal, steps
        self.drills: list[list[tuple[int, float, float]]] = []

    def add(self, drill: int, step: int, best: float, latest: float) -> None:
        """Notes a step of a drill, counted from 0."""
        while len(self.drills) <= drill:
            self.drills.append([])
        self.drills[drill].append((step, best, latest))


def course() -> PracticeProgress:
    """The add-on's course."""
    return runtime.of(PracticeProgress)
