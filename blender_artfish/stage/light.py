"""The sun, the sky, and shafts of light before the camera."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Vector

from ...core.scene.daylight import brightest
from ...core.scene.scene import Scene
from ...core.scene.water import Light
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term
from ..blender.versions import shader_tree
from .daylight import dimmed, key_sun
from .objects import SHAFTS, Span, add, clock
from .shapes import mesh
from .view import SENSOR_MM, Framing

SUNLIGHT, SKYLIGHT = 7.5, 2.4
"""Strengths of sun and sky in daylight, in Blender's units."""
SHAFTS_PER_SECOND = 0.25
"""Rate at which shafts of light come and go."""


def sun_way(view: Framing, light: Light) -> np.ndarray:
    """Direction of the sun's rays, (3,): down over the camera's shoulder unless the scene sets it."""
    if light.direction is not None:
        return np.array(light.direction)
    ahead = np.append((view.target - view.at)[:2], 0.0)
    ahead /= np.linalg.norm(ahead) + 1e-9
    left = np.array([-ahead[1], ahead[0], 0.0])
    return 0.7 * ahead - 0.45 * left + (0.0, 0.0, -1.0)


def place_sun(stage: bpy.types.Collection, way: np.ndarray, scene: Scene, span: Span) -> None:
    """A sun whose rays have this direction, (3,)."""
    sun = bpy.data.lights.new("Sun", "SUN")
    sun.angle, sun.color = 0.0093, (1.0, 0.84, 0.6)
    key_sun(sun, SUNLIGHT, scene, span)
    size = scene.tank.size
    lamp = add(stage, "Sun", sun, (0.5 * size[0], 0.5 * size[1], size[2] + 2.0))
    lamp.rotation_euler = Vector(way.tolist()).to_track_quat("-Z", "Y").to_euler()


def make_sky(scene: Scene, span: Span) -> bpy.types.World:
    """A sky bright above and deep blue around."""
    world = bpy.data.worlds.new("Sea")
    tree = shader_tree(world)
    tree.nodes.clear()
    graph = Graph(tree)
    _, _, up = graph.parts(graph.coordinates("Generated"))
    colour = graph.mix(up.ramp(-0.3, 0.25), (0.01, 0.06, 0.09), (0.02, 0.22, 0.36))
    colour = graph.mix(up.ramp(0.3, 0.95), colour, (0.55, 0.92, 1.0))
    strength = SKYLIGHT * brightest(scene) * dimmed(tree, graph, scene, span)
    sky = graph.node("ShaderNodeBackground", {"Color": colour, "Strength": strength})["Background"]
    shader_graph.output(graph, "ShaderNodeOutputWorld", Surface=sky)
    # The even sky needs no samples of its own; all go to the sun and its caustics.
    world.cycles.sampling_method = "NONE"
    return world


def hang_shafts(stage: bpy.types.Collection, camera: bpy.types.Object, away: float, scene: Scene, span: Span) -> None:
    """A sheet of light behind the nearest fishes, which follows the camera and casts nothing."""
    corners = np.array([[x, y, 0.0] for x, y in ((-0.8, -0.3), (0.8, -0.3), (0.8, 0.5), (-0.8, 0.5))])
    sheet = mesh(SHAFTS, (corners, np.array([[0, 1, 2, 3]])), shaft_material(span, scene))
    shafts = add(stage, SHAFTS, sheet, (0.0, 0.0, -away))
    shafts.parent = camera
    shafts.scale = (away * SENSOR_MM / camera.data.lens,) * 3
    shafts.visible_shadow = shafts.visible_diffuse = shafts.visible_glossy = shafts.visible_transmission = False
    shafts.hide_select, shafts.display_type = True, "BOUNDS"


def shaft_material(span: Span, scene: Scene) -> bpy.types.Material:
    """Shafts of light from above that play with the waves, and fade.

    x and y of the object are widths of the picture.
    """
    material, graph = shader_graph.material("Light shafts")
    time = clock(material, graph, span)
    x, y, _ = graph.parts(graph.coordinates("Object"))
    fan = graph.vector(x / (0.9 - y) * 9.0, 0.0)
    beams = graph.noise(fan, 1.0, 2.0, time * SHAFTS_PER_SECOND).ramp(0.5, 0.78)
    fade = y.ramp(-0.16, 0.32) * x.absolute().ramp(0.75, 0.45)
    strength = beams * fade * (0.35 * brightest(scene))
    light = dimmed(shader_tree(material), graph, scene, span)
    strength = strength * light if isinstance(light, Term) else strength
    light = graph.node("ShaderNodeEmission", {"Color": (0.35, 0.8, 1.0), "Strength": strength})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.node("ShaderNodeAddShader").feed((clear, light))["Shader"])
    return material
