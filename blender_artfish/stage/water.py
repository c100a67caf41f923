"""The sea: water that absorbs light, red first, and glows by its type, and its surface.

Depth comes from the water itself: a homogeneous volume without scattering, which Cycles computes exactly and so without
noise; the light that water sends to the eye is precomputed (core/habitat/optics.py) and emitted evenly. The surface
casts caustics by transmitting more light in some places than in others, and shows Snell's window from below.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import cache

import bpy
import numpy as np

from ...core.habitat.optics import BRIGHTEST_FORWARD, FORWARD_SHARE, MEAN_COSINE, Optics
from ...core.scene.daylight import brightest
from ...core.scene.scene import Scene
from ...core.scene.water import Light, Water
from ..blender import shader_graph, versions
from ..blender.background import in_thread
from ..blender.shader_graph import Graph, Term
from ..blender.versions import shader_tree
from .daylight import dimmed
from .objects import Span, add, clock
from .scenery import SEA_REACH_METRES, grey_image
from .shapes import mesh

ABSORPTION_PER_METRE = (0.30, 0.09, 0.07)
"""Absorption of red, green and blue light, 1/m, in water of no type and of the default attenuation."""

SEA_GLOW = np.array([0.001, 0.085, 0.21])
"""Colour of endless water of no type."""

OPEN_METRES = 40.0
"""Extent of open water below the tank."""
STRAIGHT_DOWN = np.array([0.0, 0.0, -1.0])
"""Direction of the rays of a sun at the zenith."""
DAYLIGHT = 8.8
"""Irradiance of sun and sky on the level surface in daylight, in Blender's units."""

WINDOW_EDGE = 1.0 - (1.0 - 1.0 / 1.333**2) ** 0.5
"""The sky is visible where the view is nearer than this to the surface's normal: 1 minus the cosine at which water of
that index reflects all light."""

BRIGHTEST_CAUSTIC = 5.0
"""Largest brightness of caustics, over the light without them."""


def optics(scene: Scene) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Optical properties of the water of a scene.

    Returns:
        Its attenuation (3,) and its scattering (3,), 1/m, and the radiance of endless water (3,).
    """
    of, light = Optics.of(scene.water or Water()), scene.light
    if scene.water is None:
        taken = np.multiply(ABSORPTION_PER_METRE, light.attenuation / Light().attenuation)
        return taken, of.scattering, SEA_GLOW * brightest(scene)
    return of.attenuation, of.scattering, of.veil(0.5 * scene.tank.size[2]) * (DAYLIGHT * brightest(scene))


def fill_in_water(
    stage: bpy.types.Collection, span: Span, scene: Scene, unit: float = 1.0, way: np.ndarray = STRAIGHT_DOWN
) -> Generator[None, None, None]:
    """The sea, a box up to its surface.

    Args:
        stage: Its collection.
        span: The film's frames.
        scene: The scene of the water.
        unit: Metres in a unit of the scene.
        way: Direction of the sun's rays, (3,).
    """
    size = np.array(scene.tank.size)
    deep = OPEN_METRES if scene.stage.scenery == "open" else 3.0
    low, high = (
        np.array([-SEA_REACH_METRES, -SEA_REACH_METRES, -deep]),
        size + (SEA_REACH_METRES, SEA_REACH_METRES, 0.0),
    )
    corners = np.array([[x, y, z] for z in (low[2], high[2]) for y in (low[1], high[1]) for x in (low[0], high[0])])
    faces = np.array([[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]])
    water = mesh("Water", (corners, faces), (yield from water_material(span, scene, unit, way)))
    add(stage, "Water", water).display_type = "BOUNDS"


def water_material(span: Span, scene: Scene, unit: float, way: np.ndarray) -> Generator[None, None, bpy.types.Material]:
    """Water that absorbs light and glows; its surface is a web of caustics for the sun, moving ripples for the eye."""
    attenuation, scattering, glow = optics(scene)
    material, graph = shader_graph.material("Water")
    water = graph.node("ShaderNodeVolumeCoefficients")
    water.node.inputs["Absorption Coefficients"].default_value = unit * attenuation
    water.node.inputs["Scatter Coefficients"].default_value = (0.0, 0.0, 0.0)
    sent, light = unit * attenuation * glow, dimmed(shader_tree(material), graph, scene, span)
    water.node.inputs["Emission Coefficients"].default_value = sent
    if versions.even_volume(material):
        graph.put(_forward(graph, sent, way, light), water.node.inputs["Emission Coefficients"])
    elif isinstance(light, Term):
        dim = graph.node("ShaderNodeVectorMath", {"Vector": tuple(sent), "Scale": light}, operation="SCALE")
        graph.put(dim["Vector"], water.node.inputs["Emission Coefficients"])
    time, at = clock(material, graph, span), graph.coordinates("Object")
    image = yield from _caustics_image()
    path = graph.node("ShaderNodeLightPath")
    sharp = graph.math(
        "POWER", float(np.exp(-unit * scattering[1])), path["Ray Length"]
    )  # share that no scattering blurs
    web = 1.0 + sharp * (_caustics(graph, at, time, image) - 1.0)
    shade = graph.node("ShaderNodeCombineColor").feed([web * 0.96, web, web * 1.04]).first
    through = graph.node("ShaderNodeBsdfTransparent", {"Color": shade})["BSDF"]
    # Waves too far to be resolved would only glitter.
    near = graph.node("ShaderNodeCameraData")["View Distance"].ramp(16.0 / unit, 3.0 / unit)
    normal = graph.bump(graph.noise(at, 1.6, 2.0, time * 0.5), 0.5, near)
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5, "Normal": normal})["Facing"]
    window = facing.ramp(1.15 * WINDOW_EDGE, 0.85 * WINDOW_EDGE)
    sky = graph.mix(facing.ramp(WINDOW_EDGE, 0.0), (0.10, 0.32, 0.50), (0.90, 1.50, 1.60))
    mirrored = graph.mix(facing.ramp(1.0, WINDOW_EDGE), tuple(0.8 * glow), tuple(3.0 * glow))
    colour = graph.mix(window, mirrored, graph.mix(1.0, sky, (brightest(scene),) * 3, "MULTIPLY"))
    seen = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": light})["Emission"]
    surface = graph.blend(path["Is Camera Ray"], through, seen)
    shader_graph.output(graph, Surface=surface, Volume=water["Volume"])
    return material


def _forward(graph: Graph, sent: np.ndarray, way: np.ndarray, light: Term | float) -> Term:
    """Light now sent by a metre of water, (3,), by viewing direction, as in `core.habitat.optics.forward`."""
    rays = graph.node("ShaderNodeVectorMath", operation="DOT_PRODUCT")
    # The incoming direction is opposite to the view's, and the rays' opposite to the sun's.
    cosine = rays.feed([graph.node("ShaderNodeNewGeometry")["Incoming"], tuple(way / np.linalg.norm(way))])["Value"]
    squares = 1.0 + MEAN_COSINE**2
    once = (squares / (squares - 2.0 * MEAN_COSINE * cosine)) ** 1.5
    share = 1.0 - FORWARD_SHARE + FORWARD_SHARE * once.least(BRIGHTEST_FORWARD)
    return graph.node(
        "ShaderNodeVectorMath",
        {"Vector": tuple(sent), "Scale": share * light if isinstance(light, Term) else share},
        operation="SCALE",
    )["Vector"]


def _caustics(graph: Graph, at: Term, time: Term, web: bpy.types.Image) -> Term:
    """Share of the sun's light that the surface sends through each point, about 1 on average.

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
    """The web of light as a tiling image, packed into the file; its square root, over the brightest's."""
    light = yield from in_thread(caustics)
    return grey_image("Caustics", np.sqrt(np.minimum(light, BRIGHTEST_CAUSTIC) / BRIGHTEST_CAUSTIC))


@cache
def caustics(side: int = 384, focus: float = 0.035, waves: int = 30) -> np.ndarray:
    """Light on the ground under a rippled surface, (side, side), 1 on average, tiling, read-only.

    Rays are refracted by the slope of a surface of whole waves and binned where they land.
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
