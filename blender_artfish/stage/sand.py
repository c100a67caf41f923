"""Sand with ripples made by the water, and tracks of the animals that live on it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from functools import lru_cache

import bpy
import numpy as np

from ...core.scene.scene import Scene
from ..blender import shader_graph
from ..blender.background import in_thread
from .scenery import dull_surface, grey_image

STILL_RIPPLES = 0.16, 0.8, 0.6
"""Ripples in still water, left by an earlier swell: wavelength in metres, and direction across them."""
CURRENT_RIPPLES_METRES = 0.25
"""Wavelength in a steady current: some thousand grains (Allen, Current Ripples, 1968)."""
ORBITAL_SHARE = 0.65
"""Wavelength in oscillating water over the water's excursion (Miller and Komar 1980)."""
RIPPLE_METRES = 0.07, 0.5
"""Least and greatest wavelength."""
RIPPLE_STEEPNESS = 0.15
"""Height of ripples over their wavelength (Nielsen 1981)."""
TRACKS_METRES, TRACKS_SIDE = 4.0, 512
"""Side of the repeating square of tracks, in metres and in pixels."""
TRACK_DEPTH_METRES = 0.02
"""Height range from the deepest track to the highest cast."""


@dataclass(frozen=True)
class Ripples:
    """Ripples of the sand.

    Attributes:
        length: Wavelength, metres.
        height: Height, metres.
        across: Horizontal direction across them, (2,), of unit length.
    """

    length: float
    height: float
    across: tuple[float, float]

    @classmethod
    def of(cls, scene: Scene) -> Ripples:
        """The ripples of a scene's strongest uniform current, scaled by the stage's height."""
        flows = sorted((flow for flow in scene.current if flow.kind == "uniform"), key=lambda flow: flow.strength)
        length, x, y = STILL_RIPPLES
        if flows:
            flow = flows[-1]
            if level := float(np.hypot(*flow.direction[:2])):
                x, y = flow.direction[0] / level, flow.direction[1] / level
            way = flow.strength * flow.period / np.pi
            length = ORBITAL_SHARE * way if flow.period else CURRENT_RIPPLES_METRES
        length = float(np.clip(length, *RIPPLE_METRES))
        return cls(length, scene.stage.ripples * RIPPLE_STEEPNESS * length, (x, y))


def sand_material(scene: Scene) -> Generator[None, None, bpy.types.Material]:
    """Pale sand in ripples with sharp crests, with tracks and shell grit."""
    ripples = Ripples.of(scene)
    heights = yield from in_thread(lambda: _tracks_of(scene.stage.seed))
    image = grey_image("Tracks", heights)
    material, graph = shader_graph.material("Sand")
    at = graph.coordinates("Object")
    x, y, _ = graph.parts(at)
    drift = graph.noise(at, 0.9, 2.0)
    wander = graph.noise(at, 0.35 / ripples.length, 1.0)
    phase = (x * ripples.across[0] + y * ripples.across[1]) / ripples.length + drift * 3.5 + wander * 1.2
    crest = 1.0 - 1.6 * (phase * np.pi).sine().absolute()
    there = drift.ramp(0.3, 0.65, 0.25, 1.0)
    grain = graph.noise(at, 70.0, 3.0)
    tile = graph.vector(x / TRACKS_METRES, y / TRACKS_METRES)
    track = graph.node("ShaderNodeTexImage", {"Vector": tile}, image=image, interpolation="Cubic")["Color"]
    colour = graph.mix(grain.ramp(0.3, 0.7), (0.42, 0.35, 0.25), (0.64, 0.56, 0.42))
    colour = graph.mix(crest.ramp(0.2, -0.6) * there * 0.35, colour, (0.33, 0.27, 0.2))
    height = crest * there * (0.5 * ripples.height) + track * TRACK_DEPTH_METRES + grain * 0.006
    dull_surface(graph, colour, graph.bump(height, 1.0), 0.95)
    return material


@lru_cache(maxsize=8)
def _tracks_of(seed: int) -> np.ndarray:
    """The tracks of a stage of this seed, read-only."""
    return tracks(np.random.default_rng([seed, 3]))


def tracks(draws: np.random.Generator, side: int = TRACKS_SIDE) -> np.ndarray:
    """Tiling heights (side, side), 0 to 1, about 0.5 where undisturbed: trails, footprints, pits and casts."""
    heights = np.zeros((side, side))
    pixels = side / TRACKS_METRES
    for _ in range(5):  # snails plough a furrow with a rim
        path = _wandering(draws, 340, 0.012, 0.11)
        _stamp(heights, path * pixels, 0.011 * pixels, -0.30, 0.022 * pixels, 0.12)
    for _ in range(3):  # crabs step to both sides
        path = _wandering(draws, 80, 0.03, 0.07)
        step = np.diff(path, axis=0, append=path[-1:])
        sideways = np.stack([-step[:, 1], step[:, 0]], axis=-1) / 0.03 * 0.035
        for sign in (-1.0, 1.0):
            _stamp(heights, (path + sign * sideways) * pixels, 0.008 * pixels, -0.4, 0.014 * pixels, 0.1)
    for _ in range(4):  # rays dig bowls
        middle = draws.uniform(0.0, TRACKS_METRES, (1, 2))
        wide = draws.uniform(0.08, 0.16) * pixels
        _stamp(heights, middle * pixels, wide, -0.5, 1.7 * wide, 0.22)
    for _ in range(14):  # lugworms throw up casts
        middle = draws.uniform(0.0, TRACKS_METRES, (1, 2)) + 0.012 * draws.normal(size=(6, 2))
        _stamp(heights, middle * pixels, 0.012 * pixels, 0.16, 0.02 * pixels, 0.02)
    return np.clip(0.5 + heights, 0.0, 1.0)


def _wandering(draws: np.random.Generator, steps: int, step: float, turn: float) -> np.ndarray:
    """A path (steps, 2) in metres with random turns of at most so many radians at every step of so many metres."""
    way = draws.uniform(0.0, 2 * np.pi) + np.cumsum(turn * draws.normal(size=steps))
    return draws.uniform(0.0, TRACKS_METRES, 2) + step * np.cumsum(
        np.stack([np.cos(way), np.sin(way)], axis=-1), axis=0
    )


def _stamp(heights: np.ndarray, places: np.ndarray, inner: float, depth: float, outer: float, rim: float) -> None:
    """Press a round form into tiling heights, unless they are deeper already.

    Args:
        heights: Heights, (side, side).
        places: Centres in pixels, (n, 2).
        inner: Radius of the hollow, pixels.
        depth: Its depth.
        outer: Radius of the rim, pixels.
        rim: Its height.
    """
    side, reach = len(heights), int(2.2 * outer) + 1
    offset = np.arange(-reach, reach + 1)
    for x, y in places:
        column, row = int(np.floor(x)), int(np.floor(y))
        away = np.hypot(offset[None, :] + column - x, offset[:, None] + row - y)
        form = depth * np.exp(-((away / inner) ** 2)) + rim * np.exp(-(((away - outer) / (0.5 * outer)) ** 2))
        cells = np.ix_((row + offset) % side, (column + offset) % side)
        before = heights[cells]
        heights[cells] = np.where(np.abs(form) > np.abs(before), form, before)
