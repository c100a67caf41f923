"""Individual marks of each fish: freckles, scratches, worn scales, and slightly uneven pigment."""

from __future__ import annotations

from ..blender.shader_graph import Graph, Term, group
from .individuality import individuality

FRECKLES_ALONG, SCARS_ALONG = 46.0, 5.0
"""Cells along the body, some of which have a freckle or a scratch."""
CELLS_ALONG = 240.0
"""Clusters of pigment cells along the body."""


@group("Artfish pigment", colour=(0.5, 0.5, 0.5), along=0.5, up=0.5, girth=0.3, grain=0.25)
def pigment(graph: Graph, colour: Term, along: Term, up: Term, girth: Term, grain: Term) -> dict[str, Term]:
    """A colour as pigment cells make it: uneven from cell to cell, and slightly between regions."""
    individual = individuality(graph)
    at = graph.vector(along, up * girth * 1.4, individual * 23.0)
    cells = graph.noise(at, CELLS_ALONG, 1.0)
    tone = graph.noise(graph.vector(along, up * girth * 2.0, individual * 23.0), 7.0, 2.0)
    uneven = 1.0 + (cells - 0.5) * grain * 1.5 + (tone - 0.5) * grain * 0.9
    shift = {"Hue": 0.5 + (tone - 0.5) * grain * 0.05, "Value": uneven, "Color": colour}
    return {"Colour": graph.node("ShaderNodeHueSaturation", shift)["Color"], "Tone": tone}


@group(
    "Artfish freckles",
    colour=(0.5, 0.5, 0.5),
    along=0.5,
    up=0.5,
    girth=0.3,
    freckles=0.2,
    freckle_colour=(0.03, 0.025, 0.02),
)
def freckled(
    graph: Graph, colour: Term, along: Term, up: Term, girth: Term, freckles: Term, freckle_colour: Term
) -> dict[str, Term]:
    """Small spots over the upper flank, fewer towards the belly, different on every fish."""
    number = individuality(graph)
    at = graph.vector(along + number * 3.7, up * girth * 1.4 + number * 1.9)
    cells = {"Vector": at, "Scale": FRECKLES_ALONG, "Randomness": 1.0}
    spot = graph.node("ShaderNodeTexVoronoi", cells, voronoi_dimensions="2D")
    which, size, strength = graph.parts(spot["Color"])
    chosen = graph.math("LESS_THAN", which, freckles * up.ramp(0.15, 0.7))
    radius = 0.08 + 0.2 * size * size
    amount = (spot["Distance"] / radius).ramp(1.0, 0.6) * chosen * (0.35 + 0.5 * strength)
    return {"Colour": graph.mix(amount, colour, freckle_colour)}


@group("Artfish scars", colour=(0.5, 0.5, 0.5), along=0.5, up=0.5, girth=0.3, scars=0.15, chance=0.5, there=0.0)
def scarred(
    graph: Graph, colour: Term, along: Term, up: Term, girth: Term, scars: Term, chance: Term, there: Term
) -> dict[str, Term]:
    """Pale scratches, and regrown scales, different on every fish."""
    number = individuality(graph)
    x, y = along + number * 5.3, up * girth * 1.4 + number * 2.7
    cells = {"Vector": graph.vector(x, y), "Scale": SCARS_ALONG, "Randomness": 1.0}
    cell = graph.node("ShaderNodeTexVoronoi", cells, voronoi_dimensions="2D")
    which, turn, size = graph.parts(cell["Color"])
    middle_x, middle_y, _ = graph.parts(cell["Position"])
    dx, dy = (x - middle_x) * SCARS_ALONG, (y - middle_y) * SCARS_ALONG
    angle = turn * 3.14159
    cosine, sine = graph.math("COSINE", angle), angle.sine()
    lengthwise = (dx * cosine + dy * sine) / (0.06 + 0.2 * size)
    # Every scratch is bent and broken differently.
    bent = lengthwise * lengthwise * (which / (scars * 0.6).most(0.001) - 0.5) * 0.03
    wavering = (graph.noise(graph.vector(x, y), 60.0, 1.0) - 0.5) * 0.02
    across = (dy * cosine - dx * sine + bent + wavering) / (0.004 + 0.004 * turn)
    chosen = graph.math("LESS_THAN", which, scars * 0.6)
    whole = graph.noise(graph.vector(x + 3.1, y), 90.0, 1.0).ramp(0.4, 0.6)
    scratch = (lengthwise * lengthwise + across * across).ramp(1.0, 0.1) * chosen * whole
    lost = graph.math("GREATER_THAN", chance, 1.0 - 0.035 * scars) * there
    pale = graph.mix(0.45, colour, (0.75, 0.7, 0.66))
    return {"Colour": graph.mix((scratch * 0.4).most(lost * 0.14), colour, pale)}
