"""Corals, sponges, anemones and boulders: a mesh of each kind, planted on pillars and rocks and on the sand."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.geometry.bed import Bed
from ...core.recording import Recording
from ..blender import shader_graph
from .objects import add
from .scenery import dull_surface, rock_material
from .shapes import Shape, dome, grid, join, mesh, tube
from .view import SENSOR_MM, View

CLINGING_KINDS = ("Violet coral", "Sea fan", "Tube sponge", "Brain coral")
"""What grows on the sides of pillars."""


def plant_corals(
    stage: bpy.types.Collection, recording: Recording, view: View, draws: np.random.Generator, own: Sequence[int]
) -> Generator[None, None, None]:
    """Corals and sponges around and on the pillars and in gardens on the sand; far boulders around the tank."""
    reef = bpy.data.collections.new("Corals")
    stage.children.link(reef)
    bed = Bed.from_scene(recording.scene)
    weed = [(np.array(cluster.at[:2]), cluster.spread) for cluster in recording.scene.seaweed]
    kinds = {}
    for kind, colony in colonies(draws):
        kinds[kind] = colony
        yield
    garden = _Garden(reef, kinds, view, draws, weed)
    for number, obstacle in enumerate(recording.scene.obstacles):
        if number in own or obstacle.motion is not None:
            continue
        if obstacle.kind == "mesh":
            garden.over(*obstacle.placed)
        else:
            garden.around(np.array(obstacle.at), obstacle.radius, obstacle.height)
        yield
    size = np.array(recording.scene.tank.size)
    beds = [draws.uniform(-1.0, size[:2] + 1.0) for _ in range(6)] + [_in_view(view, draws) for _ in range(6)]
    for middle in beds:
        for _ in range(8):
            at = np.append(middle + 0.28 * draws.normal(size=2), -0.04)
            garden.plant(at + (0.0, 0.0, _ground(bed, at)), draws.uniform(0.08, 0.36))
    yield
    for _ in range(26):
        away = _unit(draws.uniform(0, 2 * np.pi))[:2]
        at = 0.5 * size[:2] + away * (0.5 * np.linalg.norm(size[:2]) + draws.uniform(0.6, 7.0))
        if np.linalg.norm(at - view.at[:2]) > 3.0:
            garden.plant(np.append(at, _ground(bed, at) - 0.1), draws.uniform(0.4, 1.5), kinds=("Boulder",))


def _ground(bed: Bed | None, at: np.ndarray) -> float:
    """Height of the sand in and about the tank."""
    return 0.0 if bed is None else float(bed.height(at[0], at[1]))


@dataclass(frozen=True)
class _Garden:
    """Plants colonies, of which there is one mesh a kind, where they stand neither before the camera nor in seaweed."""

    collection: bpy.types.Collection
    colonies: dict[str, bpy.types.Mesh]
    view: View
    draws: np.random.Generator
    weed: list[tuple[np.ndarray, float]]

    def plant(self, at: np.ndarray, height: float, up: tuple = (0, 0, 1), kinds: tuple[str, ...] = ()) -> None:
        """Plant a colony of any kind, or of one of these, turned at random about `up`."""
        if np.linalg.norm(at - self.view.at) < 0.5 + 2.0 * height:
            return
        if any(np.linalg.norm(at[:2] - middle) < spread + height for middle, spread in self.weed):
            return
        kind = str(self.draws.choice(kinds or tuple(self.colonies)))
        upright = Vector(up).to_track_quat("Z", "Y").to_matrix().to_4x4()
        turn = Matrix.Rotation(self.draws.uniform(0, 2 * np.pi), 4, "Z")
        obj = add(self.collection, kind, self.colonies[kind])
        obj.matrix_world = Matrix.Translation(Vector(at.tolist())) @ upright @ turn @ Matrix.Scale(height, 4)

    def around(self, foot: np.ndarray, radius: float, height: float) -> None:
        """Plant the foot, the sides and the top of a pillar."""
        draw = self.draws.uniform
        for _ in range(12):
            away = _unit(draw(0, 2 * np.pi))
            self.plant(foot + (1.05 * radius + draw(0.0, 0.3)) * away + (0, 0, -0.03), draw(0.12, 0.38))
        for _ in range(int(9 * height)):
            away = _unit(draw(0, 2 * np.pi))
            at = foot + 0.97 * radius * away + (0, 0, draw(0.12, 0.97) * height)
            self.plant(at, draw(0.07, 0.2), (away[0], away[1], 0.9), CLINGING_KINDS)
        for _ in range(5):
            away = draw(0, 0.7) * radius * _unit(draw(0, 2 * np.pi))
            self.plant(foot + away + (0, 0, height + 0.02), draw(0.1, 0.28))

    def over(self, vertices: np.ndarray, faces: np.ndarray) -> None:
        """Plant the upper sides of a rock, some 14 colonies a square metre."""
        corners = vertices[faces]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = 0.5 * np.linalg.norm(normal, axis=1)
        upward = normal[:, 2] / np.maximum(2.0 * area, 1e-12)
        weight = area * np.clip(upward + 0.3, 0.0, 1.0)
        for _ in range(min(int(14 * weight.sum()), 120)):
            row = self.draws.choice(len(faces), p=weight / weight.sum())
            share = self.draws.dirichlet(np.ones(3))
            up = normal[row] / (2.0 * area[row]) + (0.0, 0.0, 0.8)
            kinds = () if upward[row] > 0.7 else CLINGING_KINDS
            self.plant(share @ corners[row] - 0.02 * up, self.draws.uniform(0.06, 0.19), tuple(up), kinds)


def _unit(turn: float) -> np.ndarray:
    """The level direction (3,) at an angle in radians."""
    return np.array([np.cos(turn), np.sin(turn), 0.0])


def _in_view(view: View, draws: np.random.Generator) -> np.ndarray:
    """A place on the sand (x, y) that the camera sees."""
    ray = (view.target - view.at)[:2]
    away = draws.uniform(0.8, 3.0) * ray
    side = 0.45 * draws.uniform(-1.0, 1.0) * SENSOR_MM / view.lens * np.array([-away[1], away[0]])
    return view.at[:2] + away + side


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
    dull_surface(graph, paint, graph.bump(relief, 1.0), 0.7, glow=0.02)
    return material
