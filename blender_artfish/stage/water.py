"""The sea: water that swallows light, red first, and glows blue-green, its surface, and flakes adrift in it.

Depth comes from the water itself: a homogeneous volume without scattering, which Cycles computes exactly and so without
noise. The surface throws caustics by letting more light through in some places than in others.
"""

from __future__ import annotations

from collections.abc import Generator

import bpy
import numpy as np

from ...core.scene.water import Light
from ..blender import shader_graph
from ..blender.background import in_thread
from ..blender.shader_graph import Graph, Term
from .objects import Span, add, move_evenly
from .scenery import SEA_REACH_METRES
from .shapes import Shape, mesh

ABSORPTION_PER_METRE = (0.30, 0.09, 0.07)
"""Share of red, green and blue light lost on the way, 1/m, in water of the default attenuation."""

SEA_GLOW = (0.001, 0.085, 0.21)
"""Colour of endless water."""

SPECK_DRIFT = np.array([0.02, 0.012, -0.008])
"""How flakes drift, m/s."""

BRIGHTEST_CAUSTIC = 5.0
"""Caustics are cut off at this many times the light without them."""


def fill_in_water(
    stage: bpy.types.Collection, span: Span, size: np.ndarray, light: Light, unit: float = 1.0
) -> Generator[None, None, None]:
    """The sea, a box up to its surface, and flakes adrift in it, in a scene whose unit has so many metres."""
    low, high = np.array([-SEA_REACH_METRES, -SEA_REACH_METRES, -3.0]), size + (SEA_REACH_METRES, SEA_REACH_METRES, 0.0)
    corners = np.array([[x, y, z] for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])])
    faces = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    water = mesh("Water", (corners, faces), (yield from _water_material(span, light, unit)))
    add(stage, "Water", water).display_type = "BOUNDS"
    yield
    drift = specks(np.array([-1.5, -1.5, 0.1]), size + (1.5, 1.5, 0.0), 1500, np.random.default_rng(5))
    flakes = add(stage, "Specks", mesh("Specks", drift, speck_material(light.brightness)))
    flakes.visible_shadow = flakes.visible_diffuse = flakes.visible_glossy = False
    move_evenly(flakes, "location", [(0.0, 0.0, 0.0), tuple(span.seconds * SPECK_DRIFT)], span)


def _water_material(span: Span, light: Light, unit: float) -> Generator[None, None, bpy.types.Material]:
    """Water that swallows light and glows; its surface a web of caustics for the sun, moving ripples for the eye."""
    absorption = unit * np.multiply(ABSORPTION_PER_METRE, light.attenuation / Light().attenuation)
    material, graph = shader_graph.material("Water")
    water = graph.node("ShaderNodeVolumeCoefficients")
    water.node.inputs["Absorption Coefficients"].default_value = absorption
    water.node.inputs["Scatter Coefficients"].default_value = (0.0, 0.0, 0.0)
    water.node.inputs["Emission Coefficients"].default_value = absorption * SEA_GLOW * light.brightness
    clock = graph.node("ShaderNodeValue")
    clock.node.label = clock.node.name = "Seconds"
    move_evenly(material.node_tree, 'nodes["Seconds"].outputs[0].default_value', [0.0, span.seconds], span)
    time, at = clock["Value"], graph.coordinates("Object")
    image = yield from _caustics_image()
    web = _caustics(graph, at, time, image)
    shade = graph.node("ShaderNodeCombineColor").feed([web * 0.96, web, web * 1.04]).first
    through = graph.node("ShaderNodeBsdfTransparent", {"Color": shade})["BSDF"]
    # Waves too far to be told apart would only glitter.
    near = graph.node("ShaderNodeCameraData")["View Distance"].ramp(16.0 / unit, 3.0 / unit)
    normal = graph.bump(graph.noise(at, 1.6, 2.0, time * 0.5), 0.5, near)
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5, "Normal": normal})["Facing"]
    bright = facing.ramp(0.6, 0.1)
    colour = graph.mix(bright, (0.006, 0.15, 0.26), (0.55, 0.95, 1.0))
    glare = 0.7 * light.brightness + bright * (0.9 * light.brightness)
    seen = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": glare})["Emission"]
    surface = graph.blend(graph.node("ShaderNodeLightPath")["Is Camera Ray"], through, seen)
    shader_graph.output(graph, Surface=surface, Volume=water["Volume"])
    return material


def _caustics(graph: Graph, at: Term, time: Term, web: bpy.types.Image) -> Term:
    """How much of the sun's light the surface sends through each place, about 1 on average.

    Two layers of one web drift over each other; where their lines meet, light flares up and goes.
    """
    x, y, _ = graph.parts(at)
    layers = []
    for size, dx, dy in ((2.6, 0.05, 0.02), (-2.1, 0.03, -0.045)):
        place = graph.vector(x / size + time * dx, y / size + time * dy)
        layers.append(graph.node("ShaderNodeTexImage", {"Vector": place}, image=web)["Color"])
    both = graph.parts(graph.node("ShaderNodeVectorMath", {}, operation="MULTIPLY").feed(layers)["Vector"])[0]
    return 0.3 + BRIGHTEST_CAUSTIC * both


def _caustics_image() -> Generator[None, None, bpy.types.Image]:
    """The web of light as an image that tiles, packed into the file; its square root, over the brightest's."""
    light = yield from in_thread(caustics)
    pixels = np.sqrt(np.minimum(light, BRIGHTEST_CAUSTIC) / BRIGHTEST_CAUSTIC)
    side = len(pixels)
    image = bpy.data.images.new("Caustics", side, side, is_data=True)
    image.pixels.foreach_set(np.repeat(pixels.ravel()[:, None], 4, axis=1).astype(np.float32).ravel())
    image.pack()
    return image


def caustics(side: int = 384, focus: float = 0.035, waves: int = 30) -> np.ndarray:
    """Light on the ground under a rippled surface, (side, side), 1 on average, that tiles.

    Rays from a surface made of whole waves are bent by its slope and gathered where they land.
    """
    draws = np.random.default_rng(1)
    k = draws.integers(-7, 8, (waves, 2)).astype(float)
    k = k[np.abs(k).sum(axis=1) > 0]
    height = np.linalg.norm(k, axis=1) ** -1.9
    grain = 3
    x = (np.arange(grain * side) + 0.5) / (grain * side)
    across, along = (2 * np.pi * np.outer(k[:, axis], x) for axis in (0, 1))
    across += draws.uniform(0, 2 * np.pi, len(k))[:, None]
    slopes = [
        (np.sin(across) * weight).T @ np.cos(along) + (np.cos(across) * weight).T @ np.sin(along)
        for weight in (height * k.T)[:, :, None]
    ]
    bend = focus / np.sqrt(slopes[0].var() + slopes[1].var())
    row, column = (
        (side * ((place + bend * slope) % 1.0)).astype(int) % side
        for place, slope in zip((x[:, None], x[None, :]), slopes, strict=True)
    )
    return np.bincount((row * side + column).ravel(), minlength=side**2).reshape(side, side) / grain**2


def specks(low: np.ndarray, high: np.ndarray, count: int, draws: np.random.Generator) -> Shape:
    """Tiny flakes adrift in a box."""
    size = 0.0016 * draws.uniform(0.4, 1.0, count) ** 2
    corners = draws.normal(size=(count, 4, 3))
    corners /= np.linalg.norm(corners, axis=-1, keepdims=True)
    vertices = draws.uniform(low, high, (count, 3))[:, None] + size[:, None, None] * corners
    return vertices.reshape(-1, 3), np.arange(4 * count).reshape(-1, 4)


def speck_material(brightness: float = 1.0) -> bpy.types.Material:
    """Flakes that catch the light, of this brightness."""
    material, graph = shader_graph.material("Specks")
    white = graph.node("ShaderNodeEmission", {"Color": (0.7, 0.9, 1.0), "Strength": 0.35 * brightness})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(0.5, clear, white))
    return material
