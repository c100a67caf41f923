"""Surroundings of a Quick Look: sea, sand, sun, rock over bare obstacles, and a camera before some of the fishes.

They are not rendered, and are all in one collection that is removed when the look ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Vector

from ..blender import shader_graph
from .objects import add
from .scenery import rock_material
from .shapes import Shape, grid, mesh
from .surroundings import COLLECTION_NAME, MARK_SURROUNDINGS

LENS_MM, CLOSEST_LENGTHS = 35.0, 6.0
"""Lens of the camera, and its least distance from its target, over the length of a fish."""
GROUP_METRES, GROUP_LENGTHS = 0.3, 2.0
"""Distance between fishes that are seen together, in metres and in lengths."""
FITTING = 2.4
"""Distance of the camera over the extent of its group."""
LOOKED_AT = 300
"""Fishes considered for the camera's place."""
AZIMUTHS, RISE = 24, 0.12
"""Directions the camera may look from, and its height above the target, over its distance."""
SEA_SPANS = 2.0
"""Radius of the visible sea, over the longest side of the tank."""
SUN_STRENGTH = 2.2
DEEP, AROUND, ABOVE = (0.004, 0.075, 0.13), (0.008, 0.16, 0.28), (0.3, 0.75, 0.95)
"""Colours of the sea below, around and above."""
COAT_METRES = 0.004
"""Thickness of the rock over bare obstacles."""


@dataclass(frozen=True)
class Group:
    """Fishes as seen by the camera.

    Attributes:
        places: Their middles (n, 3), metres.
        ahead: Unit vectors (n, 3) ahead.
        lengths: Their lengths (n,), metres.
    """

    places: np.ndarray
    ahead: np.ndarray
    lengths: np.ndarray

    def part(self) -> Group:
        """The fishes about the fish with the most neighbours, larger ones counting more."""
        away = np.linalg.norm(self.places[:, None] - self.places[None], axis=-1)
        near = away < GROUP_METRES + GROUP_LENGTHS * 0.5 * (self.lengths[:, None] + self.lengths[None])
        rows = near[int((near * np.sqrt(self.lengths)).sum(axis=1).argmax())]
        return Group(self.places[rows], self.ahead[rows], self.lengths[rows])


def view_of(fishes: Group, low: np.ndarray, size: np.ndarray, scene: bpy.types.Scene, unit: float) -> tuple:
    """Position and target of the camera, in metres: at the side of some fishes, in the water.

    Args:
        fishes: All fishes, at least one.
        low: Lowest corner of the tank.
        size: Size of the tank.
        scene: The scene, whose objects may be in the way.
        unit: Metres in a unit of the scene.
    """
    group = fishes.part()
    target = group.places.mean(axis=0)
    reach = float((np.linalg.norm(group.places - target, axis=1) + 0.5 * group.lengths).max())
    distance = max(FITTING * reach, CLOSEST_LENGTHS * float(group.lengths.mean()))
    graph = bpy.context.evaluated_depsgraph_get()
    best = (-np.inf, target + (0.0, -distance, RISE * distance))
    for turn in np.linspace(0.0, 2 * np.pi, AZIMUTHS, endpoint=False) - 0.5 * np.pi:
        out = np.array([np.cos(turn), np.sin(turn), RISE])
        at = target + distance * out
        at[2] = min(max(at[2], low[2] + 0.1), low[2] + size[2] - 0.05)
        profile = float(np.sqrt(1.0 - (group.ahead @ (out / np.linalg.norm(out))) ** 2).mean())
        dry = float(np.maximum(np.maximum(low - at, at - low - size), 0.0).sum())
        ray = Vector((target - at).tolist())
        far = max(ray.length - reach, 0.0) / unit
        blocked = scene.ray_cast(graph, Vector(at.tolist()) / unit, ray.normalized(), distance=far)[0]
        worth = profile - 3.0 * dry / distance - 2.0 * blocked
        best = max(best, (worth, at), key=lambda found: found[0])
    return best[1], target


def furnish(
    scene: bpy.types.Scene,
    low: np.ndarray,
    size: np.ndarray,
    view: tuple,
    bare: Sequence[bpy.types.Object],
    unit: float,
) -> tuple[bpy.types.Collection, bpy.types.Object]:
    """Put the sea around a tank.

    Args:
        scene: The scene the collection is added to.
        low: Lowest corner of the tank, metres.
        size: Size of the tank, metres.
        view: Position and target of the camera, from `view_of`.
        bare: Obstacles without a material.
        unit: Metres in a unit of the scene.

    Returns:
        The collection and the camera in it.
    """
    stage = bpy.data.collections.new(COLLECTION_NAME)
    stage[MARK_SURROUNDINGS] = True
    scene.collection.children.link(stage)
    middle = low + 0.5 * size * (1.0, 1.0, 0.0)
    radius = SEA_SPANS * float(size.max())
    sea = add(stage, "Quick Look sea", mesh("Quick Look sea", _sea(radius, float(size[2])), _sea_material()))
    sand = add(stage, "Quick Look sand", mesh("Quick Look sand", _disc(radius), _sand_material(radius / unit)))
    for obj in (sea, sand):
        obj.location, obj.scale = middle / unit, (1.0 / unit,) * 3
    sea.visible_shadow = False
    sun = bpy.data.lights.new("Quick Look sun", "SUN")
    sun.energy, sun.color, sun.angle = SUN_STRENGTH, (0.6, 0.88, 1.0), 0.05
    at, target = view
    lamp = add(stage, "Quick Look sun", sun, tuple((middle + (0.0, 0.0, size[2])) / unit))
    ahead = (target - at) / np.linalg.norm(target - at)
    lamp.rotation_euler = Vector((0.5 * ahead + (0.0, 0.0, -1.0)).tolist()).to_track_quat("-Z", "Y").to_euler()
    data = bpy.data.cameras.new("Quick Look")
    data.lens, data.clip_start, data.clip_end, data.passepartout_alpha = LENS_MM, 0.01 / unit, 4.0 * radius / unit, 0.95
    data.display_size /= unit
    camera = add(stage, "Quick Look camera", data, tuple(at / unit))
    camera.rotation_euler = Vector(ahead.tolist()).to_track_quat("-Z", "Y").to_euler()
    rock = rock_material("Quick Look rock") if bare else None
    for obj in bare:
        _coat(stage, obj, rock, unit)
    for obj in stage.objects:
        obj[MARK_SURROUNDINGS] = obj.hide_render = obj.hide_select = True
    return stage, camera


def _coat(stage: bpy.types.Collection, obj: bpy.types.Object, rock: bpy.types.Material | None, unit: float) -> None:
    """A skin of rock over a mesh without a material."""
    coat = obj.copy()
    coat.artfish.kind, coat.artfish.made = "NONE", False
    coat.data = obj.data.copy()
    coat.data.materials.append(rock)
    thick = coat.modifiers.new("Coat", "DISPLACE")
    thick.mid_level, thick.strength = 0.0, COAT_METRES / unit / max(max(obj.matrix_world.to_scale()[:]), 1e-9)
    stage.objects.link(coat)


def _disc(radius: float) -> Shape:
    """A round floor a little below the tank, finer in its middle."""
    rings, turn = np.append(0.01, np.geomspace(0.3, radius, 20)), np.linspace(0, 2 * np.pi, 48, endpoint=False)
    flat = np.stack([np.outer(rings, np.cos(turn)), np.outer(rings, np.sin(turn))], axis=-1).reshape(-1, 2)
    return np.column_stack([flat, np.full(len(flat), -0.01)]), grid(len(rings), len(turn), closed=True)


def _sea(radius: float, depth: float) -> Shape:
    """A half sphere seen from inside, its height a multiple of the water's depth."""
    height, turn = np.linspace(-0.02, 0.5 * np.pi, 16), np.linspace(0, 2 * np.pi, 48, endpoint=False)
    across, up = radius * np.cos(height), 3.0 * depth * np.sin(height)
    points = [np.outer(across, np.cos(turn)), np.outer(across, np.sin(turn)), np.outer(up, np.ones(len(turn)))]
    return np.stack(points, axis=-1).reshape(-1, 3), grid(len(height), len(turn), closed=True)[:, ::-1]


def _sea_material() -> bpy.types.Material:
    """Bright above and deep blue around, visible only from inside."""
    material, graph = shader_graph.material("Quick Look sea")
    _, _, up = graph.parts(graph.coordinates("Generated"))
    colour = graph.mix(up.ramp(0.0, 0.4), DEEP, AROUND)
    colour = graph.mix(up.ramp(0.35, 1.0), colour, ABOVE)
    glow = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 1.0})["Emission"]
    shader_graph.output(graph, Surface=glow)
    material.use_backface_culling = True
    material.diffuse_color = (*AROUND, 1.0)
    return material


def _sand_material(far: float) -> bpy.types.Material:
    """Rippled sand that fades into the sea at a distance, in units."""
    material, graph = shader_graph.material("Quick Look sand")
    at = graph.coordinates("Object")
    x, y, _ = graph.parts(at)
    drift = graph.noise(at, 0.9, 2.0)
    ripple = ((x * 0.8 + y * 0.6 + drift * 0.6) * (2 * np.pi / 0.16)).sine()
    colour = graph.mix(ripple.ramp(-1.0, 1.0) * drift.ramp(0.3, 0.7), (0.22, 0.20, 0.15), (0.36, 0.32, 0.24))
    dull = graph.node("ShaderNodeBsdfPrincipled", {"Base Color": colour, "Roughness": 0.95, "Specular IOR Level": 0.1})
    murk = graph.node("ShaderNodeEmission", {"Color": DEEP, "Strength": 1.0})["Emission"]
    away = graph.node("ShaderNodeCameraData")["View Distance"].ramp(0.05 * far, 0.7 * far)
    shader_graph.output(graph, Surface=graph.blend(away, dull["BSDF"], murk))
    material.diffuse_color = (0.36, 0.32, 0.24, 1.0)
    return material


def group_of(fishes: Sequence[bpy.types.Object], unit: float) -> Group:
    """Fishes of a scene, live or baked, from their empties or meshes, with `unit` metres in a scene unit."""
    fishes = fishes[:: 1 + (len(fishes) - 1) // LOOKED_AT]
    matrices = [obj.matrix_world.copy() for obj in fishes]
    places = unit * np.array([matrix.translation[:] for matrix in matrices])
    ahead = np.array([(matrix.to_quaternion() @ Vector((1.0, 0.0, 0.0)))[:] for matrix in matrices])
    sizes = [[obj.dimensions[:], *(part.dimensions[:] for part in obj.children)] for obj in fishes]
    return Group(places, ahead, np.array([unit * max(map(max, each)) for each in sizes]))


def group_about(place: Sequence[float], spread: float) -> Group:
    """Fishes not yet simulated, about a place and within a spread, metres."""
    around = 0.6 * spread * np.concatenate([np.eye(3), -np.eye(3)])
    return Group(np.array(place) + around, np.tile((0.0, 0.0, 1.0), (6, 1)), np.full(6, 0.1))
