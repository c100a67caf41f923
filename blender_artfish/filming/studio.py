"""A studio for drawings of fishes: a dark room with lines on its floor, and a lamp that follows the camera."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from ..blender import shader_graph
from ..blender.shader_graph import Graph
from ..blender.versions import shader_tree
from ..stage.film import set_up_film
from ..stage.objects import add
from ..stage.shapes import mesh

ROOM_BELOW, ROOM_ABOVE = (0.0015, 0.004, 0.012), (0.008, 0.028, 0.065)
"""Colours of the room, at the bottom and the top."""
FLOOR_COLOUR, FLOOR_METRES, FLOOR_CELL = (0.05, 0.32, 0.45), 14.0, 0.25
"""Colour of the floor's lines, its extent and its line spacing, metres."""
FLOOR_SEEN_METRES = 6.0
"""Distance from the camera at which the lines fade out."""


def furnish(scene: bpy.types.Scene, into: bpy.types.Collection, middle: tuple[float, float], lamps: bool) -> None:
    """Makes the room about a place of the floor, and sets the scene up for filming in it.

    Args:
        scene: The scene, which has its camera already.
        into: The room's collection.
        middle: x and y of the place, metres.
        lamps: Whether there is light; emissive drawings need none.
    """
    set_up_film(scene)
    scene.render.use_motion_blur = False
    scene.cycles.transparent_max_bounces = 24
    scene.world = _room()
    reach = FLOOR_METRES
    corners = np.array([[-reach, -reach, 0.0], [reach, -reach, 0.0], [reach, reach, 0.0], [-reach, reach, 0.0]])
    add(into, "Floor", mesh("Floor", (corners, np.array([[0, 1, 2, 3]])), _floor()), (*middle, 0.0))
    if lamps:
        for name, aim, energy, colour in (
            ("Key", (0.5, -0.8, -0.6), 3.2, (1.0, 0.95, 0.88)),
            ("Rim", (-0.7, -0.25, 0.75), 2.2, (0.55, 0.8, 1.0)),
            ("Fill", (-0.35, 0.75, -0.55), 0.9, (0.5, 0.75, 1.0)),
        ):
            sun = bpy.data.lights.new(name, "SUN")
            sun.energy, sun.color, sun.angle = energy, colour, 0.1
            lamp = add(into, name, sun)
            lamp.parent = scene.camera
            lamp.rotation_euler = Vector(aim).to_track_quat("-Z", "Y").to_euler()


def _room() -> bpy.types.World:
    world = bpy.data.worlds.new("Studio")
    tree = shader_tree(world)
    tree.nodes.clear()
    graph = Graph(tree)
    _, _, up = graph.parts(graph.coordinates("Generated"))
    colour = graph.mix(up.ramp(-0.35, 0.6), ROOM_BELOW, ROOM_ABOVE)
    sky = graph.node("ShaderNodeBackground", {"Color": colour, "Strength": 1.0})["Background"]
    shader_graph.output(graph, "ShaderNodeOutputWorld", Surface=sky)
    return world


def _floor() -> bpy.types.Material:
    """A material of emissive lines that fade with distance."""
    paint, graph = shader_graph.material("Floor lines")
    x, y, _ = graph.parts(graph.coordinates("Object"))
    far = graph.node("ShaderNodeCameraData")["View Distance"]
    wide = 0.02 + far * 0.012
    share = graph.grid(x / FLOOR_CELL, y / FLOOR_CELL, wide, wide * 0.4) * far.ramp(FLOOR_SEEN_METRES, 0.5) * 0.7
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shine = graph.node("ShaderNodeEmission", {"Color": FLOOR_COLOUR, "Strength": 1.0})["Emission"]
    shader_graph.output(graph, Surface=graph.blend(share, clear, shine))
    return paint
