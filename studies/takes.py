"""Takes: what is wished for is found within two hundred, where one take in twenty has the event at all.

A wish names an event within half a second of a time, in the picture of a camera that stands still, by a fish that is
larger there than a sixth of the picture's height. Times are such that about 5 % of takes have the event within half a
second of them, wherever it is (sixty takes of other seeds were looked at, to choose them).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..core.farm.scoring import scored
from ..core.farm.wishes import wishes_of
from ..core.scene.scene import Scene
from ..core.world.world import World
from .finding import Finding, counted, each

MOST_TAKES = 200
SEEDS_APART = 1000
"""From the first seed of a search to that of the next."""
NEAR_SECONDS = 0.5
SIXTH = 1.0 / 6.0
WISHED: dict[str, tuple[str, float, dict[str, Any]]] = {
    "hunt": ("ate", 6.75, {"at": [3.3, -1.0, 1.3], "look_at": [3.3, 2.3, 1.1], "lens": 24}),
    "preying": ("ate", 8.25, {"at": [4.3, -0.6, 1.4], "look_at": [4.3, 2.7, 1.3], "lens": 24}),
    "mating": ("circling", 16.0, {"at": [4.3, 1.4, 1.3], "look_at": [4.3, 3.2, 1.2], "lens": 35}),
}
"""By scene the event, its time in seconds and the camera."""


def wishes(name: str) -> list[dict[str, Any]]:
    """The wishes for a scene, as a file holds them."""
    event, time, camera = WISHED[name]
    span = [time - NEAR_SECONDS, time + NEAR_SECONDS]
    wish = {"event": event, "time": span, "camera": "A", "size": SIXTH}
    return [{"kind": "camera", "name": "A", **camera}, wish, {"event": event, "time": span}]


def search(name: str, number: int) -> tuple[int, int, int]:
    """The take of a search that is as wished, from 1, 0 if none is; how many were made, and had the event in time."""
    time = WISHED[name][1] + NEAR_SECONDS
    scene = replace(Scene.load(name), duration=time + 1.0)
    some, had = wishes_of(wishes(name), scene), 0
    for take in range(MOST_TAKES):
        world = World(scene, seed=number * SEEDS_APART + take)
        wished, happened = scored(world.simulate(round(time * scene.fps) + 1), some).parts
        had += happened == 1.0
        if wished == 1.0:
            return take + 1, take + 1, had
    return 0, MOST_TAKES, had


def findings(seeds: range = range(10)) -> Iterator[Finding]:
    """Searches that find what is wished."""
    for name in WISHED:
        found = each(search, [name], seeds)
        takes = sorted(one for one, _, _ in found if one)
        made, had = sum(one[1] for one in found), sum(one[2] for one in found)
        note = f"after {takes[len(takes) // 2]} takes in the middle, {takes[-1]} at the most" if takes else ""
        note += f"; {had} of {made} takes have the event in time"
        yield counted(f"{name}: {WISHED[name][0]} is found as wished", [bool(one) for one, _, _ in found], 0.9, note)
