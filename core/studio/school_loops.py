"""Schools that go round: many fishes that swim side by side on the spot, whose last frame leads to their first.

The places and headings of the fishes are those of a school that was simulated until it had found its order, without
those who strayed; each then goes through the loop of its species at a moment of its own, and sways a little about its
place. The way of the school is taken out, as that of a single fish is in `loops`.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np

from ..base.vectors import unit
from ..body.anatomy import body_frame
from ..recording import Recording
from ..scene.fishes import FishGroup
from ..scene.scene import Scene
from ..scene.species import Species
from ..scene.tank import Tank
from ..world.strokes import StrokeLog
from ..world.world import World
from .loops import loop
from .tuning import (
    SCHOOL_LOOP_DRIFT,
    SCHOOL_LOOP_SECONDS,
    SCHOOL_LOOP_SPARE,
    SCHOOL_LOOP_SPREAD,
    SCHOOL_LOOP_STRAY,
    SCHOOL_LOOP_TANK,
)

ROLLED = "fins", "mouth", "breath", "fold", "tail", "gaze", "effort"
"""Arrays of a recording that each fish takes from the loop of its species, at its own moment."""


def school_loop(species: Species, count: int, fps: float = 24.0, seed: int = 0) -> Recording:
    """Make a school that goes round, heading along x, its middle at the origin.

    Args:
        species: The species.
        count: How many fishes.
        fps: Frames a second.
        seed: Of the school that is simulated.

    Returns:
        The recording, whose last frame is its first again.
    """
    whole = ceil((1.0 + SCHOOL_LOOP_SPARE) * count)
    world = _schooling(species, count, whole - count, fps, seed)
    cycle = loop(species, "swim", fps).recording
    frames, draws = cycle.frames - 1, np.random.default_rng([seed, count])
    moments = (np.arange(frames + 1) + draws.integers(frames, size=whole)[:, None]) % frames  # (fish, frames)
    places, ways = _order(world.parts.bodies.shoal.nodes)
    size = world.parts.model.full_length
    scale = size / cycle.body_length[0]
    nodes = cycle.nodes[:, 0].astype(float)[moments] @ np.swapaxes(ways, -1, -2)[:, None]
    nodes = scale[:, None, None, None] * nodes + places[:, None, None]
    nodes += (_drift(whole, frames, draws) * size[:, None, None])[:, :, None]
    arrays = {name: np.repeat(array[None], frames + 1, axis=0) for name, array in world.record().items()}
    arrays |= {name: np.swapaxes(getattr(cycle, name)[:, 0][moments], 0, 1) for name in ROLLED}
    arrays |= {"nodes": np.swapaxes(nodes, 0, 1), "fear": np.zeros((frames + 1, whole))}
    return world.recorded(arrays | StrokeLog().arrays()).of_first(count)


def _schooling(species: Species, count: int, spare: int, fps: float, seed: int) -> World:
    """A world in which a school of so many fishes and some spare ones has found its order."""
    spread = SCHOOL_LOOP_SPREAD * species.length * (count + spare) ** (1.0 / 3.0)
    side = 2.0 * (SCHOOL_LOOP_TANK * species.length + spread)
    group = FishGroup(
        species=species.name, count=count, at=(side / 2,) * 3, spread=spread, heading=(1.0, 0.0, 0.0), seed=seed
    )
    groups = group, *(replace(group, count=1, seed=seed + 1 + number) for number in range(spare))
    scene = Scene("school", fps, SCHOOL_LOOP_SECONDS + 1.0, tank=Tank(size=(side,) * 3), fishes=groups)
    world = World(scene, seed=seed, species={species.name: species})
    for _ in range(round(SCHOOL_LOOP_SECONDS * fps)):
        world.step()
    return world


def _order(nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (fish, 3) in metres about the middle of a school of nodes (fish, 23, 3), and turns (fish, 3, 3).

    The innermost come first. The school's way is turned to x. A fish keeps its heading as far as it is near that, and
    its back up.
    """
    origin, axes = body_frame(nodes)
    ahead = axes[..., 0]
    mean = ahead.mean(axis=0)
    yaw = -np.arctan2(mean[1], mean[0])
    level = np.array([[np.cos(yaw), -np.sin(yaw), 0.0], [np.sin(yaw), np.cos(yaw), 0.0], [0.0, 0.0, 1.0]])
    places, ahead = (origin - np.median(origin, axis=0)) @ level.T, ahead @ level.T
    stray = np.clip(np.arctan2(ahead[:, 1], ahead[:, 0]), -SCHOOL_LOOP_STRAY, SCHOOL_LOOP_STRAY)
    climb = np.clip(np.arcsin(np.clip(ahead[:, 2], -1.0, 1.0)), -SCHOOL_LOOP_STRAY, SCHOOL_LOOP_STRAY)
    x = np.stack([np.cos(stray) * np.cos(climb), np.sin(stray) * np.cos(climb), np.sin(climb)], axis=-1)
    y = unit(np.stack([-x[:, 1], x[:, 0], np.zeros(len(x))], axis=-1))
    inner = np.argsort(np.linalg.norm(places, axis=-1), kind="stable")
    return places[inner], np.stack([x, y, np.cross(x, y)], axis=-1)[inner]


def _drift(count: int, frames: int, draws: np.random.Generator) -> np.ndarray:
    """Sway of fishes about their places, (fish, frames + 1, 3) in body lengths: whole waves, each its own."""
    turns = 2.0 * np.pi * (np.arange(frames + 1) % frames) / frames
    waves, begin = draws.integers(1, 3, (count, 1, 3)), draws.uniform(0.0, 2.0 * np.pi, (count, 1, 3))
    return SCHOOL_LOOP_DRIFT * np.sin(waves * turns[:, None] + begin)
