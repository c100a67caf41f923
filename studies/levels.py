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
EVERY = 12
"""Frames from one look at a school to the next."""


def school(replicas: bool) -> Scene:
    """Sardines in open water, all dynamic or all replicas, every one of them in the picture."""
    fishes = [{"species": "sardine", "count": FISHES, "at": [6, 5, 2.5], "spread": 1.2, "heading": [1, 0, 0]}]
    scene = Scene.from_dict({"tank": {"size": [12, 10, 5]}, "fishes": fishes})
    camera = Camera(at=(6.0, -25.0, 2.5), look_at=(6.0, 5.0, 2.5), lens=35.0)
    return replace(scene, camera=camera, detail=Detail(dynamic=0)) if replicas else scene


def measured(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Means of `MEASURES` once a school has settled, and how they scatter: over time, and twice over fishes, (3,)."""
    frames = slice(round(SETTLED * recording.fps), None, EVERY)
    place, length = schools.middles(recording), recording.body_length
    speed = (np.linalg.norm(np.diff(place, axis=0), axis=2) * recording.fps / length)[frames].ravel()
    near = np.concatenate([schools.neighbour_distances(of, length) for of in place[frames]])
    values = schools.polarisation(recording)[frames], near, speed
    return np.array([of.mean() for of in values]), np.array([of.std() for of in values])


def lived(replicas: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """`measured` of a school."""
    return measured(World(school(replicas), seed=seed).simulate(round(SECONDS * 24)))


def findings(seeds: int = 12) -> Iterator[Finding]:
    """Schools of both kinds, as many of each, and how far apart they are."""
    found = np.array(each(lived, (False, True), range(seeds))).reshape(2, seeds, 2, len(MEASURES))
    (dynamic, replicas), scatter = found[:, :, 0], found[0, :, 1].mean(axis=0)
    off = np.abs(replicas - dynamic.mean(axis=0))
    for row, name in enumerate(MEASURES):
        means = " and ".join(f"{of[:, row].mean():.3f}" for of in (dynamic, replicas))
        note = f"dynamic and replicas {means}; scatter {scatter[row]:.3f}, between schools {dynamic[:, row].std():.3f}"
        claim = f"{name} of a school of replicas as of dynamic ones, within the scatter of these"
        yield counted(claim, (off[:, row] <= scatter[row]).tolist(), 0.8, note)
