"""Individuality of fishes: a number for each, read by the materials."""

from __future__ import annotations

import numpy as np

from ..blender.shader_graph import Graph, Term, group

INDIVIDUAL = "individual"
"""Custom property of a fish's objects, or attribute of faces, 0 to 1, read by the materials."""
FISH_ID = "id"
"""The number of a fish in the recording: an attribute of instances, and a custom property of objects."""
FISH_PASS = "fish"
"""The pass of a view layer (AOV, *Value*) into which all materials write one more than the fish's number."""


def individual(seed: int) -> float:
    """The individual number of a fish, 0 to 1, from its seed in the recording."""
    return float(np.random.default_rng(int(seed)).random())


def individuality(graph: Graph) -> Term:
    """The individual number of the shaded fish, 0 to 1: of a crowd's instance, or of the object, or else of its face.

    A live mesh has many fishes; a missing value counts as 0.
    """
    return graph.attribute(INDIVIDUAL, "INSTANCER") + graph.attribute(INDIVIDUAL)


def tell_apart(graph: Graph) -> None:
    """Write a pass that identifies each fish in a picture; it costs nothing without such a pass in a view layer."""
    number = graph.attribute(FISH_ID, "INSTANCER")
    graph.node("ShaderNodeOutputAOV", {"Value": number + 1.0}, aov_name=FISH_PASS)


@group("Artfish tint", colour=(0.5, 0.5, 0.5), variety=0.3)
def tint(graph: Graph, colour: Term, variety: Term) -> dict[str, Term]:
    """A colour made a little paler, darker or warmer by the fish's number."""
    individual = individuality(graph)
    other = (individual * 7.31).fraction()
    hue = 0.5 + (individual - 0.5) * variety * 0.06
    value = 1.0 + (other - 0.5) * variety * 0.5
    inputs = {"Hue": hue, "Saturation": 1.0, "Value": value, "Color": colour}
    return {"Colour": graph.node("ShaderNodeHueSaturation", inputs)["Color"]}
