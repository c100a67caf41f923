"""Schools of replicas match schools of dynamic fishes in order, spacing and speed, and no change-over shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import stdtrit

from ..core.recording import Recording
from ..core.replicas.levels import DYNAMIC, FRAME_ONLY
from ..core.scene.detail import Detail
from ..core.scene.inventory import Camera
from ..core.scene.scene import Scene
from ..core.world.world import World
from . import schools
from .finding import Finding, counted, each

FISHES = 40
SECONDS, SETTLED = 40.0, 15.0
"""Duration of a school's film, and the time from which it counts."""
MEASURES = "polarisation", "spacing in lengths", "speed in lengths a second"
EVERY = 12
"""Frames between two samples of a school."""
CHANGING = "sardine", "clownfish"
"""Species that change over: one that swims by its tail, and one that rows with its fins."""
MOST_HARDER = 1.5
"""Limit on the hardest accelerations of nodes at switches, over those without."""


def school(replicas: bool) -> Scene:
    """Sardines in open water, all dynamic or all replicas, all in the picture."""
    fishes = [{"species": "sardine", "count": FISHES, "at": [6, 5, 2.5], "spread": 1.2, "heading": [1, 0, 0]}]
    scene = Scene.from_dict({"tank": {"size": [12, 10, 5]}, "fishes": fishes})
    camera = Camera(at=(6.0, -25.0, 2.5), look_at=(6.0, 5.0, 2.5), lens=35.0)
    return replace(scene, camera=camera, detail=Detail(dynamic=0)) if replicas else scene


def measured(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Means of `MEASURES` after a school has settled, and their spread: over time, and twice over fishes, (3,)."""
    frames = slice(round(SETTLED * recording.fps), None, EVERY)
    place, length = schools.middles(recording), recording.body_length
    speed = (np.linalg.norm(np.diff(place, axis=0), axis=2) * recording.fps / length)[frames].ravel()
    near = np.concatenate([schools.neighbour_distances(of, length) for of in place[frames]])
    values = schools.polarisation(recording)[frames], near, speed
    return np.array([of.mean() for of in values]), np.array([of.std() for of in values])


def lived(replicas: bool, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """`measured` of a school."""
    return measured(World(school(replicas), seed=seed).simulate(round(SECONDS * 24)))


def panned(kind: str) -> Scene:
    """A shoal before a camera that pans to and fro, so that many change over."""
    views = [(float(second), 7 if second % 2 else 3) for second in range(9)]
    keys = [{"time": time, "at": [x, -1, 2], "look_at": [x, 4, 2]} for time, x in views]
    fishes = [{"species": kind, "count": 36, "at": [5, 4, 2], "spread": 2.5}]
    detail = {"dynamic": 12, "near": 0.01, "camera": keys}
    return Scene.from_dict({"tank": {"size": [10, 8, 4]}, "fishes": fishes, "detail": detail})


def hardness(recording: Recording) -> float:
    """The 99.9th percentile of accelerations of nodes about switches, over that far from any."""
    dynamic, seen = recording.level == DYNAMIC, recording.level != FRAME_ONLY
    seen = seen[2:] & seen[1:-1] & seen[:-2]
    switches, around = np.zeros((2, *seen.shape), dtype=bool)
    for frame, fish in zip(*np.nonzero(dynamic[1:] != dynamic[:-1]), strict=True):
        switches[max(frame - 3, 0) : frame + 4, fish] = around[max(frame - 12, 0) : frame + 12, fish] = True
    nodes = np.linalg.norm(np.diff(recording.nodes.astype(float), 2, axis=0), axis=3) / recording.body_length[:, None]
    at_switches, without = (np.percentile(nodes[seen & own], 99.9) for own in (switches, ~around))
    return float(at_switches / without)


def changed(kind: str, seed: int) -> float:
    """`hardness` of a shoal."""
    return hardness(World(panned(kind), seed).simulate(192))


def apart(some: np.ndarray, others: np.ndarray) -> tuple[float, float]:
    """Difference of the means of two samples, and half its 95 % interval (Welch)."""
    spread = np.array([of.var(ddof=1) / len(of) for of in (some, others)])
    freedom = spread.sum() ** 2 / (spread**2 / (np.array([len(some), len(others)]) - 1)).sum()
    return float(some.mean() - others.mean()), float(stdtrit(freedom, 0.975) * np.sqrt(spread.sum()))


def findings(seeds: range = range(12)) -> Iterator[Finding]:
    """Schools of both kinds, as many of each, and their differences; then shoals that change over."""
    found = np.array(each(lived, (False, True), seeds)).reshape(2, len(seeds), 2, len(MEASURES))
    (dynamic, replicas), scatter = found[:, :, 0], found[0, :, 1].mean(axis=0)
    off = np.abs(replicas - dynamic.mean(axis=0))
    for row, name in enumerate(MEASURES):
        means = " and ".join(f"{of[:, row].mean():.3f}" for of in (dynamic, replicas))
        off_by, half = apart(replicas[:, row], dynamic[:, row])
        note = f"dynamic and replicas {means}, {off_by:+.3f} apart (95 % {off_by - half:+.3f} to {off_by + half:+.3f})"
        note += f"; scatter {scatter[row]:.3f}, between schools {dynamic[:, row].std(ddof=1):.3f}"
        claim = f"{name} of a school of replicas as of dynamic ones, within the scatter of these"
        yield counted(claim, (off[:, row] <= scatter[row]).tolist(), 0.8, note)
    harder = np.array(each(changed, CHANGING, seeds)).reshape(len(CHANGING), len(seeds))
    for kind, ratios in zip(CHANGING, harder, strict=True):
        note = f"{np.median(ratios):.2f} (median), {ratios.min():.2f} to {ratios.max():.2f}"
        claim = f"accelerations where a {kind} changes over are at most {MOST_HARDER} times those without"
        yield counted(claim, (ratios <= MOST_HARDER).tolist(), 0.8, note)
