"""Species and scenes at the limits of their declarations: whatever passes the checks swims like a fish.

Each number of a body and its motion is as in a preset, anywhere in its range, or at an end of it. A scene has fishes
of a preset at any size in a tank of any width, in any stream and fluid, in coarse steps or fine ones. What the checks
refuse is drawn anew, so that this tests the checks. Speeds are over the ground: a fish
carried along by a stream has its speed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ..core.base.codec import SceneError
from ..core.base.declaration import Declared
from ..core.body.anatomy import body_frame
from ..core.recording import Recording
from ..core.scene.physique import Body
from ..core.scene.scene import Scene
from ..core.scene.species import Pectoral, Rhythm, Species, Steering
from ..core.scene.temperament import Temperament
from ..core.world.fitting import refuse_misfits
from ..core.world.world import World
from .finding import Finding, counted, each

SECONDS = 10
FASTEST = 15.0  # lengths a second
OVER = 0.2  # share of the time on its back
CHANGED = 0.25  # chance of a number to differ from the preset's
AT_AN_END = 0.7  # and then to be at an end of its range
THROWS = 100  # draws after which a refused value is replaced by the preset's
SPECIES = {name: Species.load(name) for name in Species.names()}
SIZES = 0.05, 0.3, 1.0, 1.0, 1.0, 3.0, 20.0  # times the usual length
WIDTHS = 0.3, 0.6, 1.0, 1.5, 3.0, 12.0  # lengths that a tank is long, wide and deep
METRES = 0.1, 0.3, 1.0, 3.0, 8.0  # or so many metres
FLUIDS = 0.0, 0.1, 0.3, 1.0, 1.0, 1.0, 3.0, 10.0  # viscosities
STREAMS = 0.3, 1.0, 3.0, 6.0, 10.0  # m/s, or lengths a second
PARTS = {"body": Body, "rhythm": Rhythm, "steering": Steering, "pectoral": Pectoral, "temperament": Temperament}


@dataclass(frozen=True)
class LimitSwim:
    """Motion of fishes in a trial.

    Attributes:
        finite: Whether all was finite.
        fastest: Greatest speed of a body from frame to frame in lengths a second.
        over: Greatest share of the time that a fish was on its back.
        what: The trial, in words.
    """

    finite: bool
    fastest: float
    over: float
    what: str

    @property
    def sound(self) -> bool:
        """True if they swam like fish."""
        return self.finite and self.fastest <= FASTEST and self.over <= OVER


def random_species(seed: int) -> Species:
    """A species at its limits that passes the checks; the same for the same seed."""
    dice = np.random.default_rng(seed)
    base = Species.load(str(dice.choice(Species.names()))).to_dict()
    for _ in range(THROWS):
        try:
            return Species.from_dict(_changed(dice, base))
        except SceneError:
            continue
    return Species.from_dict(base)


def _changed(dice: np.random.Generator, base: dict[str, Any]) -> dict[str, Any]:
    data = {**base, **{name: _drawn(dice, base[name], Species, name) for name in ("length", "time_scale")}}
    for part, cls in PARTS.items():
        data[part] = {field.name: _drawn(dice, base[part][field.name], cls, field.name) for field in fields(cls)}
    lever = np.array(data["pectoral"]["lever"])
    data["body"]["stations"] = sorted(data["body"]["stations"])
    data["pectoral"]["lever"] = (lever / lever.sum()).tolist() if lever.any() else base["pectoral"]["lever"]
    return data


def _drawn(dice: np.random.Generator, usual: Any, cls: type, name: str) -> Any:
    if dice.random() > CHANGED:
        return usual
    one: Declared = next(field.metadata["declared"] for field in fields(cls) if field.name == name)
    if one.kind == "vector":
        return [_thrown(dice, one) for _ in usual]
    return _thrown(dice, one)


def _thrown(dice: np.random.Generator, one: Declared) -> float:
    if dice.random() < AT_AN_END:
        return float(dice.choice([one.low, one.high]))
    if one.low > 0.0:
        return float(np.clip(one.low * (one.high / one.low) ** dice.random(), one.low, one.high))
    return float(dice.uniform(one.low, one.high))


def swim(seed: int, seconds: float = SECONDS) -> LimitSwim:
    """Motion of three fishes of a random species in a wide tank."""
    return swum(random_species(seed), seed, seconds, f"species {seed}")


def swum(species: Species, seed: int, seconds: float, what: str) -> LimitSwim:
    """Motion of three fishes of a species in a wide tank."""
    wide = [round(30.0 * species.length, 3)] * 3
    group = {"species": species.name, "count": 3, "at": [0.5 * way for way in wide], "spread": 4.0 * species.length}
    scene = Scene.from_dict({"tank": {"size": wide}, "fishes": [group]}, species=[species.name])
    recording = World(scene, seed=seed, species={species.name: species}).simulate(round(seconds * scene.fps))
    return judged(recording, what)


def random_scene(seed: int) -> Scene:
    """A scene at its limits that passes the checks; the same for the same seed."""
    dice = np.random.default_rng(seed)
    while True:
        try:
            scene = Scene.from_dict(_staged(dice))
            refuse_misfits(scene, SPECIES)
            return scene
        except SceneError:
            continue


def _staged(dice: np.random.Generator) -> dict[str, Any]:
    name, size = str(dice.choice(list(SPECIES))), float(dice.choice(SIZES))
    length = size * SPECIES[name].length
    wide = length * dice.choice(WIDTHS, 3) if dice.random() < 0.5 else dice.choice(METRES, 3)
    group = {"species": name, "count": int(dice.choice([1, 3, 8])), "at": (0.5 * wide).tolist(), "size": size}
    return {
        "tank": {"size": wide.tolist()},
        "fps": float(dice.choice([5.0, 12.0, 24.0, 24.0, 60.0])),
        "substeps": int(dice.choice([1, 2, 4])),
        "fluid_viscosity": float(dice.choice(FLUIDS)),
        "fishes": [{**group, "spread": 0.4 * float(wide.min())}],
        "current": [_flow(dice, wide, length) for _ in range(dice.integers(0, 3))],
        "obstacles": [_pillar(dice, wide) for _ in range(dice.integers(0, 2))],
    }


def _flow(dice: np.random.Generator, wide: np.ndarray, length: float) -> dict[str, Any]:
    kind = str(dice.choice(["uniform", "source", "sink", "vortex"]))
    fast = float(dice.choice(STREAMS)) * (length if dice.random() < 0.5 else 1.0)
    flow: dict[str, Any] = {"kind": kind, "strength": min(fast, 10.0)}
    if kind in ("uniform", "vortex"):
        flow["direction"] = dice.normal(size=3).tolist()
    if kind == "uniform":
        return {**flow, "period": float(dice.choice([0.0, 0.0, 1.0, 6.0]))}
    return {**flow, "at": (wide * dice.random(3)).tolist(), "radius": float(wide.min() * dice.choice([0.02, 0.1, 0.5]))}


def _pillar(dice: np.random.Generator, wide: np.ndarray) -> dict[str, Any]:
    foot, radius = (wide[:2] * dice.random(2)).tolist(), float(wide[:2].min() * dice.choice([0.03, 0.1]))
    return {"kind": "cylinder", "at": [*foot, 0.0], "radius": radius, "height": float(wide[2] * dice.uniform(0.1, 1.0))}


def swim_there(seed: int, seconds: float = SECONDS) -> LimitSwim:
    """Motion of fishes of our species in a random scene at its limits."""
    scene = random_scene(seed)
    return judged(World(scene, seed=seed).simulate(round(seconds * scene.fps)), f"scene {seed}")


def judged(recording: Recording, what: str) -> LimitSwim:
    """Motion of the fishes of a recording."""
    nodes = recording.nodes.astype(float)
    if not np.isfinite(nodes).all():
        return LimitSwim(False, np.inf, 1.0, what)
    steps = np.linalg.norm(np.diff(nodes.mean(axis=2), axis=0), axis=2) * recording.scene.fps / recording.body_length
    over = (body_frame(nodes)[1][..., 2, 2] < 0.0).mean(axis=0)
    return LimitSwim(True, float(steps.max(initial=0.0)), float(over.max(initial=0.0)), what)


def findings(seeds: range = range(500)) -> Iterator[Finding]:
    """Trials with finite, slow enough and upright motion."""
    yield from _counted("species", each(swim, seeds))
    yield from _counted("scenes", each(swim_there, seeds))


def _counted(kind: str, swims: list[LimitSwim]) -> Iterator[Finding]:
    worst, rolled = max(swims, key=lambda one: one.fastest), max(swims, key=lambda one: one.over)
    yield counted(f"{kind} at the limits: all is finite", [one.finite for one in swims], 1.0)
    note = f"{worst.fastest:.1f} at most, {worst.what}"
    yield counted(f"{kind}: none is faster than 15 lengths/s", [one.fastest <= FASTEST for one in swims], 1.0, note)
    note = f"{rolled.over:.0%} at most, {rolled.what}"
    yield counted(
        f"{kind}: none is on its back for a fifth of the time", [one.over <= OVER for one in swims], 1.0, note
    )
