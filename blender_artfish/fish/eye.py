"""A fish's eye: a round pupil in a metallic iris under a clear cornea."""

from __future__ import annotations

from ...core.scene.species import Species
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term, group


def paint_eye(graph: Graph, species: Species, part: str) -> None:
    """Make the tree of an eye's material, in the colours of the species: of an "eye", or one in a mesh."""
    eyeball = _eyeball if part == "eye" else _eyeball_in_mesh
    eye = eyeball(graph, iris=species.looks.iris, pupil=species.looks.pupil)
    shader_graph.output(graph, Surface=eye["Shader"])


@group("Artfish eye", iris=(0.6, 0.5, 0.2), pupil=0.5)
def _eyeball(graph: Graph, iris: Term, pupil: Term) -> dict[str, Term]:
    """A round pupil in a metallic iris under a clear cornea, looking along the eye's own z."""
    at = graph.coordinates("Object")
    outward = graph.node("ShaderNodeVectorMath", {}, operation="NORMALIZE").feed([at])["Vector"]
    x, y, _ = graph.parts(outward)
    return _cornea(graph, x, y, iris, pupil)


@group("Artfish eye in mesh", iris=(0.6, 0.5, 0.2), pupil=0.5)
def _eyeball_in_mesh(graph: Graph, iris: Term, pupil: Term) -> dict[str, Term]:
    """The same of a ball that is unwrapped as it is seen from straight ahead."""
    u, v, _ = graph.parts(graph.coordinates("UV"))
    return _cornea(graph, u * 2.0 - 1.0, v * 2.0 - 1.0, iris, pupil)


def _cornea(graph: Graph, x: Term, y: Term, iris: Term, pupil: Term) -> dict[str, Term]:
    """What is seen at a place of the ball, whose middle is 0 and whose edge is 1 away."""
    radius = (x * x + y * y).root()
    fibres = graph.noise(graph.vector(x / (radius + 0.05), y / (radius + 0.05), radius * 0.3), 6.0)
    shade = radius.ramp(0.95, 0.55, 0.25, 1.0) * (0.55 + 0.9 * fibres)
    ring = graph.mix(radius.ramp(pupil + 0.1, pupil + 0.03) * 0.7, iris, (1.0, 0.95, 0.8))
    colour = graph.mix(1.0, ring, graph.node("ShaderNodeCombineColor").feed([shade, shade, shade]).first, "MULTIPLY")
    black = radius.ramp(pupil + 0.02, pupil - 0.02)
    paint = graph.mix(black, colour, (0.002, 0.002, 0.003))
    eye = graph.node(
        "ShaderNodeBsdfPrincipled",
        {
            "Base Color": paint,
            "Metallic": 0.4 - 0.4 * black,
            "Roughness": 0.35,
            "Coat Weight": 1.0,
            "Coat Roughness": 0.02,
        },
    )
    return {"Shader": eye["BSDF"], "Colour": paint}
