"""What stands on the stage: sand, pillars of rock, corals, sponges, boulders, and specks adrift in the water."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import bpy
import numpy as np

from ...core.geometry.bed import Bed
from ..blender import shader_graph
from ..blender.shader_graph import Graph, Term

Shape = tuple[np.ndarray, np.ndarray]
"""Vertices (n, 3) in metres and faces, quadrilaterals (m, 4)."""


def mesh(name: str, shape: Shape, material: bpy.types.Material) -> bpy.types.Mesh:
    """A smooth mesh of a shape."""
    vertices, faces = shape
    made = bpy.data.meshes.new(name)
    made.vertices.add(len(vertices))
    made.vertices.foreach_set("co", np.asarray(vertices, dtype=np.float32).ravel())
    made.loops.add(faces.size)
    made.loops.foreach_set("vertex_index", np.asarray(faces, dtype=np.int32).ravel())
    made.polygons.add(len(faces))
    made.polygons.foreach_set("loop_start", np.arange(0, faces.size, faces.shape[1], dtype=np.int32))
    made.update(calc_edges=True)
    made.shade_smooth()
    made.materials.append(material)
    return made


def rough(points: np.ndarray, scale: float, draws: np.random.Generator, waves: int = 24) -> np.ndarray:
    """A smooth random function, about -1 to 1, of points (n, 2 or 3), with features of about `scale` metres."""
    octave = 2.0 ** draws.uniform(0.0, 2.0, waves)
    direction = draws.normal(size=(waves, points.shape[1]))
    direction *= (octave / scale / np.linalg.norm(direction, axis=1))[:, None]
    phase = draws.uniform(0.0, 2 * np.pi, waves)
    return np.sin(2.0 * points @ direction.T + phase) @ (1.0 / octave) / np.sqrt((octave**-2.0).sum() * 1.2)


def grid(rows: int, columns: int, closed: bool = False) -> np.ndarray:
    """Faces (m, 4) of rows x columns vertices, counted row by row; closed joins the last column to the first."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns if closed else columns - 1), indexing="ij")
    here, after = row * columns + column, row * columns + (column + 1) % columns
    return np.stack([here, after, after + columns, here + columns], axis=-1).reshape(-1, 4)


def join(shapes: list[Shape]) -> Shape:
    """Many shapes as one."""
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in shapes[:-1]])
    faces = [faces + start for (_, faces), start in zip(shapes, starts, strict=True)]
    return np.concatenate([vertices for vertices, _ in shapes]), np.concatenate(faces)


def tube(path: np.ndarray, radii: np.ndarray, sides: int = 7) -> Shape:
    """A round tube along a path (k, 3) with radii (k,)."""
    along = np.gradient(path, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True) + 1e-12
    reference = np.where(np.abs(along[:, :1]) < 0.9, [[1.0, 0.0, 0.0]], [[0.0, 1.0, 0.0]])
    first = np.cross(along, reference)
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    second = np.cross(along, first)
    angle = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)[None, :, None]
    ring = np.cos(angle) * first[:, None] + np.sin(angle) * second[:, None]
    vertices = path[:, None] + radii[:, None, None] * ring
    return vertices.reshape(-1, 3), grid(len(path), sides, closed=True)


def dome(size: tuple, relief: float, scale: float, draws: np.random.Generator) -> Shape:
    """A boulder, or a massive coral: the upper half and a little of an uneven ball with half axes `size`."""
    height, turn = np.meshgrid(np.linspace(-0.6, np.pi / 2, 30), np.linspace(0, 2 * np.pi, 48, endpoint=False))
    unit = np.stack([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)], axis=-1)
    points = unit.transpose(1, 0, 2).reshape(-1, 3)
    uneven = rough(points, scale, draws) + 0.4 * rough(points, 0.3 * scale, draws)
    return points * (1.0 + relief * uneven)[:, None] * size, grid(30, 48, closed=True)


def branches(draws: np.random.Generator, levels: int, spread: float, radius: float, flat: bool = False) -> Shape:
    """A branching coral 1 m high; flat ones grow in the plane y = 0 as fans do."""
    shapes: list[Shape] = []

    def grow(start: np.ndarray, direction: np.ndarray, length: float, thickness: float, level: int) -> None:
        end = start + length * direction
        path = start + np.linspace(0.0, 1.0, 4)[:, None] * (end - start)
        path[1:3] += 0.06 * length * draws.normal(size=(2, 3)) * (1.0, 0.0 if flat else 1.0, 1.0)
        tip = 0.05 if level == levels else 0.75
        shapes.append(tube(path, thickness * np.array([1.0, 0.92, 0.84, tip])))
        if level == levels:
            return
        for _ in range(draws.integers(2, 4)):
            turn = direction + spread * draws.normal(size=3) * (1.0, 0.05 if flat else 1.0, 0.8) + (0.0, 0.0, 0.25)
            grow(end, turn / np.linalg.norm(turn), length * draws.uniform(0.65, 0.9), 0.75 * thickness, level + 1)

    for _ in range(2 if flat else 5):
        lean = np.array([*(0.7 * spread * draws.normal(size=2)), 1.0]) * (1.0, 0.05 if flat else 1.0, 1.0)
        grow(np.zeros(3), lean / np.linalg.norm(lean), 0.3, radius, 1)
    vertices, faces = join(shapes)
    return vertices / vertices[:, 2].max(), faces


def sponges(draws: np.random.Generator) -> Shape:
    """A cluster of hollow tubes, the tallest 1 m high."""
    shapes = []
    for _ in range(6):
        foot = np.array([*(0.16 * draws.normal(size=2)), 0.0])
        tall, wide = draws.uniform(0.5, 1.0), draws.uniform(0.09, 0.15)
        rise = np.array([0.0, 0.25, 0.6, 0.95, 1.0, 0.97, 0.6, 0.3])
        radii = wide * np.array([0.6, 0.75, 0.9, 1.0, 0.92, 0.78, 0.7, 0.3])
        path = foot + rise[:, None] * (tall * np.array([foot[0], foot[1], 1.0]))
        # The wall turns back down inside; its rings stay level, where those of a tube would fold at the rim.
        angle = np.linspace(0, 2 * np.pi, 14, endpoint=False)
        level = np.stack([np.cos(angle), np.sin(angle), np.zeros(14)], axis=-1)
        ring = path[:, None] + radii[:, None, None] * level
        shapes.append((ring.reshape(-1, 3), grid(len(path), 14, closed=True)))
    vertices, faces = join(shapes)
    return vertices / vertices[:, 2].max(), faces


def anemone(draws: np.random.Generator) -> Shape:
    """A crowd of tentacles, about 1 m high and twice as wide."""
    shapes = []
    for _ in range(130):
        turn, out = draws.uniform(0, 2 * np.pi), np.sqrt(draws.uniform(0, 1))
        away = np.array([np.cos(turn), np.sin(turn), 0.0])
        share = np.linspace(0.0, 1.0, 6)[:, None]
        bend = 0.12 * draws.normal(size=3) * share * (1.0 - share) * 4
        path = 0.55 * out * away + share * (np.array([0, 0, 1.0 - 0.45 * out]) + away * out * 0.6) + bend
        shapes.append(tube(path, 0.035 * np.array([1.0, 1.0, 0.95, 0.9, 1.15, 0.1]), sides=6))
    return join(shapes)


def sand(size: np.ndarray, draws: np.random.Generator, reach: float = 26.0) -> Shape:
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


def hills(bed: Bed, draws: np.random.Generator, reach: float = 26.0) -> Shape:
    """The floor as the bed has it, its places those of the bed's own grid, and rolling on beyond the tank."""
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


def pillar(radius: float, height: float, draws: np.random.Generator) -> Shape:
    """A column of rock, its surface within a tenth of the radius, and its foot wider where it meets the sand."""
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


def specks(low: np.ndarray, high: np.ndarray, count: int, draws: np.random.Generator) -> Shape:
    """Tiny flakes adrift in a box."""
    size = 0.0016 * draws.uniform(0.4, 1.0, count) ** 2
    corners = draws.normal(size=(count, 4, 3))
    corners /= np.linalg.norm(corners, axis=-1, keepdims=True)
    vertices = draws.uniform(low, high, (count, 3))[:, None] + size[:, None, None] * corners
    return vertices.reshape(-1, 3), np.arange(4 * count).reshape(-1, 4)


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


def _surface(graph: Graph, colour: shader_graph.Value, normal: Term, roughness: float = 0.9, glow: float = 0.0) -> None:
    skin = {"Base Color": colour, "Roughness": roughness, "Specular IOR Level": 0.2, "Normal": normal}
    if glow:
        skin |= {"Emission Color": colour, "Emission Strength": glow}
    shader_graph.output(graph, Surface=graph.node("ShaderNodeBsdfPrincipled", skin)["BSDF"])


def sand_material() -> bpy.types.Material:
    """Pale sand in ripples, with shell grit."""
    material, graph = shader_graph.material("Sand")
    at = graph.coordinates("Object")
    x, y, _ = graph.parts(at)
    drift = graph.noise(at, 0.9, 2.0)
    ripple = ((x * 0.8 + y * 0.6 + drift * 0.6) * (2 * np.pi / 0.16)).sine()
    there = drift.ramp(0.3, 0.7, 0.2, 1.0)
    grain = graph.noise(at, 70.0, 3.0)
    colour = graph.mix(grain.ramp(0.3, 0.7), (0.42, 0.35, 0.25), (0.64, 0.56, 0.42))
    colour = graph.mix(ripple.ramp(0.2, -1.0) * there * 0.3, colour, (0.33, 0.27, 0.2))
    _surface(graph, colour, graph.bump(ripple * there * 0.011 + grain * 0.006, 1.0), 0.95)
    return material


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
    crusts = ((green, 0.57, (0.46, 0.09, 0.22)), (1.0 - blue, 0.58, (0.20, 0.19, 0.05)))
    crusts += ((1.0 - green, 0.60, (0.72, 0.22, 0.03)), (blue, 0.66, (0.55, 0.45, 0.30)))
    for field, edge, crust in crusts:
        colour = graph.mix((field + ragged).ramp(edge - 0.03, edge + 0.05) * 0.75, colour, crust)
    colour = graph.mix(fine.ramp(0.5, 0.25) * 0.85, colour, (0.01, 0.01, 0.01))
    _surface(graph, colour, graph.bump(red * 0.04 + fine * 0.035, 1.0))
    return material


def coral_material(name: str, colour: tuple, tip: tuple, maze: float = 0.0) -> bpy.types.Material:
    """Living coral, paler towards the tips; `maze` furrows it as brain corals are."""
    material, graph = shader_graph.material(name)
    _, _, high = graph.parts(graph.coordinates("Generated"))
    at = graph.coordinates("Object")
    fine = graph.noise(at, 40.0, 3.0)
    # No two colonies have quite the same colour.
    own = graph.node("ShaderNodeObjectInfo")["Random"]
    paint = graph.mix(high.ramp(0.35, 1.0) * 0.8 + (fine - 0.5) * 0.4, colour, tip)
    paint = graph.node("ShaderNodeHueSaturation", {"Hue": 0.46 + 0.08 * own, "Color": paint})["Color"]
    relief = fine * 0.02
    if maze:
        edge = graph.node(
            "ShaderNodeTexVoronoi", {"Vector": at, "Scale": maze, "Randomness": 1.0}, feature="DISTANCE_TO_EDGE"
        )["Distance"]
        furrow = edge.ramp(0.16, 0.02)
        paint = graph.mix(furrow * 0.75, paint, (0.06, 0.05, 0.03))
        relief = relief - furrow * 0.03
    _surface(graph, paint, graph.bump(relief, 1.0), 0.7, glow=0.02)
    return material


def speck_material(brightness: float = 1.0) -> bpy.types.Material:
    """Flakes that catch the light, of this brightness."""
    material, graph = shader_graph.material("Specks")
    white = graph.node("ShaderNodeEmission", {"Color": (0.7, 0.9, 1.0), "Strength": 0.35 * brightness})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.blend(0.5, clear, white))
    return material


def plankton_material() -> bpy.types.Material:
    """Grains with light in them, half clear."""
    material, graph = shader_graph.material("Plankton")
    colour = (0.85, 0.95, 0.6)
    grain = graph.node("ShaderNodeBsdfPrincipled", {"Base Color": colour, "Roughness": 0.5, "Emission Color": colour})
    bright = graph.node("ShaderNodeEmission", {"Color": colour, "Strength": 0.5})["Emission"]
    shader_graph.output(graph, Surface=graph.blend(0.4, grain["BSDF"], bright))
    return material


def bubble_material() -> bpy.types.Material:
    """Air in water: clear where one looks straight in, a mirror towards the rim."""
    material, graph = shader_graph.material("Bubble")
    facing = graph.node("ShaderNodeLayerWeight", {"Blend": 0.5})["Facing"]
    clear = graph.node("ShaderNodeBsdfTransparent", {"Color": (0.92, 0.98, 1.0)})["BSDF"]
    mirror = graph.node("ShaderNodeBsdfAnisotropic", {"Color": (0.95, 0.98, 1.0), "Roughness": 0.05})["BSDF"]
    light = graph.node("ShaderNodeEmission", {"Color": (0.65, 0.92, 1.0), "Strength": 0.35})["Emission"]
    rim = graph.blend(0.35, mirror, light)
    shader_graph.output(graph, Surface=graph.blend(facing.ramp(0.25, 0.75, 0.12, 1.0), clear, rim))
    return material


def shaft_material(brightness: float = 1.0) -> bpy.types.Material:
    """Shafts of light that come down from above and fade; x and y of the object are widths of the picture."""
    material, graph = shader_graph.material("Light shafts")
    x, y, _ = graph.parts(graph.coordinates("Object"))
    fan = graph.vector(x / (0.9 - y) * 9.0, 0.0)
    beams = graph.noise(fan, 1.0, 2.0).ramp(0.5, 0.78)
    fade = y.ramp(-0.16, 0.32) * x.absolute().ramp(0.75, 0.45)
    strength = beams * fade * (0.35 * brightness)
    light = graph.node("ShaderNodeEmission", {"Color": (0.35, 0.8, 1.0), "Strength": strength})["Emission"]
    clear = graph.node("ShaderNodeBsdfTransparent")["BSDF"]
    shader_graph.output(graph, Surface=graph.node("ShaderNodeAddShader").feed((clear, light))["Shader"])
    return material


def colonies(draws: np.random.Generator) -> Iterator[tuple[str, bpy.types.Mesh]]:
    """Each kind of growth and a mesh of it, about 1 m high, to be placed many times."""
    kinds: dict[str, tuple[Callable[[], Shape], bpy.types.Material]] = {
        "Staghorn coral": (
            lambda: branches(draws, 4, 0.5, 0.045),
            coral_material("Staghorn coral", (0.55, 0.20, 0.05), (0.95, 0.62, 0.35)),
        ),
        "Violet coral": (
            lambda: branches(draws, 4, 0.65, 0.06),
            coral_material("Violet coral", (0.34, 0.06, 0.42), (0.85, 0.42, 0.85)),
        ),
        "Sea fan": (
            lambda: branches(draws, 6, 0.55, 0.022, flat=True),
            coral_material("Sea fan", (0.72, 0.04, 0.10), (0.98, 0.25, 0.16)),
        ),
        "Tube sponge": (
            lambda: sponges(draws),
            coral_material("Tube sponge", (0.85, 0.40, 0.02), (1.0, 0.66, 0.08)),
        ),
        "Brain coral": (
            lambda: dome((1.2, 1.1, 1.0), 0.07, 0.9, draws),
            coral_material("Brain coral", (0.42, 0.34, 0.08), (0.62, 0.48, 0.15), maze=9.0),
        ),
        "Anemone": (lambda: anemone(draws), coral_material("Anemone", (0.40, 0.24, 0.09), (0.95, 0.62, 0.60))),
        "Boulder": (lambda: dome((1.4, 1.1, 1.0), 0.22, 0.7, draws), rock_material("Boulder")),
    }
    for name, (shape, material) in kinds.items():
        yield name, mesh(name, shape(), material)
