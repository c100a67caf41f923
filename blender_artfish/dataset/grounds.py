"""Grounds before which the fishes of a data set swim, in place of their scene's stage."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.recording import Recording
from ..blender import shader_graph
from ..blender.versions import shader_tree
from ..fish.individuality import FISH_ID
from ..stage.objects import add
from ..stage.scenery import paint_material
from ..stage.shapes import Shape, join, mesh

TANK_COLOUR = 0.42, 0.52, 0.55
NET_COLOUR = 0.05, 0.07, 0.06
NET_MESH_METRES, NET_TWINE_METRES = 0.06, 0.004
"""From one twine of a net to the next, and how thick each is."""
MOST_TWINES = 240
"""Most twines across a side of a cage, so that a large one has wider meshes."""
BEHIND_METRES = 0.03
"""Distance of walls behind the places where fishes turn back."""
WHITE_LIGHT = 1.0
WATER, CROWD_PLAYER = "Water", "Crowd"
"""Names of the water, and of the modifier of a crowd."""


def stand_before(scene: bpy.types.Scene, recording: Recording, ground: str) -> None:
    """Replace the stage of an open file, in memory.

    Args:
        scene: The scene, in metres.
        recording: The recording of its fishes, whose tank the ground is.
        ground: One of `core.dataset.conditions.BACKGROUNDS`.
    """
    if ground == "scene":
        return
    for obj in scene.objects:
        if obj.type in ("MESH", "CURVE") and obj.get(FISH_ID) is None and not obj.modifiers.get(CROWD_PLAYER):
            obj.hide_render = obj.name != WATER or ground == "white"
    if ground == "white":
        scene.world = _white()
        return
    size = np.array(recording.scene.tank.size, dtype=float)
    low, high = np.full(3, -BEHIND_METRES), size + BEHIND_METRES
    if ground == "tank":
        name, shape, material = "Bare tank", _walls(low, high), paint_material(TANK_COLOUR)
    else:
        name, shape, material = "Net cage", _net(low, high), paint_material(NET_COLOUR)
    add(scene.collection, name, mesh(name, shape, material)).data.shade_flat()


def _white() -> bpy.types.World:
    """A world that is white and lights evenly."""
    world = bpy.data.worlds.new("White")
    tree = shader_tree(world)
    tree.nodes.clear()
    graph = shader_graph.Graph(tree)
    light = graph.node("ShaderNodeBackground", {"Color": (1.0, 1.0, 1.0), "Strength": WHITE_LIGHT})["Background"]
    shader_graph.output(graph, "ShaderNodeOutputWorld", Surface=light)
    return world


def _walls(low: np.ndarray, high: np.ndarray) -> Shape:
    """Four walls and a floor."""
    (x, y, z), (u, v, w) = low, high
    corners = np.array([[x, y, z], [u, y, z], [u, v, z], [x, v, z], [x, y, w], [u, y, w], [u, v, w], [x, v, w]])
    return corners, np.array([[0, 1, 2, 3], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]])


def _net(low: np.ndarray, high: np.ndarray) -> Shape:
    """Twines of four sides and a floor, as flat strips."""
    strips: list[Shape] = []
    for axis, ends in ((0, (low[0], high[0])), (1, (low[1], high[1])), (2, (low[2],))):
        one, other = (each for each in range(3) if each != axis)
        for at in ends:
            for along, across in ((one, other), (other, one)):
                width = high[across] - low[across]
                count = int(min(max(width / NET_MESH_METRES, 1.0), MOST_TWINES))
                for place in low[across] + width * np.arange(count + 1) / count:
                    strips.append(_twine(low, high, axis, float(at), along, across, float(place)))
    return join(strips)


def _twine(low: np.ndarray, high: np.ndarray, axis: int, at: float, along: int, across: int, place: float) -> Shape:
    corners = np.empty((4, 3))
    corners[:, axis] = at
    corners[:, along] = low[along], high[along], high[along], low[along]
    half = 0.5 * NET_TWINE_METRES
    corners[:, across] = place - half, place - half, place + half, place + half
    return corners, np.arange(4)[None]
