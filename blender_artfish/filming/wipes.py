"""Wipes along a fish: one drawing of it replaces another from the nose to the tail.

A front moves along the fish's own x axis and leaves the new drawing behind it. It is a keyed
value of each material that takes part, so that the file plays without the add-on.
"""

from __future__ import annotations

from dataclasses import dataclass

import bpy

from ..blender.shader_graph import Graph, Term
from ..stage.objects import move_straight

WIPE_SECONDS = 3.0
"""Longest duration of a wipe; in a short shot it is half of a drawing's share."""
EDGE_LENGTHS = 0.04
"""Width of its soft front, in body lengths."""
AHEAD_LENGTHS, BEHIND_LENGTHS = 0.06, 0.12
"""Distance before the nose where it begins, and behind the tail where it ends, in body lengths."""


@dataclass(frozen=True)
class Wipe:
    """A front that moves along a fish.

    Attributes:
        begin: Frame of the scene at which it begins.
        end: Frame at which it has passed the fish.
        ahead: Its first position on the fish's own x axis, metres.
        behind: Its last position, metres.
        edge: Width of its soft front, metres.
    """

    begin: float
    end: float
    ahead: float
    behind: float
    edge: float


def wipes(drawings: int, frames: int, fps: float, first: float, nose: float, length: float) -> list[Wipe]:
    """The wipes between so many drawings that share the shot equally.

    Args:
        drawings: Number of drawings.
        frames: Number of frames of the shot.
        fps: Frames a second.
        first: Frame of the scene at which the shot begins.
        nose: Position of the nose on the fish's own x axis, metres.
        length: Body length of the fish, metres.
    """
    share = frames / drawings
    half = 0.5 * min(WIPE_SECONDS * fps, 0.5 * share)
    ends = nose + AHEAD_LENGTHS * length, nose - (1.0 + BEHIND_LENGTHS) * length
    middles = [first + share * number for number in range(1, drawings)]
    return [Wipe(middle - half, middle + half, *ends, EDGE_LENGTHS * length) for middle in middles]


def passed(graph: Graph, root: bpy.types.Object, wipe: Wipe, name: str, after: float = 0.0) -> Term:
    """Share by which a front has passed a point of a fish, 0 to 1.

    Args:
        graph: Graph of a material of the fish.
        root: The fish's empty, along whose x axis it goes.
        wipe: The front.
        name: Name of the node with the front's position.
        after: Distance by which this front trails, metres.
    """
    at = graph.node("ShaderNodeTexCoord", {}, object=root)["Object"]
    along = graph.parts(at)[0]
    value = graph.node("ShaderNodeValue")
    value.node.label = value.node.name = name
    path = f'nodes["{name}"].outputs[0].default_value'
    move_straight(graph.tree, path, [wipe.ahead, wipe.behind], (wipe.begin, wipe.end))
    front = value["Value"] + after
    return (along - front).ramp(-wipe.edge, wipe.edge)


def shown(graph: Graph, root: bpy.types.Object, shader: Term, came: Wipe | None, went: Wipe | None) -> Term:
    """A shader visible from one wipe to another; None for the beginning or the end."""
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    if came is not None:
        shader = graph.blend(passed(graph, root, came, "Comes"), clear, shader)
    if went is not None:
        shader = graph.blend(passed(graph, root, went, "Goes"), shader, clear)
    return shader
