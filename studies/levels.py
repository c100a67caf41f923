"""Schools of replicas are as ordered, as close and as fast as schools of dynamic fishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..core.recording import Recording
from ..core.scene.detail import Detail
from ..core.scene.inventory import Camera
from ..core.scene.scene import Scene
from ..core.world.world import World
from . import schools
from .finding import Finding, counted, each

FISHES = 40
SECONDS, SETTLED = 40.0, 15.0
"""How long a school is watched, and after how long it counts."""
MEASURES = "polarisation", "spacing in lengths", "speed in lengths a second"
WINDOW_SECONDS = 5.0
SCATTER = 2.0
"""Standard deviations of dynamic schools over such windows, within which one of replicas should be on average."""


def school(replicas: bool) -> Scene:
    """Sardines in open water, all dynamic or all replicas, every one of them in the picture."""
    fishes = [{"species": "sardine", "count": FISHES, "at": [6, 5, 2.5], "spread": 1.2, "heading": [1, 0, 0]}]
    scene = Scene.from_dict({"tank": {"size": [12, 10, 5]}, "fishes": fishes})
    camera = Camera(at=(6.0, -25.0, 2.5), look_at=(6.0, 5.0, 2.5), lens=35.0)
    return replace(scene, camera=camera, detail=Detail(dynamic=0)) if replicas else scene


def measured(recording: Recording) -> np.ndarray:
    """Polarisation, distance to the nearest other and speed, as means over windows after it has settled, (n, 3)."""
    place, length, ordered = schools.middles(recording), recording.body_length, schools.polarisation(recording)
    speed = np.linalg.norm(np.diff(place, axis=0), axis=2) * recording.fps / length
    window, found = round(WINDOW_SECONDS * recording.fps), []
    for begin in range(round(SETTLED * recording.fps), recording.frames - window + 1, window):
        frames = slice(begin, begin + window)
        near = np.mean([np.median(schools.neighbour_distances(of, length)) for of in place[frames][::12]])
        found.append((ordered[frames].mean(), near, np.median(speed[frames])))
    return np.array(found)


def lived(replicas: bool, seed: int) -> np.ndarray:
    """`measured` of a school."""
    return measured(World(school(replicas), seed=seed).simulate(round(SECONDS * 24)))


def findings(seeds: int = 12) -> Iterator[Finding]:
    """Schools of both kinds, as many of each, and how far apart they are."""
    dynamic, replicas = np.array(each(lived, (False, True), range(seeds))).reshape(2, seeds, -1, len(MEASURES))
    scatter = dynamic.std(axis=(0, 1), ddof=1)
    off = np.abs(replicas.mean(axis=1) - dynamic.mean(axis=(0, 1))) / scatter
    for row, name in enumerate(MEASURES):
        values = [f"{of[..., row].mean():.3f} ± {of[..., row].std():.3f}" for of in (dynamic, replicas)]
        claim = f"{name} of a school of replicas within {SCATTER:g} standard deviations of dynamic schools"
        yield counted(claim, (off[:, row] <= SCATTER).tolist(), 0.8, f"dynamic {values[0]}, replicas {values[1]}")
