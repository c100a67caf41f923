"""The drawings of docs/life.md: python tools/life.py [NAME ...], writes docs/life_NAME.svg.

They show what the study of life measures, from its own scenes: the waves that run down bodies, the ways of fishes that
are alone, a start beside one drawn from published figures, and a hunt.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

import numpy as np
from scipy.interpolate import PchipInterpolator, make_interp_spline

from artfish.core.base.elementary import smooth_step
from artfish.core.body.anatomy import NOSE_NODE
from artfish.core.body.spine import NODE_GROUPS, TAIL_GROUP
from artfish.core.scene.species import Species
from artfish.core.world.world import World
from artfish.studies.life import bodies, bodily, staging
from artfish.studies.life.motion import frequencies, rotation, speeds

FOLDER = Path(__file__).resolve().parent.parent / "docs"
POINTS = 40
"""Points of a drawn line from nose to tail."""
INK, PALE, RED = "#333333", "#8fa3b0", "#c1272d"
LETTERS = f'font-family="sans-serif" font-size="12" fill="{INK}"'
BOOK_FISH = "thesis"


def main() -> int:
    """Draws the named pictures, or all."""
    parser = argparse.ArgumentParser(description="The drawings of docs/life.md.")
    parser.add_argument("names", nargs="*", choices=(*DRAWINGS, []), metavar="NAME", help="all if left out")
    for name in parser.parse_args().names or DRAWINGS:
        path = FOLDER / f"life_{name}.svg"
        path.write_text(DRAWINGS[name]())
        print(f"{path.name}: {path.stat().st_size} bytes", flush=True)
    return 0


def drawn_wave() -> str:
    """Midlines at full speed from above, a beat in eight moments, of the book's fish and of every species."""
    steady, level = staging.ladder(staging.SHIPPED, bodily.LEVELS)
    book, book_level = staging.ladder((BOOK_FISH,), (bodily.LEVELS[-1],))
    tailed = staging.bursting(staging.LABRIFORM, (bodily.TAILED,))
    by_tail = (level == 1.0) & ~np.isin(steady.species, staging.LABRIFORM)
    sources = [(book, book_level == 1.0), (steady, by_tail), (tailed, np.ones(len(tailed.species), dtype=bool))]
    found: dict[str, tuple[np.ndarray, np.ndarray, str]] = {}
    for recording, which in sources:
        names, length = np.array(recording.species)[which], recording.body_length[which]
        nodes = recording.nodes[:, which].astype(float)
        waves, yaws = bodily.passed(nodes, names, length, recording.fps), bodies.yaw(nodes)
        side, stations = bodies.sideways(nodes) / length[:, None], bodies.stations_of(nodes, length)
        beats = frequencies(side[..., bodies.TAIL], recording.fps)
        for fish, name in enumerate(names.tolist()):
            moments = np.round(np.arange(8) / 8 * recording.fps / beats[fish]).astype(int)
            lines = side[moments, fish] - side[: round(recording.fps / beats[fish]), fish].mean()
            about = f"wave {float(waves[name]['length'][0]):.2f} lengths, head ±{yaws[fish]:.0f}°"
            found[name] = stations[fish], lines, about
    columns, wide, high, room = 3, 290, 100, 250.0
    rows = -(-len(found) // columns)
    drawing = VectorDrawing(columns * wide + 20, rows * high + 16)
    for number, name in enumerate((BOOK_FISH, *staging.SHIPPED)):
        stations, lines, about = found[name]
        column, row = divmod(number, rows)
        left, top = 16 + column * wide, 8 + row * high
        common = "the book's fish" if name == BOOK_FISH else Species.load(name).common_name
        drawing.text(left, top + 12, common, weight="bold")
        drawing.text(left, top + 28, about, fill=PALE)
        for moment, line in enumerate(lines):
            along = np.linspace(0.0, stations[-1], POINTS)
            places = np.stack([left + room * along, top + 62 - room * _curve(stations, line)(along)], axis=1)
            shade = round(30 + 150 * moment / len(lines))
            drawing.line(places, f"rgb({shade},{shade},{min(255, shade + 60)})", 1.4)
    return drawing.svg()


def drawn_turns(seconds: float = 14.0) -> str:
    """Ways of the book's fish and of two species from above, body after body, the nose red where a fish turns."""
    shown = {
        BOOK_FISH: staging.loners((BOOK_FISH,), 0, seconds),
        **dict.fromkeys(("clownfish", "sardine"), staging.loners(("clownfish", "sardine"), 0, seconds)),
    }
    side = 300
    drawing = VectorDrawing(len(shown) * side + 20, side + 30)
    for column, (name, recording) in enumerate(shown.items()):
        fish = recording.species.index(name)
        nodes = recording.nodes[:: round(recording.fps / 6), fish].astype(float)
        turning = np.abs(rotation(bodies.headings(recording.nodes[:, fish : fish + 1]), recording.fps))
        turning = turning[:: round(recording.fps / 6), 0]
        middles = bodies.middles(nodes)[:, :2]
        low, high = middles.min(axis=0), middles.max(axis=0)
        length = float(recording.body_length[fish])
        scale = (side - 50) / max(float((high - low).max()), 6.0 * length)
        left, top = 10 + column * side, 28
        common = "the book's fish" if name == BOOK_FISH else Species.load(name).common_name
        drawing.text(left + 6, 18, common, weight="bold")
        drawing.rectangle(left, top, side - 8, side - 8)
        centre = np.array([left + 0.5 * (side - 8), top + 0.5 * (side - 8)])
        for number, body in enumerate(nodes):
            shape = _outline(body, np.eye(3)[:2], np.append(0.5 * (low + high), 0.0)) * (scale, -scale) + centre
            shade = round(190 - 130 * number / len(nodes))
            drawing.shape(shape, f"rgb({shade - 20},{shade},{shade + 25})")
            if turning[number] > 60.0:
                drawing.dot(shape[0], 2.2, RED)
        drawing.line(np.array([[left + 8.0, top + side - 18], [left + 8.0 + scale * length, top + side - 18]]), INK, 2)
        drawing.text(left + 14 + scale * length, top + side - 14, "a length")
    return drawing.svg()


FRAMES, RATE = 8, 96
"""Frames of the drawn start, and how many of them are in a second."""
STAGE_SECONDS, HEAD_TURN, PUSH, SHIFT = 0.042, 75.0, 40.0, 0.1
"""Time of each stage of a real start; degrees that the head is turned after the first; m/s² of the second; and lengths
that the middle of mass has moved by the end of the first (Domenici & Blake 1997)."""


def drawn_start(seed: int = 0) -> str:
    """A clownfish that starts, in eight frames, above a start drawn from published figures."""
    world = World(staging.alone(("clownfish",), 1, RATE), seed=seed)
    world.simulate(round(staging.PATIENCE_SECONDS * RATE))
    before, (length,) = world.nodes[0].astype(float), world.shoal.length
    ahead = bodies.headings(before[None])[0] * (1, 1, 0)
    ahead /= np.linalg.norm(ahead)
    axes = np.stack([np.array([ahead[1], -ahead[0], 0.0]), ahead])  # to its right, and ahead
    middle = bodies.middles(before)
    world.frighten(middle + length * (1.1 * axes[0] + 0.3 * axes[1]), 4.0 * length)
    ours = np.concatenate([before[None], world.simulate(FRAMES - 1).nodes[:, 0].astype(float)])
    across, high, scale = 96, 170, 70.0 / length
    half = _half_widths(before)
    drawing = VectorDrawing(FRAMES * across + 20, 2 * high + 10)
    for frame, nodes in enumerate(ours):
        x = 10 + (frame + 0.5) * across
        for row, shape in enumerate((_outline(nodes, axes, middle), _published(frame / RATE, float(length), half))):
            places = shape * (scale, -scale) + (x, 20 + row * high + 0.55 * high)
            drawing.shape(places, ("#e07b1a", PALE)[row])
            drawing.dot(places[0], 2.2, RED)
        drawing.text(x, 2 * high + 2, f"{1000 * frame / RATE:.0f} ms", "middle")
    threat = np.array([[1.1 * length, 0.3 * length]]) * (scale, -scale) + (10 + 0.5 * across, 20 + 0.55 * high)
    drawing.dot(np.minimum(threat[0], (10 + across - 6, 1e9)), 4.0, RED)
    drawing.text(10, 16, f"Ours: a clownfish of {100 * length:.0f} cm, eight frames at {RATE} a second")
    said = f"stages of {1000 * STAGE_SECONDS:.0f} ms, the head turned by {HEAD_TURN:.0f} degrees, {PUSH:.0f} m/s²"
    drawing.text(10, 16 + high, f"Drawn from published figures (Domenici & Blake 1997): {said}")
    return drawing.svg()


def _published(t: float, length: float, half: np.ndarray) -> np.ndarray:
    """Outline (n, 2), right and ahead in metres, of a start to the left at a time after the threat.

    In the first stage the body bends evenly until its head and its tail have turned by as much to either side; in the
    second it unbends from head to tail, and the tail strikes through, while the middle is pushed along the head's way.
    """
    share = np.linspace(0.0, 1.0, POINTS)
    first = np.clip(t / STAGE_SECONDS, 0.0, 1.0)
    second = np.clip(t / STAGE_SECONDS - 1.0, 0.0, 1.0)
    struck = smooth_step(np.clip(1.6 * second - 0.6 * share, 0.0, 1.0))
    turned = np.radians(HEAD_TURN) * (
        (1.0 - struck) * smooth_step(first) * (1.0 - 2.0 * share) + struck * (1.0 + 0.3 * share)
    )
    steps = np.stack([-np.sin(turned), np.cos(turned)], axis=1) * length / (POINTS - 1)
    line = -np.cumsum(steps, axis=0)
    line -= np.average(line, axis=0, weights=PchipInterpolator(np.linspace(0, 1, 7), half**2 + 1e-9)(share))
    way = np.array([-np.sin(np.radians(HEAD_TURN)), np.cos(np.radians(HEAD_TURN))])
    line += way * (SHIFT * length * smooth_step(first) + 0.5 * PUSH * (second * STAGE_SECONDS) ** 2)
    return _thickened(line, PchipInterpolator(np.linspace(0, 1, 7), half)(share))


def drawn_hunt(seed: int = 3) -> str:
    """A grouper's strike in eight moments, from above and from the side, with its speed as a bar."""
    recording = staging.hunt("grouper", "cardinalfish", seed, staging.HUNT_SECONDS)
    (meal, *_) = [event for event in recording.events if event["kind"] == "eaten"]
    moments = meal["frame"] - np.round(np.array([2.4, 1.6, 1.0, 0.6, 0.35, 0.2, 0.1, 0.02]) * recording.fps).astype(int)
    fast = speeds(bodies.middles(recording.nodes), recording.fps, recording.body_length, bodily.QUICK_SECONDS)[:, 0]
    length, across, high = float(recording.body_length[0]), 118, 100
    drawing = VectorDrawing(len(moments) * across + 20, 2 * high + 30)
    scale = across / (3.6 * length)
    for column, moment in enumerate(moments):
        prey = recording.nodes[moment, meal["other"]].astype(float)
        place = bodies.middles(prey)
        ahead = (place - bodies.middles(recording.nodes[moment, 0])) * (1, 1, 0)
        ahead /= np.linalg.norm(ahead)
        views = np.stack([ahead, (-ahead[1], ahead[0], 0.0)]), np.stack([ahead, (0.0, 0.0, 1.0)])
        for row, axes in enumerate(views):
            left, top = 10.0 + column * across, 24 + row * high
            drawing.rectangle(left, top, across - 4, high - 6, clipped=True)
            origin = np.array([left + 0.8 * across, top + 0.5 * high])
            alive = np.flatnonzero(recording.alive[moment])
            for fish in alive[::-1]:
                nodes = recording.nodes[moment, fish].astype(float)
                shape = _outline(nodes, axes, place, upright=row == 1) * (scale, -scale) + origin
                colour = "#5a3a1e" if fish == 0 else RED if fish == meal["other"] else "#e59a7d"
                drawing.shape(shape, colour)
            drawing.end_clip()
        left = 10.0 + column * across
        drawing.line(np.array([[left, 20], [left + (across - 4) * fast[moment] / 4.0, 20]]), "#1f4e9c", 4)
        drawing.text(left, 14, f"{(moment - meal['frame']) / recording.fps:.2f} s")
    return drawing.svg()


def _curve(stations: np.ndarray, values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    return make_interp_spline(stations, values, k=3)


def _half_widths(nodes: np.ndarray, upright: bool = False) -> np.ndarray:
    """Half of the width of a body, or of its height, at nose, rings and tail, metres, (7,)."""
    line, frame = bodies.midline(nodes), bodies.body_frame(nodes)[1]
    out = np.einsum("nc,c->n", nodes - line[NODE_GROUPS], frame[:, 2 if upright else 1])
    half = np.array([np.abs(out[group == NODE_GROUPS]).max() for group in range(TAIL_GROUP + 1)])
    half[0] = 0.25 * half[1]
    return np.maximum(half, 0.04 * half.max())


def _outline(nodes: np.ndarray, axes: np.ndarray, origin: np.ndarray, upright: bool = False) -> np.ndarray:
    """Outline of a body (n, 2), nose first, along two axes (2, 3) from an origin, metres, of nodes (23, 3)."""
    share, rows = np.linspace(0.0, 6.0, POINTS), np.arange(7)
    line = _curve(rows, (bodies.midline(nodes) - origin) @ axes.T)(share)
    line[0] = (nodes[NOSE_NODE] - origin) @ axes.T
    return _thickened(line, PchipInterpolator(rows, _half_widths(nodes, upright))(share))


def _thickened(line: np.ndarray, half: np.ndarray) -> np.ndarray:
    """The polygon about a line (n, 2) that is so much wide to either side, (n,)."""
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-12)
    out = np.stack([-along[:, 1], along[:, 0]], axis=1) * half[:, None]
    return np.concatenate([line[:1], line + out, (line - out)[::-1]])


class VectorDrawing:
    """An SVG drawing of so many pixels on white.

    Attributes:
        parts: Its elements.
    """

    def __init__(self, wide: int, high: int) -> None:
        self._size = wide, high
        self._clips = 0
        self.parts = [f'<rect width="{wide}" height="{high}" fill="#ffffff"/>']

    def text(self, x: float, y: float, text: str, anchor: str = "start", fill: str = INK, weight: str = "") -> None:
        """Writes a text at a place."""
        style = LETTERS.replace(INK, fill) + (f' font-weight="{weight}"' if weight else "")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {style}>{escape(text)}</text>')

    def line(self, places: np.ndarray, colour: str, wide: float) -> None:
        """Draws a line through places (n, 2)."""
        self.parts.append(f'<polyline points="{_said(places)}" fill="none" stroke="{colour}" stroke-width="{wide}"/>')

    def shape(self, places: np.ndarray, colour: str) -> None:
        """Fills a polygon (n, 2)."""
        self.parts.append(f'<polygon points="{_said(places)}" fill="{colour}"/>')

    def dot(self, place: Sequence[float] | np.ndarray, radius: float, colour: str) -> None:
        """Fills a circle."""
        self.parts.append(f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius}" fill="{colour}"/>')

    def rectangle(self, x: float, y: float, wide: float, high: float, clipped: bool = False) -> None:
        """Frames a field, to which what follows is clipped until `end_clip` if that is chosen."""
        box = f'<rect x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
        self.parts.append(f'{box} fill="{"#d3e6ef" if clipped else "#f7f9fa"}" stroke="#ccd5da"/>')
        if clipped:
            self._clips += 1
            self.parts.append(f'<clipPath id="field{self._clips}">{box}/></clipPath>')
            self.parts.append(f'<g clip-path="url(#field{self._clips})">')

    def end_clip(self) -> None:
        """Ends the field to which is clipped."""
        self.parts.append("</g>")

    def svg(self) -> str:
        """The file."""
        wide, high = self._size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}">'
        return "\n".join([head, *self.parts, "</svg>"]) + "\n"


def _said(places: np.ndarray) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


DRAWINGS: dict[str, Callable[[], str]] = {
    "wave": drawn_wave,
    "turns": drawn_turns,
    "start": drawn_start,
    "hunt": drawn_hunt,
}

if __name__ == "__main__":
    sys.exit(main())
