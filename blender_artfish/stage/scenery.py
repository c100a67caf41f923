"""The scene's own objects on the stage: the bed, pillars and rocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import bpy
import numpy as np

from ...core.geometry.bed import Bed
from ...core.habitat.movers import ObstacleKeys
from ...core.recording import Recording
from ...core.scene.obstacles import Cylinder, MeshObstacle
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term
from .moving import move_along, move_through
from .nets import NET_COLOUR, woven
from .objects import add
from .shapes import Shape, grid, mesh, rough

SEA_REACH_METRES = 26.0
"""Extent of sand and water beyond the tank; nothing can be seen through as much water."""

PAINT = "artfish_colour"
"""Property of an obstacle's paint material: its linear red, green and blue."""
STRAY = 1e-6
"""Deviation, in metres or quaternion components, from an obstacle's keys beyond which somebody has moved it."""


def floor(recording: Recording, draws: np.random.Generator) -> Shape:
    """The bed of a scene, flat or with hills, extended beyond the tank."""
    bed = Bed.from_scene(recording.scene)
    return sand(np.array(recording.scene.tank.size), draws) if bed is None else hills(bed, draws)


def sand(size: np.ndarray, draws: np.random.Generator, reach: float = SEA_REACH_METRES) -> Shape:
    """The floor, a little below z = 0 in the tank and rolling beyond it."""
    lines = []
    for extent in size[:2]:
        far = np.geomspace(0.4, reach, 26)
        lines.append(np.concatenate([-far[::-1], np.linspace(0.0, extent, 60), extent + far]))
    x, y = np.meshgrid(*lines, indexing="ij")
    points = np.stack([x.ravel(), y.ravel()], axis=-1)
    outside = np.linalg.norm(np.maximum(np.maximum(-points, points - size[:2]), 0.0), axis=1)
    roll = rough(points, 2.2, draws)
    height = 0.035 * (roll - 1.2) + 0.35 * np.minimum(outside / 6.0, 1.5) * (rough(points, 5.0, draws) - 0.2)
    return np.column_stack([points, height]), grid(x.shape[0], x.shape[1])[:, ::-1]


def hills(bed: Bed, draws: np.random.Generator, reach: float = SEA_REACH_METRES) -> Shape:
    """The floor with the bed's heights on the bed's own grid, and rolling beyond the tank."""
    far = np.geomspace(0.4, reach, 26)
    lines = [np.concatenate([-far[::-1], inner, inner[-1] + far]) for inner in (bed.x, bed.y)]
    x, y = np.meshgrid(*lines, indexing="ij")
    points = np.stack([x.ravel(), y.ravel()], axis=-1)
    outside = np.linalg.norm(np.maximum(np.maximum(-points, points - bed.size[:2]), 0.0), axis=1)
    fade = np.exp(-((outside / 2.5) ** 2))
    roll = 0.35 * np.minimum(outside / 6.0, 1.5) * (rough(points, 5.0, draws) - 0.2)
    edge = bed.height(points[:, 0], points[:, 1])
    height = edge * fade + edge.mean() * (1.0 - fade) + roll
    return np.column_stack([points, height]), grid(x.shape[0], x.shape[1])[:, ::-1]


def raise_pillars(
    stage: bpy.types.Collection, recording: Recording, draws: np.random.Generator, own: Sequence[int], first: int = 1
) -> Iterator[int]:
    """Raise pillars and rocks, but for the animator's own; moving ones are keyed from `first` on.

    Args:
        stage: Their collection.
        recording: The recording with the obstacles.
        draws: Generator of the pillars' unevenness.
        own: Numbers of the animator's own obstacles.
        first: Frame of the scene at which the film begins.
    """
    rock, fps, led = rock_material(), recording.scene.fps, _led(recording)
    painted = rust_material if recording.scene.stage.scenery == "wreck" else paint_material
    for number, obstacle in enumerate(recording.scene.obstacles, start=1):
        name, shape = _form(obstacle, draws)
        if number - 1 not in own:
            bare = paint_material(NET_COLOUR) if name == "Net" else rock
            paint = bare if obstacle.colour is None else painted(obstacle.colour)
            named = f"{name} {number:02d}"
            obj = add(stage, named, mesh(named, shape, paint), obstacle.at)
            if number - 1 in led:
                move_through(obj, led[number - 1], first)
            elif obstacle.motion:
                forms = partial(_upright, obstacle) if isinstance(obstacle, MeshObstacle) else np.array
                move_along(obj, obstacle, lambda seconds: first + seconds * fps, forms=forms)
        yield number


def _form(obstacle: Cylinder | MeshObstacle, draws: np.random.Generator) -> tuple[str, Shape]:
    """The form of an obstacle about its own place, and the word for it."""
    if not isinstance(obstacle, MeshObstacle):
        return "Pillar", pillar(obstacle.radius, obstacle.height, draws)
    vertices, faces = obstacle.placed
    if obstacle.motion:  # its forms are of the given vertices
        return "Rock", (_upright(obstacle, obstacle.vertices), obstacle.rows[faces])
    if obstacle.weave:
        return "Net", woven(_upright(obstacle, obstacle.vertices), obstacle.faces, obstacle.weave)
    return "Rock", (vertices - obstacle.at, faces)


def _led(recording: Recording) -> dict[int, np.ndarray]:
    """Poses, (frames, 7), of obstacles that deviate from their keys, by their rows among the scene's.

    Scripts have moved them, or the recording begins after the film.
    """
    moving = [row for row, obstacle in enumerate(recording.scene.obstacles) if obstacle.motion is not None]
    found = {}
    for row, poses in zip(moving, np.moveaxis(recording.obstacles, 1, 0), strict=False):  # older ones have none
        track = ObstacleKeys(recording.scene.obstacles[row])
        keyed = np.array([track.pose(frame / recording.fps) for frame in range(recording.frames)])
        if not track.deforms and np.abs(poses - keyed).max(initial=0.0) > STRAY:
            found[row] = poses
    return found


def _upright(obstacle: MeshObstacle, vertices: tuple) -> np.ndarray:
    """A key's vertices in the axes of its object's mesh, (n, 3)."""
    return obstacle.upright(np.array(vertices))


def pillar(radius: float, height: float, draws: np.random.Generator) -> Shape:
    """A column of rock, its surface within a tenth of the radius, and its foot wider at the sand."""
    rings, sides = max(24, int(height / 0.05)), 72
    level = np.append(np.linspace(-0.1, height, rings), [height] * 4)
    taper = np.append(np.ones(rings), [0.88, 0.6, 0.3, 0.02])
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    z = np.repeat(level, sides)
    unit = np.stack([np.tile(np.cos(turn), len(level)), np.tile(np.sin(turn), len(level))], axis=-1)
    place = np.column_stack([unit * radius, z])
    uneven = 0.07 * rough(place, 0.9 * radius, draws) + 0.035 * rough(place, 0.25 * radius, draws)
    width = radius * np.repeat(taper, sides) * (1.0 + uneven) + 0.12 * radius * np.exp(-np.maximum(z, 0.0) / 0.12)
    z = z + 0.15 * radius * np.repeat(1.0 - taper, sides)
    return np.column_stack([unit * width[:, None], z]), grid(len(level), sides, closed=True)


def rock_material(name: str = "Rock") -> bpy.types.Material:
    """Old reef rock, encrusted with coralline algae, sponge and turf."""
    material, graph = shader_graph.material(name)
    at = graph.coordinates("Object")
    # One noise gives three fields, so that the shader stays quick.
    cloud = graph.node("ShaderNodeTexNoise", {"Vector": at, "Scale": 4.0, "Detail": 3.0})
    red, green, blue = graph.parts(cloud["Color"])
    fine = graph.noise(at, 24.0, 3.0)
    colour = graph.mix(red.ramp(0.35, 0.65), (0.10, 0.08, 0.06), (0.32, 0.26, 0.19))
    ragged = (fine - 0.5) * 0.6
    crusts = [(green, 0.57, (0.46, 0.09, 0.22)), (1.0 - blue, 0.58, (0.20, 0.19, 0.05))]
    crusts += [(1.0 - green, 0.60, (0.72, 0.22, 0.03)), (blue, 0.66, (0.55, 0.45, 0.30))]
    for field, edge, crust in crusts:
        colour = graph.mix((field + ragged).ramp(edge - 0.03, edge + 0.05) * 0.75, colour, crust)
    colour = graph.mix(fine.ramp(0.5, 0.25) * 0.85, colour, (0.01, 0.01, 0.01))
    dull_surface(graph, colour, graph.bump(red * 0.04 + fine * 0.035, 1.0))
    return material


def paint_material(colour: Sequence[float]) -> bpy.types.Material:
    """Smooth paint, or rubber, of a linear red, green and blue, stored for the reader."""
    name = "Paint " + " ".join(f"{part:.3g}" for part in colour)
    material, graph = shader_graph.material(name)
    material[PAINT] = list(colour)
    material.diffuse_color = (*colour, 1.0)
    worn = graph.noise(graph.coordinates("Object"), 9.0, 3.0)
    skin: dict[str, shader_graph.Value] = {"Roughness": 0.45, "Specular IOR Level": 0.35}
    skin |= {"Base Color": graph.mix(worn.ramp(0.45, 0.8) * 0.35, tuple(colour), tuple(0.6 * x for x in colour))}
    skin |= {"Normal": graph.bump(worn * 0.002, 1.0)}
    shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"])
    return material


def rust_material(colour: Sequence[float]) -> bpy.types.Material:
    """Iron or wood of a colour long under water: running rust, pale crusts, and green where light falls.

    The colour is stored for the reader.
    """
    material, graph = shader_graph.material("Rust")
    material[PAINT] = list(colour)
    material.diffuse_color = (*colour, 1.0)
    at = graph.coordinates("Object")
    x, y, z = graph.parts(at)
    cloud = graph.node("ShaderNodeTexNoise", {"Vector": at, "Scale": 2.6, "Detail": 4.0})
    red, green, blue = graph.parts(cloud["Color"])
    fine = graph.noise(at, 30.0, 3.0)
    streaks = graph.noise(graph.vector(x * 9.0, y * 9.0, z * 0.9), 1.0, 2.0)
    paint = graph.mix(red.ramp(0.35, 0.65), tuple(0.5 * part for part in colour), tuple(colour))
    paint = graph.mix(streaks.ramp(0.5, 0.72) * 0.85, paint, (0.34, 0.11, 0.025))
    paint = graph.mix((green + (fine - 0.5) * 0.4).ramp(0.52, 0.72) * 0.7, paint, (0.46, 0.40, 0.30))
    _, _, up = graph.parts(graph.node("ShaderNodeNewGeometry")["Normal"])
    paint = graph.mix(up.ramp(0.2, 0.9) * blue.ramp(0.35, 0.6) * 0.75, paint, (0.10, 0.13, 0.035))
    paint = graph.mix((blue + (fine - 0.5) * 0.4).ramp(0.58, 0.74) * 0.8, paint, (0.52, 0.10, 0.22))
    dull_surface(graph, paint, graph.bump(red * 0.02 + fine * 0.02 + streaks * 0.012, 1.0), 0.85)
    return material


def grey_image(name: str, values: np.ndarray) -> bpy.types.Image:
    """A new image of non-colour values (rows, columns), packed into the file."""
    rows, columns = values.shape
    image = bpy.data.images.new(name, columns, rows, is_data=True)
    image.pixels.foreach_set(np.repeat(values.ravel()[:, None], 4, axis=1).astype(np.float32).ravel())
    image.pack()
    return image


def dull_surface(
    graph: Graph, colour: shader_graph.Value, normal: Term, roughness: float = 0.9, glow: float = 0.0
) -> None:
    """End a tree with a dull surface, which glows a little if given."""
    skin = {"Base Color": colour, "Roughness": roughness, "Specular IOR Level": 0.2, "Normal": normal}
    if glow:
        skin |= {"Emission Color": colour, "Emission Strength": glow}
    shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"])
