"""The chart of learning for the manual: python tools/learning.py, writes docs/manual/learning.svg.

Six sharks have learned to swim by one chain of simulated annealing, for longer and longer (Terzopoulos et al. 1994,
fig. 7); the controller of each is a file, which the tests have too. Drawn are the objective over the steps, and the
distance that each shark swims in a film of practice, from rest.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from html import escape
from pathlib import Path

from artfish.core.learning.learned import Learned
from artfish.core.learning.practice import Practice
from artfish.core.scene.species import Species

ROOT = Path(__file__).resolve().parent.parent
RUNNERS = ROOT / "tests" / "core" / "learning" / "race"
PATH = ROOT / "docs" / "manual" / "learning.svg"
WIDTH, HEIGHT, LEFT, RIGHT, TOP, GAP, BOTTOM = 760, 520, 62, 24, 34, 40, 44
LETTERS = 'font-family="sans-serif" font-size="12" fill="#333"'
LINE, LANE = "#c2571a", "#2a7f9e"


def read() -> list[Learned]:
    """The sharks' learned controllers, that of the longest practice last."""
    return sorted((Learned.load(path) for path in RUNNERS.glob("*.json")), key=lambda one: one.steps)


def ways(runners: Sequence[Learned]) -> list[float]:
    """Body lengths that each covers in a film of practice."""
    practice = Practice(Species.load(runners[0].species), 1)
    return [float(practice.film(practice.lengths_of(one)).middle[-1, 0, 0]) for one in runners]


def drawn(runners: Sequence[Learned], distances: Sequence[float]) -> str:
    """The chart as SVG."""
    last, high = runners[-1], (HEIGHT - TOP - GAP - BOTTOM) / 2.0
    low = TOP + high
    scores = [(step, score) for step, score in last.scores if score <= 10.0]

    def across(step: float) -> float:
        return LEFT + step / last.steps * (WIDTH - LEFT - RIGHT)

    def up(score: float) -> float:
        return low - (score - 5.0) / 5.0 * high

    made = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        _text(LEFT, TOP - 10, "objective of the best so far, in lengths, over the steps of simulated annealing"),
    ]
    for value in range(5, 11):
        y = up(value)
        made.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        made.append(_text(LEFT - 8, y + 4, str(value), "end"))
    points = " ".join(f"{across(step):.1f},{up(score):.1f}" for step, score in scores)
    made.append(f'<polyline points="{points}" fill="none" stroke="{LINE}" stroke-width="2"/>')
    for one in runners:
        x, anchor = across(one.steps), "end" if one is last else "middle"
        made.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{low:.1f}" stroke="#bbb" stroke-dasharray="2 3"/>')
        made.append(_text(x, low + 15, f"{one.steps:,}", anchor))
    top = low + GAP + 18
    made.append(_text(LEFT, top - 10, "the race: how far each swims from rest in its film of practice, in lengths"))
    lane, far = (HEIGHT - top - BOTTOM + 18) / len(runners), 4.0
    for row, (one, way) in enumerate(zip(runners, distances, strict=True)):
        y, x = top + (row + 0.5) * lane, LEFT + way / far * (WIDTH - LEFT - RIGHT)
        made.append(f'<line x1="{LEFT}" x2="{x:.1f}" y1="{y:.1f}" y2="{y:.1f}" stroke="{LANE}" stroke-width="3"/>')
        made.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{LANE}"/>')
        made.append(_text(LEFT - 8, y + 4, f"{one.steps:,}", "end"))
        made.append(_text(x + 10, y + 4, f"{way:.2f}"))
    return "\n".join([*made, "</svg>"]) + "\n"


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {LETTERS}>{escape(text)}</text>'


def main() -> int:
    """Draws the chart."""
    runners = read()
    distances = ways(runners)
    for one, way in zip(runners, distances, strict=True):
        print(f"{one.steps} steps: {way:.2f} lengths")
    PATH.write_text(drawn(runners, distances))
    return 0


if __name__ == "__main__":
    sys.exit(main())
