"""The scenery of a stage: a reef with anemones for its clownfish, a forest of kelp, or a wreck's surroundings."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

import bpy
import numpy as np
from mathutils import Matrix, Vector

from ...core.recording import Recording
from ..blender.background import in_thread
from .corals import GROWTHS, Colony, colonies
from .debris import DEBRIS
from .garden import Garden, box
from .kelp import heading, kelp_plants
from .objects import Span, add, stand
from .room import Room
from .scenery import rust_material
from .shapes import unit
from .view import Framing

Steps = Generator[None, None, None]
ANEMONEFISHES = ("Amphiprion", "Premnas")
"""Genera of fishes that live in anemones."""
HOST_TRIES = 60
"""Places tried for the anemones of a group of fishes."""
WRECK_KINDS = "Crust coral", "Sea fan", "Sea whip", "Tube sponge", "Leather coral", "Bush coral", "Anemone", "Turf"
KELP_KINDS = "Red alga", "Turf", "Crust coral", "Tube sponge", "Leaf coral"
WOOD = 0.16, 0.1, 0.06
"""Linear red, green and blue of a wreck's wood, below its growth."""
MOST_ON_AN_OBSTACLE = 180
KELP_NEAREST, KELP_FARTHEST = 0.35, 9.0
"""Distance of kelp outside the tank's walls, metres."""


def plant(
    stage: bpy.types.Collection, recording: Recording, view: Framing, span: Span, own: Sequence[int] = ()
) -> Steps:
    """Plant the scenery of a scene, by its seed, clear of swimmers.

    Args:
        stage: The parent of its collection.
        recording: The film's recording.
        view: The film's camera.
        span: The film's frames.
        own: Numbers of the animator's own obstacles, on which nothing grows.
    """
    plan = recording.scene.stage
    if plan.scenery not in _PLANTERS or not plan.growth:
        return
    name, build = _PLANTERS[plan.scenery]
    collection = bpy.data.collections.new(name)
    stage.children.link(collection)
    draws = np.random.default_rng([plan.seed, 7])
    yield
    room = yield from in_thread(lambda: Room.of(recording))
    garden = Garden(collection, {}, recording, view, draws, room)
    yield from build(garden, span, own)
    for obj in collection.all_objects:
        stand(obj)


def _reef(garden: Garden, span: Span, own: Sequence[int]) -> Steps:
    yield from _make(garden, (*(name for name in GROWTHS if GROWTHS[name].often), "Rubble", "Boulder", "Outcrop"))
    yield from _hosts(garden)
    draws, size = garden.draws, np.array(garden.recording.scene.tank.size[:2])
    for _ in range(garden.many(5)):
        _outcrop(garden, draws.uniform(0.0, size), draws.uniform(0.15, 0.5))
        yield
    for row in range(garden.many(15)):
        # A low garden close by, and a reef as the background of the fishes.
        far = row % 2
        nearest, farthest, high = (2.2, 6.5, draws.uniform(0.7, 1.8)) if far else (0.0, 2.5, draws.uniform(0.2, 0.7))
        _outcrop(garden, garden.in_view(nearest, farthest), high)
        yield
    for _ in range(garden.many(11)):
        _outcrop(garden, garden.outside(0.6, 6.0), draws.uniform(0.6, 2.2))
        yield
    yield from _on_obstacles(garden, own)
    for middle in [draws.uniform(-1.0, size + 1.0) for _ in range(7)] + [garden.in_view() for _ in range(8)]:
        garden.patch(middle, 9, 0.32)
        yield
    for _ in range(garden.many(16)):
        garden.rock("Boulder", garden.on_bed(garden.outside(0.6, 7.0), 0.1), draws.uniform(0.3, 1.2), 7.0)


def _kelp(garden: Garden, span: Span, own: Sequence[int]) -> Steps:
    yield from _make(garden, (*KELP_KINDS, "Rubble", "Boulder", "Outcrop"))
    draws, size = garden.draws, np.array(garden.recording.scene.tank.size)
    yield from _hosts(garden)
    for _ in range(garden.many(26)):
        inside = draws.uniform() < 0.4
        at = draws.uniform(0.0, size[:2]) if inside else garden.outside(0.4, 6.0)
        high = draws.uniform(0.15, 0.5) if inside else draws.uniform(0.4, 1.5)
        garden.rock("Boulder", garden.on_bed(at, 0.05), high, 10.0, 0.8)
        yield
    yield from _on_obstacles(garden, own, density=10.0)
    for _ in range(10):
        garden.patch(garden.in_view() if draws.uniform() < 0.6 else draws.uniform(0.0, size[:2]), 8, 0.4, 1.0, 1.0)
    plants = []
    for plant in kelp_plants(draws, garden.recording.scene, span):
        plants.append(plant)
        yield
    way = Matrix.Rotation(heading(garden.recording.scene), 4, "Z")
    for row in range(garden.many(110)):
        if row % 5 == 0:
            at = draws.uniform(0.0, size[:2])
        else:
            at = garden.in_view(0.3, KELP_FARTHEST) if row % 5 < 3 else garden.outside(KELP_NEAREST, KELP_FARTHEST)
        ground = garden.ground(at)
        for _ in range(int(draws.integers(1, 4))):
            foot = np.append(at + 0.16 * draws.normal(size=2), ground)
            _stand(garden, plants[int(draws.integers(len(plants)))], foot, size[2] - ground - 0.02, way)
        yield


def _stand(garden: Garden, plant: Colony, foot: np.ndarray, height: float, way: Matrix) -> None:
    """Kelp from its foot up to the surface, clear of swimmers however it sways."""
    wide = height * garden.draws.uniform(0.8, 1.3)
    place = Matrix.Translation(Vector(foot.tolist())) @ way @ Matrix.Diagonal((wide, wide, height, 1.0))
    chance = garden.draws.uniform()
    if chance >= garden.painted(foot) or garden.inside_solid(foot + (0, 0, 0.05)):
        return
    if garden.has_room(*box(plant, place)):
        add(garden.collection, "Kelp", plant.data).matrix_world = place


def _wreck(garden: Garden, span: Span, own: Sequence[int]) -> Steps:
    yield from _make(garden, (*WRECK_KINDS, "Rubble", "Boulder"))
    draws, scene = garden.draws, garden.recording.scene
    rust = rust_material(WOOD)
    for name, (shape, _, _) in DEBRIS.items():
        garden.colonies[name] = [Colony.of(name, shape(draws), rust)]
        yield
    yield from _hosts(garden)
    yield from _on_obstacles(garden, own, 24.0, 1.1)
    middles = [np.array(each.at[:2]) for each in scene.obstacles] or [0.5 * np.array(scene.tank.size[:2])]
    names = [name for name, (_, _, often) in DEBRIS.items() if often]
    often = np.array([DEBRIS[name][2] for name in names])
    spread = 0.24 * float(np.linalg.norm(scene.tank.size[:2]))
    for row in range(garden.many(64)):
        name = "Anchor" if row == 0 else str(draws.choice(names, p=often / often.sum()))
        at = garden.on_bed(middles[row % len(middles)] + spread * draws.normal(size=2))
        if not garden.inside_solid(at + (0, 0, 0.05)):
            low, high = DEBRIS[name][1]
            tilt = np.array([*(0.12 * draws.normal(size=2)), 1.0])
            garden.plant(name, at, draws.uniform(low, high), tilt, painted=False)
        yield
    for _ in range(12):
        garden.patch(middles[0] + spread * draws.normal(size=2), 4, 0.3, 0.8, 1.0)
    for _ in range(garden.many(14)):
        garden.rock("Boulder", garden.on_bed(garden.outside(0.6, 7.0), 0.1), draws.uniform(0.2, 0.8), 9.0)


def _make(garden: Garden, names: Sequence[str]) -> Steps:
    for name, made in colonies(garden.draws, tuple(names)):
        garden.colonies[name] = made
        yield


def _outcrop(garden: Garden, middle: np.ndarray, height: float) -> None:
    """A rock grown all over, with a garden at its foot."""
    at = garden.on_bed(middle)
    if garden.inside_solid(at + (0, 0, 0.05)):
        return
    garden.rock("Outcrop", at - (0, 0, 0.06 * height), height, 16.0, 0.7 + 0.4 * height)
    garden.patch(middle + 0.9 * height * unit(garden.draws.uniform(0, 2 * np.pi))[:2], 5, 0.3 + 0.3 * height)


def _on_obstacles(garden: Garden, own: Sequence[int], density: float = 14.0, size: float = 0.6) -> Steps:
    """Growth on static pillars and rocks, but not on nets."""
    for number, obstacle in enumerate(garden.recording.scene.obstacles):
        if number in own or obstacle.motion is not None:
            continue
        if obstacle.kind == "mesh":
            if obstacle.weave:
                continue
            vertices, faces = obstacle.placed
            garden.over(vertices, faces, density, size, MOST_ON_AN_OBSTACLE)
        else:
            garden.around(np.array(obstacle.at), obstacle.radius, obstacle.height)
        yield


def _hosts(garden: Garden) -> Steps:
    """Anemones on a stone for every group of anemonefishes, close below where these swim."""
    recording = garden.recording
    models = recording.species_models
    genera = np.array([models[name].latin_name.split(" ")[0] for name in recording.species], dtype=str)
    dwellers = np.isin(genera, ANEMONEFISHES)
    if not dwellers.any():
        return
    if "Anemone" not in garden.colonies:
        yield from _make(garden, ("Anemone",))
    everyone, rest = garden.room, np.flatnonzero(~dwellers)
    others = yield from in_thread(lambda: Room.of(recording, rest))
    begin = 0
    for group in recording.scene.fishes:
        fishes = np.arange(begin, min(begin + group.count, len(genera)))
        begin += group.count
        fishes = fishes[dwellers[fishes]]
        if len(fishes):
            _host(garden, recording.nodes[:, fishes].reshape(-1, 3).astype(float), others, everyone)
            yield
    garden.room = everyone


def _host(garden: Garden, places: np.ndarray, others: Room, everyone: Room) -> None:
    """A stone with anemones near the middle of some fishes' positions, (n, 3), as high as they allow."""
    draws = garden.draws
    middle = places[:, :2].mean(axis=0)
    spread = np.maximum(places[:, :2].std(axis=0), 0.1)
    for share in np.linspace(0.0, 1.6, HOST_TRIES):
        at = garden.on_bed(middle + share * spread * draws.normal(size=2))
        near = places[np.linalg.norm(places[:, :2] - at[:2], axis=1) < 0.4]
        if not len(near) or garden.inside_solid(at + (0, 0, 0.05)):
            continue
        high = float(np.quantile(near[:, 2], 0.1)) - at[2]
        if high < 0.08:
            continue
        stone = min(0.75 * high, 0.8)
        garden.room = everyone
        stands, place = garden.plant("Boulder", at, stone, painted=False)
        if not stands:
            continue
        garden.room = others
        top = at[2] + place.to_scale().z * 0.9
        for _ in range(7):
            away = draws.uniform(0.0, 0.8) * place.to_scale().x * unit(draws.uniform(0, 2 * np.pi))
            fall = 0.45 * float(away @ away) / place.to_scale().x
            foot = np.array([*(at + away)[:2], top - fall])
            garden.plant("Anemone", foot, draws.uniform(0.12, 0.2), np.array([*away[:2], 0.5]), painted=False)
        return


_PLANTERS: dict[str, tuple[str, Callable[[Garden, Span, Sequence[int]], Steps]]] = {
    "reef": ("Corals", _reef),
    "kelp": ("Kelp forest", _kelp),
    "wreck": ("Wreckage", _wreck),
}
"""By planted scenery: the name of its collection, and the function that plants it."""
