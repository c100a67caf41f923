"""Grounds before which the fishes of a data set swim, in place of their scene's stage."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.recording import Recording
from ..blender import shader_graph
from ..blender.versions import shader_tree
from ..fish.individuality import FISH_ID
from ..stage.nets import NET_COLOUR, woven
from ..stage.objects import add
from ..stage.scenery import paint_material
from ..stage.shapes import Shape, mesh

TANK_COLOUR = 0.42, 0.52, 0.55
NET_METRES = 0.06
"""Width of the meshes of a cage's net."""
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
        vertices, faces = _walls(low, high)
        name, shape, material = "Net cage", woven(vertices, faces.tolist(), NET_METRES), paint_material(NET_COLOUR)
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
