"""Scales in overlapping rows, and the lateral line that runs through them."""

from __future__ import annotations

from typing import NamedTuple

from ..blender.shader_graph import Graph, Term, group
from .individuality import individuality

HEAD_REACH = 0.3
"""Share of the body over which scales grow from their size at the head to that on the flank."""
STEEPNESS = 1.4
"""Height of the flank over its share of the way from belly to back, at mid-flank, where scales are largest."""
FINEST_LINE = 0.007
"""Least width of the lateral line, over the body's height, where scales are tiny."""
ROUNDNESS = 2.6
"""Roundness of a scale's free edge: the exponent of its fall from the middle to the corners."""


class _Row(NamedTuple):
    """One of the two sets of rows: the scale that a point belongs to, and the point's position on it."""

    column: Term
    row: Term
    share: Term
    level: Term


@group(
    "Artfish overlapping scales",
    along=0.5,
    up=0.5,
    girth=0.3,
    size=0.02,
    taper=0.6,
    start=0.2,
    variety=0.4,
)
def scales(
    graph: Graph, along: Term, up: Term, girth: Term, size: Term, taper: Term, start: Term, variety: Term
) -> dict[str, Term]:
    """Scales laid like tiles: each row's round edge overlaps the next row, which is shifted by half a scale.

    Relief rises from 0 under the scale ahead to nearly 1, and falls off at a scale's own edge. Edge is 1 where the
    scale ahead casts its shade. Chance and Other are numbers of each scale, 0 to 1. There is 1 where scales are.
    """
    growth = (1.0 / taper - 1.0) * HEAD_REACH
    x = (along + (1.0 - graph.math("EXPONENT", along * (-1.0 / HEAD_REACH))) * growth) / size
    y = (up - 0.5) * girth * STEEPNESS / size
    first, second = _row(graph, x, y, 0.0), _row(graph, x, y, 0.5)
    # The visible scale belongs to the other row than the edge passed last.
    other = graph.math("LESS_THAN", first.share, second.share)
    column = first.column + (second.column - first.column) * other
    row = first.row + (second.row - first.row) * other
    level = first.level + (second.level - first.level) * other
    share = first.share.least(second.share) * 2.0
    cell = {"Vector": graph.vector(column, row, individuality(graph) * 17.0)}
    drawn = graph.node("ShaderNodeTexWhiteNoise", cell, noise_dimensions="3D")
    chance, another, _ = graph.parts(drawn["Color"])
    # None on the face, and none where back, belly and the tail's root come together.
    there = along.ramp(start, start + 0.07) * along.ramp(1.0, 0.95) * up.ramp(0.01, 0.09) * up.ramp(0.99, 0.93)
    dome = 1.0 - 0.35 * level * level
    relief = share * share.ramp(1.0, 0.84) * dome * (1.0 + (chance - 0.5) * variety * 0.8)
    return {
        "Relief": relief * there,
        "Edge": share.ramp(0.32, 0.02) * there,
        "Chance": chance,
        "Other": another,
        "There": there,
    }


def _row(graph: Graph, x: Term, y: Term, shift: float) -> _Row:
    """The scales of every second row."""
    height = y + shift
    level = (height.fraction() - 0.5) * 2.0
    place = x + shift + 0.5 * level.absolute() ** ROUNDNESS
    return _Row(graph.math("FLOOR", place) + shift, graph.math("FLOOR", height), place.fraction(), level)


@group("Artfish lateral line", along=0.5, up=0.5, girth=0.3, size=0.02, gill=0.24, height=0.68, drop=0.15)
def lateral_line(
    graph: Graph, along: Term, up: Term, girth: Term, size: Term, gill: Term, height: Term, drop: Term
) -> dict[str, Term]:
    """A row of pores from the gill cover to the tail, arched like the back."""
    behind = along.ramp(gill, 1.0)
    away = (up - height + drop * behind).absolute() * girth * STEEPNESS
    width = size.most(FINEST_LINE)
    there = along.ramp(gill, gill + 0.03) * along.ramp(1.0, 0.96)
    pore = ((along / width).fraction() - 0.5).absolute().ramp(0.5, 0.15)
    return {"Line": (away / width).ramp(0.3, 0.08) * (0.45 + 0.55 * pore) * there}
