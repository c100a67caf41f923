"""What makes one fish differ from the next: numbers of its own, which the materials read."""

from __future__ import annotations

import numpy as np

from ..blender.shader_graph import Graph, Term, group

INDIVIDUAL = "individual"
"""Custom property of a fish's objects, or attribute of faces, 0 to 1, that the materials read."""
FISH_ID = "id"
"""The number of a fish in the recording: an attribute of instances, and a custom property of objects."""
FISH_PASS = "fish"
"""The pass of a view layer (AOV, *Value*) into which all materials write one more than the fish's number."""


def individual(seed: int) -> float:
    """The number of a fish, 0 to 1, by the seed that its recording has of it."""
    return float(np.random.default_rng(int(seed)).random())


def individuality(graph: Graph) -> Term:
    """The number of the fish that is drawn, 0 to 1: of an instance in a crowd, or of the object, or else of its face.

    A live mesh has many fishes; what is not there counts as 0.
    """
    return graph.attribute(INDIVIDUAL, "INSTANCER") + graph.attribute(INDIVIDUAL)


def tell_apart(graph: Graph) -> None:
    """Let a picture have a pass that says which fish it shows; where no view layer has one it costs nothing."""
    number = graph.attribute(FISH_ID, "INSTANCER")
    graph.node("ShaderNodeOutputAOV", {"Value": number + 1.0}, aov_name=FISH_PASS)


@group("Artfish tint", colour=(0.5, 0.5, 0.5), variety=0.3)
def tint(graph: Graph, colour: Term, variety: Term) -> dict[str, Term]:
    """What makes one fish a little paler, darker or warmer than the next."""
    individual = individuality(graph)
    other = (individual * 7.31).fraction()
    hue = 0.5 + (individual - 0.5) * variety * 0.06
    value = 1.0 + (other - 0.5) * variety * 0.5
    inputs = {"Hue": hue, "Saturation": 1.0, "Value": value, "Color": colour}
    return {"Colour": graph.node("ShaderNodeHueSaturation", inputs)["Color"]}
