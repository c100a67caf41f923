"""A fish's eye: a round pupil in a metallic iris that lies deep under a clear cornea."""

from __future__ import annotations

from ...core.form.tuning import EYE_SKIN_RADII
from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, group

IRIS_DEPTH = 0.6
"""Distance of the iris from the eyeball's centre, over its radius: a little deeper than the skin."""


def paint_eye(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of an eye's material, in the colours of the species: for an "eye" object, or an eye in a mesh."""
    looks = species.looks
    eyeball = _eyeball if part == "eye" else _eyeball_in_mesh
    eye = eyeball(
        graph,
        iris=looks.iris,
        rim=looks.iris_rim,
        pupil=looks.pupil,
        ring=looks.pupil_ring,
        ring_colour=looks.pupil_ring_colour,
    )
    shader_graph.output(graph, Surface=eye["Shader"])


_INPUTS = {
    "iris": (0.6, 0.5, 0.2),
    "rim": (0.08, 0.06, 0.04),
    "pupil": 0.5,
    "ring": 0.12,
    "ring_colour": (0.9, 0.75, 0.4),
}
"""Inputs of both kinds of eye and their defaults before a species sets them."""


@group("Artfish deep eye", **_INPUTS)
def _eyeball(graph: Graph, iris: Term, rim: Term, pupil: Term, ring: Term, ring_colour: Term) -> dict[str, Term]:
    """An eye that looks along its own z; its iris is a disc inside, refracted through the cornea."""
    at = graph.coordinates("Object")
    outward = graph.node("ShaderNodeVectorMath", {}, operation="NORMALIZE").feed([at])["Vector"]
    incoming = graph.node("ShaderNodeNewGeometry")["Incoming"]
    inputs = {"Vector": incoming}
    turned = graph.node("ShaderNodeVectorTransform", inputs, convert_from="WORLD", convert_to="OBJECT")["Vector"]
    x, y, z = graph.parts(outward)
    ahead_x, ahead_y, ahead_z = graph.parts(turned)
    sunk = (z - IRIS_DEPTH).most(0.0) / ahead_z.most(0.25)
    return _cornea(graph, x - ahead_x * sunk, y - ahead_y * sunk, iris, rim, pupil, ring, ring_colour)


@group("Artfish deep eye in mesh", **_INPUTS)
def _eyeball_in_mesh(
    graph: Graph, iris: Term, rim: Term, pupil: Term, ring: Term, ring_colour: Term
) -> dict[str, Term]:
    """The same for an eyeball unwrapped in its front view, which so has no depth."""
    u, v, _ = graph.parts(graph.coordinates("UV"))
    return _cornea(graph, u * 2.0 - 1.0, v * 2.0 - 1.0, iris, rim, pupil, ring, ring_colour)


def _cornea(
    graph: Graph, x: Term, y: Term, iris: Term, rim: Term, pupil: Term, ring: Term, ring_colour: Term
) -> dict[str, Term]:
    """Colours at a point of the iris, whose middle is 0."""
    radius = (x * x + y * y).root() / EYE_SKIN_RADII
    fibres = graph.noise(graph.vector(x / (radius + 0.05), y / (radius + 0.05), radius * 0.6), 7.0, 3.0)
    outer = radius.ramp(pupil + 0.25 * (1.0 - pupil), 0.95)
    paint = graph.mix(outer, iris, rim)
    bright = radius.ramp(pupil + 1.4 * ring, pupil + 0.2 * ring) * ring.ramp(0.0, 0.02) * 0.85
    paint = graph.mix(bright, paint, ring_colour)
    shade = (0.45 + 1.1 * fibres) * radius.ramp(1.12, 0.92, 0.08, 1.0)
    paint = graph.mix(1.0, paint, graph.node("ShaderNodeCombineColor").feed([shade, shade, shade]).first, "MULTIPLY")
    black = radius.ramp(pupil + 0.015, pupil - 0.015)
    paint = graph.mix(black, paint, (0.0015, 0.0018, 0.0025))
    eye = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": paint,
            "Metallic": (1.0 - black) * 0.45,
            "Roughness": 0.32 + (fibres - 0.5) * 0.3,
            "Specular IOR Level": 0.4,
            "Coat Weight": 1.0,
            "Coat Roughness": 0.015,
            "Coat IOR": 1.4,
        },
    )
    return {"Shader": eye["BSDF"], "Colour": paint}
