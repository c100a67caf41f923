"""Trials of a fit: worlds of as many fishes as were tracked, in a tank as theirs, seen from above.

A trial is a job of the farm: plain data in and out, and the same bits wherever it runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..base.sums import weighted
from ..body.anatomy import MASS_SHARES
from ..scene.fishes import DrivesChange, FishGroup
from ..scene.scene import Scene
from ..scene.species import Species
from ..world.world import World
from .arena import Arena
from .figures import all_quartiles, measured, resampled
from .numbers import QUICKNESS, species_with_habits
from .tuning import LOOK_RATE, SETTLING_SECONDS, START_SPREAD

TRIAL_CALL, SWIM_CALL = "artfish.core.fitting.trials:try_fishes", "artfish.core.fitting.trials:swim_fishes"
FILM_SUBSTEPS = 2
"""Steps of a frame of a film, as in a scene."""
PLACE_DIGITS = 5
"""Digits behind the point, of places in lengths that a job hands back."""


def try_fishes(data: Mapping[str, Any], common: Mapping[str, Any]) -> list[list[float | None]]:
    """The judged quantiles of every figure of some fishes: a job's function.

    Args:
        data: The "values" of numbers that vary, by their keys, and the "seed" of the world.
        common: The "species", the "arena" in lengths, how many "fishes", and for how many "seconds" they are looked at.
    """
    arena = Arena.from_dict(common["arena"])
    found = all_quartiles(measured(_places(data, common), LOOK_RATE, arena))
    return [[float(value) if np.isfinite(value) else None for value in row] for row in found]


def swim_fishes(data: Mapping[str, Any], common: Mapping[str, Any]) -> list:
    """Places of some fishes in lengths, (frame, fish, 2) as lists: a job's function; arguments as of `try_fishes`."""
    return np.round(_places(data, common), PLACE_DIGITS).tolist()


def scene_of(species: Species, arena: Arena, fishes: int, seconds: float, pace: float = 1.0) -> Scene:
    """A scene of so many fishes in an arena in lengths; the quicker they are by a factor, the shorter its steps."""
    name, length = species.name, species.length
    tank = arena.scaled(length).tank(length)
    calm = DrivesChange(hunger=0.0, libido=0.0, libido_spread=0.0)
    middle = tuple(0.5 * side for side in tank.size)
    spread = START_SPREAD * 0.5 * min(tank.size[:2])
    group = FishGroup(species=name, count=fishes, at=middle, spread=spread, mind=calm)
    substeps = math.ceil(FILM_SUBSTEPS * max(pace, 1.0))
    return Scene("trial", duration=seconds, preroll=SETTLING_SECONDS, substeps=substeps, tank=tank, fishes=(group,))


def _places(data: Mapping[str, Any], common: Mapping[str, Any]) -> np.ndarray:
    """Places of fishes as figures are taken from them, (frame, fish, 2) in lengths, where the arena lies."""
    species = species_with_habits(Species.from_dict(dict(common["species"])), data["values"])
    arena = Arena.from_dict(common["arena"])
    scene = scene_of(species, arena, common["fishes"], common["seconds"], data["values"].get(QUICKNESS, 1.0))
    recording = World(scene, seed=data["seed"], species={species.name: species}).simulate(scene.frames)
    middles = weighted(MASS_SHARES, recording.nodes.astype(float))[..., :2] / species.length
    middles[~recording.alive] = np.nan
    shift = arena.middle - 0.5 * np.array(scene.tank.size[:2]) / species.length
    return resampled(middles + shift, scene.fps)
