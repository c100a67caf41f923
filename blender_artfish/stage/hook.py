"""The fishing hook as Blender objects: steel, bait and line, keyed so that they play without the add-on."""

from __future__ import annotations

import bpy
import numpy as np

from ...core.body.anatomy import NOSE_NODE
from ...core.recording import Recording
from ..blender import shader_graph
from ..blender.fcurves import LOCATION, thin, write, write_presence
from ..blender.shader_graph import Graph
from ..blender.versions import channelbag
from ..identity.film_time import FIRST
from .shapes import Shape, join, mesh, tube

HOOK_CHANNELS = LOCATION + [("rotation_quaternion", axis) for axis in range(4)]
WIRE_RADIUS, LINE_RADIUS = 0.045, 0.018
"""Radii of the steel and of the line, over the length of the hook."""
HOOK_TOLERANCE = 0.02
"""Largest error at any frame, over the length of the hook."""
BITTEN_METRES = 1e-3
"""Distance from a nose within which the hook is in the mouth."""


def make_hook(recording: Recording, top: bpy.types.Collection, first: int = FIRST) -> bpy.types.Collection | None:
    """Make the hook of a recording and key its motion.

    Args:
        recording: The recording.
        top: Its parent collection.
        first: Frame of the scene at which the keys begin.

    Returns:
        The collection that holds it; None without a hook.
    """
    scene_hook = recording.scene.hook
    if scene_hook is None or not recording.hook.shape[1]:
        return None
    collection = bpy.data.collections.new("Hook")
    top.children.link(collection)
    action = bpy.data.actions.new("Hook")
    points, size = recording.hook.astype(float), scene_hook.size
    hook = _add_steel(collection, action, points, size, first)
    bait = bpy.data.objects.new("Bait", mesh("Bait", worm(size), bait_material()))
    bait.parent = hook
    collection.objects.link(bait)
    hangs = ~bitten(recording.nodes, points, recording.alive)
    if not hangs.all():
        write_presence(channelbag(action, bait), hangs, first)
    _add_line(collection, action, points[:, :-1], size, first)
    return collection


def _add_steel(
    collection: bpy.types.Collection, action: bpy.types.Action, points: np.ndarray, size: float, first: int
) -> bpy.types.Object:
    """The hook itself, keyed along the last two points of the line (frames, points, 3), its eye and its bend."""
    hook = bpy.data.objects.new("Hook", mesh("Hook", barbed(size), steel_material()))
    hook.rotation_mode = "QUATERNION"
    collection.objects.link(hook)
    turn = upright(points[:, -2] - points[:, -1])
    bounds = np.repeat([_bound(size), 0.5 * HOOK_TOLERANCE], (3, 4))
    ride = thin(np.concatenate([points[:, -1], turn], axis=1).T.copy(), bounds)
    hook.location, hook.rotation_quaternion = points[0, -1], turn[0]
    write(channelbag(action, hook), HOOK_CHANNELS, ride, first)
    return hook


def _add_line(
    collection: bpy.types.Collection, action: bpy.types.Action, way: np.ndarray, size: float, first: int
) -> None:
    """The line through these points (frames, points, 3), for a hook of this size."""
    line = bpy.data.curves.new("Line", "CURVE")
    line.dimensions, line.bevel_depth, line.bevel_resolution = "3D", LINE_RADIUS * size, 1
    spline = line.splines.new("POLY")
    spline.points.add(way.shape[1] - 1)
    spline.points.foreach_set("co", np.insert(way[0], 3, 1.0, axis=1).astype(np.float32).ravel())
    line.materials.append(line_material())
    collection.objects.link(bpy.data.objects.new("Line", line))
    channels = [(f"splines[0].points[{point}].co", axis) for point in range(way.shape[1]) for axis in range(3)]
    write(channelbag(action, line), channels, thin(way.reshape(len(way), -1).T.copy(), _bound(size)), first)


def _bound(size: float) -> float:
    """Largest error of each coordinate of a hook of this size, metres."""
    return HOOK_TOLERANCE * size / 3**0.5


def bitten(nodes: np.ndarray, points: np.ndarray, alive: np.ndarray) -> np.ndarray:
    """True where the hook is in a fish's mouth, (...) bool.

    Args:
        nodes: Nodes of all fishes in metres, (..., fish, 23, 3).
        points: Points of the line in metres, the bend of the hook last, (..., points, 3).
        alive: Which fishes are alive, (..., fish) bool.
    """
    apart = np.linalg.norm(nodes[..., NOSE_NODE, :] - points[..., None, -1, :], axis=-1)
    return ((apart < BITTEN_METRES) & alive).any(axis=-1)


def upright(way: np.ndarray) -> np.ndarray:
    """The shortest rotations from z to these directions (n, 3), none straight down, as quaternions (n, 4)."""
    way = way / np.linalg.norm(way, axis=1, keepdims=True)
    turn = np.stack([1.0 + way[:, 2], -way[:, 1], way[:, 0], np.zeros(len(way))], axis=1)
    return turn / np.linalg.norm(turn, axis=1, keepdims=True)


def bend(size: float) -> np.ndarray:
    """The wire of a hook of this length, from below its eye round the bend to its point, metres, (n, 3).

    Its eye is at (0, 0, size) and the middle of its bend at the origin.
    """
    radius = 0.2
    half = np.linspace(np.pi, 2.15 * np.pi, 26)
    arc = np.stack([radius + radius * np.cos(half), np.zeros(26), radius + radius * np.sin(half)], axis=1)
    shank = np.stack([np.zeros(10), np.zeros(10), np.linspace(0.9, 0.26, 10)], axis=1)
    tip = arc[-1] + np.linspace(0.03, 0.17, 5)[:, None] * (-0.22, 0.0, 1.0)
    wire = np.concatenate([shank, arc, tip])
    low = wire[np.argmin(wire[:, 2])]
    # The weight hangs below the eye: turned so that the eye stands over the bend.
    eye = np.array([0.0, 0.0, 1.0]) - low
    angle = np.arctan2(eye[0], eye[2])
    cosine, sine = np.cos(angle), np.sin(angle)
    turned = (wire - low) @ np.array([[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]])
    return turned * size / np.linalg.norm(eye)


def barbed(size: float) -> Shape:
    """A hook with eye, bend, point and barb, this long in metres."""
    wire = bend(size)
    radius = WIRE_RADIUS * size
    radii = np.full(len(wire), radius)
    radii[-5:] = radius * np.linspace(0.9, 0.05, 5)
    inwards = wire[-3] + size * np.array([[-0.005, 0, 0.01], [-0.04, 0, -0.045], [-0.065, 0, -0.085]])
    barb = tube(inwards, radius * np.array([0.7, 0.45, 0.04]), 10)
    turn = np.linspace(0.0, 2 * np.pi, 21)
    ring = 1.4 * radius * np.stack([np.sin(turn), np.zeros(21), -np.cos(turn)], axis=1)
    eye = tube(ring + wire[0] + (0.0, 0.0, 1.5 * radius), np.full(21, 0.55 * radius), 8)
    return join([tube(wire, radii, 12), barb, eye])


def worm(size: float) -> Shape:
    """A worm threaded on the bend of a hook this long, with a loose tail."""
    wire = bend(size)[16:38]
    tail = wire[-1] + size * np.array([[0.05, 0.01, 0.01], [0.1, 0.0, -0.05], [0.12, -0.02, -0.13], [0.1, 0.01, -0.2]])
    path = np.concatenate([wire, tail])
    share = np.linspace(0.0, 1.0, len(path))
    radii = (
        size * 0.085 * (1.0 + 0.14 * np.sin(34.0 * share)) * np.sqrt(np.maximum(1.0 - (2.0 * share - 1.0) ** 6, 0.0))
    )
    return tube(path, np.maximum(radii, 1e-4 * size), 12)


def steel_material() -> bpy.types.Material:
    """Bright steel, a little brushed."""
    material, graph = shader_graph.material("Hook steel")
    fine = graph.noise(graph.coordinates("Object"), 90.0, 2.0)
    steel = graph.node(
        "ShaderNodeBsdfPrincipled",
        {"Base Color": (0.75, 0.77, 0.8), "Metallic": 1.0, "Roughness": fine.ramp(0.2, 0.8, 0.12, 0.28)},
    )
    shader_graph.output(graph, Surface=steel["BSDF"])
    return material


def line_material() -> bpy.types.Material:
    """Clear line that catches the light."""
    material, graph = shader_graph.material("Fishing line")
    _glowing(graph, (0.85, 0.95, 1.0), 0.3, 0.6)
    return material


def bait_material() -> bpy.types.Material:
    """Wet pink flesh."""
    material, graph = shader_graph.material("Bait")
    _glowing(graph, (0.85, 0.22, 0.2), 0.35, 0.08)
    return material


def _glowing(graph: Graph, colour: tuple[float, float, float], roughness: float, glow: float) -> None:
    skin = {"Base Color": colour, "Roughness": roughness, "Emission Color": colour, "Emission Strength": glow}
    shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"])
