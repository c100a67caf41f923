"""The page of a fit: each figure drawn for both halves of the tracks and for our fishes, as plain HTML with SVG."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape

import numpy as np

from ..base.files import writing
from .arena import Arena
from .figures import FIGURES, MotionFigure
from .fit import FittedFigures
from .tuning import PAGE_BINS, PAGE_SHARES

CURVES = (
    ("fitted", "tracks, fitted half", "#7a8b99", ""),
    ("judged", "tracks, judged half", "#101820", ""),
    ("before", "ours before", "#d08a2e", "4 3"),
    ("after", "ours, fitted", "#1676b8", ""),
)
"""Name, legend, colour and dashes of each curve."""
PLOT_WIDE, PLOT_HIGH, PLOT_FOOT = 340, 150, 46
PATH_SIDE = 230
STYLE = """body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:1120px;color:#101820;background:#fff}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}td,th{padding:.2em .8em;text-align:left}
tr{border-bottom:1px solid #d7dde2}.off{color:#b3261e}.plots{display:flex;flex-wrap:wrap;gap:18px}
figure{margin:0}figcaption{font-size:13px;max-width:340px}text{font:11px system-ui,sans-serif;fill:#44525e}"""


def page(found: FittedFigures, title: str, tracks: str, arena: Arena) -> str:
    """The page.

    Args:
        found: The outcome.
        title: Name of the species.
        tracks: Name of the tracks.
        arena: The tank in lengths.
    """
    total = int(found.known.sum())
    counts = f"{found.count(found.before)} before, {found.count(found.after)} fitted"
    ceiling = f"{found.count(found.fitted)} of the tracks' own fitted half are"
    head = f"{title}, fitted to {tracks}"
    legend = "".join(
        f'<span style="color:{colour}">&#9632;</span> {escape(name)} &nbsp; ' for _, name, colour, _ in CURVES
    )
    plots = "".join(_plot(found, row) for row in range(len(FIGURES)) if found.known[row])
    paths = "".join(_paths(found.paths[key], name, colour, arena) for key, name, colour, _ in CURVES)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{escape(head)}</title><style>{STYLE}</style>'
        f"<h1>{escape(head)}</h1><p>Figures all of whose quartiles are within the 95 % intervals of the judged half: "
        f"{counts}, of {total}; {ceiling}. Bars below a curve are these intervals, with the quartiles of our fishes."
        f"</p><p>{legend}</p>"
        f'<div class="plots">{plots}</div><h2>Paths</h2><div class="plots">{paths}</div>'
        f"<h2>Quartiles</h2>{_table(found)}<h2>What was found</h2>{_values(found)}</html>\n"
    )


def write_page(path: str | os.PathLike[str], found: FittedFigures, title: str, tracks: str, arena: Arena) -> None:
    """Writes the page of a fit; arguments as of `page`."""
    with writing(path) as file:
        file.write(page(found, title, tracks, arena).encode())


def lines(found: FittedFigures) -> list[str]:
    """The table of a fit as lines of text: quartiles of each figure, those outside their intervals with a star."""
    head = "figure", "unit", "fitted half", "judged half", "ours before", "ours, fitted"
    rows: list[tuple[str, ...]] = [head]
    for row, figure in enumerate(FIGURES):
        if not found.known[row]:
            continue
        cells = [_cell(quantiles[row], found.ends[row], key == "judged") for key, quantiles in _sets(found)]
        rows.append((figure.key, figure.unit, *cells))
    widths = [max(len(row[column]) for row in rows) for column in range(len(head))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _sets(found: FittedFigures) -> list[tuple[str, np.ndarray]]:
    return [(key, getattr(found, key)) for key, *_ in CURVES]


def _cell(quantiles: np.ndarray, ends: np.ndarray, judged: bool) -> str:
    words = []
    for value, (low, high) in zip(quantiles, ends, strict=True):
        star = "" if judged or low <= value <= high else "*"
        words.append(f"{value:.3g}{f' ({low:.3g}-{high:.3g})' if judged else star}")
    return " ".join(words)


def _plot(found: FittedFigures, row: int) -> str:
    figure = FIGURES[row]
    low, high = _span(found, figure)
    edges = np.linspace(low, high, PAGE_BINS + 1)
    density = {}
    for key, *_ in CURVES:
        some = found.samples[key][figure.key]
        some = some[np.isfinite(some)]
        density[key] = np.histogram(some, edges)[0] / max(len(some), 1)
    top = max(float(one.max()) for one in density.values()) or 1.0
    middles = 0.5 * (edges[1:] + edges[:-1])

    def x(value: float) -> float:
        return 6 + (PLOT_WIDE - 12) * float(np.clip((value - low) / (high - low), 0.0, 1.0))

    parts = []
    for key, _, colour, dashes in CURVES:
        points = " ".join(
            f"{x(at):.1f},{PLOT_HIGH - 4 - (PLOT_HIGH - 14) * share / top:.1f}"
            for at, share in zip(middles, density[key], strict=True)
        )
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
    for column, (least, most) in enumerate(found.ends[row]):
        y = PLOT_HIGH + 6 + 6 * column
        parts.append(f'<path d="M{x(least):.1f} {y}H{x(most):.1f}" stroke="#9aa7b1" stroke-width="4"/>')
        for key, quantiles in _sets(found):
            if key in ("before", "after") and np.isfinite(quantiles[row, column]):
                colour = {name: own for name, _, own, _ in CURVES}[key]
                parts.append(f'<circle cx="{x(quantiles[row, column]):.1f}" cy="{y}" r="2.8" fill="{colour}"/>')
    ticks = "".join(
        f'<text x="{x(at):.1f}" y="{PLOT_HIGH + 38}" text-anchor="{anchor}">{at:.3g}</text>'
        for at, anchor in ((low, "start"), (0.5 * (low + high), "middle"), (high, "end"))
    )
    inside = "" if found.within(found.after)[row].all() else ' <span class="off">not within</span>'
    unit = f" ({escape(figure.unit)})" if figure.unit else ""
    return (
        f'<figure><svg width="{PLOT_WIDE}" height="{PLOT_HIGH + PLOT_FOOT}">{"".join(parts)}{ticks}</svg>'
        f"<figcaption><b>{figure.key}</b>{unit}{inside}<br>{escape(figure.help)}</figcaption></figure>"
    )


def _span(found: FittedFigures, figure: MotionFigure) -> tuple[float, float]:
    both = np.concatenate([found.samples[key][figure.key].ravel() for key in ("fitted", "judged", "after")])
    low, high = np.quantile(both[np.isfinite(both)], PAGE_SHARES)
    return float(low), float(high if high > low else low + 1.0)


def _paths(places: np.ndarray, name: str, colour: str, arena: Arena) -> str:
    scale = PATH_SIDE / max(arena.size)
    at = (places - np.array(arena.low)) * scale
    wide, high = (side * scale for side in arena.size)
    ways = []
    for fish in range(places.shape[1]):
        seen = at[np.isfinite(at[:, fish, 0]), fish]
        points = " ".join(f"{px:.1f},{high - py:.1f}" for px, py in seen.tolist())
        ways.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width=".7" opacity=".7"/>')
    border = 'fill="none" stroke="#9aa7b1"'
    wall = (
        f'<circle cx="{wide / 2:.1f}" cy="{high / 2:.1f}" r="{wide / 2 - 1:.1f}" {border}/>'
        if arena.round
        else f'<rect x="1" y="1" width="{wide - 2:.1f}" height="{high - 2:.1f}" {border}/>'
    )
    drawn = f'<svg width="{wide:.0f}" height="{high:.0f}">{wall}{"".join(ways)}</svg>'
    return f"<figure>{drawn}<figcaption>{escape(name)}</figcaption></figure>"


def _table(found: FittedFigures) -> str:
    rows = []
    for row, figure in enumerate(FIGURES):
        if found.known[row]:
            cells = "".join(f"<td>{_cell(of[row], found.ends[row], key == 'judged')}</td>" for key, of in _sets(found))
            rows.append(f"<tr><td>{figure.key}</td><td>{escape(figure.unit)}</td>{cells}</tr>")
    return _framed(["figure", "unit", *(name for _, name, *_ in CURVES)], rows)


def _values(found: FittedFigures) -> str:
    if not found.values:
        return "<p>Nothing better than the species as it was.</p>"
    return _framed(["number", "value"], [f"<tr><td>{key}</td><td>{of:g}</td></tr>" for key, of in found.values.items()])


def _framed(head: Sequence[str], rows: Sequence[str]) -> str:
    return f"<table><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>{''.join(rows)}</table>"
