"""Gait of the shipped species compared with real fish: the figures of `core.body.gait` in one table."""

from __future__ import annotations

import numpy as np

from ..core.body.gait import Gait, measure
from ..core.motor.commands import Commands
from ..core.scene.scene import Scene
from ..core.scene.species import Species
from ..core.world.world import World
from .table import Row, explains

SETTINGS = np.linspace(0.1, 1.0, 10)  # swim commands; half speed, the cruise, is the fifth
CRUISE, FULL = 4, 9
FIGURES = {
    "strouhal": ("Strouhal number", "", "0.2 to 0.4"),
    "amplitude": ("tail amplitude, peak to peak", "lengths", "0.1 to 0.3"),
    "stride": ("stride", "lengths/beat", ">= 0.5"),
    "nose": ("sideways motion of the nose", "lengths", "<= 0.1"),
    "straightness": ("straightness of the path", "", ">= 0.97"),
}
"""Figures at full speed: field of `Gait`, its name, unit and target."""
POSTURE = {"nose", "straightness"}
"""Figures independent of the means of swimming; the others are of the tail."""
CRUISES = {"reef": "0.8 to 3", "large": "0.3 to 1.5"}
"""Required speed of each kind of fish at half command, in lengths a second."""


def swim(names: tuple[str, ...], seconds: float) -> dict[str, Gait]:
    """The gait of each species, one fish for each of `SETTINGS`.

    Args:
        names: Species.
        seconds: Length of the measurement, which begins after as many seconds of start-up.
    """
    group = {"count": len(SETTINGS), "at": [5, 5, 5], "heading": [1, 0, 0]}
    fishes = [{"species": name, **group} for name in names]
    scene = Scene.from_dict({"name": "gait", "tank": {"size": [10, 10, 10]}, "fishes": fishes})
    commands = Commands.still(scene.count)
    commands.swim[:] = np.tile(SETTINGS, len(names))
    models = {name: Species.load(name).alike for name in names}
    world = World(scene, pilot=lambda t, world: commands, species=models)
    frames = round(seconds * scene.fps)
    world.simulate(frames)
    recording = world.simulate(frames)
    rows = {name: np.flatnonzero(np.array(recording.species) == name) for name in names}
    return {
        name: measure(recording.nodes[:, own], recording.fps, recording.body_length[own]) for name, own in rows.items()
    }


def worst(label: str, unit: str, target: str, values: dict[str, float]) -> Row:
    """The value closest to missing the target, or missing it most, with the range of all in the note."""
    spread = f"{len(values)} species, {min(values.values()):.3g} to {max(values.values()):.3g}"
    each = [Row(label, value, unit, target, f"worst: {name}; {spread}") for name, value in values.items()]
    return min(each, key=Row.slack)


@explains("gait")
def rows(quick: bool = False) -> list[Row]:
    """The worst species in each figure at full speed, the cruises, and the results of the book's own numbers."""
    models = {name: Species.load(name) for name in Species.names()}
    gaits = swim(tuple(models), 2.0 if quick else 8.0)
    real = [name for name in models if models[name].kind != "thesis"]
    rowing = [name for name in real if models[name].pectoral.stroke > 0]
    found = []
    for figure, (label, unit, target) in FIGURES.items():
        own = [name for name in real if name not in rowing or figure in POSTURE]
        found.append(worst(label, unit, target, {name: float(getattr(gaits[name], figure)[FULL]) for name in own}))
    label, swept = "tail amplitude of who rows with its fins", {n: float(gaits[n].amplitude[FULL]) for n in rowing}
    found.append(worst(label, "lengths", "<= 0.05", swept))
    for kind, target in CRUISES.items():
        speeds = {name: float(gaits[name].speed[CRUISE]) for name in real if models[name].kind == kind}
        found.append(worst(f"cruise, {kind} fishes", "lengths/s", target, speeds))
    falling = [name for name in real if (np.diff(gaits[name].speed) <= 0).any()]
    label = "species whose speed does not rise strictly"
    found.append(Row(label, len(falling), "", "<= 0", ", ".join(falling) or f"over {len(SETTINGS)} settings"))
    for name in (name for name in models if name not in real):
        for figure, (label, unit, _) in FIGURES.items():
            found.append(Row(f"{name}, {label}", float(getattr(gaits[name], figure)[FULL]), unit))
    return found
