"""Ten million steps of single fishes in random worlds: nothing breaks, all stays finite, nobody leaves the water.

A scene may contain anything declared, at its limits: fishes of every species, size and
type, that court, hunt or do neither, minds at their limits, pillars, meshes and hills, currents too strong to swim
against, tanks too small to turn in, coarse and fine steps, air in place of water.
"""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any
from zlib import crc32

import numpy as np

from ..core.base.codec import SceneError
from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.scene.temperament import Drives
from ..core.world.fitting import refuse_misfits
from ..core.world.tuning import DRIFTING_LENGTHS
from ..core.world.world import World
from .finding import Finding, counted, each

SPECIES = {name: Species.load(name) for name in Species.names()}
SHARE = 50_000  # steps of one fish each that a world makes at least
TOUCH = 0.05  # lengths that a node may be beyond the wall
LAST = 240  # frames after which a world of few fishes has shown enough
AT_ONCE = 24  # frames recorded together
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SIDES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def random_scene(seed: int) -> Scene:
    """A random scene, the same for the same seed."""
    rng = np.random.default_rng(seed)
    while True:
        try:
            scene = Scene.from_dict(_drawn(rng))
            refuse_misfits(scene, SPECIES)
            return scene
        except SceneError:  # a group in a rock or below a hill, too big or in too fast water: drawn again
            continue


def _drawn(rng: np.random.Generator) -> dict[str, Any]:
    size = rng.uniform([2, 2, 1], [12, 10, 5]) if rng.random() < 0.8 else rng.uniform(0.2, 1.5, 3)
    scene: dict[str, Any] = {"tank": {"size": size.tolist()}, "preroll": float(rng.choice([0.0, 0.5]))}
    scene["fps"], scene["substeps"] = float(rng.choice([5.0, 24.0, 24.0, 60.0])), int(rng.integers(1, 5))
    scene["fluid_viscosity"] = float(rng.choice([1.0, 1.0, 1.0, rng.uniform(0.0, 10.0), 0.0]))
    scene["obstacles"] = [_obstacle(rng, size) for _ in range(rng.integers(0, 5))]
    if rng.random() < 0.4:
        scene["terrain"] = _terrain(rng, size[2])
    scene["current"] = [_current(rng, size) for _ in range(rng.integers(0, 4) if rng.random() < 0.5 else 0)]
    scene["plankton"] = {"count": int(rng.choice([0, 1, 40, 200])), "growth": float(rng.choice([0.0, 5.0, 1000.0]))}
    if rng.random() < 0.5:
        scene["plankton"] |= {"at": (rng.random(3) * size).tolist(), "spread": rng.uniform(0.0, 3.0)}
    scene["fishes"] = [_group(rng, size) for _ in range(rng.integers(1, 7))]
    smallest = min(group["size"] * SPECIES[group["species"]].length for group in scene["fishes"])
    for flow in scene["current"]:  # together, and past pillars, no faster than allowed
        flow["strength"] = min(flow["strength"], 0.5 * DRIFTING_LENGTHS * smallest / len(scene["current"]))
    return scene


def _obstacle(rng: np.random.Generator, size: np.ndarray) -> dict[str, Any]:
    at = (rng.random(3) * size).tolist()
    if rng.random() < 0.5:
        own = {"radius": rng.uniform(0.02, 0.15) * size.min(), "height": rng.uniform(0.1, 1.2) * size[2]}
        return {"kind": "cylinder", "at": [*at[:2], 0.0], **own}
    bent = CUBE @ (np.eye(3) + rng.normal(0.0, 0.15, (3, 3)))
    own = {"scale": rng.uniform(0.05, 0.4) * size.min(), "up": str(rng.choice(["y", "z"]))}
    return {"kind": "mesh", "at": at, "vertices": bent.tolist(), "faces": SIDES, **own}


def _terrain(rng: np.random.Generator, depth: float) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {"relief": rng.uniform(0.0, 0.5) * depth, "scale": rng.uniform(0.1, 3.0), "seed": int(rng.integers(99))}
    return {"heights": (rng.uniform(0.0, 0.6, rng.integers(2, 8, 2)) * depth).tolist()}


def _current(rng: np.random.Generator, size: np.ndarray) -> dict[str, Any]:
    kind, strength = str(rng.choice(["uniform", "source", "sink", "vortex"])), float(rng.choice([0.05, 0.3, 2.0, 10.0]))
    if kind == "uniform":
        return {
            "kind": kind,
            "direction": rng.normal(size=3).tolist(),
            "strength": strength,
            "period": rng.uniform(0, 5),
        }
    flow = {"kind": kind, "at": (rng.random(3) * size).tolist(), "strength": strength, "radius": rng.uniform(0.001, 1)}
    return {**flow, "direction": rng.normal(size=3).tolist()} if kind == "vortex" else flow


def _group(rng: np.random.Generator, size: np.ndarray) -> dict[str, Any]:
    group: dict[str, Any] = {"species": str(rng.choice(Species.names())), "at": (rng.random(3) * size).tolist()}
    group |= {"count": int(rng.choice([1, 10, 80, 150])), "spread": rng.uniform(0.0, 2.0), "mind": _mind(rng)}
    longest = float(max(size[:2])) / Species.load(group["species"]).length  # none is longer than the tank
    group |= {
        "size": min(float(rng.choice([0.05, 0.3, 1.0, 1.0, 1.0, 3.0])), longest),
        "sex": str(rng.choice(["mixed", "male"])),
    }
    if rng.random() < 0.5:
        group["type"] = str(rng.choice(["predator", "prey", "pacifist"]))
    if rng.random() < 0.3:  # keen to court, and quick
        group |= {"type": "pacifist", "sex": "mixed"}
        group["mind"] = {"hunger": 0.0, "p0": 0.0, "libido": 1.0, "p1": 1.0, "loops": 1, "turns": 0.1, "nudges": 1}
    return {**group, "habits": {"schooling": bool(rng.random() < 0.5)}}


def _mind(rng: np.random.Generator) -> dict[str, Any]:
    """Some numbers of the mind at an end of their range, the others as in the species.

    Each has a generator of its own, so that a new number leaves the worlds otherwise unchanged.
    """
    mind, seed = {}, int(rng.integers(2**32))
    for field in fields(Drives):
        held, own = field.metadata["declared"], np.random.default_rng([seed, crc32(field.name.encode())])
        if own.random() < 0.3 and field.default is not MISSING:
            value = held.low if own.random() < 0.5 else held.high
            mind[field.name] = int(value) if held.kind == "integer" else float(value)
    # A number that must be less than another is at its lower end, or left out.
    for low in {"f0", "q1_h", "q1_l"} & set(mind):
        mind[low] = Drives.__dataclass_fields__[low].metadata["declared"].low
    for high in ("f1", "q2_h", "q2_l"):
        mind.pop(high, None)
    return mind


def trouble(recording: Recording) -> str:
    """Faults in a recording, in words; "" without any."""
    for name in ("nodes", "fins", "mouth", "hunger", "libido", "fear", "plankton"):
        if not np.isfinite(getattr(recording, name)).all():
            return f"{name} that are not finite"
    for name in ("mouth", "hunger", "libido", "fear"):
        if not ((getattr(recording, name) >= 0.0) & (getattr(recording, name) <= 1.0)).all():
            return f"{name} beyond 0 to 1"
    size = np.array(recording.scene.tank.size)
    low, high = recording.nodes.min(axis=2).astype(float), recording.nodes.max(axis=2).astype(float)
    # A fish longer than the tank's width is in its middle.
    allowed = TOUCH * recording.body_length[:, None] + np.maximum(high - low - size, 0.0) / 2
    beyond = np.maximum(-low, high - size) - allowed
    if (beyond > 0.0).any():
        frame, fish, axis = np.unravel_index(beyond.argmax(), beyond.shape)
        return f"fish {fish} {beyond.max():.3g} m outside along {'xyz'[axis]} in frame {frame}"
    drifting = np.maximum(-recording.plankton, recording.plankton - size).max(initial=0.0)
    return f"plankton {drifting:.3g} m outside" if drifting > 1e-3 else ""


def endure(seed: int, steps: int = SHARE) -> tuple[int, str]:
    """Lives through a random world.

    Args:
        seed: Seed of the scene and of the world.
        steps: Least number of fish-steps, unless `LAST` comes first.

    Returns:
        Number of steps, and the fault in words; "" without one.
    """
    done, frames = 0, 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # NumPy's of invalid values
        try:
            scene = random_scene(seed)
            world = World(scene, seed=seed)
            while done < steps and frames < LAST:
                recording = world.simulate(AT_ONCE)
                done, frames = done + AT_ONCE * scene.count * scene.substeps, frames + AT_ONCE
                wrong = trouble(recording)
                if wrong:
                    return done, f"seed {seed}, up to frame {frames}: {wrong}"
        except Exception as error:  # any failure is a finding
            place = traceback.extract_tb(error.__traceback__)[-1]
            return done, f"seed {seed}, frame {frames}: {error!r} in {place.name}"
    return done, ""


def findings(seeds: range = range(230)) -> Iterator[Finding]:
    """Number of worlds without faults, in about ten million steps."""
    lives = each(endure, seeds)
    note = "; ".join([what for _, what in lives if what][:3]) or f"{sum(done for done, _ in lives):,} steps of one fish"
    yield counted("nothing breaks in a random world", [not what for _, what in lives], 1.0, note)
