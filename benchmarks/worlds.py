"""Whole worlds, bodies and minds and habitat, frame by frame on one thread.

Held against the worlds of Terzopoulos, Tu and Grzeszczuk (1994; 10 fishes, 15 pieces of food, 5 obstacles, 4 frames a
second) and of Yu and Terzopoulos (60 fishes, 10 to 50 frames a second by recorded motion, without bodies).
"""

from __future__ import annotations

import time

from ..core.scene import Scene
from ..core.world import World
from .table import Row, explains

SPECIES = ("sardine", "butterflyfish", "clownfish", "cardinalfish", "blue_tang")
WORLDS = ((10, 15, 5), (60, 50, 8), (1_000, 200, 8))
"""Fishes, plankton and pillars of each world."""


def reef(fishes: int, plankton: int, pillars: int) -> Scene:
    """A tank with room for that many, one predator in 250 among them."""
    room = max(1.0, (fishes / 60.0) ** (1.0 / 3.0))
    x, y, z = 10.0 * room, 8.0 * room, 4.0 * room
    hunters = fishes // 250 or 1
    counts = [(fishes - hunters + k) // len(SPECIES) for k in range(len(SPECIES))]
    groups = [
        {"species": name, "count": n, "at": [x * (k + 1) / 6, y / 2, z / 2], "spread": y / 3}
        for k, (name, n) in enumerate(zip(SPECIES, counts, strict=True))
        if n
    ]
    groups.append({"species": "grouper", "count": hunters, "at": [x / 2, y / 2, z / 2], "spread": y / 4})
    places = [[x * (k + 1) / (pillars + 1), y * (0.25 + 0.5 * (k % 2)), 0.0] for k in range(pillars)]
    obstacles = [{"kind": "cylinder", "at": at, "radius": 0.35, "height": 0.6 * z} for at in places]
    tank = {"size": [x, y, z]}
    return Scene.from_dict({"tank": tank, "fishes": groups, "obstacles": obstacles, "plankton": {"count": plankton}})


@explains("whole world")
def rows(quick: bool = False) -> list[Row]:
    """Frames a second of each world, the best second of several."""
    found = []
    for fishes, plankton, pillars in WORLDS[: 1 if quick else None]:
        world = World(reef(fishes, plankton, pillars), seed=1)
        world.simulate(12)
        best = float("inf")
        for _ in range(1 if quick else 4):
            begin = time.perf_counter()
            world.simulate(24)
            best = min(best, time.perf_counter() - begin)
        note = f"{len(world.species):,} fishes, {plankton} plankton, {pillars} pillars"
        found.append(Row(f"whole world, {fishes:,} fishes", 24 / best, "frames/s", ">= 24", note=note))
    return found
