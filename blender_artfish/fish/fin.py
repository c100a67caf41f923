"""A fin: translucent skin between rays, frayed at its edge."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ...core.form.fin_relief import pictured_fin
from ...core.scene.looks import Looks
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, Value, group
from . import pattern
from .individuality import individuality, tint
from .relief import form_of, heights_png, picture
from .skin import shaded

HEIGHT_LENGTHS = 0.01
"""Body lengths from black to white in the picture of heights: half the thickest spine."""
SHADES = 1023
"""Grey levels from black to white: more would be of no use and make files larger."""


class _Carving(NamedTuple):
    """A fin's relief terms, as in `core.form.fin_relief.FinField`."""

    height: Term
    ray: Term
    beyond: Term


def paint_fin(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of the material of a fin: "dorsal", "ventral", "caudal" or "pectoral"."""
    looks = species.looks
    u, v, _ = graph.parts(graph.coordinates("UV"))
    across, out = (u, v) if part == "caudal" else (v, u)
    colour: Value = getattr(looks, part)
    if part in ("dorsal", "ventral") and looks.pattern != "none" and looks.fin_pattern:
        # The median fins continue the pattern of the body's back or belly.
        up = 1.0 + 0.4 * out if part == "dorsal" else -0.4 * out
        amount = pattern.amount(graph, looks, pattern.girth(species), 0.25 + 0.7 * across, up, 0.5)
        colour = graph.mix(amount * looks.pattern_strength * looks.fin_pattern, colour, looks.pattern_colour)
    carving = _carved(graph, species, part, across, out)
    fin = _membrane(
        graph,
        across=across,
        out=out,
        height=carving.height,
        ray=carving.ray,
        beyond=carving.beyond,
        colour=tint(graph, colour=colour, variety=looks.variety)["Colour"],
        body_colour=_root_colour(graph, looks, part, across),
        flesh=looks.fin_flesh,
        edge_colour=looks.fin_edge_colour,
        edge=looks.fin_edge * (1.0 - 0.7 * looks.pectoral_clarity if part == "pectoral" else 1.0),
        clarity=looks.pectoral_clarity if part == "pectoral" else looks.fin_clarity,
        clear=looks.fin_clear,
        rays=looks.fin_rays,
        ray_shade=looks.fin_ray_shade,
        fray=looks.fin_fray,
        depth=species.length,
    )
    shader_graph.output(graph, Surface=fin["Shader"])


def _carved(graph: Graph, species: Species, part: str, across: Term, out: Term) -> _Carving:
    """The relief of a fin at the shaded point."""
    image = picture(f"{species.name} {part} rays", form_of(species, "fin_rays"), lambda: _packed(species, part))
    at = graph.vector(across, out)
    shades = graph.node("ShaderNodeTexImage", {"Vector": at}, image=image, interpolation="Linear", extension="EXTEND")
    height, ray, beyond = graph.parts(shades["Color"])
    return _Carving(height * HEIGHT_LENGTHS, ray, beyond)


@lru_cache(maxsize=64)
def _packed(species: Species, part: str) -> bytes:
    """A picture of a fin's relief as a PNG, root at the bottom."""
    field = pictured_fin(species, part)
    parts = np.stack([field.height / HEIGHT_LENGTHS, field.ray, field.beyond], axis=-1)
    return heights_png(np.rint(SHADES * parts) / SHADES)


def _root_colour(graph: Graph, looks: Looks, part: str, across: Term) -> Value:
    """The colour of the body at the root of a fin."""
    if part == "caudal":
        return looks.rear if looks.rear_reach else shaded(graph, looks, 1.0 - across)
    return {"dorsal": looks.back, "ventral": looks.belly}.get(part, looks.side)


@group(
    "Artfish rayed fin",
    across=0.5,
    out=0.5,
    height=0.0,
    ray=0.0,
    beyond=0.0,
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
    height: Term,
    ray: Term,
    beyond: Term,
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
    """Translucent skin between rays, frayed at its edge."""
    number = individuality(graph) * 31.0
    streaks = graph.noise(graph.vector(across * rays * 0.9, out * 1.5, number), 1.0, 2.0)
    blotches = graph.noise(graph.vector(across * 3.0, out * 1.2, number), 2.2, 1.0)
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
            "Normal": graph.bump(height, depth),
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
    between = 1.0 - ray
    notch = between * (0.02 + 0.07 * streaks + blotches.ramp(0.6, 0.78) * 0.16)
    frayed = (out + fray * notch).ramp(0.985, 1.0).most(beyond.ramp(0.0, 0.2))
    gone = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader = graph.blend(frayed, graph.blend(thin, lit, seen_through), gone)
    return {"Shader": shader, "Colour": paint, "Alpha": (1.0 - thin.least(1.0)) * (1.0 - frayed)}
