"""The chart of learning for the manual: python tools/learning.py, writes docs/manual/learning.svg. Takes five minutes.

A reef shark learns to swim from nothing by one chain of annealing, as in the paper of 1994, by 64 chains side by side,
and by CMA-ES: how the objective falls over the steps, and how the distance rises that it swims in a film of practice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from artfish.studies.learning import RUNNERS, Point, course

PATH = Path(__file__).resolve().parent.parent / "docs" / "manual" / "learning.svg"
SEARCHES = (
    ("annealing, one chain as in 1994", "annealing", 1, RUNNERS[-1], "#c2571a"),
    ("annealing, 64 chains side by side", "annealing", 64, 2790, "#2a7f9e"),
    ("CMA-ES, 64 candidates", "cma", 64, 1440, "#3d8b40"),
)
"""What each curve is called, its method, candidates, steps and colour."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP, BOTTOM = 760, 560, 62, 16, 34, 30, 44
LETTERS = 'font-family="sans-serif" font-size="12" fill="#333"'


class Plot:
    """One of two fields below each other, which share the steps."""

    def __init__(self, row: int, highest: float, title: str):
        """A field from 0 up to the highest value."""
        self.high = (HEIGHT - TOP - BOTTOM - GAP) / 2.0
        self.top, self.highest, self.title = TOP + row * (self.high + GAP), highest, title

    def across(self, step: float) -> float:
        """Where a step is."""
        return LEFT + step / RUNNERS[-1] * (WIDTH - LEFT - RIGHT)

    def up(self, value: float) -> float:
        """Where a value is; what is higher than the field is at its top."""
        return self.top + self.high * (1.0 - min(value / self.highest, 1.0))

    def axes(self, spacing: float) -> list[str]:
        """The frame, lines at even values, and marks where the sharks of the race stop learning."""
        made = [
            f'<rect x="{LEFT}" y="{self.top:.1f}" width="{WIDTH - LEFT - RIGHT}" height="{self.high:.1f}" '
            'fill="#fafafa" stroke="#999"/>',
            f'<text x="{LEFT + 8}" y="{self.top - 6:.1f}" {LETTERS}>{escape(self.title)}</text>',
        ]
        for number in range(round(self.highest / spacing) + 1):
            y = self.up(number * spacing)
            made.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            made.append(f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" {LETTERS}>{number * spacing:g}</text>')
        for step in RUNNERS:
            x = self.across(step)
            made.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{self.top:.1f}" y2="{self.top + self.high:.1f}" '
                'stroke="#bbb" stroke-dasharray="2 3"/>'
            )
        return made

    def curve(self, values: Sequence[tuple[float, float]], colour: str) -> str:
        """A line through steps and values."""
        points = " ".join(f"{self.across(step):.1f},{self.up(value):.1f}" for step, value in values)
        return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.8"/>'


def drawn(courses: Sequence[Sequence[Point]]) -> str:
    """The chart of the courses of `SEARCHES`, as SVG."""
    objective = Plot(0, 5.0, "objective of the best so far: what is left to its target, and effort, in lengths")
    distance = Plot(1, 5.0, "distance that the best swims in its film of practice, in lengths")
    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        *objective.axes(1.0),
        *distance.axes(1.0),
    ]
    for row, ((name, *_, colour), points) in enumerate(zip(SEARCHES, courses, strict=True)):
        made.append(objective.curve([(one.step, one.objective) for one in points], colour))
        made.append(distance.curve([(one.step, one.distance) for one in points], colour))
        y = objective.top + 20 + 18 * row
        made.append(f'<line x1="440" x2="470" y1="{y - 4}" y2="{y - 4}" stroke="{colour}" stroke-width="3"/>')
        made.append(f'<text x="478" y="{y}" {LETTERS}>{escape(name)}</text>')
    for step in RUNNERS:
        made.append(
            f'<text x="{distance.across(step):.1f}" y="{HEIGHT - BOTTOM + 17}" text-anchor="middle" {LETTERS}>'
            f"{step:,}</text>"
        )
    made.append(f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle" {LETTERS}>steps of the search</text>')
    return "\n".join([*made, "</svg>"]) + "\n"


def main() -> int:
    """Draws it."""
    courses = []
    for name, method, candidates, steps, _ in SEARCHES:
        courses.append(course("reef_shark", method, 0, steps, candidates))
        last = courses[-1][-1]
        print(f"{name}: {last.step} steps in {last.seconds:.0f} s, {last.distance:.2f} lengths", flush=True)
    PATH.write_text(drawn(courses))
    return 0


if __name__ == "__main__":
    sys.exit(main())
