"""Memory and inhibitory gain keep fishes from dithering (Tu 1999, §7.7)."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..core.recording import Recording
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

SECONDS = 60
AVOID = Recording.INTENTIONS.index("avoid")


def changes(memory: int, gain: float, seed: int, seconds: int = SECONDS) -> float:
    """Changes of mind in a minute of a fish that would court, among tempting food."""
    mind = {"memory": memory, "gain": gain, "hunger": 0.5, "libido": 0.8, "p1": 0.0001, "appetite": 60}
    mind |= {"fatigue": 1000, "book_metres": 0.04}  # it hardly tires; food tempts from afar
    mind |= {"composure": 0.0}  # like the book's fishes: a least time for an intention would keep it up, too
    groups = [
        {"species": "butterflyfish", "type": "pacifist", "sex": sex, "count": 4, "size": 1.3, "at": at, "spread": 1.2}
        for sex, at in (("male", [2.5, 2.5, 1.2]), ("female", [3.5, 2.5, 1.2]))
    ]
    scene = {
        "tank": {"size": [6, 5, 3]},
        "fishes": [{**group, "mind": mind} for group in groups],
        "plankton": {"count": 400, "growth": 2.0},
    }
    recording = World(Scene.from_dict(scene), seed=seed).simulate(24 * seconds)
    # Giving way is no change of mind: the want stays.
    wants = [of[of != AVOID] for of in recording.intention.T]
    return sum(int((np.diff(of) != 0).sum()) for of in wants) / len(wants) * 60 / seconds


def findings(seeds: range = range(30)) -> Iterator[Finding]:
    """Results over many seeds, for fishes without a least time for what they begin."""
    both, neither = each(changes, [1], [0.2], seeds), each(changes, [0], [0.0], seeds)
    note = f"{np.mean(both):.1f} a fish and minute with, {np.mean(neither):.1f} without"
    fewer = [a < b for a, b in zip(both, neither, strict=True)]
    yield counted("with memory and gain a fish changes its mind less often", fewer, 5 / 6, note)
