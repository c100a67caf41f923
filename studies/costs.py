"""The cost of each kind of thing in a scene: four times as many take no more than about four times as long.

A few fishes swim with some of each kind of thing that a scene may have, and with four times as many: how long the world
takes to be made, and how long a frame lasts, as processor time. A cost that grows faster than the numbers is a
fault; the number of each that fits into a frame of a twentieth of a second is reported.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted

FRAMES = 8
MORE = 4  # times as many
SLOWER = 1.5  # times more than that many times as long, at the most
NOISE = 0.2, 0.01  # seconds of making a world and of a frame, that say nothing
FRAME_SECONDS = 0.05
WATER = 10.0, 10.0, 6.0
KINDS: dict[str, tuple[int, Callable[[int], dict[str, Any]]]] = {}
"""Initial number of each kind, and a scene with so many."""


def kind(first: int) -> Callable[[Callable[[int], Any]], Callable[[int], Any]]:
    """Registers the maker of a section of a scene under its name."""

    def enter(make: Callable[[int], Any]) -> Callable[[int], Any]:
        KINDS[make.__name__.replace("_", " ")] = first, make
        return make

    return enter


def _places(count: int, height: float = 0.0) -> list[list[float]]:
    """Places spread evenly over the ground, all different."""
    rows = int(np.ceil(np.sqrt(count)))
    return [[0.3 + 9.4 * (k % rows) / rows, 0.3 + 9.4 * (k // rows) / rows, height] for k in range(count)]


@kind(50)
def fishes(count: int) -> dict[str, Any]:
    """Fishes of one species."""
    return {"fishes": [{"species": "sardine", "count": count, "at": [5, 5, 3], "spread": 3}]}


@kind(20)
def vents_of_bubbles(count: int) -> dict[str, Any]:
    """Vents, each with a few bubbles a second."""
    return {"bubbles": [{"at": at, "rate": 5} for at in _places(count)]}


@kind(50)
def pillars(count: int) -> dict[str, Any]:
    """Static pillars."""
    return {"obstacles": [{"kind": "cylinder", "at": at, "radius": 0.05} for at in _places(count)]}


@kind(50)
def pillars_that_move(count: int) -> dict[str, Any]:
    """Pillars that move to and fro."""
    keys = [[{"time": 0, "at": [x, y, 0]}, {"time": 9, "at": [x + 0.1, y, 0]}] for x, y, _ in _places(count)]
    return {"obstacles": [{"kind": "cylinder", "at": [1, 1, 0], "radius": 0.05, "motion": one} for one in keys]}


@kind(2500)
def wants_with_keys(count: int) -> dict[str, Any]:
    """Wants of one group, all active."""
    return {"wants": [{"fishes": 0, "want": "hunger", "keys": [[-k, 0.2], [k + 1, 0.6]]} for k in range(count)]}


@kind(20)
def currents(count: int) -> dict[str, Any]:
    """Vortices."""
    return {
        "current": [{"kind": "vortex", "at": at, "direction": [0, 0, 1], "radius": 0.3} for at in _places(count, 2)]
    }


@kind(10)
def seaweed(count: int) -> dict[str, Any]:
    """Clusters of leaves."""
    return {"seaweed": [{"at": at} for at in _places(count)]}


@kind(500)
def plankton(count: int) -> dict[str, Any]:
    """Particles of food."""
    return {"plankton": {"count": count}}


@kind(20)
def sources_of_warmth(count: int) -> dict[str, Any]:
    """Warm places."""
    return {"temperature": {"sources": [{"at": at, "strength": 5} for at in _places(count, 1)]}}


@kind(100)
def targets(count: int) -> dict[str, Any]:
    """Targets for one group, all active."""
    return {"direction": [{"kind": "target", "fishes": 0, "at": at} for at in _places(count, 2)]}


@kind(1000)
def events(count: int) -> dict[str, Any]:
    """Frights far away, one after the other."""
    return {"events": [{"kind": "fright", "time": 0.01 * k, "at": [0, 0, 0], "radius": 0.01} for k in range(count)]}


def scene_of(name: str, count: int) -> Scene:
    """A few fishes with so many of a kind."""
    some = {"tank": {"size": WATER}, "fishes": [{"species": "sardine", "count": 5, "at": [5, 5, 3], "spread": 1}]}
    return Scene.from_dict({**some, **KINDS[name][1](count)})


def spent(name: str, count: int) -> tuple[float, float]:
    """Processor seconds to make a world with so many, and for a frame of it."""
    scene, begun = scene_of(name, count), time.process_time()
    world = World(scene, seed=1)
    made = time.process_time() - begun
    world.step()
    frames = []
    for _ in range(FRAMES):
        begun = time.process_time()
        world.step()
        frames.append(time.process_time() - begun)
    return made, float(np.mean(frames))


def findings(seeds: range = range(0), kinds: Sequence[str] = tuple(KINDS)) -> Iterator[Finding]:
    """Growth of costs with numbers; it depends on no seed."""
    for name in kinds:
        first, _ = KINDS[name]
        few, many = spent(name, first), spent(name, MORE * first)
        most = [MORE * SLOWER * (one + noise) for one, noise in zip(few, NOISE, strict=True)]
        each = (many[1] - few[1]) / ((MORE - 1) * first)
        room = f"{FRAME_SECONDS / each:,.0f} fit into a frame of {FRAME_SECONDS:g} s" if each > 0 else "at no cost"
        note = f"{first}: made in {few[0]:.2f} s, {1e3 * few[1]:.0f} ms a frame; "
        note += f"{MORE * first}: {many[0]:.2f} s, {1e3 * many[1]:.0f} ms; {room}"
        outcomes = [one <= limit for one, limit in zip(many, most, strict=True)]
        yield counted(f"{name}: {MORE} times as many take up to {MORE * SLOWER:g} times as long", outcomes, 1.0, note)
