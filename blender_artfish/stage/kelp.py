"""Giant kelp, from a holdfast on the bed to a canopy at the surface, swaying with the current."""

from __future__ import annotations

from collections.abc import Iterator

import bpy
import numpy as np

from ...core.habitat.currents import Current
from ...core.scene.scene import Scene
from ..blender import shader_graph
from ..blender.fcurves import thin, write
from ..blender.versions import channelbag
from .corals import Colony
from .objects import Span
from .shapes import Shape, grid, join, tube, unit

KELP_PLANTS = 4
"""Number of kelp meshes, each of its own form and phase."""
STIPES, BLADES = 5, 34
CALM_SWAY, MOST_SWAY = 0.03, 0.3
"""Sway of the top to either side over its height: in still water, and at the most."""
SWAY_SPEED = 0.4
"""Speed of the water, m/s, at which kelp leans its farthest."""
CALM_PERIOD = 7.0
"""Period of the sway in seconds, if the current has no period of its own."""
FLUTTER = 0.25
"""Sway across the current, at another rhythm, over that along it."""
SWAY_TOLERANCE = 0.002
"""Largest error of a key, over the whole sway."""


def kelp(draws: np.random.Generator) -> Shape:
    """A plant 1 m high: stipes with a blade at every bladder, and a canopy along x at the surface."""
    shapes = []
    for _ in range(STIPES):
        foot = np.array([*(0.012 * draws.normal(size=2)), 0.0])
        lean, wave = 0.05 * draws.normal(size=2), draws.uniform(0.0, 2 * np.pi)
        share = np.linspace(0.0, 1.0, 15)
        up = np.minimum(share * draws.uniform(1.0, 1.18), 1.0)
        over = np.maximum(share * 1.18 - 1.0, 0.0)  # the part longer than the depth lies at the surface
        path = foot + np.stack(
            [
                lean[0] * share + 0.02 * np.sin(5.0 * share + wave) + over,
                lean[1] * share + 0.02 * np.cos(4.0 * share),
                up,
            ],
            axis=-1,
        )
        shapes.append(tube(path, 0.0028 * np.linspace(1.3, 0.7, 15), 5))
        for at in np.linspace(0.1, 1.0, BLADES) + draws.uniform(-0.01, 0.01, BLADES):
            base = np.array([np.interp(at, share, path[:, axis]) for axis in range(3)])
            way = draws.uniform(0.0, 2 * np.pi)
            shapes += _blade(
                base, way, 0.1 * (0.6 + 0.6 * np.sin(np.pi * min(at, 0.8))) * draws.uniform(0.7, 1.2), draws
            )
    for way in np.linspace(0.0, 2 * np.pi, 12, endpoint=False):  # the holdfast
        out = unit(way)
        path = np.stack([0.004 * out + (0, 0, 0.02), 0.02 * out + (0, 0, 0.012), 0.035 * out - (0, 0, 0.006)])
        shapes.append(tube(path, np.array([0.005, 0.004, 0.002]), 4))
    return join(shapes)


def _blade(base: np.ndarray, way: float, long: float, draws: np.random.Generator) -> list[Shape]:
    """A bladder and its ruffled blade."""
    out = np.array([np.cos(way), np.sin(way), 0.35])
    side = np.array([-np.sin(way), np.cos(way), 0.0])
    share = np.linspace(0.0, 1.0, 8)
    wide = 0.21 * long * np.array([0.1, 0.7, 1.0, 1.0, 0.9, 0.7, 0.4, 0.05])
    fall = np.array([0.0, 0.0, -1.0]) * (0.35 * share**2)[:, None]
    middle = base + 0.08 * long * out + long * (share[:, None] * out + fall)
    ruffle = 0.05 * long * np.sin(9.0 * share + draws.uniform(0.0, 2 * np.pi))
    up = np.array([0.0, 0.0, 1.0])
    points = np.stack([middle + sign * wide[:, None] * side + (sign * ruffle)[:, None] * up for sign in (-1, 0, 1)], 1)
    ball = tube(base + np.linspace(0.0, 0.1, 4)[:, None] * long * out, 0.016 * long * np.array([0.3, 1.0, 1.0, 0.3]), 5)
    return [ball, (points.reshape(-1, 3), grid(8, 3))]


def kelp_plants(draws: np.random.Generator, scene: Scene, span: Span) -> Iterator[Colony]:
    """Kelp plants, to be placed many times without being turned: x is the direction of the current."""
    material = kelp_material()
    along, swing = water_way(scene, span)
    for number in range(KELP_PLANTS):
        shape = kelp(draws)
        colony = Colony.of(f"Kelp {number + 1}", shape, material)
        sway(colony.data, shape[0], swing[number], span)
        reach = MOST_SWAY if along is not None else 2.0 * CALM_SWAY
        margin = np.array([reach, reach, 0.0])
        yield Colony(colony.data, colony.low - margin, colony.high + margin)


def heading(scene: Scene) -> float:
    """Horizontal direction of the current, radians; 0 in still water."""
    flows = [flow for flow in scene.current if flow.kind == "uniform"]
    return float(np.arctan2(flows[0].direction[1], flows[0].direction[0])) if flows else 0.0


def water_way(scene: Scene, span: Span) -> tuple[np.ndarray | None, np.ndarray]:
    """Lean of the plants in the current of a scene.

    Returns:
        Velocity of the water in the middle of the tank at every frame along the current, m/s, (frames,), None in still
        water; and the lean of each plant along and across the current, over its height, (plants, 2, frames).
    """
    frames = span.last - span.first + 1
    seconds = np.linspace(*span.times, frames)
    current, way = Current.from_scene(scene), heading(scene)
    periods = [flow.period for flow in scene.current if flow.kind == "uniform" and flow.period]
    period = periods[0] if periods else CALM_PERIOD
    late = 2 * np.pi * np.arange(KELP_PLANTS) / KELP_PLANTS
    calm = np.sin(2 * np.pi * seconds / period + 0.5 * late[:, None])
    across = FLUTTER * np.sin(2 * np.pi * seconds / (1.37 * period) + late[:, None])
    speed = None
    if not current.still:
        middle = 0.5 * np.array(scene.tank.size)[None]
        lags = 0.06 * period * np.arange(KELP_PLANTS)
        times = seconds - lags[:, None]
        ahead = unit(way)
        flow = np.array([[current.velocity(middle, float(t))[0] @ ahead for t in row] for row in times])
        speed = flow[0]
        along = CALM_SWAY * calm + MOST_SWAY * np.clip(flow / SWAY_SPEED, -1.0, 1.0)
    else:
        along = CALM_SWAY * calm
    strength = np.maximum(np.abs(along).max(), CALM_SWAY)
    return speed, np.stack([np.clip(along, -MOST_SWAY, MOST_SWAY), strength * across], axis=1)


def sway(data: bpy.types.Mesh, places: np.ndarray, swing: np.ndarray, span: Span) -> None:
    """Bend a plant along x and y by a share of its height at every frame, (2, frames): two shape keys."""
    holder = bpy.data.objects.new("Kelp", data)
    holder.shape_key_add(name="Basis")
    # A stem fixed at its foot bends as the square of its height, and is lowered a little as it leans.
    bend = np.clip(places[:, 2], 0.0, 1.0) ** 2
    for axis, name in enumerate(("Along", "Across")):
        key = holder.shape_key_add(name=name)
        key.slider_min, key.slider_max = -1.0, 1.0
        moved = places.copy()
        moved[:, axis] += bend
        key.data.foreach_set("co", moved.astype(np.float32).ravel())
    bag = channelbag(bpy.data.actions.new(data.name), data.shape_keys)
    channels = [(f'key_blocks["{name}"].value', 0) for name in ("Along", "Across")]
    write(bag, channels, thin(swing.astype(np.float32), SWAY_TOLERANCE), span.first)
    bpy.data.objects.remove(holder)


def kelp_material() -> bpy.types.Material:
    """Brown and golden translucent blades."""
    material, graph = shader_graph.material("Kelp")
    material.diffuse_color = (0.25, 0.16, 0.02, 1.0)
    own = graph.node("ShaderNodeObjectInfo")["Random"]
    spots = graph.noise(graph.coordinates("Object"), 30.0, 2.0)
    paint = graph.mix(spots.ramp(0.35, 0.7), (0.20, 0.12, 0.012), (0.52, 0.36, 0.05))
    paint = graph.node("ShaderNodeHueSaturation", {"Hue": 0.48 + 0.04 * own, "Color": paint})["Color"]
    skin = {"Base Color": paint, "Roughness": 0.4, "Specular IOR Level": 0.35}
    blade = graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"]
    light = graph.node("ShaderNodeBsdfTranslucent", {"Color": graph.mix(0.5, paint, (0.8, 0.66, 0.10))})["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(0.5, blade, light))
    return material
