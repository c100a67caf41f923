"""Plankton, bubbles, eggs and milt as Blender objects: copies of one small mesh that move, vanish and reappear."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import bmesh
import bpy
import numpy as np
from mathutils import Vector

from ...core.habitat.obstacles import Obstacles
from ...core.habitat.spawn import EGG, LAID, MILT, Ground
from ...core.habitat.tank import WaterBox
from ...core.recording import Recording
from ..blender import shader_graph
from ..blender.fcurves import LOCATION, thin, write, write_presence
from ..blender.versions import channelbag
from ..identity.film_time import FIRST

GRAIN_SIZES = 0.6, 1.3
"""Least and largest size of a grain of plankton, over the scene's size."""
FLAT_BUBBLE_METRES, FLAT_BUBBLE_HEIGHT = 0.002, 0.72
"""Size from which bubbles are flattened, and their height over their width then."""
EGG_METRES, MILT_METRES, LAID_METRES = 0.0028, 0.006, (0.0016, 0.0016, 0.003)
"""Sizes of a drifting egg and a puff of milt, larger than real so that they are seen, and of an egg that is laid."""

Steps = Generator[None, None, bpy.types.Collection | None]


def make_plankton(recording: Recording, top: bpy.types.Collection, tolerance: float, first: int = FIRST) -> Steps:
    """Make the plankton of a recording, grain by grain, and key its drift.

    Args:
        recording: The recording.
        top: Its parent collection.
        tolerance: Largest error of a particle's position at any frame, over its size.
        first: Frame of the scene at which the keys begin.

    Returns:
        The collection that holds it; None without plankton.
    """
    count = recording.plankton.shape[1]
    if not count:
        return None
    size = recording.scene.plankton.size
    grain = _ball("Plankton", size, 1, plankton_material())
    scales = np.repeat(np.random.default_rng(count).uniform(*GRAIN_SIZES, (count, 1)), 3, axis=1)
    bounds = np.full(count, tolerance * size)
    return (
        yield from _copies(
            ("Plankton",) * 2, grain, recording.plankton, recording.plankton_alive, scales, bounds, top, first
        )
    )


def make_bubbles(recording: Recording, top: bpy.types.Collection, tolerance: float, first: int = FIRST) -> Steps:
    """Make the bubbles of a recording and key their rise; arguments and result as for `make_plankton`."""
    size = recording.bubbles_size
    if not len(size):
        return None
    ball = _ball("Bubble", 1.0, 3, bubble_material())
    flat = np.where(size > FLAT_BUBBLE_METRES, FLAT_BUBBLE_HEIGHT, 1.0)
    scales = size[:, None] * np.stack([flat**-0.5, flat**-0.5, flat], axis=1) ** (2 / 3)
    bounds = tolerance * size
    return (
        yield from _copies(
            ("Bubbles", "Bubble"), ball, recording.bubbles, recording.bubbles_alive, scales, bounds, top, first
        )
    )


def make_spawn(recording: Recording, top: bpy.types.Collection, tolerance: float, first: int = FIRST) -> Steps:
    """Make eggs and milt, and key their drift; arguments as for `make_plankton`, and the last of its collections."""
    kinds, collection = recording.spawn_kind, None
    for names, kind, size, detail, material in (
        (("Eggs", "Egg"), EGG, (EGG_METRES,) * 3, 2, egg_material),
        (("Milt", "Milt"), MILT, (MILT_METRES,) * 3, 2, milt_material),
        (("Laid Eggs", "Laid Egg"), LAID, LAID_METRES, 2, laid_egg_material),
    ):
        there = kinds == kind
        if not there.any():
            continue
        grain, count = _ball(names[1], 1.0, detail, material()), there.shape[1]
        scales, bounds = np.tile(size, (count, 1)), np.full(count, tolerance * max(size))
        collection = yield from _copies(names, grain, recording.spawn, there, scales, bounds, top, first)
        if kind == LAID and collection is not None:
            _stand(collection, recording, there)
    return collection


def _stand(collection: bpy.types.Collection, recording: Recording, there: np.ndarray) -> None:
    """Have laid eggs, in the order of their rows, stand on their ground; `there` tells when, (frames, n) bool."""
    scene, rows = recording.scene, np.flatnonzero(there.any(axis=0))
    still = Obstacles.from_scene(scene)
    ground = Ground(WaterBox.from_scene(scene), Obstacles(still.at, still.radius, still.height, still.standing))
    _, out = ground.distance(recording.spawn[there[:, rows].argmax(axis=0), rows].astype(float))
    for egg, way in zip(collection.objects, out.tolist(), strict=True):
        egg.rotation_mode, egg.rotation_quaternion = "QUATERNION", Vector(way).to_track_quat("Z", "Y")


def _copies(
    names: tuple[str, str],
    mesh: bpy.types.Mesh,
    places: np.ndarray,
    alive: np.ndarray,
    scales: np.ndarray,
    bounds: np.ndarray,
    top: bpy.types.Collection,
    first: int,
) -> Steps:
    """Make and key copies of a mesh.

    Args:
        names: Names of the collection, and of each copy before its number.
        mesh: The mesh to copy.
        places: Positions in metres, (frames, n, 3).
        alive: When each is present, (frames, n) bool; those never present are not made.
        scales: Scales, (n, 3).
        bounds: Largest error of each at any frame, metres, (n,).
        top: The parent of their collection.
        first: Frame of the scene at which the keys begin.
    """
    collection = bpy.data.collections.new(names[0])
    top.children.link(collection)
    action = bpy.data.actions.new(names[0])
    for number in np.flatnonzero(alive.any(axis=0)).tolist():
        copy = bpy.data.objects.new(f"{names[1]} {number + 1:03d}", mesh)
        collection.objects.link(copy)
        copy.scale = scales[number]
        there = alive[:, number]
        path, breaks = _lives(places[:, number].astype(float), there)
        keys = thin(np.ascontiguousarray(path.T), bounds[number], breaks)
        copy.location = path[0]
        bag = channelbag(action, copy)
        write(bag, LOCATION, keys, first)
        if not there.all():
            write_presence(bag, there, first)
        yield
    return collection


def _lives(path: np.ndarray, there: np.ndarray) -> tuple[np.ndarray, Sequence[int]]:
    """A path (frames, 3) that continues evenly after a life ends, and waits where the next begins.

    So motion blur does not show the jump between them.

    Returns:
        The path, and the frames at which it starts again.
    """
    path, breaks = path.copy(), []
    change = np.flatnonzero(np.diff(there, prepend=True, append=True))
    for end, begin in change.reshape(-1, 2).tolist():  # not there from `end` up to `begin`
        if end == 0:
            path[:begin] = path[begin]
            continue
        path[end:begin] = 2.0 * path[end - 1] - path[end - 2] if end > 1 else path[end - 1]
        if begin < len(path):
            fresh = min(end + 1, begin - 1)
            path[fresh:begin] = path[begin]
            breaks.append(fresh)
    return path, breaks


def _ball(name: str, size: float, subdivisions: int, material: bpy.types.Material) -> bpy.types.Mesh:
    """A ball of this diameter in metres."""
    mesh = bpy.data.meshes.new(name)
    shape = bmesh.new()
    bmesh.ops.create_icosphere(shape, subdivisions=subdivisions, radius=size / 2.0)
    for face in shape.faces:
        face.smooth = subdivisions > 1
    shape.to_mesh(mesh)
    shape.free()
    mesh.materials.append(material)
    return mesh


def plankton_material() -> bpy.types.Material:
    """Translucent, lit grains."""
    material, graph = shader_graph.material("Plankton")
    colour = (0.85, 0.95, 0.6)
    grain = graph.node("ShaderNodeBsdfPrincipled", {"Base Color": colour, "Roughness": 0.5, "Emission Color": colour})
    bright = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 0.5})["Emission"]
    shader_graph.output(graph, Surface=graph.blend(0.4, grain["BSDF"], bright))
    return material


def bubble_material() -> bpy.types.Material:
    """Air in water: clear in the middle, a mirror towards the rim."""
    material, graph = shader_graph.material("Bubble")
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5})["Facing"]
    clear = graph.node("ShaderNodeBsdfTransparent", {"Color": (0.92, 0.98, 1.0)})["BSDF"]
    mirror = graph.node("ShaderNodeBsdfAnisotropic", {"Color": (0.95, 0.98, 1.0), "Roughness": 0.05})["BSDF"]
    light = graph.node("ShaderNodeEmission", {"Color": (0.65, 0.92, 1.0), "Strength": 0.35})["Emission"]
    rim = graph.blend(0.35, mirror, light)
    shader_graph.output(graph, Surface=graph.blend(facing.ramp(0.25, 0.75, 0.12, 1.0), clear, rim))
    return material


def egg_material() -> bpy.types.Material:
    """Glassy, whitish orange eggs, as they float."""
    return _lit("Egg", (0.98, 0.6, 0.25), 0.35)


def laid_egg_material() -> bpy.types.Material:
    """Orange red eggs of damselfishes, fresh on their rock."""
    return _lit("Laid egg", (0.9, 0.16, 0.02), 0.1)


def milt_material() -> bpy.types.Material:
    """White puffs, thicker in the middle, through which one sees."""
    material, graph = shader_graph.material("Milt")
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5})["Facing"]
    clear = graph.node("ShaderNodeBsdfTransparent", {"Color": (1.0, 1.0, 1.0)})["BSDF"]
    white = graph.node("ShaderNodeEmission", {"Color": (0.9, 0.95, 1.0), "Strength": 0.6})["Emission"]
    shader_graph.output(graph, Surface=graph.blend(facing.ramp(0.0, 0.9, 0.65, 0.0), clear, white))
    return material


def _lit(name: str, colour: tuple[float, float, float], glow: float) -> bpy.types.Material:
    """Smooth grains of a colour, which let through as much light as a share of their own glow shows."""
    material, graph = shader_graph.material(name)
    shell = graph.node("ShaderNodeBsdfPrincipled", {"Base Color": colour, "Roughness": 0.25})["BSDF"]
    bright = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 0.6})["Emission"]
    shader_graph.output(graph, Surface=graph.blend(glow, shell, bright))
    return material
