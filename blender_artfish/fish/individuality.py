"""What makes one fish differ from the next of its species: a number of its own, which the materials read."""

from __future__ import annotations

from ..blender.shader_graph import Graph, Term, group

INDIVIDUAL = "individual"
"""Custom property of a fish's objects, 0 to 1, that the materials read."""


def individuality(graph: Graph) -> Term:
    """The number of the fish that is drawn, 0 to 1: of an instance in a crowd, or else of the object."""
    return graph.node("ShaderNodeAttribute", attribute_type="INSTANCER", attribute_name=INDIVIDUAL)["Fac"]


@group("Artfish tint", colour=(0.5, 0.5, 0.5), variety=0.3)
def tint(graph: Graph, colour: Term, variety: Term) -> dict[str, Term]:
    """What makes one fish a little paler, darker or warmer than the next."""
    individual = individuality(graph)
    other = (individual * 7.31).fraction()
    hue = 0.5 + (individual - 0.5) * variety * 0.06
    value = 1.0 + (other - 0.5) * variety * 0.5
    inputs = {"Hue": hue, "Saturation": 1.0, "Value": value, "Color": colour}
    return {"Colour": graph.node("ShaderNodeHueSaturation", inputs)["Color"]}
