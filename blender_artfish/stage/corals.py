"""Growth on a stage: kinds of corals, sponges, anemones, algae and rocks, and a few meshes of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import bpy
import numpy as np

from ..blender import shader_graph
from . import growth
from .scenery import dull_surface, rock_material
from .shapes import Shape, dome, mesh

Draws = np.random.Generator
Colour = tuple[float, float, float]
SAND, TOP, SIDE = "sand", "top", "side"
"""Grounds of a kind: on the sand, on a level rock, on a steep one."""


@dataclass(frozen=True)
class Growth:
    """A kind of growth.

    Attributes:
        shape: Makes a shape of this kind.
        colours: Linear colours at the base and the tips.
        heights: Least and greatest height, metres.
        grounds: Grounds it grows on.
        often: Its relative frequency.
        maze: Furrows like those of brain corals, 1/m; 0 for none.
        glow: Share of light it transmits.
        variants: Number of its meshes.
    """

    shape: Callable[[Draws], Shape]
    colours: tuple[Colour, Colour]
    heights: tuple[float, float]
    grounds: tuple[str, ...]
    often: float = 1.0
    maze: float = 0.0
    glow: float = 0.06
    variants: int = 1


GROWTHS = {
    "Staghorn coral": Growth(
        lambda draws: growth.branches(draws, 4, 0.5, 0.045),
        ((0.50, 0.26, 0.06), (0.80, 0.74, 0.95)), (0.14, 0.4), (SAND, TOP), 1.4, variants=2,
    ),
    "Bush coral": Growth(
        lambda draws: growth.branches(draws, 4, 0.65, 0.06),
        ((0.34, 0.06, 0.42), (0.88, 0.46, 0.86)), (0.08, 0.24), (SAND, TOP, SIDE), 1.3,
    ),
    "Table coral": Growth(growth.table, ((0.22, 0.20, 0.10), (0.62, 0.66, 0.38)), (0.12, 0.34), (SAND, TOP), 1.1),
    "Brain coral": Growth(
        lambda draws: dome((1.2, 1.1, 1.0), 0.07, 0.9, draws),
        ((0.42, 0.38, 0.08), (0.66, 0.60, 0.20)), (0.1, 0.34), (SAND, TOP), 0.8, maze=9.0,
    ),
    "Lobe coral": Growth(growth.massive, ((0.26, 0.20, 0.07), (0.56, 0.44, 0.18)), (0.12, 0.3), (SAND, TOP), 0.9),
    "Leaf coral": Growth(growth.leaves, ((0.30, 0.28, 0.04), (0.86, 0.80, 0.24)), (0.1, 0.3), (SAND, TOP, SIDE), 1.1),
    "Column coral": Growth(growth.columns, ((0.34, 0.22, 0.12), (0.80, 0.62, 0.42)), (0.2, 0.55), (SAND, TOP), 0.6),
    "Sea fan": Growth(
        growth.sea_fan, ((0.62, 0.04, 0.16), (0.98, 0.28, 0.36)), (0.16, 0.5), (TOP, SIDE), 1.1, variants=2
    ),
    "Finger coral": Growth(growth.fingers, ((0.46, 0.36, 0.30), (0.96, 0.84, 0.70)), (0.1, 0.28), (SAND, TOP), 1.0),
    "Leather coral": Growth(growth.mushroom, ((0.34, 0.30, 0.16), (0.70, 0.66, 0.40)), (0.1, 0.26), (TOP,), 0.7),
    "Crust coral": Growth(growth.crust, ((0.46, 0.10, 0.26), (0.90, 0.36, 0.48)), (0.02, 0.05), (TOP, SIDE), 1.6),
    "Tube sponge": Growth(growth.sponges, ((0.85, 0.46, 0.02), (1.0, 0.74, 0.10)), (0.1, 0.32), (SAND, TOP, SIDE), 0.8),
    "Barrel sponge": Growth(growth.barrel, ((0.40, 0.12, 0.08), (0.72, 0.34, 0.24)), (0.16, 0.42), (SAND, TOP), 0.5),
    "Sea whip": Growth(growth.whips, ((0.80, 0.24, 0.04), (1.0, 0.60, 0.20)), (0.25, 0.6), (TOP, SIDE), 0.5),
    "Anemone": Growth(growth.anemone, ((0.40, 0.26, 0.10), (0.95, 0.70, 0.78)), (0.08, 0.16), (TOP,), 0.5),
    "Rubble": Growth(growth.rubble, ((0.40, 0.36, 0.30), (0.72, 0.68, 0.60)), (0.3, 0.7), (SAND,), 0.0, variants=2),
    "Turf": Growth(growth.grass, ((0.06, 0.10, 0.02), (0.30, 0.36, 0.06)), (0.06, 0.16), (SAND, TOP), 0.0, glow=0.1),
    "Red alga": Growth(
        growth.leaves, ((0.20, 0.02, 0.04), (0.56, 0.10, 0.14)), (0.08, 0.22), (SAND, TOP), 0.0, glow=0.1
    ),
}  # fmt: skip
"""All kinds of growth, by name. Those of frequency 0 are only placed on purpose."""

ROCKS: dict[str, Callable[[Draws], Shape]] = {
    "Boulder": lambda draws: dome((1.4, 1.1, 1.0), 0.22, 0.7, draws),
    "Outcrop": growth.outcrop,
}
"""Rocks that bear growth."""


@dataclass(frozen=True)
class Colony:
    """A mesh that is placed many times.

    Attributes:
        data: The mesh, about 1 m high.
        low: Lowest corner of its bounding box, (3,).
        high: Its highest corner.
    """

    data: bpy.types.Mesh
    low: np.ndarray
    high: np.ndarray

    @cached_property
    def corners(self) -> np.ndarray:
        """Corners of its bounding box in homogeneous coordinates, (8, 4)."""
        corners = np.array([[x, y, z, 1.0] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        corners[:, :3] = np.where(corners[:, :3] > 0.5, self.high, self.low)
        return corners

    @classmethod
    def of(cls, name: str, shape: Shape, material: bpy.types.Material) -> Colony:
        """A colony of this shape."""
        return cls(mesh(name, shape, material), shape[0].min(axis=0), shape[0].max(axis=0))


def colonies(draws: Draws, names: tuple[str, ...]) -> Iterator[tuple[str, list[Colony]]]:
    """Each of these kinds or rocks with its colonies, to be placed many times."""
    for name in names:
        if name in ROCKS:
            material = rock_material(name)
        else:
            kind = GROWTHS[name]
            material = coral_material(name, *kind.colours, maze=kind.maze, glow=kind.glow)
        yield name, [Colony.of(name, shape, material) for shape in _shapes(draws, name)]


def _shapes(draws: Draws, name: str) -> tuple[Shape, ...]:
    """The shapes of a kind or rock, cached by the generator's state."""
    shapes, after = _drawn(name, json.dumps(draws.bit_generator.state))
    draws.bit_generator.state = json.loads(after)
    return shapes


@lru_cache(maxsize=64)
def _drawn(name: str, state: str) -> tuple[tuple[Shape, ...], str]:
    """The shapes drawn from this generator state, as JSON, and the state afterwards."""
    draws = np.random.default_rng()
    draws.bit_generator.state = json.loads(state)
    shape, count = (ROCKS[name], 2) if name in ROCKS else (GROWTHS[name].shape, GROWTHS[name].variants)
    return tuple(shape(draws) for _ in range(count)), json.dumps(draws.bit_generator.state)


def coral_material(name: str, colour: Colour, tip: Colour, maze: float = 0.0, glow: float = 0.06) -> bpy.types.Material:
    """Living coral, paler towards the tips, with furrows like those of brain corals by `maze`."""
    material, graph = shader_graph.material(name)
    material.diffuse_color = (*(0.5 * (np.array(colour) + tip)).tolist(), 1.0)
    _, _, high = graph.parts(graph.coordinates("Generated"))
    at = graph.coordinates("Object")
    fine = graph.noise(at, 40.0, 3.0)
    # No two colonies have quite the same colour.
    own = graph.node("ShaderNodeObjectInfo")["Random"]
    paint = graph.mix(high.ramp(0.2, 0.95) * 0.9 + (fine - 0.5) * 0.4, colour, tip)
    paint = graph.node("ShaderNodeHueSaturation", {"Hue": 0.45 + 0.1 * own, "Color": paint})["Color"]
    relief = fine * 0.02
    if maze:
        edge = graph.node(
            "ShaderNodeTexVoronoi", {"Vector": at, "Scale": maze, "Randomness": 1.0}, feature="DISTANCE_TO_EDGE"
        )["Distance"]
        furrow = edge.ramp(0.16, 0.02)
        paint = graph.mix(furrow * 0.75, paint, (0.06, 0.05, 0.03))
        relief = relief - furrow * 0.03
    dull_surface(graph, paint, graph.bump(relief, 1.0), 0.7, glow=glow)
    return material
