"""The pattern of a skin, continued on the median fins: stripes, bars, spots or mottling."""

from __future__ import annotations

import numpy as np

from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender.shader_graph import Graph, Term, Value, group


def girth(species: Species) -> float:
    """Length over the flank from belly to back where the body is deepest, in body lengths."""
    back, belly = np.array(species.form.back), np.array(species.form.belly)
    return 1.1 * float(back[:, 1].max() - belly[:, 1].min())


def window(looks: Looks, along: Term, up: Term) -> Term:
    """Mask of the patterned region, 0 to 1."""
    (begin, end), (low, high) = looks.pattern_along, looks.pattern_up
    lengthwise = along.ramp(begin - 0.03, begin + 0.03) * along.ramp(end + 0.03, end - 0.03)
    return lengthwise * up.ramp(low - 0.05, low + 0.05) * up.ramp(high + 0.05, high - 0.05)


def amount(graph: Graph, looks: Looks, girth: float, along: Value, up: Value, individual: Value) -> Term:
    """Coverage of the pattern at a point, 0 to 1."""
    common = {
        "along": along,
        "up": up,
        "girth": girth,
        "count": looks.pattern_count,
        "width": looks.pattern_width,
        "softness": looks.pattern_softness,
        "wobble": looks.pattern_wobble,
        "individual": individual,
    }
    if looks.pattern == "mottling":
        return _mottling(graph, **common)["Amount"]
    if looks.pattern == "spots":
        return _spots(graph, **common)["Amount"]
    lines = _bars if looks.pattern == "bars" else _stripes
    return lines(graph, slant=looks.pattern_slant, bend=looks.pattern_bend, **common)["Amount"]


_INPUTS = {
    "along": 0.5,
    "up": 0.5,
    "girth": 0.3,
    "count": 8.0,
    "width": 0.4,
    "softness": 0.2,
    "wobble": 0.1,
    "individual": 0.5,
}
"""Inputs of all patterns and their defaults before a species sets them."""


def _lines(graph: Graph, phase: Term, stray: Term, width: Term, softness: Term, wobble: Term) -> dict[str, Term]:
    """Lines one unit of phase apart, distorted by noise."""
    wave = ((phase + (stray - 0.5) * wobble * 2.5).fraction() - 0.5).absolute() * 2.0
    half = softness * 0.5
    return {"Amount": wave.ramp(width + half, width - half)}


@group("Artfish stripes", slant=0.0, bend=0.0, **_INPUTS)
def _stripes(
    graph: Graph,
    slant: Term,
    bend: Term,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Stripes along the body, `count` over its height."""
    rise = (along - 0.5) * slant / girth + (along - 0.5) * (along - 0.5) * bend
    stray = graph.noise(graph.vector(along * 2.0, up * 3.0 * girth, individual * 30.0), 3.0)
    return _lines(graph, (up - rise) * count, stray, width, softness, wobble)


@group("Artfish bars", slant=0.0, bend=0.0, **_INPUTS)
def _bars(
    graph: Graph,
    slant: Term,
    bend: Term,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Bars across the body, `count` along it."""
    height = up - 0.5
    lean = height * slant * girth - height * height * bend
    stray = graph.noise(graph.vector(along, up * 1.5 * girth, individual * 30.0), 4.0)
    return _lines(graph, (along - lean) * count, stray, width, softness, wobble)


@group("Artfish spots", **_INPUTS)
def _spots(
    graph: Graph,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Round spots, `count` along the body."""
    at = graph.vector(along, up * girth, individual * 30.0)
    cells = {"Vector": at, "Scale": count, "Randomness": 0.4 + 0.6 * wobble}
    # The squared radius of a spot with this share of its cell of side 1.
    radius = (width * 0.32).root()
    distance = graph.node("ShaderNodeTexVoronoi", cells, voronoi_dimensions="2D")["Distance"]
    size = radius * (0.6 + 0.8 * graph.noise(at, count * 0.7))
    return {"Amount": distance.ramp(size * (1.0 + softness), size * (1.0 - softness))}


@group("Artfish mottling", **_INPUTS)
def _mottling(
    graph: Graph,
    along: Term,
    up: Term,
    girth: Term,
    count: Term,
    width: Term,
    softness: Term,
    wobble: Term,
    individual: Term,
) -> dict[str, Term]:
    """Blotches, about `count` along the body, ragged as they wobble."""
    at = graph.vector(along, up * girth * 0.8, individual * 30.0)
    cloud = graph.noise(at, count, 1.0) + (graph.noise(at, count * 4.0, 3.0) - 0.5) * wobble
    edge = 0.7 - 0.4 * width
    half = softness * 0.15
    return {"Amount": cloud.ramp(edge - half, edge + half)}
