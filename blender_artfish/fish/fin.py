"""A fin: skin between rays, that lets light through and is frayed where it ends."""

from __future__ import annotations

from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, Value, group
from . import pattern
from .individuality import individuality, tint


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
        body_colour=_root_colour(looks, part),
        flesh=looks.fin_flesh,
        edge_colour=looks.fin_edge_colour,
        edge=looks.fin_edge * (1.0 - 0.7 * looks.pectoral_clarity if part == "pectoral" else 1.0),
        clarity=looks.pectoral_clarity if part == "pectoral" else looks.fin_clarity,
        clear=looks.fin_clear,
        rays=looks.fin_rays,
        ray_shade=looks.fin_ray_shade,
        fray=looks.fin_fray,
        depth=0.003 * species.length,
    )
    shader_graph.output(graph, Surface=fin["Shader"])


def _root_colour(looks: Looks, part: str) -> tuple:
    """The colour of the body where a fin is rooted."""
    if part == "caudal":
        return looks.rear if looks.rear_reach else looks.side
    return {"dorsal": looks.back, "ventral": looks.belly}.get(part, looks.side)


@group(
    "Artfish rayed fin",
    across=0.5,
    out=0.5,
    colour=(0.5, 0.5, 0.5),
    body_colour=(0.5, 0.5, 0.5),
    flesh=0.2,
    edge_colour=(0.1, 0.1, 0.1),
    edge=0.0,
    clarity=0.4,
    clear=0.6,
    rays=16.0,
    ray_shade=0.35,
    fray=0.3,
    depth=0.001,
)
def _membrane(
    graph: Graph,
    across: Term,
    out: Term,
    colour: Term,
    body_colour: Term,
    flesh: Term,
    edge_colour: Term,
    edge: Term,
    clarity: Term,
    clear: Term,
    rays: Term,
    ray_shade: Term,
    fray: Term,
    depth: Term,
) -> dict[str, Term]:
    """Thin skin between rays that fork on their way out: light goes through it, and it is frayed where it ends."""
    number = individuality(graph) * 31.0
    streaks = graph.noise(graph.vector(across * rays * 0.9, out * 1.5, number), 1.0, 2.0)
    blotches = graph.noise(graph.vector(across * 3.0, out * 1.2, number), 2.2, 1.0)
    fine = (across * rays + blotches * 0.7).fraction()
    from_ray = 0.5 - (fine - 0.5).absolute()
    branch = (from_ray - 0.24 * out.ramp(0.35, 1.0)).absolute()
    width = 0.16 - 0.09 * out
    ray = branch.ramp(width, width * 0.35)
    ragged = out + (streaks - 0.5) * 0.12
    at_edge = ragged.ramp(1.0 - edge - 0.04, 1.0 - edge + 0.04) * edge.ramp(0.0, 0.01)
    uneven = {"Value": 1.0 + (streaks - 0.5) * 0.7 + (blotches - 0.5) * 0.5, "Color": colour}
    skin_colour = graph.node("ShaderNodeHueSaturation", uneven)["Color"]
    joints = (out * 34.0).fraction().ramp(0.0, 0.25, 0.7, 1.0)
    dark = graph.mix(ray * ray_shade.most(0.0), skin_colour, (0.0, 0.0, 0.0))
    rayed = graph.mix(ray * (0.0 - ray_shade).most(0.0) * joints, dark, (1.0, 0.95, 0.85))
    fleshy = (out - ray * 0.12 - streaks * 0.1).ramp(flesh, flesh * 0.2) * flesh.ramp(0.0, 0.02)
    paint = graph.mix(at_edge, graph.mix(fleshy * 0.85, rayed, body_colour), edge_colour)
    skin = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": paint,
            "Roughness": 0.5 - 0.15 * ray,
            "Specular IOR Level": 0.25,
            "Normal": graph.bump((ray + branch * 0.8) * out.ramp(0.0, flesh.most(0.05)), depth),
        },
    )["BSDF"]
    glowing = graph.node("ShaderNodeHueSaturation", {"Saturation": 1.15, "Value": 1.25, "Color": paint})["Color"]
    through = graph.node("ShaderNodeBsdfTranslucent", {"Color": glowing})["BSDF"]
    clear_colour = graph.mix(0.55, paint, (1.0, 1.0, 1.0))
    seen_through = graph.node("ShaderNodeBsdfTransparent", {"Color": clear_colour})["BSDF"]
    lit = graph.blend(0.5 - 0.35 * fleshy, skin, through)
    outer = (1.0 - clear) + clear * out
    thin = clarity * outer * (1.0 - 0.8 * ray) * (1.0 - 0.6 * at_edge) * (1.0 - fleshy) * (1.35 - 0.7 * streaks)
    # Between rays the edge is notched, here and there torn.
    notch = from_ray * (0.05 + 0.1 * streaks) + blotches.ramp(0.6, 0.78) * from_ray.ramp(0.05, 0.3) * 0.16
    frayed = (out + fray * notch).ramp(0.985, 1.0)
    gone = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader = graph.blend(frayed, graph.blend(thin, lit, seen_through), gone)
    return {"Shader": shader, "Colour": paint, "Alpha": (1.0 - thin.least(1.0)) * (1.0 - frayed)}
