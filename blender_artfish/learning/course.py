"""How a practice goes, step by step, for the panel that shows it while it runs."""

from __future__ import annotations

from ..blender import runtime

DRILL_TITLES = ("Swimming", "Turning left", "Turning right")
"""What a person calls `core.learning.learning.DRILLS`."""
BEST_COLOUR, LATEST_COLOUR = (0.24, 0.74, 0.64), (0.55, 0.50, 0.36)
"""Of the curves, as a screen shows them."""


class Course:
    """How the practice went that ran last, or runs now.

    Attributes:
        shoal: Whose species practises: the number that Blender's session gives the object; 0 for none.
        steps: Of each drill.
        drills: Steps, and the best and the latest objective after each, of every drill that has begun.
    """

    def __init__(self) -> None:
        """None did."""
        self.begin(0, 1)

    def begin(self, shoal: int, steps: int) -> None:
        """Forgets what was, for the practice of another."""
        self.shoal, self.steps = shoal, steps
        self.drills: list[list[tuple[int, float, float]]] = []

    def add(self, drill: int, step: int, best: float, latest: float) -> None:
        """Takes note of a step of a drill, counted from 0."""
        while len(self.drills) <= drill:
            self.drills.append([])
        self.drills[drill].append((step, best, latest))


def course() -> Course:
    """The one that the add-on keeps."""
    return runtime.of(Course)
