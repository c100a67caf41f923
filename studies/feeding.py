"""Feeding: plankton in open water, around a pillar and beside a predator, and bait on a hook (Tu 1999, §7.9, §10.1)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.world import World
from . import schools
from .finding import Finding, counted, each

EAT = Recording.INTENTIONS.index("eat")
BITERS = ("blue_tang", "sardine", "cardinalfish", "clownfish", "parrotfish")


def feeding(seed: int = 0, seconds: float = 60.0, **mind: Any) -> Recording:
    """Five hungry butterflyfishes beside sixty particles."""
    fishes = {"species": "butterflyfish", "count": 5, "at": [1.5, 2, 1.2], "spread": 0.5}
    scene = {"tank": {"size": [5, 4, 2.5]}, "plankton": {"count": 60, "at": [3.0, 2, 1.2], "spread": 0.5}}
    mind = {"hunger": 1.0, "appetite": 6.0, **mind}
    world = World(Scene.from_dict({**scene, "fishes": [{**fishes, "mind": mind}]}), seed=seed)
    return world.simulate(round(24 * seconds))


def picked(seed: int, seconds: float = 40.0) -> int:
    """Number of forty drifting particles, close together, that six sardines eat."""
    school = {"species": "sardine", "count": 6, "at": [3, 3, 1.5], "spread": 0.8, "mind": {"hunger": 1.0}}
    patch = {"count": 40, "at": [3.5, 3, 1.5], "spread": 0.2, "growth": 0.0}
    scene = Scene.from_dict({"tank": {"size": [8, 6, 3]}, "fishes": [school], "plankton": patch})
    return len(World(scene, seed=seed).simulate(round(24 * seconds)).events)


def widths(seed: int, seconds: int = 60) -> float:
    """Smallest extent, in lengths, of any eight seconds' path of a restless hungry fish among plankton."""
    model = Species.load("butterflyfish")
    restless = dataclasses.replace(model, temperament=dataclasses.replace(model.temperament, rest=0.0))
    fish = {"species": "butterflyfish", "type": "pacifist", "at": [2.5, 2, 1.2], "mind": {"hunger": 0.9}}
    scene = Scene.from_dict({"tank": {"size": [5, 4, 2.5]}, "fishes": [fish], "plankton": {"count": 100}})
    recording = World(scene, seed=seed, species={"butterflyfish": restless}).simulate(24 * seconds)
    places = recording.nodes[:, 0].mean(axis=1)
    spans = [places[begin : begin + 24 * 8] for begin in range(0, 24 * (seconds - 8), 12)]
    return min(float(np.linalg.norm(s - s.mean(axis=0), axis=1).max()) for s in spans) / float(recording.body_length[0])


def around_a_pillar(species: str, pillar: bool, seconds: float = 60.0) -> tuple[int, float]:
    """Food eaten by six hungry fishes with or without a pillar in its middle, and their depth in the pillar."""
    obstacles = [{"kind": "cylinder", "at": [3, 2.5, 0], "radius": 0.25, "height": 3}] if pillar else []
    fishes = {"species": species, "count": 6, "at": [1.5, 2.5, 1.5], "spread": 0.7, "mind": {"hunger": 0.9}}
    plankton = {"count": 40, "at": [3, 2.5, 1.5], "spread": 0.45, "growth": 0}
    scene = {"tank": {"size": [6, 5, 3]}, "fishes": [fishes], "plankton": plankton, "obstacles": obstacles}
    recording = World(Scene.from_dict(scene)).simulate(round(24 * seconds))
    eaten = sum(event["kind"] == "fed" for event in recording.events)
    return eaten, schools.depth(recording)[0] if pillar else 0.0


def patch(seed: int, ravenous: bool, seconds: float = 150.0) -> tuple[float, int]:
    """Share that means to eat in the last half minute with food, and the number eaten of sixty."""
    recording = feeding(seed, seconds, appetite=4.0, p0=0.02 if ravenous else 0.00067)
    there = recording.plankton_alive.any(axis=1)
    return float((recording.intention[there][-24 * 30 :] == EAT).mean()), len(recording.events)


def beside_a_predator(reach: float, seed: int, seconds: float = 40.0) -> int:
    """Food eaten by grazers beside a calm shark, which they fear from this distance."""
    calm = {"species": "reef_shark", "size": 0.5, "at": [3.2, 3.2, 1.5], "mind": {"hunger": 0.0}}
    grazers = {"species": "butterflyfish", "count": 5, "at": [1.5, 1.5, 1.2], "spread": 0.5}
    plankton = {"count": 60, "at": [2.8, 2, 1.2], "spread": 0.5}
    fishes = [{**grazers, "mind": {"hunger": 1.0, "D0": reach}}, calm]
    scene = Scene.from_dict({"tank": {"size": [6, 4, 2.5]}, "plankton": plankton, "fishes": fishes})
    return len(World(scene, seed=seed).simulate(round(24 * seconds)).events)


def bites(species: str, seed: int, height: float = 1.5) -> bool:
    """True if a fish alone with a hook, as hungry as at any beginning, takes it within a minute."""
    fish = {"species": species, "at": [3, 2.5, 1.5], "spread": 1, "type": "pacifist"}
    hook = {"at": [3, 2.5, height]}
    world = World(Scene.from_dict({"tank": {"size": [6, 5, 3]}, "fishes": [fish], "hook": hook}), seed=seed)
    return any(event["kind"] == "hooked" for _ in range(60) for event in world.simulate(24).events)


def findings(seeds: range = range(6)) -> Iterator[Finding]:
    """Food eaten by species and situation."""
    few = seeds[:4]
    food = each(picked, seeds)
    yield counted("hungry fishes pick 9 of 40 that drift close together", [one >= 9 for one in food], None, f"{food}")
    wide = each(widths, [500 + seed for seed in seeds])
    yield counted("nobody goes round and round for 8 s what it cannot reach", [one > 1.0 for one in wide], 1.0)
    for species in ("blue_tang", "sardine", "clownfish"):
        (free, _), (round_it, inside) = each(around_a_pillar, [species], [False, True])
        ate = round_it >= 0.8 * free >= 8 and inside <= 0.05
        note = f"{round_it} around it, {free} without"
        yield counted(f"{species} eats food around a pillar as in open water", [ate], 1.0, note)
    sated, greedy = (each(patch, few, [ravenous]) for ravenous in (False, True))
    more = [b[0] > a[0] for a, b in zip(sated, greedy, strict=True)]
    note = f"{np.mean([a for a, _ in sated]):.2f} and {np.mean([a for a, _ in greedy]):.2f} of the time at last"
    yield counted("the sated stop, the ravenous go on", more, 1.0, note)
    emptied = [a <= 30 and b >= 55 for (_, a), (_, b) in zip(sated, greedy, strict=True)]
    yield counted("and the ravenous empty the patch, of which the sated leave half", emptied, 1.0)
    brave, afraid = (each(beside_a_predator, [reach], few) for reach in (20.0, 500.0))
    note = f"{sum(afraid)} against {sum(brave)} in all, less than 0.6 of it asked"
    yield counted("cowards eat less beside a predator", [a < b for a, b in zip(afraid, brave, strict=True)], None, note)
    for species in BITERS:
        yield counted(f"{species} alone takes the bait in open water", each(bites, [species], seeds), 1.0)
    for species in ("blue_tang", "sardine"):
        low = each(bites, [species], seeds, [0.15])
        yield counted(f"{species} takes bait that is lower than it would swim", low, 0.8)
