"""A fin: skin between rays, that lets light through and is frayed where it ends."""

from __future__ import annotations

from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, Value, group
from . import pattern
from .individuality import tint


def paint_fin(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of the material of a fin: "dorsal", "ventral", "caudal" or "pectoral"."""
    looks = species.looks
    u, v, _ = graph.parts(graph.coordinates("UV"))
    across, out = (u, v) if part == "caudal" else (v, u)
    colour: Value = getattr(looks, part)
    if part in ("dorsal", "ventral") and looks.pattern != "none" and looks.fin_pattern:
        # The median fins carry the pattern on where the body's back or belly leaves it.
        up = 1.0 + 0.4 * out if part == "dorsal" else -0.4 * out
        amount = pattern.amount(graph, looks, pattern.girth(species), 0.25 + 0.7 * across, up, 0.5)
        colour = graph.mix(amount * looks.pattern_strength * looks.fin_pattern, colour, looks.pattern_colour)
    fin = _membrane(
        graph,
        across=across,
        out=out,
        colour=tint(graph, colour=colour, variety=looks.variety)["Colour"],
        edge_colour=looks.fin_edge_colour,
        edge=looks.fin_edge,
        clarity=looks.fin_clarity,
        rays=looks.fin_rays,
        depth=0.003 * species.length,
    )
    shader_graph.output(graph, Surface=fin["Shader"])


@group(
    "Artfish fin",
    across=0.5,
    out=0.5,
    colour=(0.5, 0.5, 0.5),
    edge_colour=(0.1, 0.1, 0.1),
    edge=0.0,
    clarity=0.4,
    rays=16.0,
    depth=0.001,
)
def _membrane(
    graph: Graph,
    across: Term,
    out: Term,
    colour: Term,
    edge_colour: Term,
    edge: Term,
    clarity: Term,
    rays: Term,
    depth: Term,
) -> dict[str, Term]:
    """Skin between rays, that lets light through and is frayed where it ends."""
    wave = ((across * rays).fraction() - 0.5).absolute() * 2.0
    # A ray splits in two on its way out.
    split = ((across * rays * 2.0).fraction() - 0.5).absolute() * 2.0
    forked = wave + (split - wave) * out.ramp(0.45, 0.75)
    ray = forked.ramp(0.45, 0.9)
    at_edge = out.ramp(1.0 - edge - 0.05, 1.0 - edge + 0.05) * edge.ramp(0.0, 0.01)
    paint = graph.mix(at_edge, graph.mix(ray * 0.35, colour, (0.0, 0.0, 0.0), "MULTIPLY"), edge_colour)
    skin = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": paint,
            "Roughness": 0.45,
            "Specular IOR Level": 0.3,
            "Normal": graph.bump(ray, depth),
        },
    )["BSDF"]
    through = graph.node("ShaderNodeBsdfTranslucent", {"Color": paint})["BSDF"]
    clear = graph.node("ShaderNodeBsdfTransparent", {"Color": graph.mix(0.5, paint, (1.0, 1.0, 1.0))})["BSDF"]
    lit = graph.blend(0.5, skin, through)
    thin = clarity * (0.35 + 0.65 * out) * (1.0 - 0.75 * ray) * (1.0 - 0.6 * at_edge)
    frayed = (out + 0.04 * (1.0 - forked)).ramp(0.995, 1.0)
    gone = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader = graph.blend(frayed, graph.blend(thin, lit, clear), gone)
    return {"Shader": shader, "Colour": paint, "Alpha": (1.0 - thin) * (1.0 - frayed)}
